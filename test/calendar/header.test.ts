import { expect, test } from 'vitest';
import { seriesCalendar } from '../../src/calendar/header.ts';
import type { Series } from '../../src/opportunity/records.ts';
import { schedule } from '../recurrence/make.ts';

const series = (given: Partial<Series> = {}): Series => ({
  kind: 'series',
  id: 'https://x.org/s/1',
  type: 'SessionSeries',
  status: 'EventScheduled',
  details: { name: 'Yoga' },
  schedules: [schedule()],
  ...given,
});
const calendarOf = (given: Partial<Series>) =>
  seriesCalendar(series(given), [], { zone: 'Europe/London', today: '2026-01-01' });

test('a Schedule that occurs is described', () => {
  const { description, series: [source = ''] = [] } = calendarOf({});
  expect(description).toContain('18:00–19:00');
  expect(source).toContain('"eventSchedule"');
});

test.each([
  ['has no date', { frequency: { unit: 'year' as const, every: 1 }, byMonth: [2], byMonthDay: [31] }],
  ['has no date that is not excluded', { count: 1, except: [{ date: '2026-01-05' }] }],
])('a Schedule that %s is not described', (_, given) => {
  const { description, series: [source = ''] = [] } = calendarOf({ schedules: [schedule(given)] });
  expect(description).toBeUndefined();
  // What a program reads is whole: `publish` makes a feed of it again.
  expect(source).toContain('"eventSchedule"');
});
