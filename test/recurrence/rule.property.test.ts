import fc from 'fast-check';
import rrule, { type Weekday as RRuleWeekday } from 'rrule';
import { describe, expect, test } from 'vitest';
import type { ByDay } from '../../src/opportunity/records.ts';
import { occursAt, occursOn, ruleDays, ruleEnd, ruleWalls } from '../../src/recurrence/rule.ts';
import type { Rule } from '../../src/recurrence/types.ts';
import { DAY_MS, dateOfDay, dayOfDate, weekdayOf } from '../../src/time/days.ts';
import type { Weekday } from '../../src/time/instant.ts';
import { type Pattern, patternDays } from '../oracle/days.ts';
import { runs } from '../runs.ts';

const { RRule, Weekday: Nth } = rrule;

/** Leap days, ends of months and years: where the arithmetic turns. */
const turns = ['2024-02-29', '2000-02-29', '2023-01-31', '2020-12-31', '2023-01-01', '2026-12-28'].map(dayOfDate);
const weekday = fc.integer({ min: 0, max: 6 }) as fc.Arbitrary<Weekday>;
const plainDays = fc.uniqueArray(weekday, { maxLength: 4 }).map((list): ByDay[] => list.map((day) => ({ day })));
const ordinals = (...list: number[]) =>
  fc.uniqueArray(fc.record({ day: weekday, ordinal: fc.constantFrom(...list) }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ day, ordinal }) => `${ordinal}${day}`,
  });
/** Half of the time nothing: rules with every part at once are rarely anything but empty. */
const sometimes = <T>(list: fc.Arbitrary<T[]>) => fc.oneof(fc.constant<T[]>([]), list);

const daysFor = {
  day: sometimes(plainDays),
  week: sometimes(plainDays),
  month: fc.oneof(sometimes(plainDays), ordinals(1, 2, 3, 4, 5, -1, -2, -5)),
  year: fc.oneof(sometimes(plainDays), ordinals(1, 2, 5, -1, -3), ordinals(20, 52, 53, -20, -53)),
  hour: sometimes(plainDays),
  minute: sometimes(plainDays),
};
const everyFor = { day: 40, week: 9, month: 14, year: 5, hour: 60, minute: 5000 };

function rulesOf(units: readonly (keyof typeof daysFor)[]): fc.Arbitrary<Rule> {
  return fc.constantFrom(...units).chain((unit) =>
    fc
      .record({
        unit: fc.constant(unit),
        every: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: everyFor[unit] })),
        byDay: daysFor[unit],
        byMonth: sometimes(fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 })),
        byMonthDay: sometimes(
          fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(-1, -2, -15, -30, -31)), {
            minLength: 1,
            maxLength: 4,
          }),
        ),
        firstDay: fc.oneof(fc.constantFrom(...turns), fc.integer({ min: 9000, max: 23_000 })),
        time: fc.integer({ min: 0, max: 86_399 }),
        count: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
        length: fc.option(fc.integer({ min: -5, max: 1500 }), { nil: undefined }),
      })
      .map(({ count, length, ...rest }) => ({
        ...rest,
        ...(count !== undefined && { count }),
        ...(length !== undefined && { lastDay: rest.firstDay + length }),
      })),
  );
}

const FREQ = {
  day: RRule.DAILY,
  week: RRule.WEEKLY,
  month: RRule.MONTHLY,
  year: RRule.YEARLY,
  hour: RRule.HOURLY,
  minute: RRule.MINUTELY,
  second: RRule.SECONDLY,
};

/** rrule on floating time: dates as if they were UTC. */
function rival(rule: Rule): InstanceType<typeof RRule> {
  const byweekday = rule.byDay.map(
    ({ day, ordinal }): RRuleWeekday => (ordinal === undefined ? new Nth(day) : new Nth(day).nth(ordinal)),
  );
  return new RRule({
    freq: FREQ[rule.unit],
    interval: rule.every,
    wkst: RRule.MO,
    dtstart: new Date(rule.firstDay * DAY_MS + rule.time * 1000),
    ...(byweekday.length > 0 && { byweekday }),
    ...(rule.byMonth.length > 0 && { bymonth: [...rule.byMonth] }),
    ...(rule.byMonthDay.length > 0 && { bymonthday: [...rule.byMonthDay] }),
    ...(rule.count !== undefined && { count: rule.count }),
    ...(rule.lastDay !== undefined && { until: new Date((rule.lastDay + 1) * DAY_MS - 1000) }),
  });
}

const window = fc.tuple(
  fc.oneof(fc.integer({ min: -60, max: 400 }), fc.integer({ min: -400, max: 2500 })),
  fc.integer({ min: 0, max: 900 }),
);

