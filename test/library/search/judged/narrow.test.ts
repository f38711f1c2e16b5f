import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Filters } from '../../../../src/search/filters.ts';
import { NOON, type Town } from '../town.ts';
import { sampleCounty } from './regions/county.ts';

/** Questions of which a part of the answers is meant first: the others are found where that part has nothing. */

let town: Town;
beforeAll(async () => {
  town = await sampleCounty();
}, 60_000);
afterAll(() => town.rig.close());

const namesOf = async (filters: Filters, limit = 1) =>
  (await town.library.search.occurrences(filters, { limit })).items.map(({ name }) => name);

test.each([
  ['toddler classes in Saltmouth', 'Pre-school Gymnastics - Saltmouth'],
  ['over 65s exercise class thursday morning', 'Strength and Balance (Thursday)'],
  ['yoga for over 50s', 'Chair Yoga - Port Ellis'],
  ['over 60s pilates', 'Pilates (Tuesday)'],
  ['teen gym', 'Teen Gym - Moorgate'],
  ['gym for teenagers', 'Teen Gym - Moorgate'],
  ['kids swimming tomorrow', 'Parent and Toddler Swim'],
  ['badminton for a 12 year old saturday', 'Junior Badminton'],
  ['public swim saturday', 'PUBLIC SWIM'],
  ['yoga for chaps', 'Men’s Yoga'],
  ['swimming for the grandkids tomorrow', 'Parent and Toddler Swim'],
  ['squash for beginners', 'Squash Ladder - Exeter'],
  ['HIIT for beginners', undefined],
  ['karate for beginners monday', 'Karate for Kids'],
  ['badminton for the lads', 'JUNIOR BADMINTON'],
  ['5 a side for the lads combe barton', '5-a-side League - Combe Barton'],
])('%s', async (q, first) => {
  expect(await namesOf({ q })).toEqual(first === undefined ? [] : [first]);
});

test.each([
  ['badminton in exeter', ['Exeter']],
  ['badminton exeter', ['Exeter']],
  ['badminton near exeter', ['Exeter', 'Wexcombe']],
  ['badminton within 5km of exeter', ['Exeter', 'Wexcombe']],
  // There is none.
  ['zumba in exeter', ['Wexcombe']],
])('what is in a town goes before what is near it: %s', async (q, towns) => {
  const { items } = await town.library.search.occurrences({ q }, { limit: 100 });
  const addresses = items.flatMap(({ details, place }) => details.location?.address ?? place?.address ?? []);
  const all = ['Exeter', 'Great Harrow', 'Little Tarrow', 'Saltmouth', 'Wexcombe'];
  expect(all.filter((name) => addresses.some((address) => address.includes(name)))).toEqual(towns);
});

test.each([
  ['tennis coaching EX97', 'Little Tarrow Community Hall'],
  ['yoga near Great Harrow', 'Great Harrow Community Hall'],
  ['lane swimming EX97', 'Little Tarrow Community Hall'],
])('a list of series begins with what is there: %s', async (q, place) => {
  const { items } = await town.library.search.series({ q }, { limit: 1 });
  expect(items[0]?.place).toBe(place);
});

describe('ages', () => {
  test('those of an address are as exact as they say', async () => {
    const age = { min: 1, max: 3 };
    const near = 'Saltmouth';
    expect(await namesOf({ age, near })).toEqual(['Tai Chi - Saltmouth']);
    expect(await namesOf({ age, near, q: 'for toddlers' })).toEqual(['Tai Chi - Saltmouth']);
  });

  test('every answer is of the same ones', async () => {
    const { search } = town.library;
    const filters = { q: 'for toddlers in Saltmouth', to: '2026-12-08' };
    const { items } = await search.occurrences(filters, { limit: 200 });
    expect(items.filter(({ age }) => age === undefined)).toEqual([]);
    expect((await search.facets(filters)).counted).toBe(items.length);
    const days = await search.days(filters, 14);
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
    const series = (await search.series(filters, { limit: 200 })).items.map(({ key }) => key);
    expect(series.sort()).toEqual([...new Set(items.map((item) => item.series.key))].sort());
    const pages: unknown[] = [];
    let after: string | undefined;
    do {
      const page = await search.occurrences(filters, { limit: 2, ...(after && { after }) });
      pages.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(pages).toEqual(items.map(({ id }) => id));
  });

  test('days are counted with what the words find on their dates', async () => {
    const { search } = town.library;
    const filters = { q: 'toddler classes in Wexcombe today' };
    const { items } = await search.occurrences(filters, { limit: 99, notBefore: NOON });
    expect(items.map(({ age }) => age)).toContain(undefined);
    expect((await search.days(filters, 14))[0]).toEqual({ date: '2026-11-24', count: items.length });
  });
});
