import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toComponents } from '../../../src/calendar/components.ts';
import { Explanation } from '../../../src/calendar/explain/explain.ts';
import type { ExplainedRow } from '../../../src/calendar/explain/explained.ts';
import type { CalendarEvent } from '../../../src/calendar/objects.ts';
import { composeSeries } from '../../../src/calendar/series/compose.ts';
import { planSeries } from '../../../src/calendar/series/plan.ts';
import { Trace } from '../../../src/calendar/series/trace.ts';
import { write } from '../../../src/ical/write.ts';
import type { Schedule, Series, Session } from '../../../src/opportunity/records.ts';
import { Random } from '../../generate/random.ts';
import { byDay, schedule, series as seriesOf } from '../../recurrence/make.ts';
import { runs } from '../../runs.ts';
import { madeSeries } from '../made.ts';
import { readWithIcalJs } from '../read.ts';

const ZONE = 'Europe/London';
const [FROM, TO] = [Date.UTC(2025, 0, 1), Date.UTC(2027, 6, 1)];
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

interface Explained {
  rows: ExplainedRow[];
  events: CalendarEvent[];
  explanation: Explanation;
}

function explain(series: Series, sessions: readonly Session[], from = FROM, to = TO): Explained {
  const trace = new Trace();
  const { events } = planSeries(series, sessions, { zone: ZONE }, trace);
  const explanation = new Explanation({ series, sessions, trace, written: events, zone: ZONE }, from, to);
  const item = (kind: string, id: string) => ({ feed: 'https://x.example/feed', kind, id });
  return { rows: explanation.verdicts.map((verdict) => explanation.row(verdict, item)), events, explanation };
}

/** `start end` of what ical.js reads of some events. */
function readTimes(events: CalendarEvent[]): string[] {
  const head = { name: 'test', zone: ZONE, color: { name: 'teal', hex: '#008080' }, refresh: 'PT6H' };
  const text = write(toComponents({ ...head, events }, () => ({ sequence: 0, modified: 0 })));
  return readWithIcalJs(text, FROM, TO).map((line) => line.split(' ').slice(0, 2).join(' '));
}

describe('any series', () => {
  test('each event is named by exactly the occurrences that another program reads from it', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        const { rows, events } = explain(series, sessions);
        const named = Map.groupBy(
          rows.flatMap(({ events: own, start, end }) => own.map(({ uid }) => ({ uid, start, end }))),
          ({ uid }) => uid,
        );
        for (const [uid, own] of Map.groupBy(events, (event) => event.uid)) {
          const told = (named.get(uid) ?? []).map(({ start, end }) => `${start.slice(0, 19)} ${end.slice(0, 19)}`);
          expect(told.sort()).toEqual(readTimes(own));
          named.delete(uid);
        }
        expect([...named.keys()]).toEqual([]);
      }),
      { numRuns: runs(20) },
    );
  });

  test('what is shown is in the calendar, what is not has a reason; each reason has its sentence', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        const { rows, explanation } = explain(series, sessions);
        for (const { shown, events, sentence, because } of rows) {
          expect(events.length).toBe(shown ? 1 : 0);
          for (const text of [sentence, ...events.map((event) => event.sentence)]) {
            expect(text).toMatch(/^[A-Z].*\.$/s);
            expect(text).not.toMatch(/undefined|NaN|\[object/);
          }
          expect(because.length).toBeGreaterThan(0);
        }
        const rules = explanation.schedules().flatMap(({ events }) => events);
        for (const [path, own] of Map.groupBy(rules, ({ uid }) => uid)) expect([path, own.length]).toEqual([path, 1]);
      }),
      { numRuns: runs(30) },
    );
  });

  test('of a subscribed calendar, every event is named or the window does not reach it', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        const trace = new Trace();
        const options = { zone: ZONE, today: '2026-03-01', placesLeft: false, attribution: undefined, refresh: 'PT6H' };
        const { events } = composeSeries(series, sessions, options, trace).calendar;
        const of = { series, sessions, trace, written: events, zone: ZONE };
        const explanation = new Explanation(of, Date.UTC(2024, 0, 1), Date.UTC(2051, 0, 1));
        const rows = explanation.verdicts.map((verdict) => explanation.row(verdict, () => undefined));
        const named = new Set(rows.flatMap((row) => row.events.map(({ uid }) => uid)));
        for (const { uid, span } of events) if (span.start < Date.UTC(2050, 0, 1)) expect(named).toContain(uid);
        for (const { shown, events: own, because } of rows) {
          if (shown && own.length === 0)
            expect(because.at(-1)).toMatch(/^(cancelled-long|calendar-too|too-many|beyond)/);
        }
      }),
      { numRuns: runs(15) },
    );
  });
});

