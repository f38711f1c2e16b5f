import { defined, type Session } from '../../opportunity/records.ts';
import {
  type FoundOccurrence,
  type ListedRecord,
  type OccurrenceWindow,
  type Reader,
  recordOf,
} from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { ownDetails } from '../search/own-details.ts';

/** An occurrence at a place, with what its session says. */
export interface FoundHere {
  /** Row of its series. */
  series: number;
  start: Instant;
  end?: Instant;
  body?: string;
  /** When the instance starts that its session replaces. */
  original?: Instant;
}

/** Occurrences that are read at a time at most, however many of them are elsewhere. */
const MOST_READ = 1000;

/**
 * Occurrences of all series at a place that start in the window, cancelled ones too, by start. There may be more than `limit`
 * where several start with the last one; fewer are all. Three reads, by index, and as many again while dates are elsewhere.
 */
export async function foundHere(read: Reader, venue: number, window: OccurrenceWindow): Promise<FoundHere[]> {
  const here: FoundHere[] = [];
  for (let { from, limit } = window; ; limit = Math.max(limit, Math.min(2 * limit, MOST_READ))) {
    const asked = { ...window, from, limit, cancelled: true };
    const found = await read.foundOccurrences({ kind: 'series', venues: [venue] }, asked);
    here.push(...(await thoseHere(read, venue, found)));
    const last = found[limit - 1] && found.at(-1);
    if (last === undefined || here.length >= window.limit) return here;
    // What starts with the last one has been read too.
    from = last.start + 1;
  }
}

async function thoseHere(read: Reader, venue: number, found: readonly FoundOccurrence[]): Promise<FoundHere[]> {
  const sessions = found.flatMap(({ session }) => session ?? []);
  const [bodies, replaced] = [await read.bodies(sessions), await read.replacedStarts(sessions)];
  const away = await elsewhere(read, venue, bodies);
  return found.flatMap((one) => {
    if (away.has(one.session ?? 0)) return [];
    const body = one.session === undefined ? undefined : bodies.get(one.session);
    const end = endOf(one);
    const original = one.session === undefined ? undefined : replaced.get(one.session);
    const { series, start } = one;
    return [{ series, start, ...defined({ end, body, original }) }];
  });
}

/** Sessions of series that are here which say another place themselves, or that they are online alone. */
async function elsewhere(read: Reader, venue: number, bodies: ReadonlyMap<number, string>): Promise<Set<number>> {
  const isOwn = ownDetails(['location', 'attendance']);
  const own = [...bodies].flatMap(([row, body]) => (isOwn(body) ? row : []));
  const rows = own.length === 0 ? [] : await read.listedRecords(own);
  const isAway = (row: ListedRecord): boolean => {
    const { location, attendance } = (recordOf(row) as Session).details;
    return location === undefined ? attendance === 'online' : row.venue !== venue;
  };
  return new Set(rows.filter(isAway).map(({ id }) => id));
}

/** A session that says no end is as long as what it replaces (semantics 4.7). */
function endOf({ start, end, instance }: FoundOccurrence): Instant | undefined {
  if (end !== undefined || instance === undefined) return end;
  return start + instance.end - instance.start;
}
