import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cancelledSince, visibilityByTimes } from '../../../src/calendar/series/context.ts';
import { planSeries } from '../../../src/calendar/series/plan.ts';
import type { EventStatus, Session } from '../../../src/opportunity/records.ts';
import { series, session } from '../../recurrence/make.ts';

const TODAY = '2026-11-21';
const DAY = 86_400_000;
const status = fc.constantFrom<EventStatus>('EventScheduled', 'EventCancelled', 'EventPostponed');
const start = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -40, max: 5 }).map((days) => Date.parse(TODAY) + days * DAY) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0, Date.UTC(2200, 0, 1) - 1, Date.UTC(2200, 0, 1)) },
);
const one: fc.Arbitrary<Session> = fc
  .tuple(start, fc.option(fc.constantFrom(0, 3_600_000, DAY)), status, fc.boolean())
  .map(([begin, length, own, statusStated]) => {
    const { end: _, ...bare } = session('https://example.org/sessions/1', '2026-01-05T18:00:00Z');
    const said = { ...bare, start: begin, status: statusStated ? own : 'EventScheduled', statusStated };
    return length === null ? said : { ...said, end: begin + length };
  });

it('planning a series shows or hides a session as its times alone say, and without a finding', () => {
  const seen = { shown: 0, over: 0, undefined: 0 };
  fc.assert(
    fc.property(status, one, (whole, session) => {
      const { start: begin, end = begin, status: own } = session;
      const row = { start: begin, end, cancelled: own === 'EventCancelled' };
      const visibility = visibilityByTimes(row, whole === 'EventCancelled', cancelledSince(TODAY));
      seen[`${visibility}`] += 1;
      if (visibility === undefined) return;
      const of = series({ status: whole, schedules: [] });
      const { events, findings } = planSeries(of, [session], {
        zone: 'Europe/London',
        placesLeft: false,
        today: TODAY,
      });
      expect([events.length, findings]).toEqual([visibility === 'shown' ? 1 : 0, []]);
    }),
    { numRuns: 500 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});
