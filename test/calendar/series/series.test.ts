import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toComponents } from '../../../src/calendar/components.ts';
import type { CalendarEvent } from '../../../src/calendar/objects.ts';
import { type PlanOptions, planSeries } from '../../../src/calendar/series/plan.ts';
import { recurrenceValue } from '../../../src/ical/recurrence.ts';
import { write } from '../../../src/ical/write.ts';
import {
  type EventStatus,
  NO_PARTS,
  type Schedule,
  type Series,
  type Session,
} from '../../../src/opportunity/records.ts';
import { occurrences } from '../../../src/recurrence/overlay.ts';
import { utcText } from '../../../src/time/instant.ts';
import { toInstant, zone } from '../../../src/time/zone.ts';
import { Random } from '../../generate/random.ts';
import { runs } from '../../runs.ts';
import { madeSeries } from '../made.ts';
import { readWithIcalJs, row } from '../read.ts';

const [FROM, TO] = [Date.UTC(2025, 0, 1), Date.UTC(2027, 6, 1)];
const OPTIONS: PlanOptions = { zone: 'Europe/London' };
/** STATUS, and how the summary says it for clients that show no STATUS (semantics 4.5). */
const STATUS: Record<EventStatus, readonly [status: string, prefix: string]> = {
  EventScheduled: ['CONFIRMED', ''],
  EventRescheduled: ['CONFIRMED', ''],
  EventCancelled: ['CANCELLED', 'Cancelled: '],
  EventPostponed: ['TENTATIVE', 'Postponed: '],
};

function textOf(events: CalendarEvent[]): string {
  const head = { name: 'test', zone: 'Europe/London', color: { name: 'teal', hex: '#008080' }, refresh: 'PT6H' };
  return write(toComponents({ ...head, events }, () => ({ sequence: 0, modified: 0 })));
}

function expected(series: Series, sessions: readonly Session[], from = FROM, to = TO): string[] {
  return occurrences(series, sessions, from, to)
    .map(({ start, end, status, name = '' }) => row(start, end, STATUS[status][0], STATUS[status][1] + name))
    .sort();
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

describe('the calendar of any series', () => {
  test('shows exactly its occurrences', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        const { events } = planSeries(series, sessions, OPTIONS);
        expect(readWithIcalJs(textOf(events), FROM, TO)).toEqual(expected(series, sessions));
      }),
      { numRuns: runs(150) },
    );
  });

  test('keeps to what Outlook can hold and old readers understand', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        const { events } = planSeries(series, sessions, OPTIONS);
        for (const own of Map.groupBy(events, ({ uid }) => uid).values()) checkGroup(own);
      }),
      { numRuns: runs(150) },
    );
  });

  test('does not depend on the order of sessions, nor on when it is made', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        const text = textOf(planSeries(series, sessions, OPTIONS).events);
        const shuffled = new Random(seed + 1).shuffle(sessions);
        expect(textOf(planSeries(structuredClone(series), shuffled, OPTIONS).events)).toBe(text);
      }),
      { numRuns: runs(60) },
    );
  });

  test('with a window has what overlaps it, and no rule that has nothing in it', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 800 }), fc.integer({ min: 1, max: 90 }), (seed, day, days) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        const from = FROM + day * 86_400_000;
        const to = from + days * 86_400_000;
        const { events } = planSeries(series, sessions, { ...OPTIONS, from, to });
        expect(readWithIcalJs(textOf(events), from, to)).toEqual(expected(series, sessions, from, to));
        if (expected(series, sessions, from, to).length === 0) expect(events).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });
});

const DAY = 86_400_000;
const dayOf = (wall: number) => Math.floor(wall / DAY);

