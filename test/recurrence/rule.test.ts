import { describe, expect, test } from 'vitest';
import type { Schedule } from '../../src/opportunity/records.ts';
import { occursOn, ruleDays, ruleEnd, ruleOf } from '../../src/recurrence/rule.ts';
import type { Rule } from '../../src/recurrence/types.ts';
import { dateOfDay, dayOfDate } from '../../src/time/days.ts';
import { byDay, rule, schedule, without } from './make.ts';

const FAR = dayOfDate('2200-01-01');
const dates = (r: Rule, limit = 6, from = -FAR, to = FAR) => ruleDays(r, from, to, limit).map(dateOfDay);
type Parts = Partial<Rule> & Pick<Rule, 'unit'>;

/** The rules of RFC 5545 3.8.5.3 that a Schedule can say, with the dates the RFC lists for them. */
describe("the RFC's own examples", () => {
  test.each<[string, string, Parts, string[]]>([
    ['daily for 10', '1997-09-02', { unit: 'day', count: 3 }, ['1997-09-02', '1997-09-03', '1997-09-04']],
    ['every other day', '1997-09-02', { unit: 'day', every: 2 }, ['1997-09-02', '1997-09-04', '1997-09-06']],
    [
      'every 10 days, 5 times',
      '1997-09-02',
      { unit: 'day', every: 10, count: 5 },
      ['1997-09-02', '1997-09-12', '1997-09-22', '1997-10-02', '1997-10-12'],
    ],
    [
      'every day in January',
      '1998-01-01',
      { unit: 'day', byMonth: [1], count: 33 },
      ['1998-01-01', '1998-01-02', '1998-01-03', '1998-01-04', '1998-01-05', '1998-01-06'],
    ],
    ['weekly', '1997-09-02', { unit: 'week', count: 10 }, ['1997-09-02', '1997-09-09', '1997-09-16']],
    [
      'every other week on Monday, Wednesday and Friday, week from Monday',
      '1997-09-01',
      { unit: 'week', every: 2, byDay: byDay('MO,WE,FR') },
      ['1997-09-01', '1997-09-03', '1997-09-05', '1997-09-15', '1997-09-17', '1997-09-19'],
    ],
    [
      'every other week on Tuesday and Thursday',
      '1997-09-02',
      { unit: 'week', every: 2, byDay: byDay('TU,TH'), count: 8 },
      ['1997-09-02', '1997-09-04', '1997-09-16', '1997-09-18', '1997-09-30', '1997-10-02'],
    ],
    [
      'the week begins on Monday: two weeks on, Tuesday and Sunday',
      '1997-08-05',
      { unit: 'week', every: 2, byDay: byDay('TU,SU'), count: 4 },
      ['1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24'],
    ],
    [
      'monthly on the first Friday',
      '1997-09-05',
      { unit: 'month', byDay: byDay('1FR'), count: 10 },
      ['1997-09-05', '1997-10-03', '1997-11-07', '1997-12-05', '1998-01-02', '1998-02-06'],
    ],
    [
      'every other month on the first and last Sunday',
      '1997-09-07',
      { unit: 'month', every: 2, byDay: byDay('1SU,-1SU'), count: 10 },
      ['1997-09-07', '1997-09-28', '1997-11-02', '1997-11-30', '1998-01-04', '1998-01-25'],
    ],
    [
      'monthly on the second to last Monday',
      '1997-09-22',
      { unit: 'month', byDay: byDay('-2MO'), count: 6 },
      ['1997-09-22', '1997-10-20', '1997-11-17', '1997-12-22', '1998-01-19', '1998-02-16'],
    ],
    [
      'monthly on the third to last day',
      '1997-09-28',
      { unit: 'month', byMonthDay: [-3] },
      ['1997-09-28', '1997-10-29', '1997-11-28', '1997-12-29', '1998-01-29', '1998-02-26'],
    ],
    [
      'monthly on the 2nd and 15th',
      '1997-09-02',
      { unit: 'month', byMonthDay: [2, 15], count: 10 },
      ['1997-09-02', '1997-09-15', '1997-10-02', '1997-10-15', '1997-11-02', '1997-11-15'],
    ],
    [
      'monthly on the first and last day',
      '1997-09-30',
      { unit: 'month', byMonthDay: [1, -1], count: 10 },
      ['1997-09-30', '1997-10-01', '1997-10-31', '1997-11-01', '1997-11-30', '1997-12-01'],
    ],
    [
      'every 18 months on the 10th to 12th',
      '1997-09-10',
      { unit: 'month', every: 18, byMonthDay: [10, 11, 12] },
      ['1997-09-10', '1997-09-11', '1997-09-12', '1999-03-10', '1999-03-11', '1999-03-12'],
    ],
    [
      'every Tuesday, every other month',
      '1997-09-02',
      { unit: 'month', every: 2, byDay: byDay('TU') },
      ['1997-09-02', '1997-09-09', '1997-09-16', '1997-09-23', '1997-09-30', '1997-11-04'],
    ],
    [
      'yearly in June and July',
      '1997-06-10',
      { unit: 'year', byMonth: [6, 7], count: 10 },
      ['1997-06-10', '1997-07-10', '1998-06-10', '1998-07-10', '1999-06-10', '1999-07-10'],
    ],
    [
      'every other year in January, February and March',
      '1997-03-10',
      { unit: 'year', every: 2, byMonth: [1, 2, 3], count: 10 },
      ['1997-03-10', '1999-01-10', '1999-02-10', '1999-03-10', '2001-01-10', '2001-02-10'],
    ],
    [
      'every 20th Monday of the year',
      '1997-05-19',
      { unit: 'year', byDay: byDay('20MO') },
      ['1997-05-19', '1998-05-18', '1999-05-17'],
    ],
    [
      'every Thursday in March',
      '1997-03-13',
      { unit: 'year', byMonth: [3], byDay: byDay('TH') },
      ['1997-03-13', '1997-03-20', '1997-03-27', '1998-03-05', '1998-03-12', '1998-03-19'],
    ],
    [
      'every Friday the 13th',
      '1997-09-02',
      { unit: 'month', byDay: byDay('FR'), byMonthDay: [13] },
      ['1998-02-13', '1998-03-13', '1998-11-13', '1999-08-13', '2000-10-13', '2001-04-13'],
    ],
    [
      'the first Saturday after the first Sunday',
      '1997-09-13',
      { unit: 'month', byDay: byDay('SA'), byMonthDay: [7, 8, 9, 10, 11, 12, 13] },
      ['1997-09-13', '1997-10-11', '1997-11-08', '1997-12-13', '1998-01-10', '1998-02-07'],
    ],
    [
      'election day of the United States',
      '1996-11-05',
      { unit: 'year', every: 4, byMonth: [11], byDay: byDay('TU'), byMonthDay: [2, 3, 4, 5, 6, 7, 8] },
      ['1996-11-05', '2000-11-07', '2004-11-02'],
    ],
    [
      'the 15th and 30th: February has no 30th',
      '2007-01-15',
      { unit: 'month', byMonthDay: [15, 30], count: 5 },
      ['2007-01-15', '2007-01-30', '2007-02-15', '2007-03-15', '2007-03-30'],
    ],
  ])('%s', (_name, first, parts, expected) => {
    expect(dates(rule(first, parts)).slice(0, expected.length)).toEqual(expected);
  });
});

