import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FoundOccurrence, KeyList, SearchQuery, TermGroup } from '../../../src/store/index.ts';
import { byStartAndRow } from '../../../src/store/sql/search/occurrence-rows.ts';
import { Connection } from '../../../src/store/sqlite/connection.ts';
import { type Asked, candidates } from '../../../src/store/sqlite/search/dated-rows.ts';
import { sqliteSearch } from '../../../src/store/sqlite/search/reading.ts';
import { storeFile } from '../../../src/store/sqlite/store.ts';
import { randomEvents } from '../../generate/events.ts';
import { withOwnDetails } from '../../generate/own-details.ts';
import { Random } from '../../generate/random.ts';
import { randomFeed } from '../../generate/series.ts';
import { type Rig, rig, START } from '../../harvest/rig.ts';
import { PlainIndex } from './plain-index.ts';
import { sampleTown } from './town.ts';

/** The index of the store answers what the plain reading of every document does. */

const KINDS = ['series', 'series', 'place', 'facility', 'session'] as const;
const WORDS = 'yoga swim gentl drill pool hall lan wexcomb beginn club ex99 footbal kenji 5asid walk badminton'.split(
  ' ',
);
const KEYS: Record<KeyList, readonly string[]> = {
  activities: [
    'https://openactive.io/activity-list#bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e',
    'https://openactive.io/activity-list#2750229d-b725-4171-9276-376be913957c',
    'https://openactive.io/activity-list#984068a7-5b7b-4989-bb33-f96953d8960c',
    'sports leadership',
  ],
  levels: ['beginner', 'advanced', 'none'],
  accessibility: ['https://openactive.io/accessibility-support#6e8d1f9a-0000'],
  names: ['judo club', 'zumba', 'aqua fit', 'harbour lane leisure centre'],
  organizers: ['wexcombe clubs together', 'marlowe leisure trust'],
  places: ['lantern yard', 'ashdown pools and gym', 'bridge street hall'],
  towns: ['wexcombe', 'little tarrow', 'devon'],
  districts: ['ex99', 'ex98', 'zz1'],
  offers: ['free'],
};

const AROUND = 'harbour lan|lan|lantern yard|bridg street hall|hall|wexcomb|ex99|kenji|kenji drill|walker|marlow|ann'
  .split('|')
  .map((name) => name.split(' '));

/** Places and people that are not wanted. */
function unwanted(random: Random): Pick<TermGroup, 'notAt' | 'notBy'> {
  const names = () => [random.pick(AROUND), random.pick(AROUND)];
  return { ...(random.chance(0.7) && { notAt: names() }), ...(random.chance(0.7) && { notBy: names() }) };
}

function randomQuery(random: Random): SearchQuery {
  const query: SearchQuery = { kind: random.pick(KINDS) };
  const is = (chance: number) => random.int(1, 100) <= chance;
  if (is(50)) {
    query.words = Array.from({ length: random.int(1, 2) }, () => ({
      any: Array.from({ length: random.int(1, 3) }, () =>
        Array.from({ length: random.int(1, 2) }, () => random.pick(WORDS)),
      ),
      ...(is(20) && { phrase: true }),
      ...(is(20) && { prefix: true }),
      ...(is(20) && { not: [[random.pick(WORDS)], [random.pick(WORDS), random.pick(WORDS)]] }),
      ...(is(30) && { within: random.pick(['names', 'kind'] as const) }),
    }));
  }
  if (is(40)) {
    const list = random.pick(Object.keys(KEYS) as KeyList[]);
    query.keys = { [list]: [random.pick(KEYS[list]), random.pick(KEYS[list])] };
  }
  if (is(20)) {
    query.near = {
      latitude: 50.7 + random.int(-9, 9) / 100,
      longitude: -3.48 + random.int(-9, 9) / 100,
      km: random.int(1, 9),
    };
  }
  if (is(20)) query.age = { min: random.int(0, 70), ...(is(50) && { max: random.int(70, 90) }) };
  if (query.age && random.int(1, 3) === 1) query.age.stated = random.pick([0, 16, 50]);
  if (query.age && random.int(1, 3) === 1) query.age.highest = random.pick([5, 18]);
  if (is(10)) query.gender = random.pick(['FemaleOnly', 'MaleOnly']);
  if (is(10)) query.notGender = random.pick(['FemaleOnly', 'MaleOnly', 'either']);
  if (is(20))
    query.notAge = Array.from({ length: random.int(1, 2) }, () => {
      const min = random.int(0, 16);
      return { min, max: min + random.int(1, 9) };
    });
  if (is(20)) query.maxPrice = random.int(0, 8);
  if (is(10)) query.online = random.pick([true, false]);
  if (is(15)) query.records = Array.from({ length: 30 }, () => random.int(1, 300));
  if (is(10)) query.venues = Array.from({ length: 30 }, () => random.int(1, 300));
  // What is not wanted, alone or beside other words.
  if (is(20)) query.words = [...(query.words ?? []), { any: [[]], not: [[random.pick(WORDS)]] }];
  if (is(30))
    query.words = [...(query.words ?? [{ any: [[]] }]), { any: [[random.pick(WORDS)], []], ...unwanted(random) }];
  return query;
}

