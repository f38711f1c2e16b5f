import { type EventStatus, NO_PARTS, type Schedule, type Series, type Session } from '../../src/opportunity/records.ts';
import { expanderOf, type Instance, instancesOf } from '../../src/recurrence/expand.ts';
import { fillTemplate } from '../../src/recurrence/templates.ts';
import { DAY_MS, dateOfDay, dayOf } from '../../src/time/days.ts';
import type { Instant, Weekday } from '../../src/time/instant.ts';
import { toInstant, toWall, type Zone, zone } from '../../src/time/zone.ts';
import type { Random } from '../generate/random.ts';

/** Random series and sessions as clean records, with everything in them that calendars disagree over. */

export interface Made {
  series: Series;
  sessions: Session[];
}

const ZONES = [
  'Europe/London',
  'America/New_York',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Australia/Lord_Howe',
  'America/Santiago',
  'UTC',
];
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** [start in minutes, length in minutes]; nights and the hours that clocks skip or repeat are among them. */
const TIMES: readonly (readonly [number, number])[] = [
  [1080, 60],
  [1080, 60],
  [555, 45],
  [720, 90],
  [390, 60],
  [1170, 120],
  [90, 60],
  [150, 30],
  [120, 60],
  [60, 60],
  [1320, 480],
  [0, 60],
  [1410, 60],
  [1439, 2],
  [600, 0],
  [1200, 1500],
];
const FIRST = dayOf(2025, 1, 1);

export function madeSeries(r: Random, name: string): Made {
  const zoneName = r.pick(ZONES);
  const schedules = [schedule(r, zoneName, 0, name)];
  if (r.chance(0.25)) schedules.push(schedule(r, r.chance(0.8) ? zoneName : r.pick(ZONES), 1, name));
  if (r.chance(0.06)) schedules.push({ ...(schedules[0] as Schedule), index: schedules.length });
  if (r.chance(0.15)) schedules.push(abroad(r, schedules[0] as Schedule, schedules.length));
  const series: Series = {
    kind: 'series',
    id: `https://example.org/series/${name}`,
    type: 'SessionSeries',
    status: r.chance(0.04) ? 'EventCancelled' : 'EventScheduled',
    details: { name },
    schedules,
  };
  return { series, sessions: sessions(r, series, name) };
}

function schedule(r: Random, zoneName: string, index: number, name: string): Schedule {
  const [time, length] = r.pick(TIMES);
  const start = FIRST + r.int(0, 700);
  const made: Schedule = {
    partial: false,
    expandable: true,
    index,
    startDate: dateOfDay(start),
    startTime: time * 60,
    ...(length > 0 && { duration: length * MINUTE }),
    ...NO_PARTS,
    except: [],
    zone: zoneName,
    zoneStated: r.chance(0.9),
    eventType: 'ScheduledSession',
    ...shape(r),
  };
  const ends = r.pick(['count', 'end', 'both', 'none', 'end']);
  if (ends === 'count' || ends === 'both') made.count = r.int(1, 40);
  if (ends === 'end' || ends === 'both') made.endDate = dateOfDay(start + r.int(0, r.pick([60, 120, 700])));
  if (r.chance(0.6)) made.idTemplate = `https://example.org/${name}/${r.chance(0.5) ? index : ''}/{startDate}`;
  made.except = exceptions(r, made);
  return made;
}

/** Every day at the instant of another schedule's first day, in another zone: most of them start together. */
function abroad(r: Random, { startDate, startTime = 0, duration, zone: home }: Schedule, index: number): Schedule {
  const zoneName = r.pick(ZONES.filter((one) => one !== home));
  const local = Date.parse(startDate ?? '') + startTime * 1000;
  const wall = toWall(zone(zoneName) as Zone, toInstant(zone(home) as Zone, local));
  const longer = (duration ?? 0) + r.pick([0, 30, 60]) * MINUTE;
  return {
    ...DAILY,
    index,
    startDate: dateOfDay(Math.floor(wall / DAY_MS)),
    startTime: (wall - Math.floor(wall / DAY_MS) * DAY_MS) / 1000,
    ...(longer > 0 && { duration: longer }),
    count: r.int(1, 40),
    zone: zoneName,
  };
}

const DAILY: Schedule = {
  partial: false,
  expandable: true,
  index: 0,
  frequency: { unit: 'day', every: 1 },
  ...NO_PARTS,
  except: [],
  zone: 'UTC',
  zoneStated: true,
  eventType: 'ScheduledSession',
};

