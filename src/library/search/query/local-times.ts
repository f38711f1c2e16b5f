import { overlaps } from '../../../recurrence/overlay.ts';
import type { Filters } from '../../../search/filters.ts';
import { isAsLong, type Length } from '../../../search/values/context.ts';
import type { Understood } from '../../../search/words.ts';
import type { TimeOfWeek } from '../../../store/index.ts';
import { DAY_MS, DAY_SECONDS, dayOfDate, WEEKDAYS, weekdayOf } from '../../../time/days.ts';
import type { Instant, LocalDate } from '../../../time/instant.ts';
import { offsetAt, toInstant, toWall, type Zone, zone as zoneNamed, zoneOrUtc } from '../../../time/zone.ts';

/** The filters of time, by the local times of each occurrence. */

const WEEK_MS = 7 * DAY_MS;
/** The longest window, in weeks, for which times of a week are computed. */
const MOST_WEEKS = 110;

/** Start and end of an occurrence, with the zone of its local times. */
export interface LocalTime {
  start: Instant;
  end: Instant;
  /** `start` and `end` are midnights in UTC of local dates. */
  allDay?: boolean;
  zone: string;
}

/** The context of filters of time. */
export interface LocalTimesOptions {
  now: Instant;
  horizonDays: number;
  /** The default zone. */
  zone: string;
  /** The zones of everything that is searched; the default is one of them. */
  zones?: readonly string[];
  /** Occurrences that have ended by this instant are left out; absent: by now, unless there is a first date. */
  notBefore?: Instant | undefined;
  /** Occurrences that began before the first date are left out: "this weekend" means what starts on it. */
  startsInside?: boolean;
  /** Occurrences of another length are left out. */
  lasts?: Length | undefined;
}

/** The filters of time. Dates and times of day are those of the zone of each occurrence. */
export class LocalTimes {
  /** The beginning of the window that every accepted occurrence overlaps. */
  readonly from: Instant;
  #end: Instant;
  readonly #filters: Pick<Filters, 'day' | 'after' | 'before' | 'from' | 'to'>;
  readonly #options: LocalTimesOptions;
  readonly #zones: readonly Zone[];
  #weekly: readonly TimeOfWeek[] | undefined;
  readonly #bounds = new Map<string, [from: Instant, to: Instant]>();

