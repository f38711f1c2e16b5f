import type { RpdeJson } from '../generate/series.ts';
import { DAY, dateOf, dayNumber, instantOf, type Pattern, patternDays, utc, wallOf } from './days.ts';

/**
 * A second reading of semantics 1 to 4, written from their text alone: raw items in, the rows of `expand` out. It asks
 * every day and compares every pair, so that it can be checked by eye; nothing of it comes from `src/`.
 *
 * It reads well-formed items in the spellings that `test/generate` uses, not the broken ones: those have tables of
 * their own.
 */

export interface Row {
  id: string | null;
  type: string;
  start: string;
  end: string;
  url: string | null;
  name: string | null;
  status: string;
  source: 'generated' | 'explicit';
}

/** Well-formed items have texts where texts are meant. */
type Data = Record<string, unknown>;
const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error(`not a text: ${JSON.stringify(value)}`);
  return value;
};
interface Explicit {
  data: Data;
  series: string;
}
interface Slot {
  schedule: Data;
  start: number;
  end: number;
  id: string | null;
  /** Its own, and those of later schedules that give the same. */
  ids: (string | null)[];
}

/** The occurrences between two UTC dates (the second excluded), sorted by start, then id. */
export function expandByReading(items: readonly RpdeJson[], from: string, to: string): Row[] {
  const window = { from: Date.parse(`${from}T00:00:00Z`), to: Date.parse(`${to}T00:00:00Z`) };
  const live = newestOf(items);
  const all = live.filter(isSeries);
  const explicit = explicitOf(live, all);
  const rows = all.flatMap((series) => rowsOfSeries(series, explicit, window));
  return rows.sort((a, b) => Date.parse(a.start) - Date.parse(b.start) || compare(a.id ?? '', b.id ?? ''));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Semantics 1: of two items with one key the larger `modified` wins, whatever their order; deletes count too. */
function newestOf(items: readonly RpdeJson[]): Data[] {
  const newest = new Map<string, RpdeJson>();
  for (const item of items) {
    const key = `${item.kind} ${item.id}`;
    const known = newest.get(key);
    if (known === undefined || item.modified >= known.modified) newest.set(key, item);
  }
  return [...newest.values()].flatMap((item) => (item.state === 'updated' && item.data ? [item.data] : []));
}

function isSeries(data: Data): boolean {
  return data['@type'] === 'SessionSeries' || 'eventSchedule' in data || 'subEvent' in data;
}

/** Semantics 2: sessions of their own feed and of `subEvent`; the same `@id` twice is one session, the item wins. */
function explicitOf(live: readonly Data[], all: readonly Data[]): Explicit[] {
  const byId = new Map<unknown, Explicit>();
  for (const series of all) {
    for (const data of (series.subEvent as Data[] | undefined) ?? []) {
      byId.set(data['@id'] ?? data, { data, series: text(series['@id']) });
    }
  }
  for (const data of live.filter((candidate) => !isSeries(candidate))) {
    const parent = data.superEvent as string | Data;
    byId.set(data['@id'] ?? data, { data, series: text(typeof parent === 'string' ? parent : parent['@id']) });
  }
  return [...byId.values()];
}

function rowsOfSeries(series: Data, explicit: readonly Explicit[], window: { from: number; to: number }): Row[] {
  const own = explicit.filter((session) => session.series === series['@id']).map((session) => session.data);
  const inherited = inheritedBy(series);
  const schedules = ((series.eventSchedule as Data[] | undefined) ?? []).filter((one) => one['@type'] === 'Schedule');
  const slots = eachOnce(schedules.flatMap((schedule) => slotsOf(schedule, window.to + 20 * DAY)));
  const bySession = new Map(own.map((session) => [session, replacedBy(session, slots)]));
  const rows = own.flatMap((session) => explicitRow(session, inherited, bySession.get(session)));
  const replaced = new Set(bySession.values());
  for (const slot of slots) if (!replaced.has(slot)) rows.push(generatedRow(slot, inherited));
  return rows.filter((row) => overlaps(row, window));
}

/** "The same instance (start and end): one occurrence … A shared id: the first." */
function eachOnce(slots: readonly Slot[]): Slot[] {
  const shown = new Map<number, Slot[]>();
  for (const slot of slots) {
    const known = shown.get(slot.start) ?? [];
    const same = known.find(({ end, id }) => end === slot.end || (id !== null && id === slot.id));
    if (same === undefined) shown.set(slot.start, [...known, slot]);
    else same.ids.push(slot.id);
  }
  return [...shown.values()].flat();
}

function overlaps(row: Row, window: { from: number; to: number }): boolean {
  const [start, end] = [Date.parse(row.start), Date.parse(row.end)];
  return start < window.to && (end > window.from || (end === start && start >= window.from));
}

/** Semantics 2: everything but type, id, url, identifier and schedule, from the EventSeries by way of the series. */
function inheritedBy(series: Data): Data {
  const parent = typeof series.superEvent === 'object' ? (series.superEvent as Data) : {};
  const { '@type': _type, '@id': _id, url: _url, ...rest } = { ...parent, ...series };
  return rest;
}

/**
 * Semantics 4: the same `@id`, also but for milliseconds; the instance that it was moved from; without a template or an
 * `@id`, the same start, and of several the one with the same end.
 */
function replacedBy(session: Data, slots: readonly Slot[]): Slot | undefined {
  const id = session['@id'] === undefined ? undefined : plainId(text(session['@id'])).replaceAll('.000Z', 'Z');
  const named = slots.find(({ ids }) => ids.some((one) => one !== null && plainId(one) === id));
  if (named !== undefined) return named;
  if (isDate(session.startDate)) return undefined;
  const [{ start, end } = { start: Number.NaN, end: Number.NaN }] = timesOf(session, undefined);
  const before = session.previousStartDate === undefined ? start : Date.parse(text(session.previousStartDate));
  const moved = before === start ? undefined : slots.find((slot) => slot.start === before);
  if (moved !== undefined) return moved;
  const together = slots.filter((slot) => slot.start === start && (id === undefined || slot.ids.includes(null)));
  return together.find((slot) => slot.end === end) ?? together[0];
}

/** Semantics 3.12: raw, percent-encoded and dashed-time forms are one id. */
function plainId(id: string): string {
  return decodeURIComponent(id).replaceAll(/(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\dZ)/g, '$1:$2:$3');
}

/** Semantics 3.10. */
function isDate(value: unknown): boolean {
  return value !== undefined && text(value).length === 10;
}

/** "DTEND = the day after `endDate`"; a duration of days counts them. */
function datesOf({ startDate, endDate, duration }: Data): { start: string; end: string } {
  const first = dayNumber(text(startDate));
  const days = duration === undefined ? 1 : Number(/^P(\d+)D$/.exec(text(duration))?.[1]);
  const last = endDate === undefined ? first + days - 1 : dayNumber(text(endDate));
  return { start: dateOf(first), end: dateOf(last + 1) };
}

/**
 * What a session does not say of its time is that of the instance it replaces; without one, nobody knows. An end more than
 * a day after the start of a session of less than a day is none.
 */
function timesOf(session: Data, slot: Slot | undefined): { start: number; end: number }[] {
  const { startDate, endDate, duration } = session;
  const start = startDate === undefined ? slot?.start : Date.parse(text(startDate));
  if (start === undefined) return [];
  const length = duration === undefined ? undefined : lengthOf(text(duration));
  const end = endDate === undefined ? undefined : Date.parse(text(endDate));
  const isFar = end !== undefined && length !== undefined && end - start > DAY && length < DAY;
  if (end !== undefined && !isFar) return [{ start, end }];
  return [{ start, end: start + (length ?? (slot === undefined ? 0 : slot.end - slot.start)) }];
}

function spansOf(session: Data, slot: Slot | undefined): { start: string; end: string }[] {
  if (isDate(session.startDate)) return [datesOf(session)];
  return timesOf(session, slot).map(({ start, end }) => ({ start: utc(start), end: utc(end) }));
}

function explicitRow(session: Data, inherited: Data, slot: Slot | undefined): Row[] {
  return spansOf(session, slot).map((span) => ({
    id: textOf(session['@id']),
    type: text(session['@type']),
    ...span,
    url: textOf(session.url),
    name: textOf(session.name ?? inherited.name),
    status: statusOf(session.eventStatus ?? inherited.eventStatus),
    source: 'explicit',
  }));
}

function generatedRow(slot: Slot, inherited: Data): Row {
  return {
    id: slot.id,
    type: text(slot.schedule.scheduledEventType),
    start: utc(slot.start),
    end: utc(slot.end),
    url: filled(slot.schedule.urlTemplate, slot.start, slot.end),
    name: textOf(inherited.name),
    status: statusOf(inherited.eventStatus),
    source: 'generated',
  };
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : text(value);
}

function statusOf(value: unknown): string {
  return value === undefined ? 'EventScheduled' : (text(value).split(/[/:]/).at(-1) ?? '');
}

function filled(template: unknown, start: number, end: number): string | null {
  if (template === undefined) return null;
  return text(template).replaceAll('{startDate}', utc(start)).replaceAll('{endDate}', utc(end));
}

/** Semantics 3: the instances of the rule that start before `to`, without the excluded ones. */
function slotsOf(schedule: Data, to: number): Slot[] {
  const zone = text(schedule.scheduleTimezone);
  const time = secondsOf(text(schedule.startTime)) * 1000;
  const walls = patternDays(patternOf(schedule), Math.ceil(to / DAY) + 3).map((day) => day * DAY + time);
  const isExcluded = exclusions(schedule, zone, walls);
  const slots: Slot[] = [];
  for (const wall of walls) {
    const start = instantOf(zone, wall);
    if (isExcluded(start)) continue;
    const end = endOf(schedule, zone, wall, start);
    const id = filled(schedule.idTemplate, start, end);
    slots.push({ schedule, start, end, id, ids: [id] });
  }
  return slots;
}

/**
 * A DateTime excludes that start instant, "one that meets no instance as UTC but meets one as local time excepts that". One that
 * meets neither is a date where it is a midnight, in UTC or local. A Date excludes every occurrence that starts on that local day.
 */
function exclusions(schedule: Data, zone: string, walls: readonly number[]): (start: number) => boolean {
  const list = (schedule.exceptDate ?? schedule.exceptDates ?? []) as string[];
  const starts = walls.map((wall) => instantOf(zone, wall));
  const excluded = list.map((except) => {
    const at = Date.parse(except);
    const isOn = (date: string) => (start: number) => date === dateOf(Math.floor(wallOf(zone, start) / DAY));
    if (except.length === 10) return isOn(except);
    if (starts.includes(at)) return (start: number) => start === at;
    if (walls.includes(at)) return (start: number) => start === instantOf(zone, at);
    const midnight = [at, wallOf(zone, at)].find((wall) => wall % DAY === 0);
    return midnight === undefined ? () => false : isOn(dateOf(midnight / DAY));
  });
  return (start) => excluded.some((one) => one(start));
}

/**
 * `duration` is an exact length, else `endTime` is a wall time: the next day if not after `startTime`. Where the clocks
 * skip the start, so that the end comes before it, the length counts.
 */
function endOf(schedule: Data, zone: string, wall: number, start: number): number {
  if (schedule.duration !== undefined) return start + lengthOf(text(schedule.duration));
  const seconds = secondsOf(text(schedule.endTime)) - secondsOf(text(schedule.startTime));
  const length = (seconds <= 0 ? seconds + 86_400 : seconds) * 1000;
  const end = instantOf(zone, wall + length);
  return end > start ? end : start + length;
}

function secondsOf(time: string): number {
  const [hours, minutes, seconds] = time.split(':').map(Number);
  return (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
}

/** Milliseconds of an ISO 8601 duration of hours, minutes and seconds. */
function lengthOf(duration: string): number {
  const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration);
  if (match === null) throw new Error(`not a duration that this reading knows: ${duration}`);
  return secondsOf([match[1] ?? 0, match[2] ?? 0, match[3] ?? 0].join(':')) * 1000;
}

/** The table of semantics 3.1. */
function patternOf(schedule: Data): Pattern {
  const named = ((schedule.byDay as string[] | undefined) ?? []).map(weekdayIn);
  const weeks = (schedule.byMonthWeek as number[] | undefined) ?? [];
  const byDay = weeks.length === 0 ? named : named.flatMap(({ day }) => weeks.map((ordinal) => ({ day, ordinal })));
  const pattern: Pattern = {
    ...frequencyOf(schedule),
    byDay,
    byMonth: (schedule.byMonth as number[] | undefined) ?? [],
    byMonthDay: (schedule.byMonthDay as number[] | undefined) ?? [],
    startDay: dayNumber(text(schedule.startDate)),
  };
  if (schedule.repeatCount !== undefined) pattern.count = Number(schedule.repeatCount);
  if (schedule.endDate !== undefined) pattern.lastDay = dayNumber(text(schedule.endDate));
  return pattern;
}

function frequencyOf(schedule: Data): { unit: Pattern['unit']; every: number } {
  const iso = schedule.repeatFrequency as string | undefined;
  // "`byMonthWeek` with `byDay`, and no frequency, P1W or PnM: MONTHLY (INTERVAL n)"
  if ('byMonthWeek' in schedule) return { unit: 'month', every: iso?.endsWith('M') ? Number(iso.slice(1, -1)) : 1 };
  if (iso === undefined) {
    // "none, but `byMonthDay` (with or without `byDay`): MONTHLY", "none, but `byDay`: WEEKLY", "none, but `byMonth` alone: YEARLY"
    const unit =
      ('byMonthDay' in schedule && 'month') || ('byDay' in schedule && 'week') || ('byMonth' in schedule && 'year');
    return { unit: unit || 'once', every: 1 };
  }
  if (iso === 'PT24H') return { unit: 'day', every: 1 };
  const every = Number(iso.slice(1, -1));
  const letter = iso.at(-1);
  if (letter === 'D') return every % 7 === 0 ? { unit: 'week', every: every / 7 } : { unit: 'day', every };
  const units: Record<string, Pattern['unit']> = { W: 'week', M: 'month', Y: 'year' };
  const unit = units[letter ?? ''];
  if (unit === undefined) throw new Error(`not a frequency that this reading knows: ${iso}`);
  return { unit, every };
}

/** `https://schema.org/Monday`, `schema:Monday`, `Monday`, `MO`, `2TH`, `-1FR`. */
function weekdayIn(value: string): { day: number; ordinal?: number } {
  const letters = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
  const name = value.split(/[/:]/).at(-1) as string;
  const match = /^([+-]?\d+)?([A-Za-z]+)$/.exec(name);
  const day = letters.indexOf((match?.[2] ?? '').slice(0, 2).toUpperCase());
  return match?.[1] === undefined ? { day } : { day, ordinal: Number(match[1]) };
}
