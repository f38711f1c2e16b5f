import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleTown, type Town } from '../town.ts';
import { feedCounty } from './regions/county.ts';

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
  test.each<readonly [q: string, first: string | undefined, said: string[]]>([
    ['horse riding', undefined, []],
    ['street dance', 'Last Friday Social Dance', ['street dance: dance']],
    ['meditation', undefined, []],
    ['chair based exercise', 'Chair Yoga', ['chair based exercise: chair group exercise']],
    ['walking footy', 'Walking Football', []],
    ['walking soccer', 'Walking Football', []],
    ['bridge st hall', 'Candlelight Yoga', []],
    ['harbour ln leisure ctr', 'Walking Football', []],
    ['fun friday', 'Early Bird Lanes', ['fun']],
    ['junior fun run', 'Junior Fun Run', []],
    ['bridgestreet yoga', 'Candlelight Yoga', ['bridgestreet: bridge street']],
    ['walking football 🎾', 'Walking Football', ['🎾']],
    ['🎾', 'Desk Stretch with Studio Manhattan', ['🎾']],
    ['???', 'Desk Stretch with Studio Manhattan', ['???']],
    ['candle light', 'Candlelight Yoga', ['candle light: candlelight']],
    ['candle light yoga tuesday', 'Candlelight Yoga', ['candle light: candlelight']],
    ['mum candle light yoga', 'Candlelight Yoga', ['candle light: candlelight', 'mum']],
    ['mill field bootcamp', 'Millfield Bootcamp', ['mill field: millfield']],
    ['"candle light" yoga', undefined, []],
    ['fitbarn', 'Kettlebells', ['fitbarn: fit barn']],
    ['millfield pk', 'Millfield Bootcamp', []],
    ['late', 'Last Friday Social Dance', []],
    ['late pilates', 'Lunchtime Pilates', ['late']],
    ['pilates late', 'Lunchtime Pilates', ['late']],
    ['late friday', 'Last Friday Social Dance', []],
    // Another word stands for a common one where nothing else is found.
    ['fine', 'Friday Night Five-a-side', ['fine: five']],
    ['fine yoga', 'Candlelight Yoga', ['fine']],
    ['lat', 'Last Friday Social Dance', ['lat: last']],
  ])('%s', async (q, first, said) => {
    const { names, said: found } = await asked(q);
    expect([names[0], found]).toEqual([first, said]);
  });

  test('nothing but walking football is walking footy', async () => {
    expect((await asked('walking footy')).names).toEqual(['Walking Football']);
  });

  test('no spelling is suggested that finds something with fewer words', async () => {
    expect(await town.library.search.suggestions({ q: 'horse riding' })).toMatchObject({ didYouMean: [] });
  });
});

describe('of the county', () => {
  beforeAll(async () => {
    await feedCounty(town);
  }, 60_000);

  test.each(['late swim', 'swim late'])('%s is late in the evening', async (q) => {
    expect((await town.library.search.understood(q)).filters).toEqual({ after: 20 * 3600 });
    expect((await asked(q)).names[0]).toBe('Adult Swimming Lessons');
  });

  test.each(['horse riding', 'equestrian'])('nothing is %s', async (q) => {
    expect(await asked(q)).toEqual({ names: [], said: [] });
  });
});
