/** `serve --republish`: what was harvested, as feeds of our own. */

import type { Settings } from '../../config.ts';
import { ConfigError } from '../../errors.ts';
import {
  type DatasetAbout,
  type PublishedSite,
  publishedSite,
  REPUBLISHED_FEEDS,
  Republisher,
} from '../../publish/index.ts';
import {
  endRecordWatch,
  type FeedRow,
  openChangeLog,
  openRecordWatch,
  type Reader,
  shownFeed,
} from '../../store/index.ts';

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
    site: (base) => publishedSite({ log, names: REPUBLISHED_FEEDS, base, about: () => aboutAll(read, base) }),
    close: async () => {
      await Promise.all([watch?.close(), log.close()]);
    },
  };
}

/** Everybody whose data it is. Where their licences differ, the licence of the whole is the page that names them all. */
async function aboutAll(read: Reader, base: string): Promise<DatasetAbout> {
  const feeds = await read.feeds();
  const licenses = new Set(feeds.map(({ license }) => license));
  const [only] = licenses.size === 1 ? licenses : [];
  return {
    name: 'Sessions, places and facilities of many publishers',
    description:
      'Open data of sport and leisure, collected from the feeds of its publishers and published anew in one form.',
    license: only ?? `${base}/rpde/`,
    publisher: { name: new URL(base).host, url: base },
    sources: feeds.map((feed) => ({
      publisher: { name: feed.publisher ?? feed.name ?? shownUrl(feed), url: feed.publisherUrl },
      license: feed.license,
      url: shownUrl(feed),
    })),
  };
}

/** A folder of pages has no address that anybody else could use. */
function shownUrl(feed: FeedRow): string {
  return /^https?:/i.test(feed.url) ? shownFeed(feed) : 'files';
}