describe('what the first day has to do with it', () => {
  test.each<[string, string, Parts, string[]]>([
    [
      "is no instance when it is none of the rule's: the specification's own Sunday with Wednesdays",
      '2017-01-01',
      { unit: 'week', byDay: byDay('WE'), count: 2 },
      ['2017-01-04', '2017-01-11'],
    ],
    [
      'a week that has begun counts as the first of two',
      '2026-01-07',
      { unit: 'week', every: 2, byDay: byDay('MO,TH') },
      ['2026-01-08', '2026-01-19'],
    ],
    [
      'monthly on the 31st leaves short months out',
      '2026-01-31',
      { unit: 'month' },
      ['2026-01-31', '2026-03-31', '2026-05-31'],
    ],
    ['yearly on 29 February waits for it', '2024-02-29', { unit: 'year' }, ['2024-02-29', '2028-02-29', '2032-02-29']],
    [
      'monthly limited to months of which it has the day',
      '2026-01-31',
      { unit: 'month', byMonth: [1, 2, 3] },
      ['2026-01-31', '2026-03-31', '2027-01-31'],
    ],
  ])('%s', (_name, first, parts, expected) => {
    expect(dates(rule(first, parts)).slice(0, expected.length)).toEqual(expected);
  });
});

describe('ordinals', () => {
  test.each<[string, Parts, string[]]>([
    [
      'a fifth Monday is only in some months',
      { unit: 'month', byDay: byDay('5MO') },
      ['2026-03-30', '2026-06-29', '2026-08-31'],
    ],
    ['a fifth from the end too', { unit: 'month', byDay: byDay('-5MO') }, ['2026-03-02', '2026-06-01', '2026-08-03']],
    [
      'with and without in one list add up',
      { unit: 'month', byDay: byDay('MO,1TU') },
      ['2026-01-05', '2026-01-06', '2026-01-12', '2026-01-19', '2026-01-26', '2026-02-02'],
    ],
    [
      'named twice, once there',
      { unit: 'month', byDay: byDay('1MO,1MO,MO') },
      ['2026-01-05', '2026-01-12', '2026-01-19'],
    ],
    [
      'of the year when no month is named',
      { unit: 'year', byDay: byDay('-1FR,1MO') },
      ['2026-01-05', '2026-12-25', '2027-01-04'],
    ],
    [
      'of the month when one is',
      { unit: 'year', byMonth: [5, 8], byDay: byDay('1MO') },
      ['2026-05-04', '2026-08-03', '2027-05-03'],
    ],
    [
      'a 53rd Thursday is only in long years',
      { unit: 'year', byDay: byDay('53TH') },
      ['2026-12-31', '2032-12-30', '2037-12-31'],
    ],
    [
      'have no meaning in weeks, the weekday counts',
      { unit: 'week', byDay: byDay('2TU') },
      ['2026-01-06', '2026-01-13'],
    ],
    ['nor in days', { unit: 'day', byDay: byDay('2TU') }, ['2026-01-06', '2026-01-13']],
  ])('%s', (_name, parts, expected) => {
    expect(dates(rule('2026-01-01', parts)).slice(0, expected.length)).toEqual(expected);
  });
});

