import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FoundPage } from '../../../src/library/index.ts';
import type { OccurrenceItem } from '../../../src/library/search/types.ts';
import type { Filters } from '../../../src/search/filters.ts';
import { readFilters } from '../../../src/search/query.ts';
import { NOON, sampleTown, type Town } from './town.ts';

/** Filters, pages and counts, on the sample town. */

let town: Town;
beforeAll(async () => {
  town = await sampleTown();
});
afterAll(() => town.rig.close());

const filtersOf = (query: string): Filters => readFilters(new URLSearchParams(query)).filters;

/** Names of the series that occurrences of the next two weeks belong to, in order. */
async function namesOf(query: string): Promise<string[]> {
  const { items, problems } = await town.library.search.occurrences(filtersOf(query), { limit: 500 });
  expect(problems).toEqual([]);
  const soon = items.filter(({ start }) => start < NOON + 14 * 86_400_000);
  return [...new Set(soon.map(({ series }) => series.name))];
}

async function pages<Item>(page: (after?: string) => Promise<FoundPage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const found = await page(after);
    expect(found.problems).toEqual([]);
    items.push(...found.items);
    after = found.next;
  } while (after !== undefined);
  return items;
}

describe('each filter', () => {
  const table: [query: string, names: string[]][] = [
    ['q=yoga', ['Candlelight Yoga', 'Dawn Yoga Flow', 'Chair Yoga']],
    ['activity=Yoga', ['Candlelight Yoga', 'Dawn Yoga Flow', 'Chair Yoga']],
    [
      'activity=https://openactive.io/activity-list%23bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e&age=60',
      ['Candlelight Yoga', 'Dawn Yoga Flow', 'Chair Yoga'],
    ],
    ['activity=Football', ['Walking Football', 'Friday Night Five-a-side']],
    ['activity=Football&activity=Judo&day=wed', ['Judo Club']],
    ['place=Old Mill Movement Studio&day=wed', ['Dawn Yoga Flow']],
    ['series=Judo Club', ['Judo Club']],
    ['organizer=Wexcombe Clubs Together&day=sun', ['Sound Tennis', 'Women-only Swim']],
    ['near=EX98&day=wed', ['Judo Club']],
    ['near=Little Tarrow&within=1&day=wed,sun', ['Sound Tennis', 'Judo Club']],
    ['near=50.7702,-3.4215&within=0.1&day=wed', ['Judo Club']],
    ['day=sun&after=17:00', ['Women-only Swim']],
    ['day=mon&before=07:00', ['Early Bird Lanes']],
    ['from=2026-11-29&to=2026-11-30&after=12:00', ['Sound Tennis', 'Women-only Swim']],
    ['age=0-1&day=fri&before=12:00&q=swim', ['Baby Swim']],
    ['level=advanced&day=wed', ['Judo Club']],
    ['gender=male', ['Men’s Boxing Fitness']],
    ['free=1&day=wed', ['Memory Walk', 'Couch to 5k', 'Tai Chi for Balance']],
    ['maxPrice=3&day=thu&after=11:00', ['Chair Yoga', 'Evening Bowls']],
    ['online=1', ['Desk Stretch with Studio Manhattan']],
    ['accessible=Visual impairment', ['Sound Tennis']],
    ['accessible=any&day=wed', ['Memory Walk']],
    ['q=Margery&free=1', ['Memory Walk']],
    ['q=dementia', ['Memory Walk']],
    ['q=yoga&activity=Judo', []],
  ];
  test.each(table)('%s', async (query, names) => {
    expect((await namesOf(query)).sort()).toEqual([...names].sort());
  });

  test('keys and names may be mixed', async () => {
    const { items } = await town.library.search.occurrences({ series: ['Judo Club'] }, { limit: 1 });
    const key = items[0]?.series.key as string;
    expect(await namesOf(`series=${key}&series=Zumba`)).toEqual(['Judo Club', 'Zumba']);
    const place = items[0]?.place?.key;
    expect(place === undefined || (await namesOf(`place=${place}&day=wed`)).includes('Judo Club')).toBe(true);
  });

  test('cancelled ones only when asked for', async () => {
    const statuses = async (filters: Filters) => {
      const { items } = await town.library.search.occurrences(filters, { limit: 500 });
      return new Set(items.map(({ status }) => status));
    };
    expect(await statuses({})).not.toContain('EventCancelled');
    expect(await statuses({ cancelled: true })).toContain('EventCancelled');
  });
});

