import { z } from 'zod';
import { META, type Reader } from './contract/index.ts';

/**
 * What tells whether anything moved, without what it is: harvesters put it into a cache (decision 3), and who serves asks that
 * cache in the place of the database. True of the moment at which it was read, so that nobody relies on it for long.
 */

const feedMoved = z.strictObject({
  state: z.string(),
  /** `modified` of the last item that was read. */
  modified: z.string().optional(),
  /** When a calendar that came of the feed changed last, as far as the harvester saw it. */
  changed: z.int().optional(),
});

/** `day`: the stored one. `calendars`, `lists`: the newest `seq` of a calendar, and of a kept list. `feeds`: by their ids. */
export const movedSchema = z.strictObject({
  day: z.string().optional(),
  calendars: z.int(),
  lists: z.int(),
  feeds: z.record(z.string(), feedMoved),
});
export type Moved = z.output<typeof movedSchema>;

/** What moved, read from the database; `before`: what was read last. */
export async function movedIn(read: Reader, before?: Moved): Promise<Moved> {
  const day = await read.meta(META.today);
  const lists = await read.lastKeptListSeq();
  const calendars = await read.lastSeq();
  const changes = before === undefined ? [] : await read.feedsChanged(before.calendars);
  const changed = new Map(changes.map((one) => [one.feed, one.changed]));
  const feeds: Moved['feeds'] = {};
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

/** The same with what another harvester saw before this one began: both then put in the same. */
export function withLater(moved: Moved, other: Moved | undefined): Moved {
  const feeds = Object.entries(moved.feeds).map(([id, feed]): [string, Moved['feeds'][string]] => {
    const changed = Math.max(
      feed.changed ?? Number.NEGATIVE_INFINITY,
      other?.feeds[id]?.changed ?? Number.NEGATIVE_INFINITY,
    );
    return [id, Number.isFinite(changed) ? { ...feed, changed } : feed];
  });
  return { ...moved, feeds: Object.fromEntries(feeds) };
}
