import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ByDay, RepeatUnit } from '../../src/opportunity/records.ts';
import { ruleWalls } from '../../src/recurrence/rule.ts';
import { starts } from '../../src/recurrence/starts.ts';
import type { FullRule, MoreParts } from '../../src/recurrence/types.ts';
import { DAY_MS } from '../../src/time/days.ts';
import type { Weekday } from '../../src/time/instant.ts';
import { startsByReading } from '../oracle/rule.ts';
import { runs } from '../runs.ts';

const weekday = fc.integer({ min: 0, max: 6 }) as fc.Arbitrary<Weekday>;
/** Mostly absent: rules with every part at once are rarely anything but empty. */
const sometimes = <T>(one: fc.Arbitrary<T>, most = 3): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(one, { minLength: 1, maxLength: most }) },
  );
const ascending = (list: number[]) => list.sort((a, b) => a - b);
const between = (min: number, max: number) => fc.integer({ min, max });
const signed = (most: number, ...edges: number[]) => fc.oneof(between(1, most), fc.constantFrom(...edges));

const more: fc.Arbitrary<MoreParts> = fc.record({
  byHour: sometimes(between(0, 23)).map(ascending),
  byMinute: sometimes(fc.constantFrom(0, 15, 30, 59)).map(ascending),
  bySecond: sometimes(fc.constantFrom(0, 30)).map(ascending),
  byYearDay: sometimes(signed(366, -1, -366, 366)),
  byWeekNo: sometimes(signed(53, -1, -53, 1, 53)),
  bySetPos: sometimes(fc.constantFrom(1, 2, 3, 5, -1, -2)),
  weekStart: weekday,
});

function rulesOf(...units: RepeatUnit[]): fc.Arbitrary<FullRule> {
  const ordinal = fc.option(fc.constantFrom(1, 2, 5, -1, -2, 20, 53, -53), { nil: undefined });
  const byDay = sometimes(
    fc.tuple(weekday, ordinal).map(([day, nth]): ByDay => (nth === undefined ? { day } : { day, ordinal: nth })),
  );
  return fc
    .record({
      unit: fc.constantFrom(...units),
      every: fc.constantFrom(1, 1, 2, 3, 5),
      byDay,
      byMonth: sometimes(between(1, 12)),
      byMonthDay: sometimes(signed(31, -1, -31, 29, 30, 31)),
      firstDay: fc.oneof(between(19_000, 21_000), fc.constantFrom(0, -400, 11_016, 19_782)),
      time: fc.constantFrom(0, 5400, 34_200, 66_615, 86_399),
      more,
    })
    .map((rule) => ({ ...rule, more: { ...rule.more, byWeekNo: rule.unit === 'year' ? rule.more.byWeekNo : [] } }));
}

const expectAlike = (rule: FullRule, through: number, most: number) => {
  const found = starts(rule, Number.NEGATIVE_INFINITY, through, most).walls;
  expect(found).toEqual(startsByReading(rule, through, most));
  return found.length;
};

describe('beside a reading that asks every day', () => {
  test('rules of days, weeks, months and years with any parts', () => {
    let found = 0;
    fc.assert(
      fc.property(rulesOf('day', 'week', 'month', 'year'), between(1, 120), (rule, most) => {
        found += expectAlike(rule, (rule.firstDay + 2500) * DAY_MS, most);
      }),
      { numRuns: runs(300) },
    );
    expect(found).toBeGreaterThan(300);
  });

  test('rules of hours and minutes with any parts', () => {
    let found = 0;
    fc.assert(
      fc.property(rulesOf('hour', 'minute', 'second'), between(0, 2), (rule, days) => {
        const length = rule.unit === 'hour' ? days * 4 : rule.unit === 'minute' ? days : Math.min(days, 1);
        found += expectAlike(rule, (rule.firstDay + length) * DAY_MS, 300);
      }),
      { numRuns: runs(60) },
    );
    expect(found).toBeGreaterThan(30);
  });
});

const NONE: MoreParts = {
  byHour: [],
  byMinute: [],
  bySecond: [],
  byYearDay: [],
  byWeekNo: [],
  bySetPos: [],
  weekStart: 0,
};

test('without these parts it is the rule of a Schedule', () => {
  fc.assert(
    fc.property(rulesOf('day', 'week', 'month', 'year', 'hour'), between(0, 900), ({ more: _, ...rule }, after) => {
      const [from, to] = [(rule.firstDay + after) * DAY_MS, (rule.firstDay + after + 300) * DAY_MS];
      const walls = ruleWalls(rule, from, to, 200);
      expect(starts(rule, from, to, 200).walls).toEqual(walls);
      expect(starts({ ...rule, more: NONE }, from, to, 200).walls).toEqual(walls);
    }),
    { numRuns: runs(200) },
  );
});

describe('the search ends', () => {
  const rule = { unit: 'year', every: 1, byDay: [], byMonth: [], byMonthDay: [], firstDay: 20_000, time: 0 } as const;
  const ever = 50_000 * DAY_MS;
  test.each<[string, FullRule, number, boolean]>([
    ['30 February', { ...rule, byMonth: [2], byMonthDay: [30] }, 0, true],
    [
      'an hour that its steps never come to',
      { ...rule, unit: 'hour', every: 2, more: { ...NONE, byHour: [1] } },
      0,
      false,
    ],
    ['every second', { ...rule, unit: 'second' }, 1000, false],
    ['a day of months that have none', { ...rule, unit: 'second', byMonth: [2], byMonthDay: [30] }, 0, true],
    ['the 366th start of a day', { ...rule, unit: 'day', more: { ...NONE, bySetPos: [366] } }, 0, true],
  ])('%s', (_name, given, count, complete) => {
    const found = starts(given, 0, ever, 1000);
    expect([found.walls.length, found.complete]).toEqual([count, complete]);
  });
});