const rigs: Rig[] = [];
const connections: Connection[] = [];
beforeAll(async () => {
  rigs.push((await sampleTown()).rig);
  for (const seed of [1, 2]) {
    const one = await rig();
    await one.feed(withOwnDetails([...randomFeed(seed, 25), ...randomEvents(seed, 25)], seed));
    rigs.push(one);
  }
  // Of the embedded database alone.
  const files = rigs.filter(({ databaseUrl }) => databaseUrl === undefined).map(({ data }) => storeFile(data));
  connections.push(...files.map((file) => new Connection(file, { readOnly: true })));
}, 60_000);
afterAll(async () => {
  for (const one of connections) one.close();
  for (const one of rigs) await one.close();
});

test.each(Array.from({ length: 60 }, (_, seed) => seed))('random query %i', async (seed) => {
  const random = new Random(seed);
  const query = randomQuery(random);
  const [limit, cancelled] = [random.int(1, 60), random.int(0, 1) === 1];
  const from = START + random.int(-5, 30) * 86_400_000;
  const window = { from, to: from + random.int(1, 90) * 86_400_000, limit, cancelled };
  for (const [at, { store }] of rigs.entries()) {
    const plain = new PlainIndex(store.read);
    const rows = (await plain.search(query, 1000)).map(({ record }) => record);
    const found = (await store.read.search(query, 1000)).map(({ record }) => record);
    expect(found.toSorted((a, b) => a - b)).toEqual(rows);
    expect(await store.read.countFound(query, 1000)).toBe(rows.length);
    expect([rows.length, undefined]).toContain(await store.read.countWithin(query, limit));
    expect(await store.read.countWithin(query, 1000)).toBe(rows.length);
    if (query.words === undefined) expect(found).toEqual(rows);
    if (query.kind !== 'session') expect(await store.read.searchFacts(rows)).toEqual(await plain.searchFacts(rows));
    expect(await store.read.activityTerms(rows)).toEqual(await plain.activityTerms(rows));
    if (query.kind !== 'series' && query.kind !== 'session') continue;
    const facts = ({ instance: _, ...one }: { instance?: unknown }) => one;
    const occurrences = await store.read.foundOccurrences(query, window);
    expect(occurrences.map(facts)).toEqual(await plain.foundOccurrences(query, window));
    // One without a stated end may take it from the instance that it replaces.
    const stated = (all: readonly FoundOccurrence[]) => all.filter(({ end }) => end !== undefined).map(facts);
    const running = { ...window, from: from - 366 * 86_400_000, to: from, endsAfter: from };
    const isOn = await store.read.foundOccurrences(query, { ...running, limit: 1000 });
    expect(stated(isOn)).toEqual(stated(await plain.foundOccurrences(query, { ...running, limit: 1000 })));
    // Of some times of each week the others may be left out.
    const hours = { from: random.int(0, 167) * 3_600_000, length: random.int(1, 60) * 3_600_000 };
    const isThen = ({ start = 0 }: { start?: number }) => (start - hours.from) % (7 * 86_400_000) < hours.length;
    const all = await store.read.foundOccurrences(query, { ...window, limit: 10_000 });
    const some = await store.read.foundOccurrences(query, { ...window, limit: 10_000, weekly: [hours] });
    expect(some.filter(isThen)).toEqual(all.filter(isThen));
    expect(all).toEqual(expect.arrayContaining(some));
    const connection = connections[at];
    if (connection === undefined) continue;
    // By start, a row after the other, which a store of this size is too small for.
    const walking = sqliteSearch(connection, { series: 0, rows: 1 });
    expect(await walking.foundOccurrences(query, window)).toEqual(occurrences);
    const walked = await walking.foundOccurrences(query, { ...running, limit: 1000 });
    expect(stated(walked)).toEqual(stated(isOn));
    const then = await walking.foundOccurrences(query, { ...running, limit: 1000, weekly: [hours] });
    expect(stated(then).filter(isThen)).toEqual(stated(isOn).filter(isThen));
    // Of some series the same rows come as of all.
    const few = new Set(rows.slice(0, random.int(0, 9)));
    const next = (given?: ReadonlySet<number>) => {
      const { read, end } = candidates(
        connection,
        { of: 'start', from, to: window.to },
        query.kind as Asked,
        limit,
        given,
      );
      const known = read.filter(({ row }) => few.has(row)).map((one) => one.occurrence());
      return { end, known: known.toSorted(byStartAndRow) };
    };
    expect(next(few)).toEqual(next());
  }
});

test('places, words and zones', async () => {
  for (const { store } of rigs) {
    const plain = new PlainIndex(store.read);
    for (const list of Object.keys(KEYS) as KeyList[]) {
      for (const key of KEYS[list]) {
        const [found, expected] = [await store.read.positionOf(list, key), await plain.positionOf(list, key)];
        if (expected === undefined || found === undefined) {
          expect(found).toBe(expected);
          continue;
        }
        expect(found.latitude).toBeCloseTo(expected.latitude, 6);
        expect(found.longitude).toBeCloseTo(expected.longitude, 6);
      }
    }
    expect(await store.read.searchZones()).toEqual(await plain.searchZones());
    for (const word of ['yogaa', 'wexcomb', 'kenij', 'xx']) {
      expect((await store.read.wordsLike(word)).toSorted()).toEqual(await plain.wordsLike(word));
    }
  }
});