/** Feed rules 7 to 14 for the events of one UID. */
function checkGroup([master, ...overrides]: CalendarEvent[]): void {
  if (master === undefined) return;
  expect(master.recurrenceId).toBeUndefined();
  if (master.rrule === undefined) {
    expect([overrides, master.exdates]).toEqual([[], undefined]);
    return;
  }
  const { until, count } = master.rrule;
  expect(recurrenceValue(master.rrule)).toMatch(
    /^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;UNTIL=\d{8}T\d{6}Z|;COUNT=\d+)?(;INTERVAL=\d+)?(;BYMONTH=\d+)?(;BYMONTHDAY=\d+)?(;BYDAY=[-,\dA-Z]+)?(;WKST=MO)?$/,
  );
  expect(master.span.zone).not.toBe('UTC');
  const days = overrides.map(({ recurrenceId }) => dayOf(recurrenceId?.wall ?? 0));
  expect(days).toEqual([...new Set(days)].sort((a, b) => a - b));
  // Never on DTSTART, never of an excluded instance.
  for (const wall of [...(master.exdates ?? []), ...overrides.map(({ recurrenceId }) => recurrenceId?.wall ?? 0)]) {
    expect(wall).toBeGreaterThan(master.span.start);
  }
  const gone = new Set((master.exdates ?? []).map(dayOf));
  expect(days.some((day) => gone.has(day))).toBe(false);
  expect(until === undefined || count === undefined).toBe(true);
  if (overrides.length > 0) expect(count).toBeUndefined();
  for (const one of overrides) expect(one.rrule ?? one.exdates).toBeUndefined();
  // Moved ones stay in order, on days of their own.
  const starts = overrides.map(({ span }) => dayOf(span.start));
  expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
}

const BASE: Schedule = {
  partial: false,
  expandable: true,
  index: 0,
  startDate: '2026-03-02',
  startTime: 18 * 3600,
  duration: 3_600_000,
  frequency: { unit: 'week', every: 1 },
  ...NO_PARTS,
  byDay: [{ day: 0 }],
  except: [],
  zone: 'Europe/London',
  zoneStated: true,
  eventType: 'ScheduledSession',
};
const TEMPLATE = 'https://e.org/s/{startDate}';
const PAGE = 'https://e.org/yoga';

function seriesOf(...schedules: Partial<Schedule>[]): Series {
  return {
    kind: 'series',
    id: 'https://e.org/series',
    type: 'SessionSeries',
    status: 'EventScheduled',
    details: { name: 'Yoga' },
    schedules: schedules.map((one, index) => ({ ...BASE, index, ...one })),
  };
}

/** A session of an original start, moved and changed. Times are London's: `2026-03-09 18:00`. */
function sessionOf(
  original: string,
  change: { at?: string; minutes?: number; status?: EventStatus; name?: string } = {},
): Session {
  const start = london(change.at ?? original);
  return {
    kind: 'session',
    id: `https://e.org/s/${new Date(london(original)).toISOString().slice(0, 19)}Z`,
    idStated: true,
    type: 'ScheduledSession',
    series: 'https://e.org/series',
    start,
    end: start + (change.minutes ?? 60) * 60_000,
    status: change.status ?? 'EventScheduled',
    details: change.name === undefined ? {} : { name: change.name },
  };
}

function london(text: string): number {
  const z = zone('Europe/London');
  if (z === undefined) throw new Error('Europe/London');
  return toInstant(z, Date.parse(`${text.replace(' ', 'T')}:00Z`));
}

/** The events in a few words each: `2026-03-02T18:00 RRULE -excluded`, `2026-03-09T18:00 > 2026-03-09T19:00 STATUS`. */
function shown(events: readonly CalendarEvent[]): string[] {
  const at = (wall: number) => new Date(wall).toISOString().slice(0, 16);
  return events.map(({ span, rrule, exdates = [], recurrenceId, status }) => {
    const start = `${at(span.start)}${{ UTC: 'Z', 'Etc/GMT': ' Etc/GMT' }[span.zone] ?? ''}`;
    const parts = recurrenceId === undefined ? [start] : [at(recurrenceId.wall), '>', start];
    if (rrule !== undefined) parts.push(recurrenceValue(rrule));
    parts.push(...exdates.map((wall) => `-${at(wall)}`));
    if (status !== 'CONFIRMED') parts.push(status);
    return parts.join(' ');
  });
}

