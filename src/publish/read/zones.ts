import { textOf } from '../../ical/content.ts';
import { lineOf, linesOf, type ReadComponent } from '../../ical/read.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import { offsetAt, TABLE_END, type Wall, type Zone, zone } from '../../time/zone.ts';
import { MAX_DATES, MAX_ZONES } from '../limits.ts';
import { expandRule, readRule } from './rule.ts';
import { isPlausible, parseOffset, parseTime } from './values.ts';
import windowsZones from './windows-zones.json' with { type: 'json' };

interface FoundZone {
  zone: Zone;
  /** `own`: a definition unlike every IANA zone; its offsets are right, and other programs do not know its name. */
  how: 'iana' | 'windows' | 'path' | 'offset' | 'definition' | 'own';
}

/** The zone of a TZID; undefined: neither its name nor a definition gives one. */
export type Zones = (tzid: string) => FoundZone | undefined;

/** Zones by name, then by definition; a definition is only read where its name is unknown. */
export function zonesOf(calendars: readonly ReadComponent[]): Zones {
  const definitions = new Map<string, ReadComponent>();
  const found = new Map<string, FoundZone | undefined>();
  let years: InstantWindow | undefined;
  const components = calendars.flatMap((calendar) => calendar.components);
  for (const component of components.filter(({ name }) => name === 'VTIMEZONE').slice(0, MAX_ZONES)) {
    const id = lineOf(component, 'TZID')?.value.trim();
    if (id !== undefined) definitions.set(plainZoneName(id), component);
  }

  function find(tzid: string): FoundZone | undefined {
    const id = plainZoneName(tzid);
    if (!found.has(id)) found.set(id, made(id));
    return found.get(id);
  }

  function made(id: string): FoundZone | undefined {
    const named = byName(id);
    if (named === undefined) return byDefinition(id);
    // `Europe/lisbon` is not an IANA name in its usual case: a definition that differs from the zone counts.
    const own = named.how === 'iana' && named.zone.id !== id ? defined(id) : undefined;
    if (own === undefined || spans().some((span) => isLike(own, named.zone, span))) return named;
    return likest(own);
  }

  function byDefinition(id: string): FoundZone | undefined {
    const component = definitions.get(id);
    const stated = component && lineOf(component, 'X-LIC-LOCATION')?.value.trim();
    const known = stated === undefined ? undefined : byName(stated);
    if (known !== undefined) return { ...known, how: 'definition' };
    const own = defined(id);
    return own && likest(own);
  }

  function defined(id: string): Zone | undefined {
    const component = definitions.get(id);
    return component && definedZone(id, component);
  }

  function likest(own: Zone): FoundZone {
    for (const span of spans()) {
      const like = likeZone(own, span);
      if (like !== undefined) return { zone: like, how: 'definition' };
    }
    return { zone: own, how: 'own' };
  }

  function spans(): InstantWindow[] {
    years ??= yearsOf(calendars);
    return [USUAL_SPAN, years];
  }

  return find;
}

/** A zone name without escapes and quotes: VTIMEZONE escapes it as TEXT, parameters quote it, and Outlook's names have commas. */
function plainZoneName(tzid: string): string {
  return textOf(tzid).trim().replaceAll('"', '').slice(0, 200);
}

/**
 * Windows zone names, and the phrases that Outlook and Exchange write for them, with their IANA zones. They are the Unicode
 * CLDR table windowsZones (territory 001), as node-ical 0.27.2 ships it in windowsZones.json (Apache-2.0; not among its
 * exports). The last rows are further names that occur in calendars.
 */
const WINDOWS = new Map(Object.entries(windowsZones).map(([name, iana]) => [windowsKey(name), iana]));

/** The key of a Windows name. Old Outlooks write GMT for UTC, and +00:00 for no offset; summer time has the name of its zone. */
function windowsKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/^tzone:\/\/microsoft\//, '')
    .replaceAll('\\,', ',')
    .replace(/^\(gmt(?=[)+-])/, '(utc')
    .replace(/^\(utc[+-]00:00\)/, '(utc)')
    .replace('greenwich mean time : ', 'greenwich mean time: ')
    .replace(/ daylight time$/, ' standard time');
}

