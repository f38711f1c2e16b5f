import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandRule, readRule, startsOf } from '../../src/publish/read/rule.ts';
import { toInstant, wallsAt, zone } from '../../src/time/zone.ts';
import { runs } from '../runs.ts';
import { calendarOf, codesOf, eventOf, publish, rowsOf } from './published.ts';

/** EXRULE (RFC 2445): what it excludes is not published, however many starts it has and however far ahead they are. */

const HOUR = 3_600_000;
const MINUTE = 60_000;
const LONDON = zone('Europe/London');

const local = (wall: number) => new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
const published = (wall: number, ...lines: string[]) =>
  publish(
    calendarOf(eventOf('UID:1', 'SUMMARY:x', `DTSTART;TZID=Europe/London:${local(wall)}`, 'DURATION:PT30M', ...lines)),
  );
const starts = (result: ReturnType<typeof publish>) =>
  rowsOf(result.published, Date.UTC(2000, 0), Date.UTC(2101, 0)).map((row) => Date.parse(row.split(' ')[0] as string));

describe('an EXRULE', () => {
  test('of every few minutes takes each date that it has, from its first year to the last of the rule', () => {
    const cases = fc.record({
      year: fc.integer({ min: 2005, max: 2027 }),
      hours: fc.constantFrom(7, 25, 24 * 9, 24 * 40),
      minutes: fc.constantFrom(1, 4, 7, 90, 25 * 60, 11 * 24 * 60),
      count: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(cases, ({ year, hours, minutes, count }) => {
        const first = Date.UTC(year, 0, 4, 9);
        const rules = [
          `RRULE:FREQ=HOURLY;INTERVAL=${hours};COUNT=${count}`,
          `EXRULE:FREQ=MINUTELY;INTERVAL=${minutes}`,
        ];
        const all = Array.from({ length: count }, (_, at) => first + at * hours * HOUR);
        const kept = all
          .map((wall) => toInstant(LONDON as NonNullable<typeof LONDON>, wall))
          .filter((instant) => {
            const walls = wallsAt(LONDON as NonNullable<typeof LONDON>, instant);
            return walls.every((wall) => (wall - first) % (minutes * MINUTE) !== 0);
          });
        expect(starts(published(first, ...rules))).toEqual([...new Set(kept)].sort((a, b) => a - b));
      }),
      { numRuns: runs(60), examples: [[{ year: 2010, hours: 24 * 9, minutes: 1, count: 300 }]] },
    );
  });

  test.each([
    ['ends by its UNTIL', 'FREQ=DAILY;UNTIL=20270112T180000Z', ['2027-01-19', '2027-01-26'], []],
    ['ends by its COUNT', 'FREQ=WEEKLY;COUNT=2', ['2027-01-19', '2027-01-26'], []],
    ['of a thousand million days', 'FREQ=DAILY;COUNT=1000000000', [], []],
    [
      'of more counted seconds than anybody counts',
      'FREQ=SECONDLY;COUNT=900000000',
      ['2027-01-12', '2027-01-19', '2027-01-26'],
      ['exrule-cut'],
    ],
  ])('%s', (_, rule, kept, codes) => {
    const result = published(Date.UTC(2027, 0, 5, 18), 'RRULE:FREQ=WEEKLY;COUNT=4', `EXRULE:${rule}`);
    expect(starts(result).map((start) => new Date(start).toISOString().slice(0, 10))).toEqual(kept);
    expect(codesOf(result).filter((code) => code === 'exrule-cut')).toEqual(codes);
  });

  test.each([
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,2',
    'FREQ=YEARLY;INTERVAL=2;BYDAY=SA;BYHOUR=9,18;BYSETPOS=1,-3',
    'FREQ=WEEKLY;WKST=SU;INTERVAL=3;BYDAY=SU,MO,SA;BYSETPOS=2',
    'FREQ=HOURLY;INTERVAL=5;BYDAY=TU,FR',
    'FREQ=MINUTELY;INTERVAL=45;BYSETPOS=1',
    'FREQ=DAILY;INTERVAL=11;BYHOUR=7,18,22',
  ])('asked of single starts has those that it lists: %s', (value) => {
    const read = readRule({ name: 'EXRULE', params: new Map(), value, line: 1 });
    const rule = (read as Extract<typeof read, { rule: unknown }>).rule;
    const start = Date.UTC(2026, 9, 20, 18);
    const end = start + 1000 * 24 * HOUR;
    const has = startsOf(rule, start);
    const asked = Array.from({ length: 1010 * 24 * 4 }, (_, at) => start + (at - 400) * 15 * MINUTE);
    expect(asked.filter((wall) => wall <= end && has(wall))).toEqual(expandRule(rule, start, end, 100_000).walls);
  });
});