describe('values that nothing here can be', () => {
  const table: [query: string, problem: object][] = [
    ['near=Atlantis', { name: 'near', value: 'Atlantis' }],
    ['near=Wexcomb', { name: 'near', nearest: 'wexcombe' }],
    ['near=me', { name: 'near', value: 'me' }],
    ['activity=Yogaa', { name: 'activity', nearest: 'Yoga' }],
    ['activity=https://openactive.io/activity-list%23none', { name: 'activity' }],
    ['level=beginer', { name: 'level', value: 'beginer', nearest: 'Beginner' }],
    ['level=zz', { name: 'level', value: 'zz' }],
    ['accessible=Visual impairmant', { name: 'accessible', nearest: 'Visual impairment' }],
    ['accessible=wheelchair', { name: 'accessible', nearest: 'Physical impairment' }],
    ['accessible=hearing', { name: 'accessible', nearest: 'Hearing impairment' }],
    ['accessible=zz', { name: 'accessible', allowed: expect.stringMatching(/^any, .*Visual impairment/) }],
    ['place=Old Mill', { name: 'place', nearest: 'Old Mill Movement Studio' }],
    ['place=Old Mil Movement Studio', { name: 'place', nearest: 'Old Mill Movement Studio' }],
    ['place=Wexcombe', { name: 'place', value: 'Wexcombe', instead: { name: 'near', value: 'Wexcombe' } }],
    ['place=EX99', { name: 'place', instead: { name: 'near', value: 'EX99' } }],
    ['place=nowhere', { name: 'place', value: 'nowhere' }],
    ['series=Judo Clubb', { name: 'series', nearest: 'Judo Club' }],
    ['organizer=Wexcombe Clubs', { name: 'organizer', nearest: 'Wexcombe Clubs Together' }],
    ['organizer=nobody', { name: 'organizer', value: 'nobody' }],
  ];
  test.each(table)('%s', async (query, problem) => {
    const { items, problems } = await town.library.search.occurrences(filtersOf(query), { limit: 5 });
    expect(items).toEqual([]);
    expect(problems).toMatchObject([problem]);
  });
});

describe('words that are no typing errors', () => {
  test('a name of a person is not what another word means', async () => {
    expect((await town.library.search.series({ q: 'megan' }, { limit: 1 })).items).not.toEqual([]);
    const { items, replaced } = await town.library.search.series({ q: 'vegan' }, { limit: 5 });
    expect([items, replaced]).toEqual([[], []]);
    expect((await town.library.search.suggestions({ q: 'vegan' })).didYouMean).toEqual([]);
  });

  test('parkrun is a run, and no parkour', async () => {
    const { items, replaced } = await town.library.search.series({ q: 'parkrun' }, { limit: 5 });
    expect(items.map(({ name }) => name)).not.toContain('Parkour for Teens');
    expect(replaced).toEqual([{ word: 'parkrun', by: 'running' }]);
  });

  test('walks are no walking football, which has a name of its own', async () => {
    expect(await namesOf('q=walks')).not.toContain('Walking Football');
    expect(await namesOf('q=walking football')).toContain('Walking Football');
    expect(await namesOf('q=tennis')).not.toContain('Table Tennis Drop-in');
    expect(await namesOf('q=table tennis')).toContain('Table Tennis Drop-in');
  });
});

