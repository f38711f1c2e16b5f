import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Schedule } from '../../src/opportunity/records.ts';
import { type Expander, expanderOf, instancesOf, MAX_WITHIN_DAY } from '../../src/recurrence/expand.ts';
import { dateOfDay } from '../../src/time/days.ts';
import { runs } from '../runs.ts';
import { schedule } from './make.ts';

/** Rules that repeat within a day: as many instances are worked out as are asked for, whatever the window holds. */

const DAY = 86_400_000;

/** `asked`: how many instances were given an end. */
function expander(given: Partial<Schedule>): Expander & { asked: number } {
  const one = expanderOf(schedule(given)) as Expander;
  const endOf: Expander['endOf'] = (...start) => {
    counting.asked += 1;
    return one.endOf(...start);
  };
  const counting = { ...one, endOf, asked: 0 };
  return counting;
}

test.each([
  ['a year', 1970, 1971],
  ['two centuries', 1970, 2170],
])('minute by minute for %s', (_, from, to) => {
  const one = expander({ startDate: '1970-01-01', frequency: { unit: 'minute', every: 1 } });
  expect(instancesOf(one, Date.UTC(from, 1), Date.UTC(to, 1))).toHaveLength(MAX_WITHIN_DAY);
  expect(one.asked).toBeLessThan(MAX_WITHIN_DAY + 120);
});

/** Days in whose night the clocks go on or back, by an hour, half an hour, and a day. */
const CHANGES = [
  ['Europe/London', '2027-03-28'],
  ['Europe/London', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Australia/Lord_Howe', '2027-04-04'],
  ['Pacific/Apia', '2011-12-30'],
  ['America/St_Johns', '2027-03-14'],
] as const;

test('the first instances are the same, however many are asked for', () => {
  const some = fc.record({
    change: fc.constantFrom(...CHANGES),
    every: fc.integer({ min: 7, max: 400 }),
    startTime: fc.integer({ min: 0, max: 86_399 }),
    duration: fc.constantFrom(0, 60_000, 5_400_000, DAY),
    ahead: fc.integer({ min: -DAY, max: 2 * DAY }),
    most: fc.integer({ min: 1, max: 300 }),
    endsByClock: fc.boolean(),
  });
  const property = fc.property(some, ({ change: [zone, date], every, startTime, duration, ahead, most, ...given }) => {
    const change = Date.parse(date);
    const one = expander({
      zone,
      startDate: dateOfDay(change / DAY - 3),
      startTime,
      duration,
      frequency: { unit: 'minute', every },
      ...(given.endsByClock && duration > 0 && { endsByClock: true }),
    });
    const all = instancesOf(one, change - ahead, change + 5 * DAY, Number.POSITIVE_INFINITY);
    expect(instancesOf(one, change - ahead, change + 5 * DAY, most)).toEqual(all.slice(0, most));
  });
  fc.assert(property, { numRuns: runs(300) });
});
