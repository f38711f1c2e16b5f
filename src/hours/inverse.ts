import type { OpeningHours } from '../opportunity/records.ts';
import { DAY_MS, DAY_SECONDS, type Day, dateOfDay, weekdayOf } from '../time/days.ts';
import type { Weekday } from '../time/instant.ts';
import { toWall, type Zone } from '../time/zone.ts';
import type { Hours } from './decide.ts';
import type { OpenPeriod } from './periods.ts';
import type { DaySpan } from './spans.ts';

/** The inverse: from open periods, such as those of a VAVAILABILITY, back to opening hours. */

/** One day and the spans that begin on it. */
export interface DaySpans {
  day: Day;
  spans: DaySpan[];
}

/** Seconds after midnight until which a period may belong to the day before. */
const NIGHT_ENDS = 12 * 3600;

/**
 * Periods as spans of every day from `from` to `through`, both included. A period belongs to the day on which it begins. It is
 * cut at midnight where it lasts more than 24 hours, which no entry can state, or goes on beyond the next noon.
 *
 * @example
 * ```ts
 * const [from, to] = [Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 9)];
 * const periods = openPeriods(venue.hours, venue.context, from, to);
 * const days = spansOfPeriods(periods, london, from / 86_400_000, to / 86_400_000 - 1);
 * ```
 */
export function spansOfPeriods(
  periods: readonly Pick<OpenPeriod, 'start' | 'end'>[],
  zone: Zone,
  from: Day,
  through: Day,
): DaySpans[] {
  const days = Array.from({ length: through - from + 1 }, (_, i): DaySpans => ({ day: from + i, spans: [] }));
  for (const period of periods) {
    const end = toWall(zone, period.end);
    for (let start = toWall(zone, period.start); start < end; ) {
      const midnight = Math.floor(start / DAY_MS) * DAY_MS;
      const wholeNight = end - start <= DAY_MS && end - midnight <= DAY_MS + NIGHT_ENDS * 1000;
      const stop = wholeNight ? end : Math.min(end, midnight + DAY_MS);
      days[midnight / DAY_MS - from]?.spans.push({ start: (start - midnight) / 1000, end: (stop - midnight) / 1000 });
      start = stop;
    }
  }
  return days;
}

/**
 * Opening hours with the spans of these days: the commonest spans of each weekday as standard hours, every stretch of days
 * that differ as special hours. Days must be consecutive. `openPeriods` of the result gives the spans back.
 *
 * @example
 * ```ts
 * const hours = hoursOfDays([{ day: 20_514, spans: [{ start: 9 * 3600, end: 17 * 3600 }] }]);
 * ```
 */
export function hoursOfDays(days: readonly DaySpans[]): Hours {
  const usual = usualWeek(days);
  return { standard: standardEntries(usual), special: specialEntries(days, usual) };
}

/** For each weekday, Monday first, the spans most of its days have; of equally common ones the earliest seen. */
function usualWeek(days: readonly DaySpans[]): DaySpan[][] {
  return Array.from({ length: 7 }, (_, weekday) => {
    const counts = new Map<string, { spans: DaySpan[]; count: number }>();
    for (const { day, spans } of days) {
      if (weekdayOf(day) !== weekday) continue;
      const seen = counts.get(spansKey(spans));
      if (seen === undefined) counts.set(spansKey(spans), { spans, count: 1 });
      else seen.count++;
    }
    let best: { spans: DaySpan[]; count: number } = { spans: [], count: 0 };
    for (const one of counts.values()) if (one.count > best.count) best = one;
    return best.spans;
  });
}

function standardEntries(week: readonly DaySpan[][]): OpeningHours[] {
  const bySpan = new Map<string, { span: DaySpan; days: Weekday[] }>();
  for (const [weekday, spans] of week.entries()) {
    for (const span of spans) {
      const same = bySpan.get(spansKey([span]));
      if (same === undefined) bySpan.set(spansKey([span]), { span, days: [weekday as Weekday] });
      else same.days.push(weekday as Weekday);
    }
  }
  return [...bySpan.values()].map(({ span, days }, i) => entry(span, days, `$.openingHoursSpecification[${i}]`));
}

function specialEntries(days: readonly DaySpans[], usual: readonly DaySpan[][]): OpeningHours[] {
  const entries: OpeningHours[] = [];
  for (const { spans, first, last } of stretches(days, usual)) {
    for (const span of spans.length === 0 ? [{ start: 0, end: 0 }] : spans) {
      const path = `$.specialOpeningHoursSpecification[${entries.length}]`;
      entries.push({ ...entry(span, [], path), validFrom: dateOfDay(first), validThrough: dateOfDay(last) });
    }
  }
  return entries;
}

interface Stretch {
  spans: DaySpan[];
  first: Day;
  last: Day;
}

/** Consecutive days with the same spans, from the first that differs from the usual week to the last that does. */
function stretches(days: readonly DaySpans[], usual: readonly DaySpan[][]): Stretch[] {
  const found: Stretch[] = [];
  let open: Stretch | undefined;
  for (const { day, spans } of days) {
    if (open !== undefined && spansKey(open.spans) !== spansKey(spans)) open = undefined;
    if (spansKey(spans) === spansKey(usual[weekdayOf(day)] ?? [])) continue;
    if (open === undefined) {
      open = { spans, first: day, last: day };
      found.push(open);
    } else open.last = day;
  }
  return found;
}

function entry({ start, end }: DaySpan, days: Weekday[], path: string): OpeningHours {
  return { days, publicHolidays: false, opens: start, closes: end > DAY_SECONDS ? end - DAY_SECONDS : end, path };
}

function spansKey(spans: readonly DaySpan[]): string {
  return spans.map(({ start, end }) => `${start}-${end}`).join(',');
}