describe('what is not wanted', () => {
  test.each([
    ['yoga not free', 'q=yoga', ['not free']],
    ['yoga but not near Harbour Lane over £5', 'q=yoga', ['but not near Harbour Lane', 'over £5']],
    ['anything but yga', '', ['anything but yga']],
    ['yoga not on Monday', 'q=yoga&day=tue,wed,thu,fri,sat,sun', undefined],
  ])('%s', async (q, same, leftOut) => {
    const found = await town.library.search.occurrences({ q }, { limit: 50 });
    const others = await town.library.search.occurrences(filtersOf(same), { limit: 50 });
    expect(found.items.map(({ name, start }) => [name, start])).toEqual(
      others.items.map(({ name, start }) => [name, start]),
    );
    expect([found.leftOut, others.items.length > 0]).toEqual([leftOut, true]);
  });

  test.each([
    ['yoga £5-10', ['£5-10'], 'at least £5'],
    ['yoga not on Monday', ['not on Monday'], undefined],
    ['yoga not free', undefined, 'not free'],
  ])('a part of which something is left out is still a filter: %s', async (q, parts, left) => {
    const { understood, leftOut } = await town.library.search.occurrences({ q }, { limit: 1 });
    expect([understood?.map(({ text }) => text), leftOut?.join()]).toEqual([parts, left]);
  });

  test.each<readonly [q: string, same: string, isWanted: (item: OccurrenceItem) => boolean]>([
    ['not yoga', '', ({ name, details }) => !/yoga/i.test(`${name} ${details.activity}`)],
    ...[
      'all but yoga',
      'everything except yoga',
      'any class but yoga',
      'whatever but yoga',
      'all sports bar yoga',
      'not interested in yoga',
    ].map((q) => [q, '', ({ name, details }: OccurrenceItem) => !/yoga/i.test(`${name} ${details.activity}`)] as const),
    ['anything but Midnight Spin', '', ({ name }) => name !== 'Midnight Spin'],
    ['not Early Bird Lanes', '', ({ name }) => name !== 'Early Bird Lanes'],
    ['anything but learn to swim', '', ({ name }) => !/learn to swim/i.test(name ?? '')],
    ['anything but yoga on Thursday', 'day=thu', ({ name, details }) => !/yoga/i.test(`${name} ${details.activity}`)],
    ['swimming not women only', 'q=swimming', ({ details }) => details.gender !== 'FemaleOnly'],
    ['boxing but not men only', 'q=boxing', ({ details }) => details.gender !== 'MaleOnly'],
    ['classes not online', 'q=classes', ({ details }) => details.attendance !== 'online'],
    ['running not for kids', 'q=running', ({ age }) => (age?.max ?? 99) >= 18],
    ['yoga not in the morning', 'q=yoga&after=12:00', () => true],
    ['yoga not in bridge street hall', 'q=yoga', ({ place }) => place?.name !== 'Bridge Street Hall'],
    ['yoga but not at Harbour Lane', 'q=yoga', ({ place }) => !/harbour lane/i.test(place?.name ?? '')],
    ['not Ola Brandt', '', ({ details }) => !details.leader?.includes('Ola Brandt')],
    ['anything but Bridge Street Hall', '', ({ place }) => place?.name !== 'Bridge Street Hall'],
    ['yoga but not with Jonas Whitlock', 'q=yoga', ({ details }) => !details.leader?.includes('Jonas Whitlock')],
  ])('%s finds all else', async (q, same, isWanted) => {
    const found = await town.library.search.occurrences({ q }, { limit: 100 });
    const others = await town.library.search.occurrences(filtersOf(same), { limit: 100 });
    const wanted = others.items.filter(isWanted).map(({ id }) => id);
    expect(found.items.map(({ id }) => id).slice(0, wanted.length)).toEqual(wanted);
    expect(found.items.filter((item) => !isWanted(item))).toEqual([]);
    expect(found.leftOut).toBeUndefined();
  });
});

