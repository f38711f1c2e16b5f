import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILTER_NAMES, type Filters } from '../../../src/search/filters.ts';
import { readFilters } from '../../../src/search/query.ts';
import { anyText } from '../../generate/any-text.ts';
import { sampleTown, type Town } from './town.ts';

/** Whatever an address says, it is answered: found, not found, or a problem. */

let town: Town;
beforeAll(async () => {
  town = await sampleTown();
});
afterAll(() => town.rig.close());

async function answered(filters: Filters): Promise<void> {
  const { search } = town.library;
  for (const page of [
    await search.occurrences(filters, { limit: 3 }),
    await search.series(filters, { limit: 3 }),
    await search.venues('places', filters, { limit: 3 }),
    await search.venues('facilities', filters, { limit: 3 }),
  ]) {
    expect(page.items.length).toBeLessThanOrEqual(3);
  }
}

test.each([
  '"',
  '"yoga" AND "x"',
  'yoga OR 1=1 --',
  'NEAR(yoga swim, 2)',
  'name : yoga',
  'yoga*',
  '*',
  '^yoga',
  '- - -',
  '{name activity}: yoga',
  "'; DROP TABLE search; --",
  '\u0000',
  '\ud800',
  '_',
  'a_yoga',
  'n_judo_club',
  '太極拳',
  '<script>alert(1)</script>',
  '../../etc/passwd',
])('%j', async (text) => {
  await answered({ q: text });
  await answered({ place: [text], series: [text], organizer: [text], level: [text], accessible: [text] });
  await answered({ near: text, within: 5 });
  await answered({ activity: [text] });
  await town.library.search.suggestions({ q: text, level: [text] });
});

test('any text in any filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...FILTER_NAMES), anyText(60)), { maxLength: 4 }),
      async (pairs) => {
        await answered(
          readFilters(new URLSearchParams(pairs.map(([name, text]): [string, string] => [name, text.toWellFormed()])))
            .filters,
        );
      },
    ),
    { numRuns: 60 },
  );
});

test.each(['', '.', '0..aaaaaaaaaa', '-.', 'é', `${'z'.repeat(5000)}.x.aaaaaaaaaa`, '[1,2]', '\u0000'])(
  'cursor %j',
  async (after) => {
    const { search } = town.library;
    const pages = [
      await search.occurrences({}, { limit: 1, after }),
      await search.series({}, { limit: 1, after }),
      await search.venues('places', {}, { limit: 1, after }),
    ];
    for (const { items, problems } of pages) {
      expect(items).toEqual([]);
      expect(problems).toMatchObject([{ name: 'after' }]);
    }
  },
);
