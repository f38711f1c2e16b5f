import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OccurrenceItem } from '../../../src/library/index.ts';
import type { Filters } from '../../../src/search/filters.ts';
import { queryOf } from '../../../src/search/query.ts';
import { sampleTown, type Town } from './town.ts';

/** What strangers asked of the sample town, and got wrong answers to, on a Tuesday at noon. */

let town: Town;
beforeAll(async () => {
  town = await sampleTown();
});
afterAll(() => town.rig.close());

describe('lists of places and facilities say what they cannot be asked', () => {
  test.each([
    ['places', 'pools today', ['today']],
    ['places', 'pools open now', ['open now']],
    ['places', 'pools on Monday after 6pm', ['on Monday', 'after 6pm']],
    ['places', 'gym for kids', ['for kids']],
    ['places', 'pools not free tonight', ['not free', 'tonight']],
    ['places', 'pools for women only', ['for women only']],
    ['places', 'wheelchair accessible pools under £5', ['wheelchair accessible', 'under £5']],
    ['places', 'pools', undefined],
    ['facilities', 'court tonight', ['tonight']],
    ['facilities', 'court Saturday morning under £9', ['Saturday', 'morning']],
    ['facilities', 'court under £9', undefined],
    ['facilities', 'badminton court free tomorrow 6pm', ['tomorrow', '6pm']],
    ['facilities', 'pitch free', undefined],
  ] as const)('%s: %s', async (kind, q, leftOut) => {
    const found = await town.library.search.venues(kind, { q }, { limit: 10 });
    expect(found.leftOut).toEqual(leftOut);
    expect(found.items).not.toEqual([]);
  });
});

test.each(['swimming near EX99', 'swimming in Wexcombe'])(
  '%s: a distance in the address is around the place',
  async (q) => {
    const placesWithin = async (filters: Filters) => {
      const { items } = await town.library.search.occurrences(filters, { limit: 200 });
      return [...new Set(items.map(({ place }) => place?.name))].sort();
    };
    const near = q.split(' ').at(-1) as string;
    for (const within of [0.5, 100])
      expect(await placesWithin({ q, within })).toEqual(await placesWithin({ q: 'swimming', near, within }));
    expect(await placesWithin({ q, within: 0.5 })).not.toEqual(await placesWithin({ q, within: 100 }));
  },
);

describe('by somebody, and at a place', () => {
  test.each([
    ['classes by Fit Barn', { place: ['The Fit Barn'] }],
    ['classes run by the fit barn', { place: ['The Fit Barn'] }],
    ['run by fit barn', { place: ['The Fit Barn'] }],
    ['yoga run by ines', { q: 'yoga ines' }],
    ['yoga by Ines', { q: 'yoga ines' }],
    ['yoga led by Ines', { q: 'yoga ines' }],
    ['yoga taught by Ines', { q: 'yoga ines' }],
    ['yoga with Ines', { q: 'yoga ines' }],
    ['yoga instructor Ines', { q: 'yoga ines' }],
    ['yoga by Wexcombe', { q: 'yoga', near: 'Wexcombe' }],
    ['swimming at ashdown pools', { q: 'swimming', place: ['Ashdown Pools & Gym'] }],
    ['Ashdown Pools & Gym', { place: ['Ashdown Pools & Gym'] }],
    ['ashdown pools and gym', { place: ['Ashdown Pools & Gym'] }],
    ['early bird lanes ashdown pools & gym', { q: 'early bird lanes', place: ['Ashdown Pools & Gym'] }],
    ['Wexcombe Clubs Together', { organizer: ['Wexcombe Clubs Together'] }],
    ['Friday Night Five-a-side', { series: ['Friday Night Five-a-side'] }],
    ['at harbour lane on saturday', { day: [5], place: ['Harbour Lane Leisure Centre'] }],
    ['classes in harbour lane', { near: 'Harbour Lane' }],
  ] as const)('%s', async (q, filters) => {
    const found = await town.library.search.occurrences({ q }, { limit: 200 });
    const right = await town.library.search.occurrences(filters as Filters, { limit: 200 });
    expect(right.items).not.toEqual([]);
    expect(found.items.map(line)).toEqual(right.items.map(line));
  });

  test('facilities and places', async () => {
    const names = async (kind: 'facilities' | 'places', q: string) =>
      (await town.library.search.venues(kind, { q }, { limit: 20 })).items.map(({ name, place }) => [name, place]);
    for (const [, place] of await names('facilities', 'court at harbour lane'))
      expect(place).toContain('Harbour Lane Leisure Centre');
    expect(await names('facilities', 'court at harbour lane')).toHaveLength(3);
    expect((await names('places', 'at ashdown pools')).map(([name]) => name)).toEqual(['Ashdown Pools & Gym']);
  });
});

