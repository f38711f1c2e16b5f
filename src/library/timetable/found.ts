import type { Reader, Upcoming } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { StartsWithin } from './timetable.ts';

/** An occurrence at a place, with what its session says. */
export interface FoundHere {
  /** Row of its series. */
  series: number;
  start: Instant;
  end?: Instant;
  body?: string;
}

interface Window extends StartsWithin {
  limit: number;
}

/** Occurrences of all series at a place that start in the window, cancelled ones too, by start. */
export async function foundHere(read: Reader, venue: number, { from, to, limit }: Window): Promise<FoundHere[]> {
  const found: FoundHere[] = [];
  for (const series of await read.seriesAt(venue))
    for (const one of await read.upcoming(series, from, to, limit)) {
      const here = hereOf(series, one);
      if (here !== undefined && here.start >= from) found.push(here);
    }
  return found.sort((a, b) => a.start - b.start).slice(0, limit);
}

function hereOf(series: number, one: Upcoming): FoundHere | undefined {
  if (one.source === 'generated') return { series, start: one.row.start, end: one.row.end };
  const { body, instance } = one;
  const { start = instance?.start, ...more } = JSON.parse(body) as { start?: Instant; end?: Instant };
  // A session that says no end is as long as what it replaces (semantics 4.7).
  const usual = start !== undefined && instance !== undefined ? start + instance.end - instance.start : undefined;
  const end = more.end ?? usual;
  return start === undefined ? undefined : { series, body, start, ...(end !== undefined && { end }) };
}
