import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventStatus, Schedule, Session } from '../../src/opportunity/records.ts';
import { matchSessions, occurrences } from '../../src/recurrence/overlay.ts';
import { DAY, instantOf, patternDays, utc, wallOf } from '../oracle/days.ts';
import { runs } from '../runs.ts';
import { byDay, schedule, series, without } from './make.ts';

/**
 * Semantics 4 once more, from its text: every generated occurrence is compared with every session, by written ids. The
 * schedules are plain; rules have their own tests.
 */

const HOUR = 3_600_000;
const zones = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
const templates = [
  undefined,
  'https://x.example/{startDate}',
  'https://x.example/s%20t/{startDate}~{endDate}',
  'https://x.example/e/{endDate}',
];
const firstDay = 20_500;

const anySchedule = (index: number): fc.Arbitrary<Schedule> =>
  fc
    .record({
      zone: fc.constantFrom(...zones),
      days: fc.constantFrom('MO', 'TU,TH', 'MO,SU', 'SU'),
      hour: fc.constantFrom(1.5, 2.25, 9, 23.5),
      template: fc.constantFrom(...templates),
      duration: fc.constantFrom(undefined, HOUR, 2 * HOUR, 30 * HOUR),
      byClock: fc.boolean(),
      count: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      except: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 5 }),
    })
    .map(({ zone, days, hour, template, duration, byClock, count, except }) => {
      const made = schedule({
        index,
        zone,
        byDay: byDay(days),
        startDate: utc(firstDay * DAY).slice(0, 10),
        startTime: hour * 3600,
        except: except.map((n) =>
          n % 2 === 0
            ? { date: utc((firstDay + n) * DAY).slice(0, 10) }
            : { instant: instantOf(zone, (firstDay + n) * DAY + hour * HOUR) },
        ),
        ...(template !== undefined && { idTemplate: template }),
        ...(count !== undefined && { count }),
      });
      return {
        ...without(made, 'duration'),
        ...(duration !== undefined && { duration, ...(byClock && { endsByClock: true }) }),
      };
    });

interface Made {
  schedule: number;
  start: number;
  end: number;
  id: string | undefined;
  /** This one, and those of later schedules that are the same. */
  all: { id: string | undefined; end: number }[];
}

function fill(template: string, start: number, end: number): string {
  return template.replaceAll('{startDate}', utc(start)).replaceAll('{endDate}', utc(end));
}

/** All generated occurrences of all schedules; of those with the same start and end, or start and id, the first is kept. */
function madeBy(schedules: readonly Schedule[]): Made[] {
  const made: Made[] = [];
  for (const one of schedules) {
    const { zone, count, byDay: days, startTime = 0, duration = 0, endsByClock } = one;
    const pattern = { unit: 'week' as const, every: 1, byDay: days, byMonth: [], byMonthDay: [], startDay: firstDay };
    for (const day of patternDays({ ...pattern, ...(count !== undefined && { count }) }, firstDay + 1200)) {
      const start = instantOf(zone, day * DAY + startTime * 1000);
      const clock = instantOf(zone, day * DAY + startTime * 1000 + duration);
      const end = endsByClock && clock > start ? clock : start + duration;
      const excluded = one.except.some((except) =>
        'instant' in except ? except.instant === start : except.date === utc(day * DAY).slice(0, 10),
      );
      const id = one.idTemplate === undefined ? undefined : fill(one.idTemplate, start, end);
      if (excluded) continue;
      const same = made.find(
        (other) => other.start === start && (other.end === end || (id !== undefined && other.id === id)),
      );
      if (same === undefined) made.push({ schedule: one.index, start, end, id, all: [{ id, end }] });
      else same.all.push({ id, end });
    }
  }
  return made;
}

const statuses: EventStatus[] = ['EventScheduled', 'EventCancelled', 'EventRescheduled'];
/** Sessions about some of the occurrences: in four spellings, moved or not, with half of their times, and some about nothing. */
const plans = fc.array(
  fc.record({
    of: fc.nat(),
    form: fc.constantFrom('raw', 'encoded', 'dashed', 'near', 'nameless', 'other'),
    moved: fc.constantFrom(0, 0, 1, -1, 24, 24 * 400),
    status: fc.constantFrom(...statuses),
    length: fc.constantFrom(undefined, HOUR, 50 * HOUR),
    startless: fc.constantFrom(false, false, true),
    previous: fc.constantFrom(false, false, true),
  }),
  { maxLength: 8 },
);

