import { expect, test } from 'vitest';
import { standingSearch } from '../../../src/library/lists/standing-search.ts';
import type { Search } from '../../../src/library/search/types.ts';
import { sampleTown } from '../search/town.ts';

test('a standing search near nobody knows whom is refused after one page', async () => {
  const { rig, library } = await sampleTown();
  let pages = 0;
  const occurrences: Search['occurrences'] = (filters, query) => {
    pages += 1;
    return library.search.occurrences(filters, query);
  };
  const search: Search = Object.assign(Object.create(library.search), { occurrences });
  const { problem } = await standingSearch(rig.store.read, search).find('q=near+me');
  expect([problem?.name, pages]).toEqual(['q', 1]);
  await rig.close();
});