function shape(r: Random): Partial<Schedule> {
  const days = (most: number) => r.some([0, 1, 2, 3, 4, 5, 6], r.int(1, most)).map((day) => ({ day: day as Weekday }));
  const nth = () => ({ day: r.int(0, 6) as Weekday, ordinal: r.pick([1, 2, 3, 4, 5, -1, -2]) });
  const dates = () => r.some([1, 2, 13, 15, 28, 29, 30, 31], r.int(1, 3));
  const months = () => r.some([1, 2, 3, 4, 6, 9, 10, 11, 12], r.int(1, 4));
  const every = (unit: 'day' | 'week' | 'month' | 'year', most: number) => ({
    frequency: { unit, every: r.int(1, most) },
  });
  return r.among<() => Partial<Schedule>>([
    [14, () => every('day', 1)],
    [5, () => every('day', 6)],
    [3, () => ({ ...every('day', 3), byDay: days(5) })],
    [2, () => ({ ...every('day', 2), byMonth: months() })],
    [30, () => ({ ...every('week', 1), byDay: days(4) })],
    [8, () => ({ ...every('week', 4), byDay: days(4) })],
    [3, () => ({ ...every('week', 2), byDay: days(3), byMonth: months() })],
    [6, () => every('month', 3)],
    [6, () => ({ ...every('month', 2), byMonthDay: dates() })],
    [10, () => ({ ...every('month', 3), byDay: [nth()] })],
    [3, () => ({ ...every('month', 1), byDay: [nth(), nth()] })],
    [3, () => ({ ...every('month', 4), byDay: days(2) })],
    [2, () => ({ ...every('month', 1), byDay: days(2), byMonthDay: dates() })],
    [4, () => ({ ...every('year', 2), byMonth: months() })],
    [2, () => ({ ...every('year', 1), byMonth: months(), byDay: [nth()] })],
    [1, () => ({ frequency: { unit: 'hour', every: r.int(3, 30) }, count: r.int(1, 30) })],
    [4, () => ({})],
  ])();
}

/** The first hundred instances. */
function some(made: Schedule): Instance[] {
  const expander = expanderOf(made);
  if (expander === undefined) return [];
  const from = expander.rule.firstDay * DAY_MS - DAY_MS;
  return instancesOf(expander, from, from + 900 * DAY_MS).slice(0, 100);
}

function exceptions(r: Random, made: Schedule): Schedule['except'] {
  if (r.chance(0.5)) return [];
  const found = some(made);
  const chosen = r.some(found, Math.min(found.length, r.int(1, 5)));
  if (r.chance(0.2)) chosen.push(...found.slice(0, 1));
  if (r.chance(0.2)) chosen.push(...found.slice(-1));
  const out: Schedule['except'] = chosen.map(({ start, wall }) =>
    r.chance(0.3) ? { date: dateOfDay(Math.floor(wall / DAY_MS)) } : { instant: start },
  );
  if (r.chance(0.1)) out.push({ instant: Date.UTC(2025, 5, 5, 5) });
  return out;
}

function sessions(r: Random, series: Series, name: string): Session[] {
  const out: Session[] = [];
  const used = new Set<string>();
  for (const made of series.schedules) {
    const found = some(made).filter(({ excluded }) => !excluded || r.chance(0.1));
    const chosen = r.chance(0.25) ? [] : r.some(found, Math.min(found.length, r.int(1, 8)));
    if (r.chance(0.3)) chosen.push(...nearChanges(found, made.zone));
    for (const instance of new Set(chosen)) out.push(session(r, series, made, instance, name, used));
  }
  for (let extra = r.pick([0, 0, 0, 1, 2]); extra > 0; extra--) {
    const start = Date.UTC(2025, 6, 1) + r.int(0, 17_000) * HOUR + r.int(0, 59) * MINUTE;
    out.push(
      plain(series, `https://example.org/${name}/extra/${extra}`, start, start + r.pick([0, 45, 60, 600]) * MINUTE),
    );
  }
  return out;
}

/** Instances in the days around a change of the clocks. */
function nearChanges(found: readonly Instance[], zoneName: string): Instance[] {
  const changes = zone(zoneName)?.transitions ?? [];
  return found.filter(({ start }) => changes.some((change) => Math.abs(change - start) < DAY_MS)).slice(0, 3);
}

function session(
  r: Random,
  series: Series,
  made: Schedule,
  instance: Instance,
  name: string,
  used: Set<string>,
): Session {
  const { start } = instance;
  const length = made.duration ?? 0;
  let id =
    made.idTemplate === undefined
      ? `https://example.org/${name}/n/${start}`
      : fillTemplate(made.idTemplate, start, start + length);
  while (used.has(id)) id += 'x';
  used.add(id);
  const what = r.pick(['booked', 'booked', 'cancelled', 'moved', 'moved', 'longer', 'renamed', 'postponed']);
  const shift = r.pick([-48, -24, -2, -1, 0.5, 1, 3, 24, 25, 72, 168, 24 * 9]) * HOUR;
  const at = what === 'moved' ? start + shift : start;
  const end = at + length + (what === 'longer' ? r.pick([30, 240, 1500]) * MINUTE : 0);
  const status: EventStatus =
    what === 'cancelled' ? 'EventCancelled' : what === 'postponed' ? 'EventPostponed' : 'EventScheduled';
  return {
    ...plain(series, id, at, end),
    status,
    ...(what === 'renamed' && { details: { name: `${name}!` } }),
  };
}

function plain(series: Series, id: string, start: Instant, end: Instant): Session {
  return {
    kind: 'session',
    id,
    idStated: true,
    type: 'ScheduledSession',
    series: series.id,
    start,
    ...(end > start && { end }),
    status: 'EventScheduled',
    details: {},
  };
}

/** Local time of day, for messages. */
export function localTime(zoneName: string, instant: Instant): string {
  const z = zone(zoneName);
  return z === undefined ? '?' : new Date(toWall(z, instant)).toISOString().slice(0, 16);
}
