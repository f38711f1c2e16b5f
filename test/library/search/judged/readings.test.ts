import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryOf } from '../../../../src/search/query.ts';
import { type Served, served } from '../../../server/stored-rig.ts';
import { villageItems } from './village.ts';

/** Words that are names where something has them, and filters where nothing does. */

let one: Served;
beforeAll(async () => {
  one = await served();
  await one.feed(...villageItems());
});
afterAll(() => one.close());

test.each([
  ['kids half term', 'half term', 'age=3-11', 'Half Term Holiday Camp'],
  ['half term kids', 'half term', 'age=3-11', 'Half Term Holiday Camp'],
  ['kids camp', 'camp', 'age=3-11', 'Half Term Holiday Camp'],
  ['kids holiday camp', 'holiday camp', 'age=3-11', 'Half Term Holiday Camp'],
  ['february half term', 'half term', 'from=2027-02-01&to=2027-03-01', 'Half Term Holiday Camp'],
  ['half term february', 'half term', 'from=2027-02-01&to=2027-03-01', 'Half Term Holiday Camp'],
  ['kids christmas', 'christmas', 'age=3-11', 'Christmas Fun Swim'],
  // Nothing is called so in either reading: filters can be taken off.
  ['jiu jitsu kids', 'jiu jitsu', 'age=3-11', undefined],
  ['toddler easel', 'easel', 'age=1-3', undefined],
  ['free running', 'running', 'free=1', 'Parkrun'],
  ['free running club', 'running club', 'free=1', 'Parkrun'],
  ['free running saturday', 'running', 'day=sat&free=1', 'Parkrun'],
])('%s', async (q, words, filters, name) => {
  const { search } = one.library;
  const understood = await search.understood(q);
  const { items } = await search.occurrences({ q }, { limit: 1 });
  expect([understood.words, queryOf(understood.filters), items[0]?.name]).toEqual([words, filters, name]);
});
