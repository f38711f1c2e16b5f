import { expect, test } from 'vitest';
import { nearestZone } from '../../src/time/nearest-zone.ts';

test.each([
  ['Europe/Lodnon', 'Europe/London'],
  ['Europe-London', 'Europe/London'],
  ['Berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['londn', 'Europe/London'],
  ['Amercia/New_York', 'America/New_York'],
  ['+01:00', undefined],
  ['BST', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('of %s is %s', (text, expected) => {
  expect(nearestZone(text)).toBe(expected);
});
