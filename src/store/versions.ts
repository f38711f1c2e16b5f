import { z } from 'zod';
import { META, type Reader } from './contract/index.ts';

/**
 * The newest versions of a store, by which a reader knows whether anything changed, and not what. Harvesters put them into a
 * cache (decision 3), and servers read that cache in place of the database. They are true of the moment at which they were
 * read, and are trusted for a short time only.
 */

const feedVersions = z.strictObject({
  state: z.string(),
  /** `modified` of the last item that was read. */
  modified: z.string().optional(),
  /** When a calendar of the feed last changed, as far as the harvester knows. */
  changed: z.int().optional(),
});

/** `day`: the stored one. `calendars`, `lists`: the newest `seq` of a calendar, and of a kept list. `feeds`: by their ids. */
export const versionsSchema = z.strictObject({
  day: z.string().optional(),
  calendars: z.int(),
  lists: z.int(),
  feeds: z.record(z.string(), feedVersions),
});
export type StoreVersions = z.output<typeof versionsSchema>;

/** The versions that the database has now; `before`: those that were read last. */
export async function versionsIn(read: Reader, before?: StoreVersions): Promise<StoreVersions> {
  const day = await read.meta(META.today);
  const lists = await read.lastKeptListSeq();
  const calendars = await read.lastSeq();
  const changes = before === undefined ? [] : await read.feedsChanged(before.calendars);
  const changed = new Map(changes.map((one) => [one.feed, one.changed]));
  const feeds: StoreVersions['feeds'] = {};
  for (const { id, state, paused, modified } of await read.feedStates()) {
    const at = changed.get(id) ?? before?.feeds[id]?.changed;
    feeds[id] = {
      state: paused === undefined ? state : 'paused',
      ...(modified !== undefined && { modified }),
      ...(at !== undefined && { changed: at }),
    };
  }
  return { ...(day !== undefined && { day }), calendars, lists, feeds };
}

/** Versions with later changes that another harvester has seen, so that both write equal values. */
export function withLater(versions: StoreVersions, other: StoreVersions | undefined): StoreVersions {
  const feeds = Object.entries(versions.feeds).map(([id, feed]): [string, StoreVersions['feeds'][string]] => {
    const changed = Math.max(
      feed.changed ?? Number.NEGATIVE_INFINITY,
      other?.feeds[id]?.changed ?? Number.NEGATIVE_INFINITY,
    );
    return [id, Number.isFinite(changed) ? { ...feed, changed } : feed];
  });
  return { ...versions, feeds: Object.fromEntries(feeds) };
}
