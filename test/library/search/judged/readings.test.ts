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
  // A feast, where nothing is called so.
  ['christmas', 'christmas', '', 'Christmas Fun Swim'],
  ['christmas yoga', 'yoga', 'from=2026-12-24&to=2027-01-02', 'Hatha Yoga'],
  ['yoga christmas holidays', 'yoga', 'from=2026-12-24&to=2027-01-02', 'Hatha Yoga'],
  ['new year', '', 'from=2026-12-31&to=2027-01-02', 'Trail Running'],
  ['easter', '', 'from=2027-03-26&to=2027-03-30', 'Lane Swimming'],
  ['easter holidays tennis', 'tennis', 'from=2027-03-20&to=2027-04-05', 'Cardio Tennis'],
  ['summer holidays tennis', 'tennis', 'from=2027-07-20&to=2027-09-01', 'Cardio Tennis'],
  ['bank holidays', '', 'from=2026-12-25&to=2026-12-26', 'Lane Swimming'],
  ['yoga bank holiday', 'yoga', 'from=2026-12-25&to=2026-12-26', 'Hatha Yoga'],
  ['swimming bank holiday monday', 'swimming', 'from=2026-12-28&to=2026-12-29', 'Lane Swimming'],
  ['running bank holiday weekend', 'running', 'from=2026-12-26&to=2026-12-29', 'Parkrun'],
  ['easter bank holiday yoga', 'yoga', 'from=2027-03-26&to=2027-03-27', 'Hatha Yoga'],
  ['may bank holiday swimming', 'swimming', 'from=2027-05-03&to=2027-05-04', 'Lane Swimming'],
  ['august bank holiday swimming', 'swimming', 'from=2027-08-30&to=2027-08-31', 'Lane Swimming'],
  ['tennis summer', 'tennis', 'from=2027-06-01&to=2027-09-01', 'Cardio Tennis'],
  // Ages of babies.
  ['18 months', '', 'age=1', 'Mini Splash'],
  ['splash 18 months', 'splash', 'age=1', 'Mini Splash'],
  ['splash in 3 months', 'splash in 3 months', '', undefined],
  // Where something begins at that minute.
  ['06:15 swim', 'swim', 'after=06:15&before=06:45', 'Lane Swimming'],
  ['swimming 6:15', 'swimming', 'after=06:15&before=06:45', 'Lane Swimming'],
  ['running 6:15', 'running', 'after=18:15&before=18:45', 'Trail Running'],
  ['8:30 gym', 'gym', 'after=20:30&before=21:00', 'Late Night Gym'],
  // Postcodes in pieces.
  ['yoga AB 1', 'yoga', 'near=AB1', 'Hatha Yoga'],
  ['yoga near ab 1', 'yoga', 'near=AB1', 'Hatha Yoga'],
  ['yoga AB1 2', 'yoga', 'near=AB1', 'Hatha Yoga'],
  ['ab 1 2cd yoga', 'yoga', 'near=AB1', 'Hatha Yoga'],
  ['AB1 11am', '', 'after=11:00&before=11:30&near=AB1', 'Hatha Yoga'],
  ['gym ex 4', 'gym ex 4', '', undefined],
  ['coach kenji', 'kenji', '', 'Hatha Yoga'],
  ['late night gym', 'late night gym', '', 'Late Night Gym'],
  ['late night gym saturday', 'late night gym', 'day=sat', undefined],
])('%s', async (q, words, filters, name) => {
  const { search } = one.library;
  const understood = await search.understood(q);
  const { items } = await search.occurrences({ q }, { limit: 1 });
  expect([understood.words, queryOf(understood.filters), items[0]?.name]).toEqual([words, filters, name]);
});
