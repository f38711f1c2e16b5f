/** `serve --republish`: what was harvested, as feeds of our own. */

import type { Settings } from '../../config.ts';
import { ConfigError } from '../../errors.ts';
import {
  aboutAll,
  aboutPublisher,
  type PublishedSite,
  publishedSite,
  REPUBLISHED_FEEDS,
  Republisher,
} from '../../publish/index.ts';
import { endRecordWatch, openChangeLog, openRecordWatch, type Reader } from '../../store/index.ts';

export interface Republishing {
  /** Writes what has changed into the feeds; in the process that harvests. */
  follow(): Promise<void>;
  site(base: string): PublishedSite;
  close(): Promise<void>;
}

/** @throws ConfigError */
export function checkRepublish({ republish, databaseUrl }: Settings): void {
  if (republish && databaseUrl !== undefined)
    throw new ConfigError(['republish follows the embedded database only: unset it, or unset DATABASE_URL']);
}

/** Undefined: not asked for; then what an earlier start left behind for it is cleared away. */
export async function openRepublishing(
  settings: Settings,
  read: Reader,
  now: () => number,
  { harvests, readOnly = false }: { harvests: boolean; readOnly?: boolean },
): Promise<Republishing | undefined> {
  if (!settings.republish) {
    if (harvests) await endRecordWatch(settings);
    return undefined;
  }
  const log = await openChangeLog(settings, 'republished', { readOnly });
  const watch = harvests ? await openRecordWatch(settings) : undefined;
  const republisher = watch && new Republisher(read, watch, log);
  return {
    follow: async () => {
      await republisher?.follow(now());
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