describe('ends', () => {
  const weekly = { unit: 'week', byDay: byDay('MO,WE') } as const;
  test.each<[string, Parts, string[], string | undefined]>([
    [
      'the last day is inclusive',
      { ...weekly, lastDay: dayOfDate('2026-01-12') },
      ['2026-01-05', '2026-01-07', '2026-01-12'],
      '2026-01-12',
    ],
    [
      'COUNT counts instances, not weeks',
      { ...weekly, count: 3 },
      ['2026-01-05', '2026-01-07', '2026-01-12'],
      '2026-01-12',
    ],
    [
      'COUNT first',
      { ...weekly, count: 2, lastDay: dayOfDate('2026-12-31') },
      ['2026-01-05', '2026-01-07'],
      '2026-01-07',
    ],
    [
      'last day first',
      { ...weekly, count: 9, lastDay: dayOfDate('2026-01-09') },
      ['2026-01-05', '2026-01-07'],
      '2026-01-09',
    ],
    ['last day before the first', { ...weekly, lastDay: dayOfDate('2025-12-31') }, [], '2025-12-31'],
    [
      'COUNT of a limited daily rule',
      { unit: 'day', byDay: byDay('SA,SU'), count: 3 },
      ['2026-01-10', '2026-01-11', '2026-01-17'],
      '2026-01-17',
    ],
    ['COUNT of a monthly rule', { unit: 'month', count: 2 }, ['2026-01-05', '2026-02-05'], '2026-02-05'],
    [
      'COUNT of a rule that never happens',
      { unit: 'month', byMonthDay: [30], byMonth: [2], count: 2 },
      [],
      '2026-01-04',
    ],
  ])('%s', (_name, parts, expected, end) => {
    const made = rule('2026-01-05', parts);
    expect(dates(made, 50)).toEqual(expected);
    expect(ruleEnd(made)).toBe(end === undefined ? undefined : dayOfDate(end));
  });

  test('a rule without an end has none', () => {
    expect(ruleEnd(rule('2026-01-05', { unit: 'week' }))).toBeUndefined();
  });

  test('COUNT is counted from the first day, whatever the window', () => {
    const made = rule('2026-01-05', { unit: 'week', count: 3 });
    expect(dates(made, 9, dayOfDate('2026-01-13'))).toEqual(['2026-01-19']);
    expect(dates(made, 9, dayOfDate('2026-01-20'))).toEqual([]);
    expect(occursOn(made, dayOfDate('2026-01-26'))).toBe(false);
  });

  test('the limit takes the earliest', () => {
    expect(dates(rule('2026-01-05', { unit: 'day' }), 2)).toEqual(['2026-01-05', '2026-01-06']);
    expect(dates(rule('2026-01-05', { unit: 'day' }), 0)).toEqual([]);
  });
});

