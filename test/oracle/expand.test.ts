import { describe, expect, test } from 'vitest';
import { randomSeries } from '../generate/series.ts';
import { runs } from '../runs.ts';
import { instantOf, patternDays, utc } from './days.ts';
import { disagreement } from './equal.ts';
import { expandByReading } from './expand.ts';

/** `expand` row for row against a second reading of its rules (expand.ts); `test/slow` does thousands more. */

const RUNS = runs(100);
/** Seeds that once differed, each a rule that was read wrong. */
const ONCE_WRONG: number[] = [];

describe('expand', () => {
  test(`is what the rules say for ${RUNS} random series`, () => {
    const wrong = Array.from({ length: RUNS }, (_, seed) => disagreement(seed)).filter((one) => one !== undefined);
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  test(`is what the rules say for ${RUNS} whose sessions leave out times and ids`, () => {
    const wrong = Array.from({ length: RUNS }, (_, seed) => disagreement(seed, true)).filter(
      (one) => one !== undefined,
    );
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  test.each(ONCE_WRONG.map((seed) => [seed]))('is right where it once was not: seed %i', (seed) => {
    expect(disagreement(seed)).toBeUndefined();
  });
});

/** The reading must itself be right: the specification's own examples, and facts from a wall calendar. */
describe('the second reading', () => {
  test('gives the worked overlay across the March change', () => {
    const series = {
      '@type': 'SessionSeries',
      '@id': 'https://api.example.org/session-series/1402CBP20150217',
      name: 'Speedball',
      eventSchedule: [
        {
          '@type': 'Schedule',
          repeatFrequency: 'P1W',
          byDay: ['https://schema.org/Thursday'],
          startDate: '2018-03-01',
          endDate: '2018-03-29',
          startTime: '08:30',
          endTime: '09:30',
          duration: 'PT1H',
          scheduleTimezone: 'Europe/London',
          scheduledEventType: 'ScheduledSession',
          exceptDate: ['2018-03-15T08:30:00Z'],
          idTemplate: 'https://api.example.org/session-series/1402CBP20150217/{startDate}',
        },
      ],
    };
    const session = (start: string, id: string) => ({
      '@type': 'ScheduledSession',
      '@id': `${series['@id']}/${id}`,
      superEvent: series['@id'],
      startDate: start,
      duration: 'PT1H',
    });
    const item = (kind: string, id: string, data: Record<string, unknown>) => ({
      state: 'updated' as const,
      kind,
      id,
      modified: 1,
      data,
    });
    const items = [
      item('SessionSeries', 'series', series),
      item('ScheduledSession', 'a', session('2018-03-15T10:30:00Z', '2018-03-15T10:30:00Z')),
      item('ScheduledSession', 'b', session('2018-03-22T08:30:00Z', '2018-03-22T08:30:00Z')),
    ];
    const rows = expandByReading(items, '2018-01-01', '2019-01-01');
    expect(rows.map((row) => `${row.start} ${row.source}`)).toEqual([
      '2018-03-01T08:30:00Z generated',
      '2018-03-08T08:30:00Z generated',
      '2018-03-15T10:30:00Z explicit',
      '2018-03-22T08:30:00Z explicit',
      '2018-03-29T07:30:00Z generated',
    ]);
    expect(rows.at(-1)?.id).toBe('https://api.example.org/session-series/1402CBP20150217/2018-03-29T07:30:00Z');
  });

  test('takes the offset before a gap, and the first of a fold', () => {
    expect(utc(instantOf('Europe/London', Date.UTC(2026, 2, 29, 1, 30)))).toBe('2026-03-29T01:30:00Z');
    expect(utc(instantOf('Europe/London', Date.UTC(2026, 9, 25, 1, 30)))).toBe('2026-10-25T00:30:00Z');
    expect(utc(instantOf('America/New_York', Date.UTC(2026, 2, 8, 2, 30)))).toBe('2026-03-08T07:30:00Z');
    expect(utc(instantOf('Australia/Lord_Howe', Date.UTC(2026, 3, 5, 1, 45)))).toBe('2026-04-04T14:45:00Z');
  });

  test('knows the last Fridays of 2026', () => {
    const pattern = {
      unit: 'month' as const,
      every: 1,
      byDay: [{ day: 4, ordinal: -1 }],
      byMonth: [],
      byMonthDay: [],
      startDay: Date.UTC(2026, 0, 1) / 86_400_000,
    };
    const days = patternDays(pattern, Date.UTC(2026, 11, 31) / 86_400_000).map((day) =>
      utc(day * 86_400_000).slice(5, 10),
    );
    expect(days).toEqual([
      '01-30',
      '02-27',
      '03-27',
      '04-24',
      '05-29',
      '06-26',
      '07-31',
      '08-28',
      '09-25',
      '10-30',
      '11-27',
      '12-25',
    ]);
  });
});

describe('the random series', () => {
  test('are the same for the same seed', () => {
    expect(randomSeries(5)).toEqual(randomSeries(5));
    expect(JSON.stringify(randomSeries(5))).not.toBe(JSON.stringify(randomSeries(6)));
  });

  test('have generated, moved, cancelled and extra occurrences, in every zone', () => {
    const rows = Array.from({ length: 300 }, (_, seed) =>
      expandByReading(randomSeries(seed).items, '2024-05-01', '2028-09-01'),
    ).flat();
    const of = (what: (row: (typeof rows)[number]) => boolean) => rows.filter(what).length;
    expect(of((row) => row.source === 'generated')).toBeGreaterThan(5000);
    expect(of((row) => row.source === 'explicit')).toBeGreaterThan(500);
    for (const status of ['EventCancelled', 'EventPostponed', 'EventRescheduled'])
      expect(
        of((row) => row.status === status),
        status,
      ).toBeGreaterThan(20);
    const text = JSON.stringify(Array.from({ length: 300 }, (_, seed) => randomSeries(seed).items));
    for (const zone of ['London', 'New_York', 'Sydney', 'Kolkata', 'Auckland', 'Lord_Howe'])
      expect(text).toContain(zone);
  });
});
