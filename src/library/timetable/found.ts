import { type Details, defined, type Session } from '../../opportunity/records.ts';
import { type FoundOccurrence, type OccurrenceWindow, type Reader, recordOf } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { KnownRecords } from '../search/known-series.ts';
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
export async function foundHere(
  read: Reader,
  venue: number,
  window: OccurrenceWindow,
  known: KnownRecords,
): Promise<FoundHere[]> {
  const here: FoundHere[] = [];
  for (let { from, limit } = window; ; limit = Math.max(limit, Math.min(2 * limit, MOST_READ))) {
    const asked = { ...window, from, limit, cancelled: true };
    const found = await read.foundOccurrences({ kind: 'series', venues: [venue] }, asked);
    here.push(...(await thoseHere({ read, known, venue }, found)));
    const last = found[limit - 1] && found.at(-1);
    if (last === undefined || here.length >= window.limit) return here;
    // What starts with the last one has been read too.
    from = last.start + 1;
  }
}

interface Asked {
  read: Reader;
  known: KnownRecords;
  venue: number;
}

async function thoseHere(asked: Asked, found: readonly FoundOccurrence[]): Promise<FoundHere[]> {
  const sessions = found.flatMap(({ session }) => session ?? []);
  const [bodies, replaced] = [await asked.read.bodies(sessions), await asked.read.replacedStarts(sessions)];
  const isHere = await hereIn(asked, found, bodies);
  return found.filter(isHere).map((one) => {
    const { series, start, session = 0 } = one;
    const [end, body, original] = [endOf(one), bodies.get(session), replaced.get(session)];
    return { series, start, ...defined({ end, body, original }) };
  });
}

/** A session may say another place than its series. What is online alone is at none, whatever place it says. */
async function hereIn(
  { read, known, venue }: Asked,
  found: readonly FoundOccurrence[],
  bodies: ReadonlyMap<number, string>,
): Promise<(one: FoundOccurrence) => boolean> {
  const isOwn = ownDetails(['location', 'attendance']);
  const own = [...bodies].flatMap(([row, body]) => (isOwn(body) ? row : []));
  const rows = own.length === 0 ? [] : await read.listedRecords(own);
  const says = new Map(rows.map((row) => [row.id, { venue: row.venue, ...(recordOf(row) as Session).details }]));
  const usual = new Map<number, Details['attendance']>();
  const series = [...new Set(found.map((one) => one.series))];
  await known.readAll(series);
  for (const row of series) usual.set(row, (await known.series(row))?.series.details.attendance);
  return ({ series, session = 0 }) => {
    const { location, attendance = usual.get(series), venue: there } = says.get(session) ?? {};
    return attendance !== 'online' && (location === undefined || there === venue);
  };
}

/** A session that says no end is as long as what it replaces (semantics 4.7). */
function endOf({ start, end, instance }: FoundOccurrence): Instant | undefined {
  if (end !== undefined || instance === undefined) return end;
  return start + instance.end - instance.start;
}
