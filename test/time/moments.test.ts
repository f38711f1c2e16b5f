import fc from 'fast-check';
import { DateTime, FixedOffsetZone } from 'luxon';
import { describe, expect, test } from 'vitest';
import { lengthOf, parseDuration, parseMoment, parseTime, timeText } from '../../src/time/iso-text.ts';
import { runs } from '../runs.ts';

describe('dates and date-times', () => {
  test.each([
    ['2027-03-28T09:30:00Z', '2027-03-28T09:30:00Z'],
    ['2027-03-28T09:30:00.000Z', '2027-03-28T09:30:00Z'],
    ['2027-03-28T09:30:00.999Z', '2027-03-28T09:30:00Z'],
    ['2027-03-28T09:30Z', '2027-03-28T09:30:00Z'],
    ['2027-03-28T09:30:00+00:00', '2027-03-28T09:30:00Z'],
    ['2027-03-28T09:30:00-05:00', '2027-03-28T14:30:00Z'],
    ['2027-03-28T09:30:00+0530', '2027-03-28T04:00:00Z'],
    ['2027-03-28T09:30:00+01', '2027-03-28T08:30:00Z'],
    ['2027-03-28 09:30:00z', '2027-03-28T09:30:00Z'],
    ['2027-03-28T9:30:00Z', '2027-03-28T09:30:00Z'],
    ['2027-12-31T24:00:00Z', '2028-01-01T00:00:00Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
    ['1997-09-02T09:00:00-04:00', '1997-09-02T13:00:00Z'],
  ])('%s is the instant %s', (text, expected) => {
    expect(parseMoment(text)).toMatchObject({ kind: 'instant', instant: Date.parse(expected) });
  });

  test.each([
    ['2027-03-28', { kind: 'date', date: '2027-03-28' }],
    ['2027-03-28T09:30:00', { kind: 'wall', wall: Date.UTC(2027, 2, 28, 9, 30) }],
    ['0001-01-01T00:00:00', { kind: 'far' }],
    ['0001-01-01T00:00:00Z', { kind: 'far' }],
    ['9999-12-31', { kind: 'far' }],
  ])('%s is %j', (text, expected) => {
    expect(parseMoment(text)).toMatchObject(expected);
  });

  test.each([
    '',
    '2027',
    '2027-03',
    '2027-3-28',
    '28/03/2027',
    '2027-02-29',
    '2100-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-04-31',
    '20270328',
    '2027-03-28T25:00:00Z',
    '2027-03-28T10:60:00Z',
    '2027-03-28T10:00:61Z',
    '2027-03-28T24:00:01Z',
    '2027-03-28T10Z',
    '2027-03-28T10:00:00+17:00',
    '2027-03-28T10:00:00 BST',
    '+12027-03-28',
    '2027-03-28T10:00:0\u06602Z',
    'tomorrow',
    `2027-03-28T10:00:00.${'0'.repeat(10_000)}Z`,
    '2027-02-30T10:00:00Z',
  ])('%s is none', (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });

  test('every instant and offset reads as luxon reads it', () => {
    const year = fc.date({ min: new Date('1900-01-02'), max: new Date('2199-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(year, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, minutes) => {
        const text = DateTime.fromJSDate(date)
          .setZone(FixedOffsetZone.instance(minutes))
          .startOf('second')
          .toISO({ suppressMilliseconds: true });
        expect(parseMoment(text as string)).toMatchObject({
          kind: 'instant',
          instant: DateTime.fromISO(text as string).toMillis(),
        });
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('times of day', () => {
  test.each([
    ['00:00', { seconds: 0 }],
    ['09:00', { seconds: 32_400 }],
    ['09:00:30', { seconds: 32_430 }],
    ['12:00:00', { seconds: 43_200 }],
    ['12:00:00.5', { seconds: 43_200 }],
    ['24:00', { seconds: 86_400 }],
    ['24:00:00', { seconds: 86_400 }],
    ['9:00', { seconds: 32_400, short: true }],
    ['09:00Z', { seconds: 32_400, zoned: true }],
    ['09:00 Z', { seconds: 32_400, zoned: true }],
    ['09:00:00+01:00', { seconds: 32_400, zoned: true }],
    ['T09:00', { seconds: 32_400 }],
  ])('%s', (text, expected) => {
    expect(parseTime(text)).toEqual(expected);
  });

  test.each([
    '',
    '9',
    '24:01',
    '25:00',
    '12:60',
    '9am',
    '09:00 pm',
    '0900',
    '09.00',
    '-1:00',
    `09:00${' '.repeat(1000)}`,
  ])('%j is none', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  test('as words', () => {
    expect([timeText(32_400), timeText(32_430), timeText(86_400)]).toEqual(['09:00', '09:00:30', '24:00']);
  });
});

describe('durations', () => {
  const HOUR = 3_600_000;

  test.each([
    ['PT1H', HOUR],
    ['PT1H0M', HOUR],
    ['PT2H40M0S', 2 * HOUR + 40 * 60_000],
    ['PT115M', 115 * 60_000],
    ['PT0.5H', HOUR / 2],
    ['P1D', 24 * HOUR],
    ['P1DT12H', 36 * HOUR],
    ['P2W', 14 * 24 * HOUR],
    ['PT0S', 0],
    ['PT0.4S', 0],
  ])('%s', (text, expected) => {
    const parts = parseDuration(text);
    expect(parts && lengthOf(parts)).toBe(expected);
  });

  test.each([
    '',
    'P',
    'PT',
    'P1DT',
    '1H',
    'PT1',
    'PT-1H',
    '-PT1H',
    'PT1H30',
    'P1S',
    'pt1h',
    'PT1H1H',
    `PT${'1'.repeat(10_000)}H`,
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