/** These would go on for ever, or for very long, if every candidate were looked at. */
describe('rules that never happen, and huge ones', () => {
  test.each<[string, Parts]>([
    ['30 February, daily', { unit: 'day', byMonth: [2], byMonthDay: [30] }],
    ['30 February, weekly', { unit: 'week', byMonth: [2], byMonthDay: [30] }],
    ['30 February, monthly', { unit: 'month', byMonth: [2], byMonthDay: [30] }],
    ['30 February, yearly', { unit: 'year', byMonth: [2], byMonthDay: [30] }],
    ['30 February, counted', { unit: 'day', byMonth: [2], byMonthDay: [30], count: 1_000_000_000 }],
    ['a sixth Monday', { unit: 'month', byDay: byDay('6MO') }],
    ['a 54th Monday', { unit: 'year', byDay: byDay('54MO') }],
  ])('%s yields nothing', (_name, parts) => {
    expect(ruleDays(rule('2026-01-05', parts), -Infinity, Infinity, Infinity)).toEqual([]);
  });

  test('an interval beyond all calendars happens once', () => {
    for (const unit of ['day', 'week', 'month', 'year'] as const) {
      expect(dates(rule('2026-01-05', { unit, every: 400_000_000_000 }), 9, 0, Infinity)).toEqual(['2026-01-05']);
    }
  });

  test('a count beyond all calendars does not cost memory', () => {
    const made = rule('2026-01-05', { unit: 'day', count: 1_000_000_000_000 });
    expect(dates(made, 2, dayOfDate('9999-12-30'), Infinity)).toEqual(['9999-12-30', '9999-12-31']);
  });

  test('windows far from the start are reached at once', () => {
    const made = rule('1970-01-01', { unit: 'week', every: 3, byDay: byDay('TU,SA') });
    const [first] = ruleDays(made, FAR, Infinity, 1);
    expect(first).toBeGreaterThanOrEqual(FAR);
    expect(first).toBeLessThan(FAR + 21);
    expect(occursOn(made, first as number)).toBe(true);
  });
});

describe('a Schedule becomes a rule', () => {
  const weekly = { unit: 'week', every: 1 };
  test.each<[string, Partial<Schedule>, object]>([
    ['its frequency', { frequency: { unit: 'month', every: 2 } }, { unit: 'month', every: 2 }],
    // What is meant without one is decided where items are read (test/opportunity/schedule/schedule.test.ts).
    ['without one it is once, on whatever days', { byDay: byDay('TU,TH') }, { unit: 'day', every: 1, count: 1 }],
    ['nothing is once', {}, { unit: 'day', every: 1, count: 1 }],
    ['once, whatever its count', { count: 5 }, { count: 1 }],
    ['P7D with weekdays is a week', { frequency: { unit: 'day', every: 7 }, byDay: byDay('WE') }, weekly],
    ['P14D is two weeks', { frequency: { unit: 'day', every: 14 } }, { unit: 'week', every: 2 }],
    ['P10D is days', { frequency: { unit: 'day', every: 10 } }, { unit: 'day', every: 10 }],
    ['PT24H is a day', { frequency: { unit: 'hour', every: 24 } }, { unit: 'day', every: 1 }],
    ['PT2880M is two days', { frequency: { unit: 'minute', every: 2880 } }, { unit: 'day', every: 2 }],
    ['PT36H is hours', { frequency: { unit: 'hour', every: 36 } }, { unit: 'hour', every: 36 }],
    [
      'both ends',
      { frequency: { unit: 'week', every: 1 }, count: 3, endDate: '2026-02-01', byDay: byDay('MO') },
      { count: 3, lastDay: dayOfDate('2026-02-01') },
    ],
  ])('%s', (_name, given, expected) => {
    const bare = without(schedule(), 'frequency');
    expect(ruleOf({ ...bare, ...given })).toMatchObject({
      firstDay: dayOfDate('2026-01-05'),
      time: 64_800,
      ...expected,
    });
  });

  test('one and the same, so that its end is counted once', () => {
    const counted = schedule({ count: 10_000, byMonthDay: [13] });
    expect(ruleOf(counted)).toBe(ruleOf(counted));
  });

  test('a PartialSchedule and one without start has no rule', () => {
    expect(ruleOf(schedule({ partial: true }))).toBeUndefined();
    expect(ruleOf(schedule({ expandable: false }))).toBeUndefined();
    expect(ruleOf(without(schedule(), 'startDate'))).toBeUndefined();
    expect(ruleOf(without(schedule(), 'startTime'))).toBeUndefined();
  });
});