describe('words', () => {
  test.each([
    ['swmming', 'swimming'],
    ['yoag', 'yoga'],
    ['candleligt', 'candlelight'],
    ['bellamyy', 'bellamy'],
    ['yga', 'yoga'],
    ['jdo', 'judo'],
  ])('%s is one typing error from %s', async (word, by) => {
    const { items, replaced } = await town.library.search.series({ q: word }, { limit: 5 });
    expect(items.length).toBeGreaterThan(0);
    expect(replaced).toEqual([{ word, by }]);
  });

  test('what nothing has finds nothing, and other words that find something are suggested', async () => {
    expect(await namesOf('q=xylophone')).toEqual([]);
    expect(await town.library.search.suggestions({ q: 'xylophone saturday' })).toEqual({
      didYouMean: [],
      without: [{ name: 'q', part: 'xylophone', filters: { day: [5] }, count: expect.any(Number) as number }],
      most: 200,
    });
  });

  test('an activity that nobody offers finds what is broader', async () => {
    expect(await namesOf('q=jujitsu')).toContain('Judo Club');
  });

  test('a place that only words name is a word when nothing knows it', async () => {
    expect(await namesOf('q=yoga near Atlantis')).toEqual([]);
  });
});

describe('suggestions', () => {
  test('name the one filter without which something is found', async () => {
    const { without } = await town.library.search.suggestions(filtersOf('activity=Judo&day=sun&near=EX98'));
    expect(without.map(({ name }) => name)).toEqual(['activity', 'day']);
    const { items } = await town.library.search.occurrences(without[1]?.filters ?? {}, { limit: 500 });
    expect(without[1]?.count).toBe(items.length);
  });

  test.each([
    ['activity=Judo&day=sun&online=1', ['activity and day', 'activity and online', 'day and online']],
    ['q=judo&day=sun&online=1', ['day and online', 'day and q', 'online and q']],
  ])('name two filters where none alone is the cause: %s', async (query, expected) => {
    const { without } = await town.library.search.suggestions(filtersOf(query));
    expect(without.map(({ also, name }) => `${also} and ${name}`).sort()).toEqual(expected);
    for (const { filters, count } of without)
      expect((await town.library.search.occurrences(filters, { limit: 200 })).items).toHaveLength(count);
  });
});

describe('pages', () => {
  test.each(['', 'q=swimming', 'day=mon', 'free=1', 'near=EX99'])(
    'of series are the same few or many at once: %s',
    async (query) => {
      const filters = filtersOf(query);
      const all = async (limit: number) =>
        (
          await pages((after) => town.library.search.series(filters, { limit, ...(after !== undefined && { after }) }))
        ).map(({ key }) => key);
      const whole = await all(500);
      expect(new Set(whole).size).toBe(whole.length);
      expect(whole.length).toBeGreaterThan(1);
      expect(await all(1)).toEqual(whole);
      expect(await all(4)).toEqual(whole);
    },
  );

  test('of series are by next start, those without dates last', async () => {
    const { items, total } = await town.library.search.series({}, { limit: 500 });
    const starts = items.map(({ next = Number.POSITIVE_INFINITY }) => next);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(items.some(({ next }) => next === undefined)).toBe(true);
    expect(total).toBe(items.length);
  });

  test.each(['places', 'facilities'] as const)('of %s', async (kind) => {
    const all = async (filters: Filters, limit: number) =>
      (
        await pages((after) =>
          town.library.search.venues(kind, filters, { limit, ...(after !== undefined && { after }) }),
        )
      ).map(({ name }) => name);
    for (const filters of [{}, { near: 'EX99' }, { q: kind === 'places' ? 'centre' : 'court' }]) {
      const whole = await all(filters, 500);
      expect(whole.length).toBeGreaterThan(0);
      expect(await all(filters, 1)).toEqual(whole);
    }
  });

  test('a cursor belongs to its search, and to nothing that somebody made up', async () => {
    const { next = '' } = await town.library.search.occurrences({ day: [0] }, { limit: 1 });
    const tried = [
      next.slice(0, -1),
      `${next}x`,
      next.replace('.', '.AA'),
      `a${next}`,
      '1.2.3',
      'x',
      '..',
      '-1',
      '%00',
    ];
    for (const after of tried) {
      const { problems } = await town.library.search.occurrences({ day: [0] }, { limit: 1, after });
      expect(problems, after).toMatchObject([{ name: 'after' }]);
    }
    const other = await town.library.search.occurrences({ day: [1] }, { limit: 1, after: next });
    expect(other.problems).toMatchObject([{ name: 'after' }]);
    const series = await town.library.search.series({ day: [0] }, { limit: 1, after: next });
    expect(series.problems).toMatchObject([{ name: 'after' }]);
    expect((await town.library.search.occurrences({ day: [0] }, { limit: 1, after: next })).items).toHaveLength(1);
  });
});

