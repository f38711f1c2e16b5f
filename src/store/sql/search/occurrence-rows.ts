import type { Instant } from '../../../time/instant.ts';
import { type FoundOccurrence, type OccurrenceWindow, type SearchQuery, sessionQueries } from '../../contract/index.ts';
import type { Cells } from '../database.ts';
import { numberCell } from '../rows.ts';

/** Rows of `occurrence o` and `record r` as occurrences of the contract. */

/** The order of occurrences: by start, then by row of the series, then by session or Schedule. */
export function byStartAndRow(a: FoundOccurrence, b: FoundOccurrence): number {
  return (
    a.start - b.start ||
    a.series - b.series ||
    (a.session ?? 0) - (b.session ?? 0) ||
    (a.schedule ?? 0) - (b.schedule ?? 0)
  );
}

/** The first `limit` occurrences in their order, and all that start together with the last of them. */
export function firstOf(found: readonly FoundOccurrence[], limit: number): FoundOccurrence[] {
  const sorted = found.toSorted(byStartAndRow);
  const last = sorted[limit - 1];
  return last === undefined ? sorted : sorted.filter(({ start }) => start <= last.start);
}

/**
 * The occurrences of series that a query finds, and the sessions that match by themselves. `dated`: reads one query in a
 * window.
 */
export async function foundWithSessions(
  query: SearchQuery,
  window: OccurrenceWindow,
  dated: (query: SearchQuery, window: OccurrenceWindow) => FoundOccurrence[] | Promise<FoundOccurrence[]>,
): Promise<FoundOccurrence[]> {
  const { limit } = window;
  const found = await dated(query, window);
  // Sessions that start after the last wanted occurrence are not read.
  const to = found.length < limit ? window.to : (found.at(-1)?.start as Instant) + 1;
  const sessions: FoundOccurrence[] = [];
  for (const other of sessionQueries(query)) sessions.push(...(await dated(other, { ...window, to })));
  if (sessions.length === 0) return found;
  const known = new Set(found.map(sessionAt));
  const others = new Map(sessions.filter((one) => !known.has(sessionAt(one))).map((one) => [sessionAt(one), one]));
  return firstOf([...found, ...[...others.values()].map((one) => ({ ...one, byItself: true as const }))], limit);
}

const sessionAt = ({ session, start }: FoundOccurrence): string => `${session} ${start}`;

export const GENERATED = 'o.series, o.start, o."end", o.schedule, r.id, r.cancelled';
/** An occurrence that no session replaces, or one whose session has no start of its own. */
export const REPLACED = '(o.session IS NULL OR (r.start IS NULL AND r.item IS NOT NULL))';
export const EXPLICIT = `r.parent, r.start, r."end", r.id, r.cancelled, i.start, i."end"`;
/** A session whose end is not stated may take it from the instance that it replaces. */
export const INSTANCE = 'LEFT JOIN occurrence i ON r.start = r."end" AND i.series = r.parent AND i.session = r.id';

/** A session with a price of at most this, and without a document of its own. */
export const PRICED = 'r.price <= ? AND r.own IS NULL';

export const notCancelled = (cancelled: boolean): string => (cancelled ? '' : 'AND r.cancelled IS NULL');

/** The occurrence of a row of `GENERATED`. */
export function generatedRow(c: Cells): FoundOccurrence {
  const [start, end, session] = [Number(c[1]), Number(c[2]), numberCell(c[4])];
  const source = session === undefined ? { schedule: Number(c[3]) } : { session, instance: { start, end } };
  return { series: Number(c[0]), start, end, ...source, cancelled: c[5] === 1 };
}

/** The occurrence of a row of `EXPLICIT`. */
export function explicitRow(c: Cells): FoundOccurrence {
  const [start, end] = [numberCell(c[5]), numberCell(c[6])];
  return {
    series: Number(c[0]),
    start: Number(c[1]),
    ...(c[1] !== c[2] && { end: Number(c[2]) }),
    session: Number(c[3]),
    ...(start !== undefined && end !== undefined && { instance: { start, end } }),
    cancelled: c[4] === 1,
  };
}
