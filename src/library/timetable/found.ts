import { defined } from '../../opportunity/records.ts';
import type { FoundOccurrence, OccurrenceWindow, Reader } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';

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

/**
 * Occurrences of all series at a place that start in the window, cancelled ones too, by start: three reads, by index. There may be
 * more than `limit` where several start with the last one.
 */
export async function foundHere(read: Reader, venue: number, window: OccurrenceWindow): Promise<FoundHere[]> {
  const found = await read.foundOccurrences({ kind: 'series', venues: [venue] }, { ...window, cancelled: true });
  const sessions = found.flatMap(({ session }) => session ?? []);
  const [bodies, replaced] = [await read.bodies(sessions), await read.replacedStarts(sessions)];
  return found.map((one) => {
    const body = one.session === undefined ? undefined : bodies.get(one.session);
    const end = endOf(one);
    const original = one.session === undefined ? undefined : replaced.get(one.session);
    const { series, start } = one;
    return { series, start, ...defined({ end, body, original }) };
  });
}

/** A session that says no end is as long as what it replaces (semantics 4.7). */
function endOf({ start, end, instance }: FoundOccurrence): Instant | undefined {
  if (end !== undefined || instance === undefined) return end;
  return start + instance.end - instance.start;
}
