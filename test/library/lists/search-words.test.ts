import { expect, test } from 'vitest';
import { searchWords } from '../../../src/library/lists/search-words.ts';

test.each([
  [8, 'up to £8'],
  [7.5, 'up to £7.50'],
])('the name of a search for at most %d has its price in pounds and pence', (maxPrice, words) => {
  expect(searchWords({ maxPrice })).toBe(`Search: ${words}`);
});

test('concepts that are named by their ids have their labels', () => {
  const activity = ['https://openactive.io/activity-list#bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e'];
  expect(searchWords({ activity })).toBe('Search: Yoga');
});

test.each([
  [{ before: 72_060 }, 'not after 20:00'],
  [{ before: 72_000 }, 'before 20:00'],
  [{ after: 57_600, before: 64_860 }, '16:00–18:00'],
])('a time by which something has begun is named as people put it: %j', (filters, words) => {
  expect(searchWords(filters)).toBe(`Search: ${words}`);
});