describe('beside rrule', () => {
  test('days of every rule in every window', () => {
    let found = 0;
    fc.assert(
      fc.property(rulesOf(['day', 'week', 'month', 'year']), window, (rule, [after, length]) => {
        const from = rule.firstDay + after;
        const to = from + length;
        const expected = rival(rule)
          .between(new Date(from * DAY_MS), new Date((to + 1) * DAY_MS - 1), true)
          .map((date) => Math.floor(date.getTime() / DAY_MS));
        const days = ruleDays(rule, from, to, Number.POSITIVE_INFINITY);
        expect(days.map(dateOfDay)).toEqual(expected.map(dateOfDay));
        for (const day of [from, to, ...days.slice(0, 3)]) expect(occursOn(rule, day)).toBe(expected.includes(day));
        found += days.length;
      }),
      { numRuns: runs(150) },
    );
    expect(found).toBeGreaterThan(150);
  });

  test('rules that repeat within a day', () => {
    let found = 0;
    fc.assert(
      fc.property(
        rulesOf(['hour', 'minute']),
        fc.integer({ min: -5, max: 60 }),
        fc.integer({ min: 0, max: 10 }),
        (rule, after, length) => {
          const from = (rule.firstDay + after) * DAY_MS + 7_000_000;
          const to = from + length * DAY_MS;
          const expected: number[] = [];
          // rrule searches for ever where a limit is never met; the window bounds it.
          const bounded = rival({
            ...rule,
            lastDay: Math.min(rule.lastDay ?? 1e9, rule.firstDay + after + length + 1),
          });
          bounded.between(new Date(from), new Date(to), true, (date) => {
            expected.push(date.getTime());
            return expected.length < 3000;
          });
          const walls = ruleWalls(rule, from, to, 3000);
          expect(walls).toEqual(expected);
          for (const wall of walls.slice(0, 3)) {
            expect(occursAt(rule, wall)).toBe(true);
            expect(occursAt(rule, wall + 1000)).toBe(false);
          }
          found += walls.length;
        },
      ),
      { numRuns: runs(120) },
    );
    expect(found).toBeGreaterThan(20);
  });
});

/** rrule takes the days that both halves of `MO,1TU` allow; the RFC adds them up. The other oracle asks every day. */
describe('beside a reading that asks every day', () => {
  test('weekdays with and without ordinals in one list', () => {
    fc.assert(
      fc.property(rulesOf(['month', 'year']), plainDays, (given, more) => {
        const rule = { ...given, byDay: [...given.byDay, ...more] };
        const pattern: Pattern = {
          unit: rule.unit as 'month' | 'year',
          every: rule.every,
          byDay: rule.byDay.map((by) => ({ ...by })),
          byMonth: [...rule.byMonth],
          byMonthDay: [...rule.byMonthDay],
          startDay: rule.firstDay,
          ...(rule.count !== undefined && { count: rule.count }),
          ...(rule.lastDay !== undefined && { lastDay: rule.lastDay }),
        };
        const to = rule.firstDay + 2000;
        expect(ruleDays(rule, 0, to, Number.POSITIVE_INFINITY)).toEqual(patternDays(pattern, to));
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('a rule is the same however it is asked', () => {
  test('windows side by side add up, and a limit takes the first', () => {
    fc.assert(
      fc.property(
        rulesOf(['day', 'week', 'month', 'year']),
        window,
        fc.nat({ max: 20 }),
        (rule, [after, length], limit) => {
          const from = rule.firstDay + after;
          const [middle, to] = [from + Math.floor(length / 2), from + length];
          const whole = ruleDays(rule, from, to, Number.POSITIVE_INFINITY);
          const halves = [...ruleDays(rule, from, middle, 1e9), ...ruleDays(rule, middle + 1, to, 1e9)];
          expect(halves).toEqual(whole);
          expect(ruleDays(rule, from, to, limit)).toEqual(whole.slice(0, limit));
          expect(ruleWalls(rule, from * DAY_MS, (to + 1) * DAY_MS - 1, limit)).toEqual(
            whole.slice(0, limit).map((day) => day * DAY_MS + rule.time * 1000),
          );
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test('with COUNT there are that many, or the rule has ended', () => {
    fc.assert(
      fc.property(rulesOf(['day', 'week', 'month', 'year']), (given) => {
        const rule = { ...given, count: given.count ?? 7 };
        const first = Number.NEGATIVE_INFINITY;
        const days = ruleDays(rule, first, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
        expect(days.length).toBeLessThanOrEqual(rule.count);
        expect(days).toEqual([...new Set(days)].sort((a, b) => a - b));
        // A rare rule reaches the last year that is supported before its COUNT.
        const toTheEnd = () => ruleDays({ ...rule, count: undefined }, first, Number.POSITIVE_INFINITY, rule.count);
        if (days.length < rule.count && rule.lastDay === undefined) expect(days).toEqual(toTheEnd());
        const end = ruleEnd(rule) as number;
        expect(days.every((day) => day >= rule.firstDay && day <= end)).toBe(true);
        if (rule.byDay.length > 0 && (rule.unit === 'day' || rule.unit === 'week')) {
          expect(days.every((day) => rule.byDay.some((by) => by.day === weekdayOf(day)))).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