  constructor(filters: Filters, options: LocalTimesOptions) {
    this.#filters = filters;
    this.#options = options;
    const { now, horizonDays, notBefore } = options;
    const begin = notBefore ?? now;
    const { from, to } = filters;
    const earliest = notBefore ?? Number.NEGATIVE_INFINITY;
    this.#zones = [...new Set([options.zone, ...(options.zones ?? [])])].map((name) => this.#zone(name));
    this.from = from === undefined ? begin : Math.max(this.#when(midnight(from), midnight(from))[0], earliest);
    this.#end = to === undefined ? begin + horizonDays * DAY_MS : this.#when(midnight(to), midnight(to))[1];
  }

  get to(): Instant {
    return this.#end;
  }

  /** The filters for occurrences that start before an instant. */
  until(end: Instant): LocalTimes {
    const earlier = new LocalTimes(this.#filters, this.#options);
    earlier.#end = Math.min(end, this.#end);
    return earlier;
  }

  /** The earliest start of an accepted occurrence. */
  get earliestStart(): Instant {
    const { from } = this.#filters;
    const isInside = this.#options.startsInside && from !== undefined;
    return isInside ? this.#when(midnight(from), midnight(from))[0] : Number.NEGATIVE_INFINITY;
  }

  /** The next range of starts, from an instant on, that may be on one of the days and within the hours in any of the zones. */
  stretch(from: Instant): { from: Instant; to: Instant } {
    const { day = [], after = 0, before = DAY_SECONDS } = this.#filters;
    const isAnyTime = after <= 0 && before >= DAY_SECONDS;
    if (isAnyTime && day.length === 0) return { from, to: this.#end };
    // A date has ended in every zone two days later.
    for (let date = Math.floor(from / DAY_MS) - 2; date * DAY_MS <= this.#end + 2 * DAY_MS; date++) {
      if (day.length > 0 && !day.includes(weekdayOf(date))) continue;
      const [begin, end] = this.#when(date * DAY_MS + after * 1000, date * DAY_MS + before * 1000, after > 0);
      if (end > from) return { from: Math.max(from, begin), to: Math.min(end, this.#end) };
    }
    return { from: this.#end, to: this.#end };
  }

  /** The times of a week at which an accepted occurrence may start; undefined: at any time. */
  get weekly(): readonly TimeOfWeek[] | undefined {
    const { day, after = 0, before = DAY_SECONDS } = this.#filters;
    const weeks = (this.#end - this.from) / WEEK_MS;
    if ((day === undefined && after <= 0 && before >= DAY_SECONDS) || weeks > MOST_WEEKS) return undefined;
    this.#weekly ??= (day ?? WEEKDAYS.keys().toArray()).flatMap((weekday): TimeOfWeek[] => {
      const date = ((weekday - weekdayOf(0) + 7) % 7) * DAY_MS;
      // What began before the window may have another offset.
      const [from, to] = this.#ever(date + after * 1000, date + before * 1000, after > 0);
      return to <= from ? [] : [{ from: ((from % WEEK_MS) + WEEK_MS) % WEEK_MS, length: to - from }];
    });
    return this.#weekly;
  }

  /** Bounds as `#when` has them, by all offsets from a year before the window to its end. */
  #ever(first: number, end: number, isInDay: boolean): [from: number, to: number] {
    const offsets = isInDay ? [] : [0];
    for (let at = this.from - 366 * DAY_MS; at < this.#end + WEEK_MS; at += WEEK_MS)
      for (const zone of this.#zones) offsets.push(offsetAt(zone, at));
    return [first - Math.max(...offsets), end - Math.min(...offsets)];
  }

  /** The first and the last instant of local times between two, over all zones. Whole days begin at midnight in UTC. */
  #when(first: number, end: number, isInDay = false): [from: Instant, to: Instant] {
    const near = [first - 2 * DAY_MS, end + 2 * DAY_MS];
    const offsets = this.#zones.flatMap((zone) => near.map((instant) => offsetAt(zone, instant)));
    if (!isInDay) offsets.push(0);
    return [first - Math.max(...offsets), end - Math.min(...offsets)];
  }

  /** Whether a filter of time is set. */
  get isFiltering(): boolean {
    const { day, after, before, from, to } = this.#filters;
    return [day, after, before, from, to, this.#options.lasts].some((one) => one !== undefined);
  }

  /** Whether a time is accepted in every zone; undefined: it depends on the zone. */
  acceptsAnywhere(time: Pick<LocalTime, 'start' | 'end'>): boolean | undefined {
    const [first, ...others] = this.#zones.map(({ id }) => this.accepts({ ...time, zone: id }));
    return others.every((one) => one === first) ? first : undefined;
  }

  /** Whether an occurrence is on the days and at the times of the filters, in its own zone. */
  accepts({ start, end, allDay = false, zone }: LocalTime): boolean {
    const [from, to] = this.#boundsIn(zone, allDay);
    if (!overlaps(start, end, from, to)) return false;
    if (this.#options.startsInside && start < this.#firstStart(zone, allDay)) return false;
    const { lasts } = this.#options;
    if (lasts !== undefined && !isAsLong(lasts, end - start)) return false;
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
    return zoneNamed(name) ?? zoneOrUtc(this.#options.zone);
  }
}

const midnight = (date: LocalDate): number => dayOfDate(date) * DAY_MS;

interface AskedLength {
  /** The length that all of them allow; undefined: there is none. */
  length?: Length;
  /** What says it, as it was typed. */
  texts: readonly string[];
}

/** The lengths that words ask for. Undefined: none. */
export function lengthIn(understood: Understood | undefined): AskedLength | undefined {
  const parts = (understood?.understood ?? []).filter(({ lasts }) => lasts !== undefined);
  const lengths = parts.flatMap(({ lasts }) => lasts ?? []);
  if (lengths.length === 0) return undefined;
  const length = { min: Math.max(...lengths.map(({ min }) => min)), max: Math.min(...lengths.map(({ max }) => max)) };
  return { texts: parts.map(({ text }) => text), ...(length.min <= length.max && { length }) };
}