/** A zone by name alone: IANA, Windows, IANA behind a path (`/mozilla.org/20050126_1/Europe/London`), a fixed offset. */
export function byName(name: string): FoundZone | undefined {
  const known = zone(name);
  if (known !== undefined) return { zone: known, how: 'iana' };
  const windows = zone(WINDOWS.get(windowsKey(name)) ?? '');
  if (windows !== undefined) return { zone: windows, how: 'windows' };
  return byPath(name) ?? byOffset(name);
}

function byPath(name: string): FoundZone | undefined {
  const parts = name.split('/').filter((part) => part !== '');
  for (const length of [3, 2, 1]) {
    const found = zone(parts.slice(-length).join('/'));
    if (found !== undefined) return { zone: found, how: 'path' };
  }
  return undefined;
}

/** `UTC+2`, `GMT-05:00`, `+0100`: whole hours have a name in the IANA database, with the sign turned round. */
function byOffset(name: string): FoundZone | undefined {
  const match = /^(?:UTC|GMT|Z)?\s?([+-])(\d{1,2})(?::?00)?$/i.exec(name);
  const hours = Number(match?.[2] ?? 99);
  if (match === null || hours > 14) return undefined;
  const found = zone(hours === 0 ? 'Etc/GMT' : `Etc/GMT${match[1] === '+' ? '-' : '+'}${hours}`);
  return found === undefined ? undefined : { zone: found, how: 'offset' };
}

/** A zone made of a VTIMEZONE's observances (RFC 5545 3.6.5); undefined: they are unusable. */
function definedZone(id: string, component: ReadComponent): Zone | undefined {
  const onsets = component.components.slice(0, 200).flatMap(onsetsOf);
  if (onsets.length === 0) return undefined;
  onsets.sort((a, b) => a.at - b.at);
  const transitions: Instant[] = [];
  const offsets: number[] = [(onsets[0] as Onset).before];
  for (const { at, after } of onsets) {
    if (after === offsets.at(-1)) continue;
    // The zone tables begin in 1970, so earlier offsets are those of 1970.
    if (at < 0) offsets[0] = after;
    else {
      transitions.push(at);
      offsets.push(after);
    }
  }
  return { id, transitions, offsets };
}

interface Onset {
  at: Instant;
  before: number;
  after: number;
}

function onsetsOf(observance: ReadComponent): Onset[] {
  const start = parseTime(lineOf(observance, 'DTSTART')?.value ?? '');
  const before = parseOffset(lineOf(observance, 'TZOFFSETFROM')?.value ?? '');
  const after = parseOffset(lineOf(observance, 'TZOFFSETTO')?.value ?? '');
  if (start === undefined || before === undefined || after === undefined) return [];
  const walls = [start.wall, ...datesOf(observance), ...ruleWalls(observance, start.wall, before)];
  return walls.map((wall) => ({ at: wall - before, before, after }));
}

function datesOf(observance: ReadComponent): Wall[] {
  const values = linesOf(observance, 'RDATE').flatMap(({ value }) => value.split(','));
  return values.slice(0, MAX_DATES).flatMap((value) => parseTime(value)?.wall ?? []);
}

function ruleWalls(observance: ReadComponent, start: Wall, before: number): Wall[] {
  const line = lineOf(observance, 'RRULE');
  const read = line === undefined ? undefined : readRule(line);
  if (read === undefined || !('rule' in read)) return [];
  const { until, count } = read.rule;
  const last = until === undefined ? TABLE_END : 'instant' in until ? until.instant + before : until.wall;
  // Microsoft writes 1601. Years before 1970 have no effect, and would only cost time.
  const first = Math.max(start, Date.UTC(1969, 0, 1) + (((start % DAY_MS) + DAY_MS) % DAY_MS));
  const from = count === undefined ? first : start;
  return expandRule(read.rule, from, Math.min(last, TABLE_END), Math.min(count ?? MAX_DATES, MAX_DATES)).walls;
}

/** Zones tried first, the most common in calendars first. */
const COMMON = [
  'Europe/London',
  'Europe/Dublin',
  'Europe/Berlin',
  'Europe/Helsinki',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'UTC',
];

