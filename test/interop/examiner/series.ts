import { Random } from '../../generate/random.ts';
import { randomSchedule } from './schedule.ts';

/**
 * Random series as somebody would make them who knows only the specification and the OpenActive documents, and wants to
 * find what calendars get wrong. In two steps, as a publisher has them: the schedules; then, knowing which occurrences
 * they give, the dates taken out of them and the sessions published beside them.
 */

export type Json = Record<string, unknown>;

/** An RPDE item. */
export interface Item {
  state: 'updated' | 'deleted';
  kind: string;
  id: string;
  modified: number;
  data?: Json;
}

/** An occurrence of a draft, as `expand` lists it. */
export interface Given {
  id: string | null;
  start: string;
  end: string;
}

const TYPES: readonly (readonly [number, readonly [series: string, occurrence: string]])[] = [
  [16, ['SessionSeries', 'ScheduledSession']],
  [1, ['CourseInstance', 'Event']],
  [1, ['HeadlineEvent', 'Event']],
  [1, ['Event', 'Event']],
];

const WORDS = [
  'Yoga',
  'Tai chi; gentle, slow',
  'Børnegymnastik & "leg"',
  'עברית ריקודים',
  'ヨガ🧘‍♀️初心者',
  'C:\\new\\lanes',
  'Zumba® – Gold™',
  '100% fun: <b>bold</b>',
  'Ünïcödé ﷺ 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'Aqua, aqua; aqua\\,',
];

/** The series alone, with its schedules. */
export function draft(seed: number): Json {
  const r = new Random(seed * 7 + 3);
  const [type, occurrence] = r.among(TYPES);
  const id = `https://id.example.com/api/${type.toLowerCase()}/${seed}`;
  const templated = r.chance(0.75);
  const schedules = Array.from({ length: r.among(SCHEDULES) }, (_, n): Json => {
    const schedule: Json = { ...randomSchedule(r), scheduledEventType: occurrence };
    return templated ? { ...schedule, ...templates(r, id, n) } : schedule;
  });
  // Two schedules of one zone are the common case, and may give the same occurrence twice.
  if (schedules.length > 1 && r.chance(0.7)) {
    for (const one of schedules) Object.assign(one, { scheduleTimezone: schedules[0]?.scheduleTimezone });
  }
  if (schedules.length > 1 && r.chance(0.4)) {
    const { startTime, endTime, duration } = schedules[0] as Json;
    const length = { ...(endTime !== undefined && { endTime }), ...(duration !== undefined && { duration }) };
    schedules.splice(1, 1, { ...withoutLength(schedules[1] as Json), startTime, ...length });
  }
  return {
    '@context': ['https://openactive.io/', 'https://openactive.io/ns-beta'],
    '@type': type,
    '@id': id,
    name: `S${seed} ${r.pick(WORDS)}`,
    ...(r.chance(0.3) && {
      description: r.chance(0.1) ? 'Long; text, "quoted" \\n and é. '.repeat(600) : r.pick(WORDS),
    }),
    ...(r.chance(0.5) && { url: `https://example.com/${seed}?a=1,2;b` }),
    ...(r.chance(0.3) && {
      location: { '@type': 'Place', name: r.pick(WORDS), geo: { latitude: 51.5, longitude: -0.1 } },
    }),
    ...(r.chance(0.04) && { eventStatus: r.pick(['schema:EventCancelled', 'https://schema.org/EventPostponed']) }),
    ...(r.chance(0.2) && { duration: 'P90D' }),
    eventSchedule: schedules.length === 1 && r.chance(0.1) ? schedules[0] : schedules,
  };
}

const SCHEDULES: readonly (readonly [number, number])[] = [
  [14, 1],
  [3, 2],
  [1, 3],
];

function withoutLength({ endTime: _, duration: __, ...rest }: Json): Json {
  return rest;
}