describe('a schedule', () => {
  test.each<[string, Partial<Schedule>, string[]]>([
    [
      'that says how many',
      { count: 10, frequency: { unit: 'day', every: 1 }, byDay: [] },
      ['2026-03-02T18:00 FREQ=DAILY;COUNT=10'],
    ],
    [
      'that says until when',
      { endDate: '2026-03-23' },
      ['2026-03-02T18:00 FREQ=WEEKLY;UNTIL=20260323T180000Z;BYDAY=MO'],
    ],
    [
      'that ends on a day without one',
      { endDate: '2026-03-25' },
      ['2026-03-02T18:00 FREQ=WEEKLY;UNTIL=20260323T180000Z;BYDAY=MO'],
    ],
    [
      'that says both ends with the first',
      { endDate: '2026-03-25', count: 2 },
      ['2026-03-02T18:00 FREQ=WEEKLY;UNTIL=20260309T180000Z;BYDAY=MO'],
    ],
    ['without end has neither', {}, ['2026-03-02T18:00 FREQ=WEEKLY;BYDAY=MO']],
    ['of one date is no rule', { count: 1 }, ['2026-03-02T18:00']],
    [
      'that begins between its days begins on the first',
      { startDate: '2026-02-26', count: 3 },
      ['2026-03-02T18:00 FREQ=WEEKLY;COUNT=3;BYDAY=MO'],
    ],
    [
      'ends in UTC late enough for readers of wall time',
      { endDate: '2026-06-01' },
      ['2026-03-02T18:00 FREQ=WEEKLY;UNTIL=20260601T180000Z;BYDAY=MO'],
    ],
    [
      'whose last evening leaves no room for that ends at its start, as seen from DTSTART',
      { endDate: '2026-06-01', zone: 'Australia/Sydney' },
      ['2026-03-02T18:00 FREQ=WEEKLY;UNTIL=20260601T080000Z;BYDAY=MO'],
    ],
    [
      'near midnight is counted',
      { endDate: '2026-06-01', startTime: 23.5 * 3600 },
      ['2026-03-02T23:30 FREQ=WEEKLY;COUNT=14;BYDAY=MO'],
    ],
    [
      'without its first date begins with the second, and counts one less',
      { count: 4, except: [{ date: '2026-03-02' }] },
      ['2026-03-09T18:00 FREQ=WEEKLY;COUNT=3;BYDAY=MO'],
    ],
    [
      'without its last ends before it',
      { count: 4, except: [{ instant: london('2026-03-23 18:00') }] },
      ['2026-03-02T18:00 FREQ=WEEKLY;COUNT=3;BYDAY=MO'],
    ],
    [
      'without some in between has an EXDATE for each',
      { endDate: '2026-03-30', except: [{ date: '2026-03-16' }, { instant: london('2026-03-09 18:00') }] },
      ['2026-03-02T18:00 FREQ=WEEKLY;UNTIL=20260330T180000Z;BYDAY=MO -2026-03-09T18:00 -2026-03-16T18:00'],
    ],
    [
      'of which nothing is left has no event',
      { count: 2, except: [{ date: '2026-03-02' }, { date: '2026-03-09' }] },
      [],
    ],
    [
      'over a gap stops before it and goes on after it, the missing hour in UTC',
      {
        startDate: '2026-03-27',
        endDate: '2026-04-01',
        startTime: 1.5 * 3600,
        frequency: { unit: 'day', every: 1 },
        byDay: [],
      },
      [
        '2026-03-27T01:30 FREQ=DAILY;UNTIL=20260328T013000Z',
        '2026-03-29T01:30Z',
        '2026-03-30T01:30 FREQ=DAILY;UNTIL=20260401T013000Z',
      ],
    ],
    [
      'over a fold likewise, the first of the two hours',
      {
        startDate: '2026-10-24',
        endDate: '2026-10-27',
        startTime: 1.5 * 3600,
        frequency: { unit: 'day', every: 1 },
        byDay: [],
      },
      ['2026-10-24T01:30', '2026-10-25T00:30 Etc/GMT', '2026-10-26T01:30 FREQ=DAILY;UNTIL=20261027T013000Z'],
    ],
    [
      'of nights leaves the night of the change to an event in UTC',
      {
        startDate: '2026-10-23',
        endDate: '2026-10-26',
        startTime: 22 * 3600,
        duration: 8 * 3_600_000,
        frequency: { unit: 'day', every: 1 },
        byDay: [],
      },
      ['2026-10-23T22:00 FREQ=DAILY;UNTIL=20261026T220000Z -2026-10-24T22:00', '2026-10-24T21:00Z'],
    ],
    [
      'in UTC has a zone for Outlook all the same',
      { zone: 'UTC', endDate: '2026-03-23' },
      ['2026-03-02T18:00 Etc/GMT FREQ=WEEKLY;UNTIL=20260323T180000Z;BYDAY=MO'],
    ],
    [
      'every other week on two days says where weeks begin',
      { frequency: { unit: 'week', every: 2 }, byDay: [{ day: 0 }, { day: 6 }] },
      ['2026-03-02T18:00 FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=MO'],
    ],
    [
      'longer than its own pause takes turns',
      { count: 4, duration: 30 * 3_600_000, frequency: { unit: 'day', every: 1 }, byDay: [] },
      [
        '2026-03-02T18:00 FREQ=DAILY;UNTIL=20260304T180000Z;INTERVAL=2',
        '2026-03-03T18:00 FREQ=DAILY;UNTIL=20260305T180000Z;INTERVAL=2',
      ],
    ],
    [
      'stops where older zone data has an hour less, though the law has changed (Mexico, 4 April 2027)',
      {
        zone: 'America/Mexico_City',
        startDate: '2027-04-02',
        startTime: 9000,
        count: 4,
        frequency: { unit: 'day', every: 1 },
        byDay: [],
      },
      ['2027-04-02T02:30 FREQ=DAILY;UNTIL=20270403T083000Z', '2027-04-04T02:30', '2027-04-05T02:30'],
    ],
    [
      'of fifth Fridays is single events',
      { endDate: '2026-08-01', frequency: { unit: 'month', every: 1 }, byDay: [{ day: 4, ordinal: 5 }] },
      ['2026-05-29T18:00', '2026-07-31T18:00'],
    ],
    [
      'with longer pauses than Outlook can count is single events',
      { endDate: '2030-12-31', frequency: { unit: 'week', every: 120 } },
      ['2026-03-02T18:00', '2028-06-19T18:00', '2030-10-07T18:00'],
    ],
    [
      'that began in the year 1 begins in 1970',
      { startDate: '0001-01-01', count: undefined as never },
      ['1970-01-05T18:00 FREQ=WEEKLY;BYDAY=MO'],
    ],
    ['that ends in the year 9999 has no end', { endDate: '9999-12-31' }, ['2026-03-02T18:00 FREQ=WEEKLY;BYDAY=MO']],
    ['without length has no end time', { count: 1, duration: 0 }, ['2026-03-02T18:00']],
  ])('%s', (_, schedule, expectedEvents) => {
    expect(shown(planSeries(seriesOf(schedule), [], OPTIONS).events)).toEqual(expectedEvents);
  });

  test('gives an occurrence once that two schedules give', () => {
    const both = seriesOf({ byDay: [{ day: 0 }] }, { byDay: [{ day: 0 }, { day: 2 }], endDate: '2026-03-12' });
    expect(shown(planSeries(both, [], OPTIONS).events)).toEqual([
      '2026-03-02T18:00 FREQ=WEEKLY;BYDAY=MO',
      '2026-03-04T18:00 FREQ=WEEKLY;UNTIL=20260311T180000Z;BYDAY=MO,WE -2026-03-09T18:00',
    ]);
  });

  test.each<[string, Partial<Schedule>[], string[], object[]]>([
    [
      'the same start and end: one',
      [{}, {}],
      ['2026-03-02T18:00 FREQ=WEEKLY;BYDAY=MO'],
      [{ code: 'same-instance-twice', facts: { start: '2026-03-02T18:00:00Z', earlier: 0, same: 'start and end' } }],
    ],
    [
      'another end, no ids: both',
      [{}, { duration: 7_200_000 }],
      ['2026-03-02T18:00 FREQ=WEEKLY;BYDAY=MO', '2026-03-02T18:00 FREQ=WEEKLY;BYDAY=MO'],
      [],
    ],
    [
      'another end, one id: the first',
      [{ idTemplate: TEMPLATE }, { duration: 7_200_000, idTemplate: TEMPLATE }],
      ['2026-03-02T18:00 FREQ=WEEKLY;BYDAY=MO'],
      [{ code: 'same-instance-twice', facts: { start: '2026-03-02T18:00:00Z', earlier: 0, same: '@id' } }],
    ],
    [
      'every hour, the same once: the second has the others',
      [{ count: 1 }, { frequency: { unit: 'hour', every: 1 }, byDay: [], count: 2 }],
      ['2026-03-02T18:00', '2026-03-02T19:00'],
      [{ code: 'same-instance-twice' }],
    ],
  ])('two schedules with the same start, %s', (_, schedules, events, findings) => {
    const plan = planSeries(seriesOf(...schedules), [], OPTIONS);
    expect(shown(plan.events)).toEqual(events);
    expect(plan.findings).toMatchObject(findings);
    expect(plan.findings.length).toBe(findings.length);
  });

  test('that ends at 06:00 by the clock ends at 06:00 on the nights when the clocks change too', () => {
    const nights: Partial<Schedule> = { startTime: 22 * 3600, duration: 8 * 3_600_000, byDay: [{ day: 5 }] };
    const spans = (given: Partial<Schedule>) =>
      planSeries(seriesOf({ ...nights, ...given }), [], OPTIONS).events.map(({ span: { zone, start, end } }) =>
        [zone, ...[start, end].map((wall) => new Date(wall).toISOString().slice(0, 16))].join(' '),
      );
    const october = { startDate: '2026-10-24', count: 1 };
    expect(spans({ ...october, endsByClock: true })).toEqual(['UTC 2026-10-24T21:00 2026-10-25T06:00']);
    expect(spans(october)).toEqual(['UTC 2026-10-24T21:00 2026-10-25T05:00']);
    const march = { startDate: '2026-03-28', count: 2, endsByClock: true } as const;
    expect(spans(march)).toEqual([
      'UTC 2026-03-28T22:00 2026-03-29T05:00',
      'Europe/London 2026-04-04T22:00 2026-04-05T06:00',
    ]);
  });

  test('gives the days that another gives for ever only to that one', () => {
    const both = seriesOf({ byDay: [{ day: 0 }] }, { byDay: [{ day: 0 }, { day: 2 }] }, { byDay: [{ day: 0 }] });
    expect(shown(planSeries(both, [], OPTIONS).events)).toEqual([
      '2026-03-02T18:00 FREQ=WEEKLY;BYDAY=MO',
      '2026-03-04T18:00 FREQ=WEEKLY;BYDAY=WE',
    ]);
  });
});