/** The years of most calendars. */
const USUAL_SPAN: InstantWindow = { from: Date.UTC(2020, 0, 1, 12), to: Date.UTC(2036, 0, 1) };

/** The IANA zone with the same offsets throughout; the first of several. */
function likeZone(own: Zone, span: InstantWindow): Zone | undefined {
  const fixed = Array.from({ length: 27 }, (_, i) => i - 14).map((n) =>
    n === 0 ? 'Etc/GMT' : `Etc/GMT${n > 0 ? '+' : ''}${n}`,
  );
  for (const name of [...COMMON, ...fixed, ...Intl.supportedValuesOf('timeZone')]) {
    if (!mayBeLike(own, name, span)) continue;
    const candidate = zone(name);
    if (candidate !== undefined && isLike(own, candidate, span)) return candidate;
  }
  return undefined;
}

/** A quick test of one winter and one summer, because the table of a zone takes a hundred times as long. */
function mayBeLike(own: Zone, name: string, { from }: InstantWindow): boolean {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  return [from, from + 182 * DAY_MS].every((at) => {
    const shown = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const offset = parseOffset(shown.replace('GMT', '')) ?? 0;
    return offset === offsetAt(own, at);
  });
}

/** Whether two zones agree, tested every five days: clocks change on different last days of March and October. */
function isLike(own: Zone, candidate: Zone, { from, to }: InstantWindow): boolean {
  for (let at = from; at < to; at += 5 * DAY_MS) {
    if (offsetAt(own, at) !== offsetAt(candidate, at)) return false;
  }
  // The changes must also agree to the hour.
  return own.transitions.every((at) => {
    if (at < from || at > to) return true;
    return offsetAt(own, at) === offsetAt(candidate, at) && offsetAt(own, at - 1) === offsetAt(candidate, at - 1);
  });
}

const DATED = ['DTSTART', 'DTEND', 'RDATE', 'EXDATE', 'RECURRENCE-ID'];
/** The longest step of each frequency, in days. */
const STEP_DAYS = { year: 366, month: 31, week: 7, day: 1, hour: 1, minute: 1, second: 1 };

/**
 * The whole years of the events of a calendar, so that a summer and a winter are among them. A rule without an end goes on to
 * the end of all tables.
 */
function yearsOf(calendars: readonly ReadComponent[]): InstantWindow {
  const span = { from: Date.UTC(2036, 0, 1), to: Date.UTC(1970, 0, 1) };
  for (const { components } of calendars) {
    for (const event of components) if (event.name !== 'VTIMEZONE') widen(span, event);
  }
  const year = (at: Instant) => new Date(at).getUTCFullYear();
  return { from: Date.UTC(year(span.from), 0, 1, 12), to: Date.UTC(year(span.to) + 1, 0, 1) };
}

function widen(span: InstantWindow, event: ReadComponent): void {
  const walls = DATED.flatMap((name) => linesOf(event, name))
    .flatMap(({ value }) => value.split(/[,/]/, 100))
    .flatMap((value) => parseTime(value)?.wall ?? [])
    .filter(isPlausible);
  for (const wall of walls) {
    span.from = Math.min(span.from, wall);
    span.to = Math.max(span.to, wall);
  }
  const start = walls[0] ?? span.from;
  for (const line of linesOf(event, 'RRULE')) span.to = Math.max(span.to, lastOf(line, start));
}

function lastOf(line: Parameters<typeof readRule>[0], start: Instant): Instant {
  const read = readRule(line);
  if (!('rule' in read)) return start;
  const { until, count, every, unit } = read.rule;
  if (until !== undefined) return 'instant' in until ? until.instant : until.wall + DAY_MS;
  // BY… parts can make a step rarer than its frequency: four times is enough for all but 29 February.
  const { byMonth, byMonthDay, byYearDay, byWeekNo, bySetPos } = read.rule;
  const parts = [byMonth, byMonthDay, byYearDay, byWeekNo, bySetPos].some((list) => list.length > 0) ? 4 : 1;
  const steps = count === undefined ? Number.POSITIVE_INFINITY : parts * count * every;
  const reach = start + steps * STEP_DAYS[unit] * DAY_MS;
  return Math.min(reach, TABLE_END);
}
