import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleTown, type Town } from '../town.ts';
import { countyItems } from './county.ts';

/** Words as people type them on a phone: what they find, and what a list says of them. */

let town: Town;
beforeAll(async () => {
  town = await sampleTown();
});
afterAll(() => town.rig.close());

/** Names in the order in which they are found, each once, with what is said of the words. */
async function asked(q: string) {
  const {
    items,
    replaced,
    unmatched = [],
    leftOut = [],
  } = await town.library.search.occurrences({ q }, { limit: 200 });
  const said = [...replaced.map(({ word, by }) => `${word}: ${by}`), ...unmatched, ...leftOut];
  return { names: [...new Set(items.map(({ name }) => name))], said };
}

describe('of the town', () => {
  test('no other word is a narrower activity', async () => {
    expect(await asked('horse riding')).toEqual({ names: [], said: [] });
  });
});

describe('of the county', () => {
  beforeAll(async () => {
    await town.rig.feed(countyItems(), 260, 'https://data.county.example/api/series');
  }, 60_000);

  test.each(['horse riding', 'equestrian'])('nothing is %s', async (q) => {
    expect(await asked(q)).toEqual({ names: [], said: [] });
  });
});