describe('an explicit session', () => {
  const weekly: Partial<Schedule> = { endDate: '2026-03-30', idTemplate: TEMPLATE };
  const MASTER = '2026-03-02T18:00 FREQ=WEEKLY;UNTIL=20260330T180000Z;BYDAY=MO';

  test.each<[string, Session[], string[]]>([
    [
      'takes the place of its instance',
      [sessionOf('2026-03-09 18:00', { name: 'Booked' })],
      [MASTER, '2026-03-09T18:00 > 2026-03-09T18:00'],
    ],
    [
      'that moved names its original start',
      [sessionOf('2026-03-09 18:00', { at: '2026-03-11 19:00' })],
      [MASTER, '2026-03-09T18:00 > 2026-03-11T19:00'],
    ],
    [
      'that is cancelled says so',
      [sessionOf('2026-03-09 18:00', { status: 'EventCancelled' })],
      [MASTER, '2026-03-09T18:00 > 2026-03-09T18:00 CANCELLED'],
    ],
    [
      'that is postponed is tentative',
      [sessionOf('2026-03-09 18:00', { status: 'EventPostponed' })],
      [MASTER, '2026-03-09T18:00 > 2026-03-09T18:00 TENTATIVE'],
    ],
    [
      'that moved past its neighbour stands alone',
      [sessionOf('2026-03-09 18:00', { at: '2026-03-17 10:00' })],
      [`${MASTER} -2026-03-09T18:00`, '2026-03-17T10:00'],
    ],
    [
      'that moved onto the day of its neighbour stands alone',
      [sessionOf('2026-03-09 18:00', { at: '2026-03-16 10:00' })],
      [`${MASTER} -2026-03-09T18:00`, '2026-03-16T10:00'],
    ],
    [
      'that lasts into its neighbour stands alone',
      [sessionOf('2026-03-09 18:00', { minutes: 8 * 24 * 60 })],
      [`${MASTER} -2026-03-09T18:00`, '2026-03-09T18:00'],
    ],
    [
      'that moved onto the day of another that moved stands alone',
      [
        sessionOf('2026-03-09 18:00', { at: '2026-03-12 18:00' }),
        sessionOf('2026-03-16 18:00', { at: '2026-03-12 20:00' }),
      ],
      [`${MASTER} -2026-03-16T18:00`, '2026-03-09T18:00 > 2026-03-12T18:00', '2026-03-12T20:00'],
    ],
    [
      'of the first instance stands alone, and the rule begins later',
      [sessionOf('2026-03-02 18:00', { minutes: 90 })],
      ['2026-03-02T18:00', '2026-03-09T18:00 FREQ=WEEKLY;UNTIL=20260330T180000Z;BYDAY=MO'],
    ],
    [
      'of the last instance may move within its week',
      [sessionOf('2026-03-30 18:00', { at: '2026-04-01 18:00' })],
      [MASTER, '2026-03-30T18:00 > 2026-04-01T18:00'],
    ],
    [
      'of the last instance does not move past where the rule would go on',
      [sessionOf('2026-03-30 18:00', { at: '2026-04-08 18:00' })],
      ['2026-03-02T18:00 FREQ=WEEKLY;UNTIL=20260323T180000Z;BYDAY=MO', '2026-04-08T18:00'],
    ],
    [
      'that moved into an hour that comes twice is in UTC',
      [sessionOf('2026-03-23 18:00', { at: '2026-03-29 00:30' })],
      [`${MASTER} -2026-03-23T18:00`, '2026-03-29T00:30Z'],
    ],
    ['that stands for nothing stands alone', [sessionOf('2026-03-10 11:00')], [MASTER, '2026-03-10T11:00']],
  ])('%s', (_, sessions, expectedEvents) => {
    expect(shown(planSeries(seriesOf(weekly), sessions, OPTIONS).events)).toEqual(expectedEvents);
  });

  test('in a counted schedule has it end by date: old readers lose count over overrides', () => {
    const { events } = planSeries(
      seriesOf({ count: 5, idTemplate: TEMPLATE }),
      [sessionOf('2026-03-09 18:00')],
      OPTIONS,
    );
    expect(shown(events)).toEqual([MASTER, '2026-03-09T18:00 > 2026-03-09T18:00']);
  });

  test('shares the UID of its master, or has one of its own, whatever else changes', () => {
    const uids = (sessions: Session[], schedule = weekly) =>
      planSeries(seriesOf(schedule), sessions, OPTIONS).events.map(({ uid }) => uid);
    const [master, override] = uids([sessionOf('2026-03-09 18:00')]);
    expect(override).toBe(master);
    expect(uids([], { ...weekly, startTime: 3600 })[0]).toBe(master);
    const [, alone] = uids([sessionOf('2026-03-10 11:00')]);
    expect(uids([sessionOf('2026-03-10 11:00', { at: '2026-03-12 11:00' })], { ...weekly, startTime: 3600 })[1]).toBe(
      alone,
    );
    expect(master).toMatch(/^[0-9a-f]{40}@openactive-ical$/);
    expect(alone).not.toBe(master);
  });

  test.each<[string, Partial<Schedule>[], Session, (string | undefined)[]]>([
    ['that is an override has the URL of its master', [weekly], sessionOf('2026-03-09 18:00'), [PAGE, PAGE]],
    [
      'that is an override keeps a URL of its own',
      [weekly],
      { ...sessionOf('2026-03-09 18:00'), url: 'https://e.org/own' },
      [PAGE, 'https://e.org/own'],
    ],
    [
      'that stands beside its master has its URL',
      [weekly],
      sessionOf('2026-03-23 18:00', { at: '2026-03-29 00:30' }),
      [PAGE, PAGE],
    ],
    ['that stands for nothing has none', [weekly], sessionOf('2026-03-10 11:00'), [PAGE, undefined]],
    ['without a Schedule has none', [], sessionOf('2026-03-10 11:00'), [undefined]],
    ['for the one date of a Schedule has none', [{ ...weekly, count: 1 }], sessionOf('2026-03-02 18:00'), [undefined]],
  ])('%s', (_, schedules, session, urls) => {
    const series = { ...seriesOf(...schedules), url: PAGE };
    expect(planSeries(series, [session], OPTIONS).events.map(({ url }) => url)).toEqual(urls);
  });

  test('that was cancelled is shown until 30 days after its date, then its instance is excluded', () => {
    const sessions = [
      sessionOf('2026-03-09 18:00', { status: 'EventCancelled' }),
      sessionOf('2026-03-10 11:00', { status: 'EventCancelled' }),
    ];
    const on = (today: string) => shown(planSeries(seriesOf(weekly), sessions, { ...OPTIONS, today }).events);
    expect(on('2026-04-08')).toEqual([
      MASTER,
      '2026-03-09T18:00 > 2026-03-09T18:00 CANCELLED',
      '2026-03-10T11:00 CANCELLED',
    ]);
    expect(on('2026-04-10')).toEqual([`${MASTER} -2026-03-09T18:00`]);
  });

  test('of a cancelled series inherits that, unless it says otherwise', () => {
    const series: Series = { ...seriesOf(weekly), status: 'EventCancelled' };
    const sessions: Session[] = [
      { ...sessionOf('2026-03-09 18:00'), statusStated: false },
      sessionOf('2026-03-16 18:00'),
    ];
    expect(shown(planSeries(series, sessions, OPTIONS).events)).toEqual([
      `${MASTER} CANCELLED`,
      '2026-03-09T18:00 > 2026-03-09T18:00 CANCELLED',
      '2026-03-16T18:00 > 2026-03-16T18:00',
    ]);
  });
});

