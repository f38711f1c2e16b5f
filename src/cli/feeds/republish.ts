/** `serve --republish`: what was harvested, as feeds of our own. */

import type { Settings } from '../../config.ts';
import { OvertakenError } from '../../errors.ts';
import {
  aboutAll,
  aboutPublisher,
  type PublishedSite,
  publishedSite,
  REPUBLISHED_FEEDS,
  Republisher,
} from '../../publish/index.ts';
import { databaseAt, type LeaseToken, type Reader, type RecordWatch } from '../../store/index.ts';

export interface Republishing {
  /** Writes what has changed into the feeds; in the process that harvests. */
  follow(): Promise<void>;
  site(base: string): PublishedSite;
  close(): Promise<void>;
}

/**
 * Undefined: not asked for; then what an earlier start left behind for it is cleared away. `lease`: of who follows, where
 * several processes harvest; it gives undefined while another one has it.
 */
export async function openRepublishing(
  settings: Settings,
  read: Reader,
  now: () => number,
  {
    harvests,
    readOnly = false,
    lease,
  }: { harvests: boolean; readOnly?: boolean; lease?: (() => LeaseToken | undefined) | undefined },
): Promise<Republishing | undefined> {
  if (!settings.republish) {
    if (harvests) await databaseAt(settings).endWatch();
    return undefined;
  }
  const log = await databaseAt(settings).openRepublished({ readOnly, lease });
  let watch: RecordWatch | undefined;
  let republisher: Republisher | undefined;
  return {
    follow: async () => {
      // One who does not follow leaves the tables alone.
      if (!harvests || (lease !== undefined && lease() === undefined)) return;
      watch ??= await databaseAt(settings).openWatch();
      republisher ??= new Republisher(read, watch, log);
      try {
        await republisher.follow(now());
      } catch (error) {
        // Another process goes on where this one was.
        if (!(error instanceof OvertakenError)) throw error;
      }
    },
    site: (base) =>
      publishedSite({
        log,
        names: REPUBLISHED_FEEDS,
        base,
        about: async () => aboutAll(await read.feeds(), base),
        aboutPublisher: async (dataset, address) => aboutPublisher(dataset, await read.feeds(), address),
      }),
    close: async () => {
      await Promise.all([watch?.close(), log.close()]);
    },
  };
}
