import { type Details, defined, type Session } from '../../opportunity/records.ts';
import { type FoundOccurrence, type OccurrenceWindow, type Reader, recordOf } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { KnownRecords } from '../search/known-series.ts';
import { ownDetails } from '../search/own-details.ts';

/** An occurrence at a place, with the record of its session. */
export interface FoundHere {
  /** Row of its series. */
  series: number;
  start: Instant;
  end?: Instant;
  body?: string;
  /** Start of the instance that its session replaces. */
  original?: Instant;
}

/** Most occurrences of one read, however many of them turn out to be elsewhere. */
const MOST_READ = 1000;

/**
 * Occurrences of all series at a place that start in the window, cancelled ones too, by start. There may be more than `limit`
 * where several start with the last one; fewer are all. Three reads, by index, and as many again while dates are elsewhere.
 */
export async function foundHere(
  read: Reader,
  venue: number,
  window: OccurrenceWindow,
  known: KnownRecords,
): Promise<FoundHere[]> {
  const here: FoundHere[] = [];
  for (let { from, limit } = window; ; limit = Math.max(limit, Math.min(2 * limit, MOST_READ))) {
    const query = { ...window, from, limit, cancelled: true };
    const found = await read.foundOccurrences({ kind: 'series', venues: [venue] }, query);
    here.push(...(await thoseHere({ read, known, venue }, found)));
    const last = found[limit - 1] && found.at(-1);
    if (last === undefined || here.length >= window.limit) return here;
    // All occurrences that start with the last one have been read too.
    from = last.start + 1;
  }
}

interface HereContext {
  read: Reader;
  known: KnownRecords;
  venue: number;
}

async function thoseHere(context: HereContext, found: readonly FoundOccurrence[]): Promise<FoundHere[]> {
  const sessions = found.flatMap(({ session }) => session ?? []);
  const [bodies, replaced] = [await context.read.bodies(sessions), await context.read.replacedStarts(sessions)];
  const isHere = await hereIn(context, found, bodies);
  return found.filter(isHere).map((one) => {
    const { series, start, session = 0 } = one;
    const [end, body, original] = [endOf(one), bodies.get(session), replaced.get(session)];
    return { series, start, ...defined({ end, body, original }) };
  });
}

/** Tests whether occurrences are at the place. A session may state another place than its series; an online one is at none. */
async function hereIn(
  { read, known, venue }: HereContext,
  found: readonly FoundOccurrence[],
  bodies: ReadonlyMap<number, string>,
): Promise<(one: FoundOccurrence) => boolean> {
  const statesPlace = ownDetails(['location', 'attendance']);
  const stating = [...bodies].flatMap(([row, body]) => (statesPlace(body) ? row : []));
  const rows = stating.length === 0 ? [] : await read.listedRecords(stating);
  const stated = new Map(rows.map((row) => [row.id, { venue: row.venue, ...(recordOf(row) as Session).details }]));
  const usual = new Map<number, Details['attendance']>();
  const series = [...new Set(found.map((one) => one.series))];
  await known.readAll(series);
  for (const row of series) usual.set(row, (await known.series(row))?.series.details.attendance);
  return ({ series, session = 0 }) => {
    const { location, attendance = usual.get(series), venue: there } = stated.get(session) ?? {};
    return attendance !== 'online' && (location === undefined || there === venue);
  };
}

/** The end of an occurrence. A session without an end is as long as the instance that it replaces (semantics 4.7). */
function endOf({ start, end, instance }: FoundOccurrence): Instant | undefined {
  if (end !== undefined || instance === undefined) return end;
  return start + instance.end - instance.start;
}
