import type { FoundOccurrence, OccurrenceWindow, Reader } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';

/** An occurrence at a place, with what its session says. */
export interface FoundHere {
  /** Row of its series. */
  series: number;
  start: Instant;
  end?: Instant;
  body?: string;
}

/**
 * Occurrences of all series at a place that start in the window, cancelled ones too, by start: two reads, by index. There may be
 * more than `limit` where several start with the last one.
 */
export async function foundHere(read: Reader, venue: number, window: OccurrenceWindow): Promise<FoundHere[]> {
  const found = await read.foundOccurrences({ kind: 'series', venues: [venue] }, { ...window, cancelled: true });
  const bodies = await read.bodies(found.flatMap(({ session }) => session ?? []));
  return found.map((one) => {
    const body = one.session === undefined ? undefined : bodies.get(one.session);
    const end = endOf(one);
    const { series, start } = one;
    return { series, start, ...(end !== undefined && { end }), ...(body !== undefined && { body }) };
  });
}

/** A session that says no end is as long as what it replaces (semantics 4.7). */
function endOf({ start, end, instance }: FoundOccurrence): Instant | undefined {
  if (end !== undefined || instance === undefined) return end;
  return start + instance.end - instance.start;
}
