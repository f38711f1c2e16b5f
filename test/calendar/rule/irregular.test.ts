import fc from 'fast-check';
import { expect, test } from 'vitest';
import { irregularDays, regularityOf } from '../../../src/calendar/rule/irregular.ts';
import { occursOn } from '../../../src/recurrence/rule.ts';
import { DAY_MS, dateOfDay } from '../../../src/time/days.ts';
import { type Zone, zone } from '../../../src/time/zone.ts';
import { byDay, rule } from '../../recurrence/make.ts';
import { runs } from '../../runs.ts';

/** Days on which an instance is not regular, found without a look at each day of the rule. */

const DAILY = { unit: 'day', every: 1 } as const;
/** Without gaps that only readers with older rules know. */
const ZONES = ['Europe/London', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Gaza', 'America/St_Johns'];
const RULES = [
  DAILY,
  { unit: 'day', every: 366 },
  { unit: 'week', every: 2, byDay: byDay('SU,WE') },
  { unit: 'month', every: 1, byMonthDay: [31] },
  { unit: 'year', every: 1, byMonth: [3, 10], byDay: byDay('-1SU') },
] as const;

const some = fc.record({
  id: fc.constantFrom(...ZONES),
  parts: fc.constantFrom(...RULES),
  first: fc.integer({ min: 14_000, max: 21_000 }),
  days: fc.integer({ min: 0, max: 1500 }),
  time: fc.oneof(fc.integer({ min: 0, max: 86_399 }), fc.constantFrom(0, 3600, 5400, 7200, 9000, 86_399)),
  length: fc.constantFrom(0, 3_600_000, 9 * 3_600_000, DAY_MS, 8 * DAY_MS, 365 * DAY_MS),
});

test('irregular days are those that a look at each day finds', () => {
  const property = fc.property(some, ({ id, parts, first, days, time, length }) => {
    const [z, lastDay] = [zone(id) as Zone, first + days];
    const made = { ...rule(dateOfDay(first), { ...parts, byDay: [], ...parts }), time, lastDay };
    const all = Array.from({ length: days + 1 }, (_, index) => {
      const day = first + index;
      return { day, kind: regularityOf(z, day * DAY_MS + time * 1000, length), occurs: occursOn(made, day) };
    });
    const expected = all.filter(({ kind, occurs }) => kind === 'gap' || (kind !== 'regular' && occurs));
    expect(irregularDays(made, z, length)).toEqual(expected);
  });
  fc.assert(property, { numRuns: runs(100) });
});