/** All but the 31st. */
const DATES = Array.from({ length: 30 }, (_, index) => index + 1);

describe('findings', () => {
  test.each<[string, Partial<Schedule>, string[]]>([
    [
      'a rule that never matches',
      { frequency: { unit: 'month', every: 1 }, byDay: [], byMonthDay: [31], byMonth: [2] },
      ['schedule-without-occurrences'],
    ],
    [
      'a rule of which everything is excluded',
      { count: 1, except: [{ date: '2026-03-02' }] },
      ['schedule-without-occurrences'],
    ],
    ['an exception that matches nothing', { except: [{ date: '2026-03-03' }] }, ['exception-matches-nothing']],
    [
      'a rule that calendars cannot repeat',
      { frequency: { unit: 'month', every: 1 }, byDay: [{ day: 4, ordinal: 5 }], endDate: '2027-03-01' },
      ['schedule-as-single-events', 'schedule-start-not-in-rule'],
    ],
    ['a first day that the rule leaves out', { byDay: [{ day: 2 }] }, ['schedule-start-not-in-rule']],
    ['more single events than are written', { frequency: { unit: 'hour', every: 1 }, byDay: [] }, ['capped']],
    ['nothing odd', {}, []],
  ])('are told of %s', (_, schedule, codes) => {
    expect(planSeries(seriesOf(schedule), [], OPTIONS).findings.map(({ code }) => code)).toEqual(codes);
  });

  test.each<[string, Partial<Schedule>]>([
    ['hourly', { frequency: { unit: 'hour', every: 1 }, byDay: [] }],
    ['on most days of the month', { frequency: { unit: 'day', every: 1 }, byDay: [], byMonthDay: DATES }],
  ])('a rule that began long ago, %s, had no event ahead: what can be written is counted from today', (_, rule) => {
    const old = seriesOf({ ...rule, startDate: '1998-03-02' });
    const starts = (today?: string) => {
      const { events, findings } = planSeries(old, [], { ...OPTIONS, ...(today !== undefined && { today }) });
      const capped = findings.find(({ code }) => code === 'capped');
      return { first: utcText(events[0]?.span.start ?? 0), count: events.length, since: capped?.facts?.since };
    };
    expect(starts()).toMatchObject({ first: '1998-03-02T18:00:00Z', count: 3000, since: 'its first one' });
    const { first, count, since } = starts('2026-11-22');
    expect([first.slice(0, 10), count, since]).toEqual([expect.stringMatching(/2026-11-(?:19|2[012])/), 3000, 'today']);
    // All of a rule that fits is there, whatever day it is: a day that goes by moves nothing.
    const few = { ...OPTIONS, today: '2026-11-22' };
    expect(planSeries(seriesOf({ ...rule, count: 500 }), [], few).events.length).toBe(500);
  });

  test('are reported of a session in the year 1, and the others live', () => {
    const odd = { ...sessionOf('2026-03-10 11:00'), start: Date.parse('0001-01-01T00:00:00Z') };
    const { events, findings } = planSeries(seriesOf({}), [odd, sessionOf('2026-03-10 12:00')], OPTIONS);
    expect(findings.map(({ code }) => code)).toEqual(['date-implausible', 'id-template-missing']);
    expect(events.length).toBe(2);
  });
});