function templates(r: Random, id: string, index: number): Json {
  const shared = r.chance(0.5) ? '' : `/s${index}`;
  const idTemplate = r.among([
    [6, `${id}${shared}/{startDate}`],
    [1, `${id}${shared}#{startDate}--{endDate}`],
    [1, `${id}${shared}?from={startDate}&to={endDate}`],
    [1, `${id}${shared}/caf%C3%A9/{startDate}`],
  ]);
  return { idTemplate, ...(r.chance(0.4) && { urlTemplate: `https://example.com/book${shared}?d={startDate}` }) };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The items of a series: itself with exceptions, and its sessions. `given`: what its draft gives, by start. */
export function examined(seed: number, series: Json, given: readonly Given[]): Item[] {
  const r = new Random(seed * 13 + 5);
  const sessions = new Map<string, Json>();
  const add = (session: Json) => {
    if (!sessions.has(session['@id'] as string)) sessions.set(session['@id'] as string, session);
  };
  for (const start of chosen(r, given)) add(standIn(r, series, start));
  if (r.chance(0.25)) add(extra(r, seed, series, given));
  if (given.length > 3 && r.chance(0.15)) for (const one of swapped(r, series, given)) add(one);
  const whole = { ...series, eventSchedule: excepted(r, series.eventSchedule, given) };
  return published(r, seed, whole, [...sessions.values()]);
}

/** Which occurrences get a session of their own: some, the first ones, the last ones, one after the other, or nearly all. */
function chosen(r: Random, given: readonly Given[]): Given[] {
  const way = r.weighted({ none: 4, some: 6, first: 1, last: 1, row: 2, most: 1 });
  const count = r.int(1, 6);
  switch (way) {
    case 'none':
      return [];
    case 'some':
      return r.some(given.slice(0, 400), count);
    case 'first':
      return given.slice(0, count);
    case 'last':
      return given.slice(-count);
    case 'row': {
      const from = r.int(0, Math.max(0, given.length - 1));
      return given.slice(from, from + 2 * count);
    }
    case 'most':
      return given.slice(0, 40).filter(() => r.chance(0.85));
  }
}

/** Minutes by which a session is moved: a little, over its neighbours, far away. */
const MOVES = [
  -20160, -10080, -2880, -1440, -1380, -180, -60, -30, 15, 30, 60, 120, 600, 1440, 1500, 2880, 10080, 43200,
];

/** The session of one occurrence, changed in one way or another. */
function standIn(r: Random, series: Json, { id, start, end }: Given): Json {
  const what = r.weighted({
    same: 3,
    cancelled: 4,
    moved: 6,
    longer: 2,
    shorter: 1,
    renamed: 2,
    postponed: 1,
    both: 1,
  });
  const length = Date.parse(end) - Date.parse(start);
  const moves = what === 'moved' || what === 'both';
  // Without an id only its start says which occurrence a session stands for.
  const from = Date.parse(start) + (moves && id !== null ? r.pick(MOVES) * MINUTE : 0);
  const longer = what === 'longer' ? r.pick([15, 60, 720, 1440]) * MINUTE : 0;
  const to = from + (what === 'shorter' ? Math.ceil(length / 2 / MINUTE) * MINUTE : length + longer);
  const session: Json = {
    ...bare(r, series, from, to),
    '@id': id === null ? `${series['@id'] as string}/at/${start}` : spelt(r, id, start, end),
  };
  if (what === 'renamed' || what === 'both') session.name = `${seedOf(series)} moved, ${r.pick(WORDS)}`;
  if (what === 'cancelled') session.eventStatus = status(r, 'Cancelled');
  else if (what === 'postponed') session.eventStatus = status(r, 'Postponed');
  else if (moves) session.eventStatus = status(r, 'Rescheduled');
  return session;
}

function bare(r: Random, series: Json, from: number, to: number): Json {
  const type = [series.eventSchedule].flat()[0] as Json;
  const iso = (at: number) => spelling(r, at);
  const ends = r.chance(0.7) ? { endDate: iso(to) } : { duration: `PT${(to - from) / MINUTE}M` };
  return { '@type': type.scheduledEventType, startDate: iso(from), ...ends, remainingAttendeeCapacity: r.int(0, 9) };
}

function spelling(r: Random, at: number): string {
  const way = r.weighted({ Z: 6, '.000Z': 1, '+00:00': 1, '+05:30': 1, '-04:00': 1 });
  const ahead = way === '+05:30' ? 330 : way === '-04:00' ? -240 : 0;
  return new Date(at + ahead * MINUTE).toISOString().replace('.000Z', way);
}

/** Raw, percent-encoded and dashed forms of the times in an id (semantics 3). */
function spelt(r: Random, id: string, start: string, end: string): string {
  const way = r.weighted({ raw: 8, encoded: 1, dashed: 1 });
  const form = (time: string) => (way === 'encoded' ? encodeURIComponent(time) : time.replaceAll(':', '-'));
  return way === 'raw' ? id : id.replaceAll(start, form(start)).replaceAll(end, form(end));
}

function status(r: Random, name: string): string {
  return `${r.pick(['https://schema.org/', 'http://schema.org/', 'schema:', ''])}Event${name}`;
}

/** A session that stands for no occurrence: before the first, after the last, between, on the day of another. */
function extra(r: Random, seed: number, series: Json, given: readonly Given[]): Json {
  const around = given.length === 0 ? Date.UTC(2026, 9, 25, 1) : Date.parse(r.pick(given).start);
  const first = given.length === 0 ? around : Date.parse((given[0] as Given).start);
  const from = r.pick([first - r.int(1, 40) * DAY, around + r.int(1, 30) * HOUR, around + 7 * MINUTE]) + 3 * MINUTE;
  return {
    ...bare(r, series, from, from + r.pick([30, 60, 1440]) * MINUTE),
    '@id': `${series['@id'] as string}/extra/${seed}`,
    ...(r.chance(0.2) && { eventStatus: status(r, 'Cancelled') }),
  };
}

/** Two neighbours that change places. */
function swapped(r: Random, series: Json, given: readonly Given[]): Json[] {
  const at = r.int(0, given.length - 2);
  const [a, b] = [given[at] as Given, given[at + 1] as Given];
  if (a.id === null || b.id === null) return [];
  const moved = (one: Given, to: Given) => ({
    ...bare(r, series, Date.parse(to.start), Date.parse(to.end)),
    '@id': one.id,
    name: `${seedOf(series)} swapped`,
  });
  return [moved(a, b), moved(b, a)];
}

function excepted(r: Random, schedules: unknown, given: readonly Given[]): unknown {
  if (given.length === 0 || r.chance(0.5)) return schedules;
  const way = r.weighted({ some: 5, first: 2, last: 1, row: 1, all: 0.3, most: 1 });
  const count = r.int(1, 5);
  const from = way === 'last' ? given.length - count : way === 'row' ? r.int(0, given.length - 1) : 0;
  const all = given.slice(0, 150);
  const gone =
    way === 'some'
      ? r.some(given.slice(0, 300), count)
      : way === 'all'
        ? all
        : way === 'most'
          ? all.filter(() => r.chance(0.7))
          : given.slice(Math.max(0, from), Math.max(0, from) + (way === 'row' ? count * 3 : count));
  const { scheduleTimezone } = [schedules].flat()[0] as Json;
  const list = gone.map(({ start }) => {
    const way = r.weighted({ instant: 6, date: 3, local: 1 });
    if (way === 'local') return `${localTime(start, scheduleTimezone as string)}Z`;
    return way === 'date' ? start.slice(0, 10) : spelling(r, Date.parse(start));
  });
  if (r.chance(0.15)) list.push('2026-12-25', '2027-05-01T03:17:00Z');
  const name = r.chance(0.85) ? 'exceptDate' : 'exceptDates';
  const with_ = (schedule: unknown) => ({ ...(schedule as Json), [name]: list });
  return Array.isArray(schedules) ? schedules.map(with_) : with_(schedules);
}

/** `2027-03-28T09:30:00`, as the clock on the wall shows it. */
function localTime(start: string, zone: string): string {
  const shown = new Date(start).toLocaleString('sv-SE', { timeZone: zone });
  return shown.replace(' ', 'T');
}

/** As RPDE items, embedded in the series, or both. */
function published(r: Random, seed: number, series: Json, sessions: readonly Json[]): Item[] {
  const own = seedOf(series);
  const item = (data: Json, id: string): Item => ({
    state: 'updated',
    kind: data['@type'] as string,
    id,
    modified: seed,
    data,
  });
  const embedded = sessions.filter(() => r.chance(0.25));
  const alone = sessions.filter((session) => !embedded.includes(session) || r.chance(0.1));
  const whole = { ...series, ...(embedded.length > 0 && { subEvent: embedded }) };
  const parent = r.chance(0.1) ? { '@type': series['@type'], '@id': series['@id'] } : series['@id'];
  const items = alone.map((session, n) => item({ ...session, superEvent: parent }, `session ${own} ${n}`));
  return r.shuffle([item(whole, `series ${own}`), ...items]);
}

/** What the names of a series begin with: by it occurrences are reported apart wherever they are listed. */
function seedOf({ name }: Json): string {
  return (name as string).split(' ')[0] as string;
}