test.each(['squash court', 'book squash court', 'book a squash court', 'hire a squash court'])(
  'a court is found by %s',
  async (q) => {
    const { items } = await town.library.search.venues('facilities', { q }, { limit: 5 });
    expect(items.map(({ name }) => name)).toEqual(['Squash Court']);
  },
);

test.each([
  ['book a yoga class', 'yoga'],
  ['yoga, pilates', 'yoga or pilates'],
  ['yoga/pilates', 'yoga or pilates'],
  ['after school club', 'club between 3pm and 6pm'],
  ['ping pong', 'table tennis'],
  ['soccer', 'football'],
  ['free-running', 'parkour'],
  ['hoops', 'basketball'],
  ['classes', 'events'],
  ['activities', 'events'],
  ['something for my 6 year old daughter', 'something for my 6 year old'],
  ['anything for my son aged 6', 'anything aged 6'],
  ['karate for my daughter age 6', 'karate age 6'],
])('%s is read as %s', async (q, same) => {
  const found = await town.library.search.occurrences({ q }, { limit: 100 });
  const right = await town.library.search.occurrences({ q: same }, { limit: 100 });
  expect(right.items).not.toEqual([]);
  expect(found.items.map(line)).toEqual(right.items.map(line));
});

test('a lido is a place, and not everything in the open air', async () => {
  const q = 'lido';
  const places = await town.library.search.venues('places', { q }, { limit: 5 });
  const { items } = await town.library.search.occurrences({ q }, { limit: 5 });
  expect([places.items.map(({ name }) => name), items]).toEqual([['Ashdown Lido'], []]);
});

test.each([
  ['NEAR(yoga pilates)', 'NEAR(yoga pilates', ''],
  ['pilates near yoga', 'pilates near yoga', ''],
  ['tai chi near balance', 'tai chi around balance', ''],
  ['football near balance', 'football', 'near=balance'],
  ['yoga near Narnia', 'yoga', 'near=Narnia'],
  ['yoga near Wexcombe', 'yoga', 'near=Wexcombe'],
])('what is found by the name of a place that nobody knows is not near it: %s', async (q, words, filters) => {
  const understood = await town.library.search.understood(q);
  expect([understood.words, queryOf(understood.filters)]).toEqual([words, filters]);
});

describe('a bare hour', () => {
  const HOUR = 3600;
  test.each([
    ['swim at 6.15', { after: 6.25 * HOUR, before: 6.75 * HOUR }, 'Early Bird Lanes'],
    ['quarter past six swim', { after: 6.25 * HOUR, before: 6.75 * HOUR }, 'Early Bird Lanes'],
    ['swim 6ish', { after: 17.5 * HOUR, before: 18.5 * HOUR }, 'Women-only Swim'],
    ['zumba at 7', { after: 19 * HOUR, before: 19.5 * HOUR }, 'Zumba'],
    ['zumba at 7 in the morning', { after: 7 * HOUR, before: 7.5 * HOUR }, undefined],
    ['evening swim at 6.15', { after: 18.25 * HOUR, before: 18.75 * HOUR }, undefined],
    ['yoga 6.30', { after: 18.5 * HOUR, before: 19 * HOUR }, 'Candlelight Yoga'],
    ['HIIT 6.30', { after: 6.5 * HOUR, before: 7 * HOUR }, 'Express HIIT'],
    ['pilates starts 12.15', { after: 12.25 * HOUR, before: 12.75 * HOUR }, 'Lunchtime Pilates'],
    ['squash at 3', { after: 15 * HOUR, before: 15.5 * HOUR }, undefined],
  ])('is in the half of the day that has something: %s', async (q, filters, first) => {
    expect((await town.library.search.understood(q)).filters).toEqual(filters);
    const { items } = await town.library.search.occurrences({ q }, { limit: 1 });
    expect(items[0]?.name).toBe(first);
  });

  test('is the same with other dates, and has to find something with the filters beside it', async () => {
    const hours = async (beside: Filters) => (await town.library.search.understood('swim at 6.15', beside)).filters;
    const early = { after: 6.25 * HOUR, before: 6.75 * HOUR };
    expect(await hours({ from: '2026-11-29', to: '2026-11-30' })).toEqual(early);
    expect(await hours({ place: ['Bridge Street Hall'] })).toEqual({ after: 18.25 * HOUR, before: 18.75 * HOUR });
  });
});

