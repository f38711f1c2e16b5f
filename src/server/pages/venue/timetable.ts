import type { TimetableEntry } from '../../../library/index.ts';
import { DAY_MS, type Day, dateOfDay, dayOfDate, HOUR_MS, weekdayOf } from '../../../time/days.ts';
import { lastDay, NIGHT_ENDS } from '../../../time/evening.ts';
import type { Instant } from '../../../time/instant.ts';
import { toInstant, toWall, type Zone, zoneOrUtc } from '../../../time/zone.ts';

/** The timetable of a place for seven days: which days, and the entries of each hour. Pure. */

export const DAYS = 7;
/** From noon on entries of the evening before are read, while its night lasts. */
const AFTERNOON = 12 * HOUR_MS;
/** The weeks after today and before it that pages link to; others are shown as today's. */
const WEEKS_AHEAD = 52;
const WEEKS_BACK = 8;

/** Seven days of a place, in its zone. */
export interface Week {
  first: Day;
  /** The date, by the clock of the place. */
  today: Day;
  /** Whether the week begins today, and it is not yet 04:00: entries of the evening before that are not over are shown too. */
  isNight?: true;
  /** The window from `from` to `to` holds or meets every entry of these days. */
  from: Instant;
  to: Instant;
  /** First days of the weeks around it; absent: too far away. */
  before?: Day;
  after?: Day;
}

/** The week that begins on the day asked for (`2026-W48`, `2026-12-01`), else today. */
export function weekOf(asked: string | undefined, zoneName: string, now: Instant): Week {
  const zone = zoneOrUtc(zoneName);
  const wall = toWall(zone, now);
  const today = Math.floor(wall / DAY_MS);
  const [least, most] = [today - DAYS * WEEKS_BACK, today + DAYS * WEEKS_AHEAD];
  const wanted = firstDay(asked);
  const first = wanted === undefined || wanted < least || wanted > most ? today : wanted;
  const isNight = first === today && wall - today * DAY_MS < NIGHT_ENDS;
  // Whole days are midnights in UTC, before those of zones in the west.
  const from = Math.min(toInstant(zone, first * DAY_MS - (isNight ? AFTERNOON : 0)), first * DAY_MS);
  const to = toInstant(zone, (first + DAYS) * DAY_MS + NIGHT_ENDS);
  return {
    first,
    today,
    ...(isNight && { isNight }),
    from,
    to,
    ...(first - DAYS >= least && { before: earlier(first, today) }),
    ...(first + DAYS <= most && { after: first + DAYS }),
  };
}

/** Back from next week is today, not the day seven days before. */
function earlier(first: Day, today: Day): Day {
  return first > today ? Math.max(today, first - DAYS) : first - DAYS;
}

/** A date, or the Monday of an ISO week. */
function firstDay(asked: string | undefined): Day | undefined {
  if (asked === undefined) return undefined;
  const [, year, week] = /^(\d{4})-W(\d\d)$/.exec(asked) ?? [];
  if (year !== undefined && week !== undefined) return isoWeek(Number(year), Number(week));
  if (!/^\d{4}-\d\d-\d\d$/.test(asked) || Number.isNaN(Date.parse(`${asked}T00:00:00Z`))) return undefined;
  const day = dayOfDate(asked);
  return dateOfDay(day) === asked ? day : undefined;
}

/** 4 January is in week 1 (ISO 8601). */
function isoWeek(year: number, week: number): Day | undefined {
  if (week < 1 || week > 53) return undefined;
  const fourth = Date.UTC(year, 0, 4) / DAY_MS;
  return fourth - weekdayOf(fourth) + (week - 1) * DAYS;
}

/**
 * The entries that begin within one hour of a day. Those of the whole day, and those that began on an earlier day, have the
 * hour -1.
 */
export interface Hour {
  /** 4 to 27: hours after midnight are 24 and more. */
  hour: number;
  entries: TimetableEntry[];
}

export interface TimetableDay {
  day: Day;
  count: number;
  hours: Hour[];
}

export const ALL_DAY = -1;

/** Entries of the days of a week, and in its first night those of the evening before that are not over. */
export function entriesOf(entries: readonly TimetableEntry[], zoneName: string, week: Week, now: Instant) {
  const zone = zoneOrUtc(zoneName);
  return entries.filter((entry) => {
    const { first, last } = columnsOf(entry, zone);
    if (last >= week.first) return first < week.first + DAYS;
    const { start, end = start, allDay } = entry;
    return week.isNight === true && last === week.first - 1 && !allDay && end > now;
  });
}

/** The seven days of a week, after the evening before where an entry belongs to it. Entries of other days are left out. */
export function timetableDays(
  entries: readonly TimetableEntry[],
  zoneName: string,
  { first: begins, isNight }: Pick<Week, 'first' | 'isNight'>,
): TimetableDay[] {
  const zone = zoneOrUtc(zoneName);
  const before = isNight && entries.some((entry) => columnsOf(entry, zone).last === begins - 1) ? 1 : 0;
  const first = begins - before;
  const days = Array.from(
    { length: DAYS + before },
    (_, at): TimetableDay => ({
      day: first + at,
      count: 0,
      hours: [],
    }),
  );
  for (const entry of entries) {
    const { day, hour } = dayAndHourOf(entry, zone);
    const { last } = columnsOf(entry, zone);
    for (const own of days) if (own.day >= day && own.day <= last) addTo(own, own.day === day ? hour : ALL_DAY, entry);
  }
  for (const { hours } of days) hours.sort((a, b) => a.hour - b.hour);
  return days;
}

function addTo(day: TimetableDay, hour: number, entry: TimetableEntry): void {
  day.count += 1;
  const known = day.hours.find((one) => one.hour === hour);
  if (known === undefined) day.hours.push({ hour, entries: [entry] });
  else known.entries.push(entry);
}

/** The first and the last day in whose columns an entry is listed. */
function columnsOf(entry: TimetableEntry, zone: Zone): { first: Day; last: Day } {
  const first = dayAndHourOf(entry, zone).day;
  const [begins, last] = [lastDay({ ...entry, end: entry.start }, zone), lastDay(entry, zone)];
  return { first, last: last > begins ? last : first };
}

/** The column and the hour in which an entry begins; days change at `NIGHT_ENDS`. */
function dayAndHourOf({ start, allDay }: TimetableEntry, zone: Zone): { day: Day; hour: number } {
  if (allDay) return { day: Math.floor(start / DAY_MS), hour: ALL_DAY };
  const wall = toWall(zone, start);
  const day = Math.floor((wall - NIGHT_ENDS) / DAY_MS);
  return { day, hour: Math.floor((wall - day * DAY_MS) / HOUR_MS) };
}

/** `07`, `00` of the hour after midnight. */
export function hourName(hour: number): string {
  return String(hour % 24).padStart(2, '0');
}

/** Hours of any of the days, in order. */
export function hoursIn(days: readonly TimetableDay[]): number[] {
  return [...new Set(days.flatMap(({ hours }) => hours.map(({ hour }) => hour)))].sort((a, b) => a - b);
}