const LONDON_TUESDAYS: Partial<Schedule> = {
  zone: ZONE,
  zoneStated: true,
  byDay: byDay('TU'),
  frequency: { unit: 'week', every: 1 },
  startDate: '2026-01-06',
  startTime: 18 * 3600,
  endTime: 19 * 3600,
  duration: 3_600_000,
  idTemplate: 'https://x.example/{startDate}',
};
const session = (id: string, start: string, more: Partial<Session> = {}): Session => ({
  kind: 'session',
  id: `https://x.example/${id}`,
  idStated: true,
  type: 'ScheduledSession',
  start: Date.parse(start),
  end: Date.parse(start) + 3_600_000,
  status: 'EventScheduled',
  details: {},
  ...more,
});
const NOVEMBER = [Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-12-01T00:00:00Z')] as const;

function november(more: Partial<Schedule>, sessions: Session[] = []): ExplainedRow[] {
  const made = seriesOf({ schedules: [schedule({ ...LONDON_TUESDAYS, ...more })] });
  return explain(made, sessions, ...NOVEMBER).rows;
}

describe('sentences', () => {
  const rule = 'eventSchedule[0] (Tuesdays 18:00–19:00, Europe/London, from 2026-01-06)';

  test('a generated occurrence', () => {
    const [row] = november({});
    expect(row).toMatchObject({ start: '2026-11-03T18:00:00Z', shown: true, because: ['generated'] });
    expect(row?.sentence).toBe(`Generated by ${rule}.`);
    expect(row?.events[0]?.sentence).toBe('In the calendar by a repeating event (FREQ=WEEKLY;BYDAY=TU).');
    expect(row?.item).toEqual({ feed: 'https://x.example/feed', kind: 'series', id: expect.any(String) as string });
  });

  test('a moved one: from where, to where, by what', () => {
    const rows = november({}, [session('2026-11-24T18:00:00Z', '2026-11-25T19:00:00Z')]);
    const words = `moved from Tue 24 Nov 2026 18:00 to Wed 25 Nov 2026 19:00 by ScheduledSession https://x.example/2026-11-24T18:00:00Z.`;
    expect(rows.map(({ sentence }) => sentence).slice(3)).toEqual([
      `Not shown here: generated by ${rule}; ${words}`,
      `Generated by ${rule}; ${words}`,
    ]);
    expect(rows[4]?.events[0]).toMatchObject({ form: 'override', timezone: ZONE });
    expect(rows[3]?.replacedBy).toMatchObject({ kind: 'session' });
  });

  test('exceptions, by date and by time', () => {
    const rows = november({ except: [{ date: '2026-11-10' }, { instant: Date.parse('2026-11-17T18:00:00Z') }] });
    expect(rows.map(({ shown, exception }) => [shown, exception])).toEqual([
      [true, undefined],
      [false, { value: '2026-11-10', type: 'Date' }],
      [false, { value: '2026-11-17T18:00:00Z', type: 'DateTime' }],
      [true, undefined],
    ]);
    expect(rows[1]?.sentence).toBe(
      `Not shown: generated by ${rule}, and removed by the exceptDate 2026-11-10 (a Date).`,
    );
  });

  test('a replacement for an excepted date, a leftover, one of another form', () => {
    const except = [{ date: '2026-11-10' }];
    const rows = november({ except }, [
      session('2026-11-10T18:00:00Z', '2026-11-11T18:00:00Z'),
      session('2026-11-12T18:00:00Z', '2026-11-12T18:00:00Z'),
      session('other', '2026-11-13T18:00:00Z'),
    ]);
    const explicit = rows.filter(({ source }) => source === 'explicit');
    const codes = explicit.map(({ because }) => because[0]);
    expect(codes).toEqual(['instance-excepted', 'id-of-no-instance', 'id-fits-no-template']);
    for (const { sentence, events } of explicit) {
      expect(sentence).toMatch(/^An event of its own, said by .+: [a-z].+\.$/);
      expect(events.map((event) => event.sentence).join()).toMatch(/^In the calendar as an event of its own\b/);
    }
  });

  test('cancelled by its session, and with its whole series', () => {
    const cancelled = session('2026-11-24T18:00:00Z', '2026-11-24T18:00:00Z', { status: 'EventCancelled' });
    expect(november({}, [cancelled]).at(-1)?.because).toEqual(['replaces-by-id', 'cancelled']);
    const made = seriesOf({ status: 'EventCancelled', schedules: [schedule(LONDON_TUESDAYS)] });
    expect(explain(made, [], ...NOVEMBER).rows[0]?.sentence).toBe(
      `Generated by ${rule}. The whole series is cancelled.`,
    );
  });
});

describe('the plan for Outlook', () => {
  const cases: [name: string, more: Partial<Schedule>, sessions: Session[], codes: string[]][] = [
    [
      'HOURLY: several on one day',
      { frequency: { unit: 'hour', every: 4 }, byDay: [], startDate: '2026-11-03', count: 9 },
      [],
      ['within-a-day'],
    ],
    [
      'several days of the month',
      { frequency: { unit: 'month', every: 1 }, byDay: [], byMonthDay: [3, 17] },
      [],
      ['month-day'],
    ],
    ['the last Tuesday but one', { frequency: { unit: 'month', every: 1 }, byDay: byDay('-2TU') }, [], ['no-template']],
    [
      'every third day on Tuesdays and Fridays',
      { frequency: { unit: 'day', every: 3 }, byDay: byDay('TU,FR') },
      [],
      ['weekday-of-interval'],
    ],
    ['longer than the distance', { duration: 8 * 86_400_000 }, [], ['overlap']],
    ['past a neighbour', {}, [session('2026-11-03T18:00:00Z', '2026-11-19T18:00:00Z')], ['past-neighbour']],
    [
      'every few weeks for ever and a day',
      { frequency: { unit: 'week', every: 150 }, startDate: '2023-12-26' },
      [],
      ['long-interval'],
    ],
  ];
  test.each(cases)('%s', (_name, more, sessions, codes) => {
    const found = november(more, sessions).flatMap(({ events }) => events.flatMap(({ because }) => because));
    expect(found).toEqual(expect.arrayContaining(codes));
  });

  test('the night on which the clocks change: in UTC, between two rules', () => {
    const made = seriesOf({ schedules: [schedule({ ...LONDON_TUESDAYS, byDay: byDay('SU'), startTime: 5400 })] });
    const [row] = explain(made, [], Date.parse('2026-10-25T00:00:00Z'), Date.parse('2026-10-26T00:00:00Z')).rows;
    expect(row?.events[0]).toMatchObject({ form: 'single', because: ['clock-change'] });
    expect(['UTC', 'Etc/GMT']).toContain(row?.events[0]?.timezone);
  });

  test('seasons: each until 2050, and what is later says so', () => {
    const every = schedule({ ...LONDON_TUESDAYS, startDate: '1998-01-06', byMonth: [1, 3, 5, 7, 9, 11] });
    const months = [Date.UTC(2050, 10, 1), Date.UTC(2051, 3, 1)] as const;
    const { rows } = explain(seriesOf({ schedules: [every] }), [], ...months);
    const codes = (row: ExplainedRow) => [...row.because, ...row.events.flatMap(({ because }) => because)];
    const [november, later] = [rows.filter(({ start }) => start < '2051'), rows.filter(({ start }) => start > '2051')];
    expect(november.map(codes)).toEqual(Array(5).fill(['generated', 'season']));
    expect(later.map(codes)).toEqual(Array(9).fill(['generated', 'beyond-horizon']));
  });

  test('schedules of which no dates are made say why', () => {
    const partial = schedule({ ...LONDON_TUESDAYS, partial: true, expandable: false });
    const made = seriesOf({ schedules: [partial, { ...schedule({ expandable: false, index: 1 }) }] });
    const [first] = explain(made, []).explanation.schedules();
    expect(first).toMatchObject({ expanded: false, because: ['partial-schedule'], rrule: null });
    expect(first?.sentence).toMatch(/^No dates are made of eventSchedule\[0\] \(Usually Tuesdays 18:00–19:00/);
  });

  test('a time that cannot be read is not said to be missing', () => {
    const { startTime: _unread, ...rest } = schedule({ ...LONDON_TUESDAYS, expandable: false });
    const [told] = explain(seriesOf({ schedules: [rest] }), []).explanation.schedules();
    expect(told?.sentence).toMatch(/: it has no startTime that can be read\.$/);
  });

  test.each([
    ['endDate', 'end-date-unusable', 'it has an endDate that cannot be read'],
    ['repeatFrequency', 'frequency-unusable', 'it has a repeatFrequency that cannot be used'],
    ['byDay', 'by-day-unusable', 'its byDay has no weekday that can be used'],
    ['byMonth', 'by-month-unusable', 'its byMonth has no month that can be used'],
    ['byMonthDay', 'by-month-day-unusable', 'its byMonthDay has no day that can be used'],
    ['repeatCount', 'count-unusable', 'it has a repeatCount that cannot be read'],
    [undefined, 'too-many-schedules', 'the series has more schedules than are made into dates'],
  ] as const)('a schedule of which %s cannot be used names it', (unusable, code, words) => {
    const made = schedule({ ...LONDON_TUESDAYS, expandable: false, ...(unusable && { unusable }) });
    const [told] = explain(seriesOf({ schedules: [made] }), []).explanation.schedules();
    expect(told?.because).toEqual([code]);
    expect(told?.sentence.endsWith(`: ${words}.`)).toBe(true);
  });

  const said: [string, Partial<Schedule>, string][] = [
    ['a rule', {}, 'is written as one repeating event.'],
    ['one date', { endDate: '2026-01-06' }, 'is written as one single event.'],
    ['no date', { endDate: '2026-01-05' }, 'No event of the calendar comes from eventSchedule[0]'],
    [
      'all of it excepted',
      { endDate: '2026-01-06', except: [{ date: '2026-01-06' }] },
      'No event of the calendar comes from eventSchedule[0]',
    ],
    [
      'about a clock change',
      { byDay: byDay('SU'), startTime: 5400, startDate: '2026-10-18', endDate: '2026-11-08' },
      'is written as one repeating event and 2 single events.',
    ],
  ];
  test.each(said)('the sentence of a schedule counts what is written: %s', (_name, more, words) => {
    const made = seriesOf({ schedules: [schedule({ ...LONDON_TUESDAYS, startDate: '2026-01-05', ...more })] });
    const { explanation, events } = explain(made, []);
    const [told] = explanation.schedules();
    expect(told?.sentence).toContain(words);
    const forms = (told?.events ?? []).map(({ uid, form }) => [uid, form]);
    for (const [uid, form] of forms) {
      const repeats = events.some((event) => event.uid === uid && event.rrule !== undefined);
      expect(form).toBe(repeats ? 'rule' : 'single');
    }
  });
});
