import type { FacilityTimes, FreeTime } from '../../../library/index.ts';
import type { Offer } from '../../../opportunity/records.ts';
import { DAY_MS, type Day } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { localMoment, priceWords } from '../wording.ts';

/** Free times by day and by time of day. Pure. */

/** Days of which the page and the JSON of a facility have the free times. */
export const FREE_DAYS = 14;

/** The window of these days, whichever zone they are of. */
export function freeWindow(now: Instant): { from: Instant; to: Instant } {
  return { from: now, to: now + (FREE_DAYS + 1) * DAY_MS };
}

export interface FreeDay {
  day: Day;
  times: FreeTime[];
  /** Times at which something is free. */
  free: number;
}

/** The free times of `count` days from `first` on, without those that began before `now`. `until`: those of whole days before it. */
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

/** What its times cost; where none of them says so, what the facility says. */
export function offersShown({ offers, times }: Pick<FacilityTimes, 'offers' | 'times'>): readonly Offer[] {
  const ofTimes = times.flatMap((time) => time.offers);
  return ofTimes.some(({ price }) => price !== undefined) ? ofTimes : offers;
}

/** Whether one time costs other than another, so that each is shown with its price. */
export function pricesDiffer({ times }: Pick<FacilityTimes, 'times'>): boolean {
  return new Set(times.map(({ offers }) => priceWords(offers))).size > 1;
}

/** `2 of 4 free`, `7 free`, `free` of a single one, `taken` */
export function freeWords({ free, of }: Pick<FreeTime, 'free' | 'of'>): string {
  if (free <= 0) return 'taken';
  if (of === 1) return 'free';
  return of === undefined ? `${free} free` : `${free} of ${Math.max(of, free)} free`;
}

/** Times of day that any of the days has, in order, each with its cells: one for each day. */
export function freeTable(days: readonly FreeDay[], zone: string): { time: string; cells: (FreeTime | undefined)[] }[] {
  const byTime = days.map(({ times }) => new Map(times.map((time) => [localMoment(zone, time.start).time, time])));
  const names = [...new Set(byTime.flatMap((day) => [...day.keys()]))].sort();
  return names.map((time) => ({ time, cells: byTime.map((day) => day.get(time)) }));
}
