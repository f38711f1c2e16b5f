import { overlaps } from '../../../recurrence/overlay.ts';
import type { Filters } from '../../../search/filters.ts';
import { DAY_MS, DAY_SECONDS, dayOfDate, weekdayOf } from '../../../time/days.ts';
import type { Instant, LocalDate } from '../../../time/instant.ts';
import { toInstant, toWall, type Zone, zone as zoneNamed } from '../../../time/zone.ts';

/** When something takes place, with the zone of its local times. */
export interface LocalTime {
  start: Instant;
  end: Instant;
  /** `start` and `end` are midnights in UTC of local dates. */
  allDay?: boolean;
  zone: string;
}

export interface LocalTimesOptions {
  now: Instant;
  horizonDays: number;
  /** The default zone. */
  zone: string;
  /** Nothing that has ended by then; absent: by now, unless a date says otherwise. */
  notBefore?: Instant | undefined;
  /** Nothing that began before the first date: who says "this weekend" means what starts then. */
  startsInside?: boolean;
}

/** Zones are at most so far ahead of UTC, and behind it. */
const AHEAD = 14 * 3_600_000;
const BEHIND = 12 * 3_600_000;

/** The filters of time. Dates and times of day are those of the zone of each occurrence. */
export class LocalTimes {
  /** Every occurrence that is accepted overlaps this. */
  readonly from: Instant;
  #end: Instant;
  readonly #filters: Pick<Filters, 'day' | 'after' | 'before' | 'from' | 'to'>;
  readonly #options: LocalTimesOptions;
  readonly #bounds = new Map<string, [from: Instant, to: Instant]>();

  constructor(filters: Filters, options: LocalTimesOptions) {
    this.#filters = filters;
    this.#options = options;
    const { now, horizonDays, notBefore } = options;
    const begin = notBefore ?? now;
    const { from, to } = filters;
    this.from = from === undefined ? begin : Math.max(midnight(from) - AHEAD, notBefore ?? Number.NEGATIVE_INFINITY);
    this.#end = to === undefined ? begin + horizonDays * DAY_MS : midnight(to) + BEHIND;
  }

  get to(): Instant {
    return this.#end;
  }

  /** The same times, as far as they start before an instant. */
  until(end: Instant): LocalTimes {
    const earlier = new LocalTimes(this.#filters, this.#options);
    earlier.#end = Math.min(end, this.#end);
    return earlier;
  }

  /** From an instant on, the next times at which something may start on one of the days, wherever it is. */
  stretch(from: Instant): { from: Instant; to: Instant } {
    const { day } = this.#filters;
    if (day === undefined || day.length === 0) return { from, to: this.#end };
    let date = Math.floor((from - BEHIND) / DAY_MS);
    while (!day.includes(weekdayOf(date))) date++;
    const [begin, end] = [date * DAY_MS - AHEAD, (date + 1) * DAY_MS + BEHIND];
    return { from: Math.max(from, begin), to: Math.min(end, this.#end) };
  }

  /** Whether something but the usual window was asked for. */
  get isFiltering(): boolean {
    const { day, after, before, from, to } = this.#filters;
    return [day, after, before, from, to].some((one) => one !== undefined);
  }

  accepts({ start, end, allDay = false, zone }: LocalTime): boolean {
    const [from, to] = this.#boundsIn(zone, allDay);
    if (!overlaps(start, end, from, to)) return false;
    if (this.#options.startsInside && start < this.#firstStart(zone, allDay)) return false;
    const { day, after, before } = this.#filters;
    if (day === undefined && after === undefined && before === undefined) return true;
    const wall = allDay ? start : toWall(this.#zone(zone), start);
    const seconds = (wall / 1000) % DAY_SECONDS;
    return (
      (day === undefined || day.includes(weekdayOf(Math.floor(wall / DAY_MS)))) &&
      (after === undefined || seconds >= after) &&
      (before === undefined || seconds < before)
    );
  }

  #boundsIn(zone: string, allDay: boolean): [from: Instant, to: Instant] {
    const key = allDay ? '' : zone;
    const known = this.#bounds.get(key);
    if (known !== undefined) return known;
    const { from, to } = this.#filters;
    const at = (date: LocalDate) => (allDay ? midnight(date) : toInstant(this.#zone(zone), midnight(date)));
    const { notBefore = Number.NEGATIVE_INFINITY } = this.#options;
    const bounds: [Instant, Instant] = [
      from === undefined ? this.from : Math.max(at(from), notBefore),
      to === undefined ? this.#end : Math.min(at(to), this.#end),
    ];
    this.#bounds.set(key, bounds);
    return bounds;
  }

  #firstStart(zone: string, allDay: boolean): Instant {
    const { from } = this.#filters;
    if (from === undefined) return Number.NEGATIVE_INFINITY;
    return allDay ? midnight(from) : toInstant(this.#zone(zone), midnight(from));
  }

  #zone(name: string): Zone {
    return (zoneNamed(name) ?? zoneNamed(this.#options.zone) ?? zoneNamed('UTC')) as Zone;
  }
}

const midnight = (date: LocalDate): number => dayOfDate(date) * DAY_MS;
