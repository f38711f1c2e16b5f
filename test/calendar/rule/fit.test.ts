import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitRule } from '../../../src/calendar/rule/fit.ts';
import { ruleDays } from '../../../src/recurrence/rule.ts';
import type { Rule } from '../../../src/recurrence/types.ts';
import { dayOf, WEEKDAY_CODES, weekdayOf } from '../../../src/time/days.ts';
import type { Weekday } from '../../../src/time/instant.ts';
import { runs } from '../../runs.ts';

const HORIZON = dayOf(2051, 1, 1);
const FIRST = dayOf(2026, 1, 5);

const rules: fc.Arbitrary<Rule> = fc
  .record({
    unit: fc.constantFrom('day', 'week', 'month', 'year'),
    every: fc.integer({ min: 1, max: 13 }),
    byDay: fc.uniqueArray(
      fc.record(
        {
          day: fc.integer({ min: 0, max: 6 }) as fc.Arbitrary<Weekday>,
          ordinal: fc.constantFrom(1, 2, 3, 4, 5, -1, -2, -5),
        },
        { requiredKeys: ['day'] },
      ),
      { maxLength: 3 },
    ),
    byMonth: fc.oneof(fc.constant([]), fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 10 })),
    byMonthDay: fc.oneof(
      fc.constant([]),
      fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(-1, -3)), { maxLength: 3 }),
    ),
    firstDay: fc.integer({ min: FIRST, max: FIRST + 800 }),
    time: fc.constant(36_000),
    count: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    lastDay: fc.option(fc.integer({ min: FIRST, max: FIRST + 3000 }), { nil: undefined }),
  })
  // `ruleOf` makes weeks of whole weeks of days.
  .filter(({ unit, every }) => unit !== 'day' || every % 7 !== 0)
  .map(({ count, lastDay, ...rule }) => ({
    ...rule,
    ...(count !== undefined && { count }),
    ...(lastDay !== undefined && { lastDay }),
  })) as fc.Arbitrary<Rule>;

const daysOf = (rule: Rule) => ruleDays(rule, FIRST, HORIZON, Number.POSITIVE_INFINITY);