function sessionsOf(made: readonly Made[], list: typeof plans extends fc.Arbitrary<infer T> ? T : never): Session[] {
  if (made.length === 0) return [];
  return list.map(({ of, form, moved, status, length, startless, previous }, i) => {
    const about = made[of % Math.min(made.length, 120)] as Made;
    const start = about.start + moved * HOUR;
    const stated = { start, ...(length !== undefined && { end: start + length }) };
    return {
      kind: 'session',
      id: idIn(form, about, i),
      idStated: form !== 'nameless',
      type: 'ScheduledSession',
      ...(startless ? length !== undefined && { length } : stated),
      ...(previous && { previousStart: about.start }),
      status,
      details: {},
    };
  });
}

function idIn(form: string, about: Made, i: number): string {
  if (about.id === undefined || form === 'other' || form === 'nameless') return `other-${i}`;
  const text = utc(about.start);
  if (form === 'near') return about.id.replaceAll(text, text.replace('Z', '.000Z'));
  if (form === 'encoded') return about.id.replaceAll(text, encodeURIComponent(text));
  return form === 'dashed' ? about.id.replaceAll(text, text.replaceAll(':', '-')) : about.id;
}

function plain(id: string): string {
  return decodeURIComponent(id).replace(/T(\d\d)-(\d\d)-(\d\d)Z/g, 'T$1:$2:$3Z');
}

interface Found {
  one: Made;
  /** The closer, the smaller. */
  rank: number;
}

/** Which occurrence a session is about: the first of these readings that leads to one. */
function foundFor({ id, idStated, start, end, previousStart }: Session, made: readonly Made[]): Found | undefined {
  const named = (own: string) =>
    made.find((one) => idStated && one.all.some((other) => other.id !== undefined && plain(other.id) === own));
  const moved = previousStart !== undefined && previousStart !== start;
  /** Of those that start together the one that ends with the session, else the first. */
  const together = (is: (id: string | undefined) => boolean) => {
    const all = made
      .filter((one) => one.start === start)
      .flatMap((one) => one.all.filter((other) => is(other.id)).map((other) => ({ one, end: other.end })));
    return (all.find((other) => end !== undefined && other.end === end) ?? all[0])?.one;
  };
  const readings: (() => Made | undefined)[] = [
    () => named(plain(id)),
    () => named(plain(id).replaceAll('.000Z', 'Z')),
    () => made.find((one) => moved && one.start === previousStart),
    () => together((other) => other === undefined),
    () => (idStated ? undefined : together(() => true)),
  ];
  for (const [n, read] of readings.entries()) {
    const one = read();
    if (one !== undefined) return { one, rank: RANKS[n] as number };
  }
  return undefined;
}

/** How close each of those readings is. */
const RANKS = [1, 3, 5, 2, 4];

/** Which session each occurrence is replaced by: the closest, then one that did not move, then the first by id. */
function replacements(sessions: readonly Session[], made: readonly Made[]): Map<Session, Made> {
  const found = sessions.flatMap((session) => {
    const is = foundFor(session, made);
    return is === undefined
      ? []
      : [{ session, moved: Number((session.start ?? is.one.start) !== is.one.start), ...is }];
  });
  const first = (list: typeof found) =>
    list.sort((a, b) => a.rank - b.rank || a.moved - b.moved || (a.session.id < b.session.id ? -1 : 1))[0];
  const winners = [...Map.groupBy(found, ({ one }) => one).values()].flatMap((list) => first(list) ?? []);
  return new Map(winners.map(({ session, one }) => [session, one]));
}

/** What a session that replaces an occurrence does not say of its time is that of the occurrence. */
function timesOf({ start, end, length }: Session, one: Made | undefined): { start: number; end: number }[] {
  const begin = start ?? one?.start;
  if (begin === undefined) return [];
  const usual = one === undefined ? 0 : one.end - one.start;
  return [{ start: begin, end: end ?? begin + (length ?? usual) }];
}