describe('one typing error', () => {
  test.each([
    ['walking footbal', 'walking football', 'footbal', 'football'],
    ['wlaking football', 'walking football', 'wlaking', 'walking'],
    ['zumba clases', 'zumba classes', 'clases', 'classes'],
    ['pilates clas', 'pilates class', 'clas', 'class'],
    ['swimming leson', 'swimming lesson', 'leson', 'lesson'],
    ['yoga sesions', 'yoga sessions', 'sesions', 'sessions'],
  ])('%s', async (q, meant, word, by) => {
    const found = await town.library.search.occurrences({ q }, { limit: 50 });
    const right = await town.library.search.occurrences({ q: meant }, { limit: 50 });
    expect(right.items).not.toEqual([]);
    expect([found.items.map(line), found.replaced]).toEqual([right.items.map(line), [{ word, by }]]);
  });

  test('in a filter', async () => {
    expect((await town.library.search.understood('freee football')).filters).toEqual({ free: true });
  });
});

test.each([
  [
    { q: 'swimming this week', from: '2026-12-07' },
    { q: 'swimming', from: '2026-12-07' },
  ],
  [
    { q: 'swimming from 7 December', to: '2026-12-01' },
    { q: 'swimming', to: '2026-12-01' },
  ],
  [
    { q: 'evening swimming', before: 43_200 },
    { q: 'swimming', before: 43_200 },
  ],
] as const)('an address says all of what it says a part of: %j', async (filters, right) => {
  const found = async (one: Filters) => (await town.library.search.occurrences(one, { limit: 200 })).items.map(line);
  expect(await found(right)).not.toEqual([]);
  expect(await found(filters)).toEqual(await found(right));
});

test.each(['wheelchair tennis', 'deaf football'])('%s is no activity without access', async (q) => {
  const { items, replaced } = await town.library.search.occurrences({ q }, { limit: 5 });
  expect([items, replaced]).toEqual([[], []]);
  const { didYouMean, without } = await town.library.search.suggestions({ q });
  expect([...didYouMean, ...without]).not.toEqual([]);
});

test.each(['EX99 1AA', 'ex991aa', 'near EX99 1AA'])('the place with the postcode %s comes first', async (q) => {
  const first = async (filters: Filters) =>
    (await town.library.search.venues('places', filters, { limit: 20 })).items.map(({ name }) => name);
  expect((await first({ q }))[0]).toBe('Harbour Lane Leisure Centre');
  expect(await first({ near: 'EX99 1AA', within: 5 })).toEqual(await first({ q }));
  expect((await first({ q })).toSorted()).toEqual((await first({ q: 'EX99' })).toSorted());
});

test('a town in which nothing is that is asked for is not left out', async () => {
  const { items, unmatched } = await town.library.search.occurrences({ q: 'glenbarra football' }, { limit: 1 });
  expect([items, unmatched]).toEqual([[], undefined]);
});

test.each(['astroturf', 'astro pitch'])('a pitch is found by %s', async (q) => {
  const found = await town.library.search.venues('facilities', { q }, { limit: 9 });
  const right = await town.library.search.venues('facilities', { q: q.replace(/astro(turf)?/, '3g') }, { limit: 9 });
  expect(right.items).not.toEqual([]);
  expect(found.items.map(({ name }) => name)).toEqual(right.items.map(({ name }) => name));
});

test.each([
  ['yoga -chair -candlelight', ['Dawn Yoga Flow', 'Dawn Yoga at Dusk']],
  ['yoga not dawn', ['Candlelight Yoga', 'Chair Yoga']],
  ['football not walking', ['Friday Night Five-a-side']],
  ['football without walking football', ['Friday Night Five-a-side']],
  ['yoga not dawn or chair', ['Candlelight Yoga']],
  ['martial arts apart from judo and tai chi', ['Little Tigers Karate']],
  ['martial arts not judo and tai chi', ['Little Tigers Karate']],
  ['yoga not yoga', []],
])('nothing that is not wanted is found: %s', async (q, names) => {
  const { items, leftOut } = await town.library.search.occurrences({ q }, { limit: 100 });
  expect([[...new Set(items.map(({ name }) => name))], leftOut]).toEqual([names, undefined]);
});

test.each([
  ['yoga not free', ['not free']],
  ['yoga not near Bridge Street Hall', ['not near Bridge Street Hall']],
  ['boxing without membership', ['without membership']],
])('what cannot be left out is said: %s', async (q, leftOut) => {
  expect(await town.library.search.occurrences({ q }, { limit: 1 })).toMatchObject({ leftOut });
});

test('a title of a course finds its dates, which have names of their own', async () => {
  const names = async (q: string) =>
    (await town.library.search.occurrences({ q }, { limit: 20 })).items.map(({ name }) => name);
  const all = await names('coaching award');
  expect(all).toContain('Coaching Award: day one');
  expect(await names('Coaching Award, Level 1')).toEqual(all);
  expect(await names('Coaching Award, Level 2')).toEqual([]);
});

const line = ({ name, start, place }: OccurrenceItem): string => `${start} ${name} ${place?.name}`;