describe('a rule is split into rules that Outlook can hold', () => {
  test('which have its days, each one of them once, and all of them unless a rest is reported of', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        const { masters, rest } = fitRule(rule, HORIZON);
        const whole = daysOf(rule);
        const parts = masters.flatMap((master) => daysOf(master.rule));
        expect(new Set(parts).size).toBe(parts.length);
        const known = new Set(whole);
        expect(parts.filter((day) => !known.has(day))).toEqual([]);
        if (!rest) expect(parts.length).toBe(whole.length);
      }),
      { numRuns: runs(1500) },
    );
  });

  test('each in one of its templates, beginning with an instance, and named apart', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        const { masters } = fitRule(rule, HORIZON);
        for (const { rule: master } of masters) {
          expect(templateOf(master)).not.toBe('none');
          // Asked of the day itself: a 29 February every eleven years may begin beyond the horizon.
          expect(ruleDays(master, FIRST, master.firstDay, 1)).toEqual([master.firstDay]);
        }
        expect(new Set(masters.map(({ part }) => part)).size).toBe(masters.length);
      }),
      { numRuns: runs(1500) },
    );
  });

  /** Feed rule 7, and what Outlook reads differently: 29 … 31, ordinals 5 and -2 … -5. */
  function templateOf({ unit, byDay, byMonth, byMonthDay }: Rule): string {
    const nth = byDay.length === 1 && [1, 2, 3, 4, -1].includes(byDay[0]?.ordinal ?? 0) && byMonthDay.length === 0;
    const date = byDay.length === 0 && byMonthDay.length === 1 && (byMonthDay[0] ?? 0) > 0;
    if (unit === 'day' && byDay.length + byMonth.length + byMonthDay.length === 0) return 'daily';
    const plain = byDay.length > 0 && byDay.every(({ ordinal }) => ordinal === undefined);
    if (unit === 'week' && plain && byMonth.length + byMonthDay.length === 0) return 'weekly';
    if (unit === 'month' && byMonth.length === 0 && (nth || (date && (byMonthDay[0] ?? 0) <= 28))) return 'monthly';
    if (unit === 'year' && byMonth.length === 1 && (nth || date)) return 'yearly';
    return 'none';
  }

  const day = (name: string, ordinal?: number) => ({
    day: WEEKDAY_CODES.indexOf(name) as Weekday,
    ...(ordinal !== undefined && { ordinal }),
  });
  const base: Rule = { unit: 'day', every: 1, byDay: [], byMonth: [], byMonthDay: [], firstDay: FIRST, time: 0 };
  test.each<[string, Partial<Rule>, string[], boolean]>([
    ['every day', {}, ['day 1'], false],
    ['every third day', { every: 3 }, ['day 3'], false],
    ['daily on some weekdays is weekly', { byDay: [day('TU'), day('TH')] }, ['week 1 TU,TH'], false],
    [
      'every other day on some weekdays',
      { every: 2, byDay: [day('MO'), day('WE')] },
      ['week 2 MO', 'week 2 WE'],
      false,
    ],
    ['weekly without weekdays', { unit: 'week' }, ['week 1 MO'], false],
    ['two dates a month', { unit: 'month', byMonthDay: [1, 15] }, ['month 1 /1', 'month 1 /15'], false],
    [
      'the 30th, which February lacks',
      { unit: 'month', byMonthDay: [30], every: 6 },
      ['year 1 7/30', 'year 1 1/30'].reverse(),
      false,
    ],
    [
      'the 31st every month',
      { unit: 'month', byMonthDay: [31] },
      [1, 3, 5, 7, 8, 10, 12].map((m) => `year 1 ${m}/31`),
      false,
    ],
    ['29 February', { unit: 'year', byMonth: [2], byMonthDay: [29] }, ['year 4 2/29'], false],
    ['two nth weekdays', { unit: 'month', byDay: [day('TU', 2), day('TU', 4)] }, ['month 1 2TU', 'month 1 4TU'], false],
    ['the last weekday', { unit: 'month', byDay: [day('FR', -1)] }, ['month 1 -1FR'], false],
    ['the fifth weekday', { unit: 'month', byDay: [day('FR', 5)] }, [], true],
    ['the last but one', { unit: 'month', byDay: [day('FR', -2)] }, [], true],
    ['the fourth and the last', { unit: 'month', byDay: [day('FR', 4), day('FR', -1)] }, ['month 1 4FR'], true],
    ['monthly on a plain weekday is weekly', { unit: 'month', byDay: [day('MO')] }, ['week 1 MO'], false],
    [
      'an nth weekday in two months',
      { unit: 'year', byMonth: [3, 9], byDay: [day('SU', 1)] },
      ['year 1 3/1SU', 'year 1 9/1SU'],
      false,
    ],
    ['every fourth month', { unit: 'month', every: 4 }, ['month 4 /5'], false],
    [
      'every fourth month, but not in May',
      { unit: 'month', every: 4, byMonth: [1, 9] },
      ['year 1 1/5', 'year 1 9/5'],
      false,
    ],
    ['Friday the 13th', { unit: 'month', byDay: [day('FR')], byMonthDay: [13] }, [], true],
    ['the twentieth Monday of the year', { unit: 'year', byDay: [day('MO', 20)] }, [], true],
    ['every hour', { unit: 'hour' }, [], true],
    ['the 13th, where it is a day of every second week', { unit: 'week', every: 2, byMonthDay: [13] }, [], true],
  ])('%s', (_, rule, expected, rest) => {
    const fit = fitRule({ ...base, ...rule }, HORIZON);
    expect(fit.masters.map((master) => shown(master.rule))).toEqual(expected);
    expect(fit.rest).toBe(rest);
  });

  test('some months of the year are one master a season, in step with the whole', () => {
    const rule: Rule = {
      ...base,
      unit: 'week',
      every: 2,
      byMonth: [1, 2, 3, 9, 10, 11, 12],
      lastDay: dayOf(2027, 12, 31),
    };
    const seasons = fitRule(rule, HORIZON).masters.map(({ rule: master }) => daysOf(master));
    expect(seasons.map((days) => days.length)).toEqual([7, 15, 8]);
    expect(seasons.flat().every((one) => weekdayOf(one) === 0 && (one - FIRST) % 14 === 0)).toBe(true);
  });

  test('each season until the horizon is there, however early the rule begins and however short its seasons are', () => {
    const months = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 11 });
    fc.assert(
      fc.property(
        fc.record({
          unit: fc.constantFrom('day', 'week'),
          every: fc.constantFrom(1, 2, 3),
          byDay: fc.constantFrom([], [day('TU'), day('SA')]),
          byMonth: fc.oneof(months, fc.constantFrom([1, 3, 5, 7, 9, 11], [1, 4, 6, 8, 11])),
          firstDay: fc.integer({ min: dayOf(1970, 1, 1), max: dayOf(2050, 1, 1) }),
        }),
        (given) => {
          const rule = { ...base, ...given } as Rule;
          const { masters, rest } = fitRule(rule, HORIZON);
          const days = (one: Rule) => ruleDays(one, rule.firstDay, HORIZON, Number.POSITIVE_INFINITY);
          expect(rest).toBe(false);
          expect(masters.flatMap((master) => days(master.rule)).sort((a, b) => a - b)).toEqual(days(rule));
        },
      ),
      { numRuns: runs(150) },
    );
  });

  function shown({ unit, every, byDay, byMonth, byMonthDay }: Rule): string {
    const days = byDay.map((one) => `${one.ordinal ?? ''}${WEEKDAY_CODES[one.day]}`);
    const month = byMonth.length > 0 || byMonthDay.length > 0 ? `${byMonth.join()}/${byMonthDay.join()}` : '';
    return `${unit} ${every} ${month}${days.join()}`.trim();
  }
});
