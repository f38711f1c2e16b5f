import { expect, test } from 'vitest';
import { readFilters } from '../../../src/search/query.ts';
import { item, served } from '../../server/stored-rig.ts';

/** Many places begin their classes at the same minute: pages of the list still have each of them once. */

const START = '2026-12-01T18:00:00Z';

/** Ids in another order than that in which items arrive. */
const idOf = (number: number): string => `https://example.org/s/${(number * 7919) % 10_007}`;

async function together(count: number): Promise<{ ids: string[]; pages: string[][] }> {
  const ids = Array.from({ length: count }, (_, number) => idOf(number));
  const rig = await served();
  try {
    const sessions = ids.map((id, number) =>
      item('ScheduledSession', id, {
        '@id': id,
        startDate: START,
        duration: 'PT1H',
        superEvent: { '@type': 'SessionSeries', '@id': `https://example.org/series/${number % 97}`, name: 'Yoga' },
      }),
    );
    await rig.feed(...sessions);
    const pages: string[][] = [];
    for (let after: string | undefined; pages.length < 100; ) {
      const found = await rig.library.search.occurrences(readFilters(new URLSearchParams('q=yoga')).filters, {
        limit: 60,
        ...(after !== undefined && { after }),
      });
      pages.push(found.items.map(({ id }) => id as string));
      after = found.next;
      if (after === undefined) break;
    }
    return { ids, pages };
  } finally {
    await rig.close();
  }
}

test('50 occurrences that start together come by id', async () => {
  const { ids, pages } = await together(50);
  expect(pages.flat()).toEqual(ids.toSorted());
});

test.each([51, 300, 700])('of %i each comes once', async (count) => {
  const { ids, pages } = await together(count);
  expect(pages.flat().toSorted()).toEqual(ids.toSorted());
});