test('the list is what comparing everything with everything gives', () => {
  let [seen, hidden] = [0, 0];
  fc.assert(
    fc.property(
      fc.tuple(anySchedule(0), anySchedule(1), fc.boolean()).map(([a, b, two]) => (two ? [a, b] : [a])),
      plans,
      fc.integer({ min: -20, max: 420 }),
      fc.integer({ min: 0, max: 200 }),
      (schedules, list, after, days) => {
        const made = madeBy(schedules);
        const byId = new Map(sessionsOf(made, list).map((session) => [session.id, session]));
        const sessions = [...byId.values()];
        const from = (firstDay + after) * DAY + 5 * HOUR;
        const to = from + days * DAY;
        const inWindow = (start: number, end: number) => start < to && (end > from || (end === start && start >= from));
        const of = series({ schedules });

        const replaced = replacements(sessions, made);
        const gone = new Set(replaced.values());
        const left = made.filter((one) => !gone.has(one));
        const expected = [
          ...left.map(({ id, start, end }) => ({ id, start, end, source: 'generated' })),
          ...sessions.flatMap((session) =>
            timesOf(session, replaced.get(session)).map((times) => ({
              id: session.idStated ? session.id : undefined,
              ...times,
              source: 'explicit',
            })),
          ),
        ].filter(({ start, end }) => inWindow(start, end));
        const order = (rows: { id?: string | undefined; start: number; end: number; source: string }[]) =>
          rows.map(({ id, start, end, source }) => `${utc(start)} ${id ?? ''} ${utc(end)} ${source}`).sort();
        const found = occurrences(of, sessions, from, to);
        expect(order(found)).toEqual(order(expected));
        expect(found.map(({ start }) => start)).toEqual(found.map(({ start }) => start).sort((a, b) => a - b));

        const matches = matchSessions(of, sessions);
        expect(matches).toEqual(matchSessions(of, sessions.toReversed()));
        for (const [id, { schedule, wall, start }] of matches) {
          const one = made.find((other) => other.start === start && other.schedule === schedule);
          expect(one).toBe(replaced.get(byId.get(id) as Session));
          const zone = schedules[schedule]?.zone as string;
          expect(Math.abs(wall - wallOf(zone, start))).toBeLessThanOrEqual(HOUR);
        }
        expect(matches.size).toBe(made.length - left.length);
        seen += found.length;
        hidden += matches.size;
      },
    ),
    { numRuns: runs(400) },
  );
  expect(seen).toBeGreaterThan(2000);
  expect(hidden).toBeGreaterThan(300);
});

/** Days around the changes of the clocks in these zones. */
const changes = [20_520, 20_521, 20_540, 20_541, 20_547, 20_548, 20_730, 20_731, 20_751, 20_752, 20_757, 20_758];

interface Night {
  zone: string;
  day: number;
  hour: number;
  length: number;
  template: string;
  byClock: boolean;
}

test('on nights the clocks change, a session with an @id of any template replaces its own instance alone', () => {
  const night: fc.Arbitrary<Night> = fc.record({
    zone: fc.constantFrom(...zones),
    day: fc.constantFrom(...changes),
    hour: fc.constantFrom(0, 1, 1.5, 2, 2.25, 2.5, 18, 22, 23.5),
    length: fc.constantFrom(HOUR, 2 * HOUR, 8 * HOUR, 23.5 * HOUR, DAY),
    template: fc.constantFrom('x:{startDate}', 'x:{startDate}/{endDate}', 'x:{endDate}'),
    byClock: fc.boolean(),
  });
  /** Always tried: each has instances that end by the clock after the change, and so are longer or shorter. */
  const sure = zones.flatMap((zone) =>
    changes.map((day) => [{ zone, day, hour: 0, length: DAY, template: 'x:{endDate}', byClock: true }] as [Night]),
  );
  let unusual = 0;
  fc.assert(
    fc.property(night, ({ zone, day, hour, length, template, byClock }) => {
      const one = schedule({
        zone,
        startDate: utc((day - 2) * DAY).slice(0, 10),
        startTime: hour * 3600,
        duration: length,
        frequency: { unit: 'day', every: 1 },
        count: 5,
        idTemplate: template,
        ...(byClock && { endsByClock: true }),
      });
      const of = series({ schedules: [one] });
      const made = [-2, -1, 0, 1, 2].map((n) => {
        const wall = (day + n) * DAY + hour * HOUR;
        const start = instantOf(zone, wall);
        const clock = instantOf(zone, wall + length);
        const end = byClock && clock > start ? clock : start + length;
        if (end - start !== length) unusual += 1;
        return { start, end, id: fill(template, start, end) };
      });
      for (const about of made) {
        const session = { kind: 'session', id: about.id, idStated: true, type: 'ScheduledSession' } as const;
        const own: Session = { ...session, status: 'EventCancelled', details: {} };
        const rows = occurrences(of, [own], made[0]?.start ?? 0, (day + 5) * DAY);
        expect(rows.map(({ id, start, end, source }) => ({ id, start, end, source }))).toEqual(
          made.map(({ id, start, end }) => ({ id, start, end, source: id === about.id ? 'explicit' : 'generated' })),
        );
      }
    }),
    { numRuns: runs(400), examples: sure },
  );
  // One a day of `changes`, in each zone that has it.
  expect(unusual).toBeGreaterThanOrEqual(changes.length);
});
