import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BugError } from '../../src/errors.ts';
import {
  dateValue,
  degrees,
  durationValue,
  geoValue,
  offsetValue,
  utcValue,
  wallValue,
} from '../../src/ical/values.ts';

const HOUR = 3_600_000;

describe('values', () => {
  test('dates and times are those of Date', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) }), (instant) => {
        const expected = new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
        // Years before 1000 have leading zeros in both.
        expect(wallValue(instant)).toBe(expected);
        expect(utcValue(instant)).toBe(`${expected}Z`);
        expect(dateValue(Math.floor(instant / (24 * HOUR)))).toBe(expected.slice(0, 8));
      }),
    );
  });

  test('years beyond four digits are a bug of the caller', () => {
    expect(() => wallValue(Date.UTC(10_000, 0, 1))).toThrow(BugError);
    expect(() => wallValue(Number.NaN)).toThrow(BugError);
  });

  test.each([
    [HOUR, '+0100'],
    [-3.5 * HOUR, '-0330'],
    [5.75 * HOUR, '+0545'],
    [0, '+0000'],
    [-2670_000, '-004430'],
  ])('an offset of %d ms is %s', (offset, expected) => {
    expect(offsetValue(offset)).toBe(expected);
  });

  test.each([
    [0, 'PT0S'],
    [HOUR, 'PT1H'],
    [1.5 * HOUR, 'PT1H30M'],
    [26 * HOUR, 'P1DT2H'],
    [48 * HOUR, 'P2D'],
    [90_061_000, 'P1DT1H1M1S'],
  ])('%d ms are %s', (length, expected) => {
    expect(durationValue(length)).toBe(expected);
  });

  test.each([
    [51.5, '51.5'],
    [-0.1234567, '-0.123457'],
    [-0, '0'],
    [1e-9, '0'],
    [0.000001, '0.000001'],
    [-180, '-180'],
  ])('%d degrees are %s', (value, expected) => {
    expect(degrees(value)).toBe(expected);
  });

  test('GEO has a semicolon: Google refuses a calendar with a comma there', () => {
    expect(geoValue(51.5, -0.1)).toBe('51.5;-0.1');
  });
});
