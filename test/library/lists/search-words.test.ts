import { expect, test } from 'vitest';
import { searchWords } from '../../../src/library/lists/search-words.ts';

test.each([
  [8, 'up to £8'],
  [7.5, 'up to £7.50'],
])('the name of a search for at most %d has its price in pounds and pence', (maxPrice, words) => {
  expect(searchWords({ maxPrice })).toBe(`Search: ${words}`);
});
