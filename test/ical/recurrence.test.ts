import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Recurrence, recurrenceOf, recurrenceValue, UNITS } from '../../src/ical/recurrence.ts';
import type { Weekday } from '../../src/time/instant.ts';
import { runs } from '../runs.ts';

test.each<[Recurrence, string]>([
  [{ freq: 'DAILY', count: 10 }, 'FREQ=DAILY;COUNT=10'],
  [
    { freq: 'WEEKLY', until: Date.UTC(2027, 2, 28, 7, 30, 5, 999), byDay: [{ day: 3 }] },
    'FREQ=WEEKLY;UNTIL=20270328T073005Z;BYDAY=TH',
  ],
  [
    { freq: 'WEEKLY', interval: 2, byDay: [{ day: 0 }, { day: 6 }], weekStart: 0 },
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=MO',
  ],
  [
    {
      freq: 'MONTHLY',
      byMonth: [1, 12],
      byMonthDay: [1, -1],
      byDay: [
        { day: 1, ordinal: -1 },
        { day: 4, ordinal: 2 },
      ],
    },
    'FREQ=MONTHLY;BYMONTH=1,12;BYMONTHDAY=1,-1;BYDAY=-1TU,2FR',
  ],
])('a rule is written in one order: %#', (rule, value) => {
  expect(recurrenceValue(rule)).toBe(value);
});

const weekday = fc.constantFrom<Weekday>(0, 1, 2, 3, 4, 5, 6);
/** Every part that a rule may have: one that is missing here is an error of types. */
const PARTS: { [Part in keyof Required<Recurrence>]: fc.Arbitrary<Required<Recurrence>[Part]> } = {
  freq: fc.constantFrom(...(Object.keys(UNITS) as Recurrence['freq'][])),
  until: fc.integer({ min: Date.UTC(1970, 0, 1) / 1000, max: Date.UTC(2199, 0, 1) / 1000 }).map((s) => s * 1000),
  count: fc.integer({ min: 1, max: 5000 }),
  interval: fc.integer({ min: 1, max: 99 }),
  byMonth: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
  byMonthDay: fc.array(fc.integer({ min: -31, max: 31 }).filter(Boolean), { minLength: 1 }),
  byDay: fc.array(
    fc.oneof(fc.record({ day: weekday }), fc.record({ day: weekday, ordinal: fc.constantFrom(-1, 1, 2, 53) })),
    { minLength: 1 },
  ),
  weekStart: weekday,
};
const recurrence: fc.Arbitrary<Recurrence> = fc.record(PARTS, { requiredKeys: ['freq'], noNullPrototype: true });

test('a stored value is read as the rule it was made of', () => {
  fc.assert(
    fc.property(recurrence, (rule) => {
      expect(recurrenceOf(recurrenceValue(rule))).toEqual(rule);
    }),
    { numRuns: runs(500) },
  );
});
