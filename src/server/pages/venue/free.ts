import type { FacilityTimes, FreeTime } from '../../../library/index.ts';
import type { Offer } from '../../../opportunity/records.ts';
import { DAY_MS, type Day } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { localMoment, priceWords } from '../wording.ts';

/** Times of a facility, free or taken, by day and by time of day. Pure. */

/** Days of which the page and the JSON of a facility have the free times. */
export const FREE_DAYS = 14;

/** A window that holds `FREE_DAYS` days of any zone. */
export function freeWindow(now: Instant): { from: Instant; to: Instant } {
  return { from: now, to: now + (FREE_DAYS + 1) * DAY_MS };
}

export interface FreeDay {
  day: Day;
  times: FreeTime[];
  /** Times at which something is free. */
  free: number;
}

/**
 * `count` days from `first` on, each with its times, without those that began before `now`. Of times that are read up to
 * `until` alone, the day of `until` and later ones are left out, but never `first`.
 */
export function freeDays(
  { times, until }: Pick<FacilityTimes, 'times' | 'until'>,
  zone: string,
  { first, count, now }: { first: Day; count: number; now: number },
): FreeDay[] {
  const known = until === undefined ? count : Math.max(1, localMoment(zone, until).day - first);
  const days = Array.from(
    { length: Math.min(count, known) },
    (_, at): FreeDay => ({ day: first + at, times: [], free: 0 }),
  );
  for (const time of times) {
    const day = days[localMoment(zone, time.start).day - first];
    if (day === undefined || time.start < now) continue;
    day.times.push(time);
    if (time.free > 0) day.free += 1;
  }
  return days;
}

/** The offers of all times, if any of them has a price; else those of the facility. */
export function offersShown({ offers, times }: Pick<FacilityTimes, 'offers' | 'times'>): readonly Offer[] {
  const ofTimes = times.flatMap((time) => time.offers);
  return ofTimes.some(({ price }) => price !== undefined) ? ofTimes : offers;
}

/** Whether prices differ from time to time, so that each time is shown with its own. */
export function pricesDiffer({ times }: Pick<FacilityTimes, 'times'>): boolean {
  return new Set(times.map(({ offers }) => priceWords(offers))).size > 1;
}

/** `2 of 4 free`, `7 free`, `free` where there is only one, `taken` */
export function freeWords({ free, of }: Pick<FreeTime, 'free' | 'of'>): string {
  if (free <= 0) return 'taken';
  if (of === 1) return 'free';
  return of === undefined ? `${free} free` : `${free} of ${Math.max(of, free)} free`;
}

/** The rows of a table: each time of day that any of the days has, in order, with one cell a day. */
export function freeTable(days: readonly FreeDay[], zone: string): { time: string; cells: (FreeTime | undefined)[] }[] {
  const byTime = days.map(({ times }) => new Map(times.map((time) => [localMoment(zone, time.start).time, time])));
  const names = [...new Set(byTime.flatMap((day) => [...day.keys()]))].sort();
  return names.map((time) => ({ time, cells: byTime.map((day) => day.get(time)) }));
}
