/** `serve --republish`: publishes harvested data as clean feeds. */

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
  /** Writes changes into the feeds, in the process that harvests. */
  follow(): Promise<void>;
  site(base: string): PublishedSite;
  close(): Promise<void>;
}

/**
 * Opens republishing; undefined: the settings have none, and the watch of an earlier start is ended. `lease`: the lease of
 * the duty, where several processes harvest; it returns undefined while another process has it.
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
      // A process without the duty leaves the tables alone.
      if (!harvests || (lease !== undefined && lease() === undefined)) return;
      watch ??= await databaseAt(settings).openWatch();
      republisher ??= new Republisher(read, watch, log);
      try {
        await republisher.follow(now());
      } catch (error) {
        // Another process has taken the duty over.
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