test.each(['Wexcombe, Devon', '1 Nowhere Street, Wexcombe'])('near %s is near Wexcombe', async (near) => {
  const { items, problems } = await town.library.search.occurrences({ near }, { limit: 5 });
  const there = await town.library.search.occurrences({ near: 'wexcombe' }, { limit: 5 });
  expect([problems, items]).toEqual([[], there.items]);
});

describe('counts', () => {
  test('facets are those of the occurrences that are listed', async () => {
    const filters = filtersOf('to=2026-12-05');
    const facets = await town.library.search.facets(filters);
    const { items } = await town.library.search.occurrences(filters, { limit: 500 });
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const count = (day: string) => items.filter(({ start }) => days[new Date(start).getUTCDay()] === day).length;
    expect(facets.day).toEqual(Object.fromEntries(days.map((day) => [day, count(day)])));
    expect([facets.counted, facets.whole]).toEqual([items.length, true]);
    const yoga = facets.activity.find(({ name }) => name === 'Yoga');
    expect(yoga?.count).toBe(items.filter(({ activity }) => activity.some(({ name }) => name === 'Yoga')).length);
    const [place] = facets.place;
    expect(place?.count).toBe(items.filter((item) => item.place?.key === place?.key).length);
  });

  test('days are counted from today on', async () => {
    const days = await town.library.search.days({}, 7);
    expect(days.map(({ date }) => date)).toEqual([24, 25, 26, 27, 28, 29, 30].map((day) => `2026-11-${day}`));
    expect(days.every(({ count }) => count > 0)).toBe(true);
  });

  test('the activities that are on most', async () => {
    const popular = await town.library.search.popular(3);
    expect(popular[0]?.name).toBe('Swimming');
    expect(popular).toHaveLength(3);
  });
});

test('an item has all that a list shows', async () => {
  const { items } = await town.library.search.occurrences({ series: ['Candlelight Yoga'], near: 'EX99' }, { limit: 1 });
  expect(items[0]).toMatchObject({
    id: 'https://data.wexcombeclubs.example/api/session-series/candle-yoga/sessions/2026-11-24T18:30:00Z',
    start: Date.UTC(2026, 10, 24, 18, 30),
    end: Date.UTC(2026, 10, 24, 19, 45),
    zone: 'Europe/London',
    name: 'Candlelight Yoga',
    status: 'EventScheduled',
    place: { name: 'Bridge Street Hall', latitude: 50.7065, distanceKm: expect.any(Number) as number },
    activity: [{ id: 'https://openactive.io/activity-list#bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e', name: 'Yoga' }],
    price: { currency: 'GBP', min: 5, max: 7.5, free: false },
    age: { min: 16 },
    level: ['Beginner'],
    organizer: { name: 'Wexcombe Clubs Together' },
  });
});
