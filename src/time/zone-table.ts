import { DAY_MS } from './days.ts';
import { type Instant, nearestDate } from './instant.ts';

/** Reads the offsets of a time zone out of Intl, the only source of zone data in every Node. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Distance of the probes. A pair of changes that undo each other between two probes would be missed. The closest such pair from
 * 1970 to 2051 in any zone is 6 days 23 hours apart (America/Recife in 2000, Asia/Gaza in 2040).
 */
const STRIDE = 6 * 24 * HOUR;

/** Nearly every change lies on a quarter of an hour; only other changes are searched to the second. */
const GRID = 15 * MINUTE;

/** A reader of offsets: ms east of UTC at an instant. */
export type OffsetReader = (instant: Instant) => number;

/** Makes a reader for a zone that Intl knows; a call costs about a microsecond. */
export function offsetReader(name: string): OffsetReader {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', hour: 'numeric' });
  const known = new Map<string, number>();
  return (instant) => {
    const text = format.format(instant);
    const tail = text.slice(text.indexOf('GMT') + 3);
    let offset = known.get(tail);
    if (offset === undefined) {
      offset = parseOffset(tail);
      known.set(tail, offset);
    }
    return offset;
  };
}

/** Most days whose offset a reader keeps: more than a search around one date needs. */
const MOST_KNOWN_DAYS = 1024;

/**
 * A reader that reads the offset of a day once, at both of its ends. On a day with a change, each instant is read by itself. No
 * zone undoes a change on the same day.
 */
export function readByDay(read: OffsetReader): OffsetReader {
  const known = new Map<number, number | undefined>();
  return (instant) => {
    const day = Math.floor(instant / DAY_MS);
    let offset = known.get(day);
    if (offset === undefined && !known.has(day)) {
      const [first, last] = [read(nearestDate(day * DAY_MS)), read(nearestDate((day + 1) * DAY_MS - 1000))];
      offset = first === last ? first : undefined;
      if (known.size === MOST_KNOWN_DAYS) known.clear();
      known.set(day, offset);
    }
    return offset ?? read(nearestDate(instant));
  };
}

/** `+05:30`, `-00:44:30`, or nothing for UTC itself. */
function parseOffset(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.slice(1).split(':').map(Number);
  const size = hours * HOUR + minutes * MINUTE + seconds * 1000;
  return text.startsWith('+') ? size : -size || 0;
}

/** All changes of a zone's offset in (0, end), and the offsets between them (one more than changes). */
export function readTable(offset: OffsetReader, end: Instant): { transitions: Instant[]; offsets: number[] } {
  let current = offset(0);
  const transitions: Instant[] = [];
  const offsets = [current];
  for (let from = 0, until = 0; until < end - 1000; from = until) {
    until = Math.min(from + STRIDE, end - 1000);
    const last = offset(until);
    for (let since = from; current !== last; current = offset(since)) {
      since = firstChange(offset, since, until, current);
      transitions.push(since);
      offsets.push(offset(since));
    }
  }
  return { transitions, offsets };
}

/** The first second without the offset `current`, which is in force at `low` and not at `high`. */
function firstChange(offset: OffsetReader, low: Instant, high: Instant, current: number): Instant {
  const near = bisect(offset, low, high, current, GRID);
  return offset(near - 1000) === current ? near : bisect(offset, near - GRID, near, current, 1000);
}

function bisect(offset: OffsetReader, low: Instant, high: Instant, current: number, step: number): Instant {
  let same = Math.floor(low / step);
  let other = Math.ceil(high / step);
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offset(middle * step) === current) same = middle;
    else other = middle;
  }
  return other * step;
}
