import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { Details } from '../../src/opportunity/records.ts';
import { conceptKey } from '../../src/search/document.ts';
import type { SearchQuery, Store } from '../../src/store/index.ts';
import { stem, wordsIn } from '../../src/vocabulary/folding.ts';
import { activityList } from '../../src/vocabulary/shipped.ts';
import type { StoreUnderTest } from './contract.ts';
import { calendar, documentOf, record } from './rows.ts';

/** What every store answers of its search index (`src/store/contract/search.ts`). */

const LANE = { id: 'https://x.org/p/1', name: 'Harbour Lane', address: '1 Harbour Lane, Wexcombe, EX99 9ZZ' };
const SERIES: readonly Details[] = [
  { name: 'Hatha for all', activity: ['Hatha Yoga'], location: { ...LANE, latitude: 50.7, longitude: -3.5 } },
  {
    name: 'Yoga yoga yoga',
    offers: [{ price: 6, currency: 'GBP' }, { price: 9 }],
    level: ['Beginner', 'Improver'],
    location: { name: 'Old Mill', latitude: 50.75, longitude: -3.5 },
  },
  { name: 'Lane swimming', description: 'Quiet lanes, then yoga.', offers: [{ price: 0 }], gender: 'FemaleOnly' },
  {
    name: 'Swimming lessons',
    ageRange: { min: 5, max: 11 },
    attendance: 'online',
    organizer: { name: 'Vale Leisure' },
  },
  { name: 'Über-60 5-a-side', ageRange: { min: 60 }, location: { latitude: 10, longitude: 179.99 } },
];
const all = { kind: 'series' } as const;
const terms = (text: string): string[] => wordsIn(text).map(stem);
const words = (...any: string[][]): SearchQuery => ({ ...all, words: [{ any }] });
const hatha = conceptKey('Hatha Yoga', activityList());
const yoga = conceptKey('Yoga', activityList());

/** Rows of the series, counted from 1, in the order in which they are listed. */
export const FOUND: readonly [what: string, query: SearchQuery, records: number[]][] = [
  ['everything of a kind', all, [1, 2, 3, 4, 5]],
  ['nothing of another kind', { kind: 'facility' }, []],
  ['words, the best field first', words(['yoga']), [2, 1, 3]],
  ['one of several, the one that says it again first', words(['lan'], ['lesson']), [3, 4, 1]],
  ['all of several', { ...all, words: [{ any: [['swim']] }, { any: [['lan']] }] }, [3]],
  ['no description where a name is wanted', { ...all, words: [{ any: [['yoga']], within: 'names' }] }, [2, 1]],
  ['terms of one alternative within one field', words(['swim', 'yoga']), []],
  ['terms of one alternative in any order', words(['swim', 'lan']), [3]],
  ['a phrase in its order', { ...all, words: [{ any: [['swim', 'lan']], phrase: true }] }, []],
  ['a phrase', { ...all, words: [{ any: [['lan', 'swim']], phrase: true }] }, [3]],
  ['the beginning of a word', { ...all, words: [{ any: [['swi'], ['les']], prefix: true }] }, [4, 3]],
  ['no beginning where a word is wanted', words(['swi']), []],
  ['no place where the kind is wanted', { ...all, words: [{ any: [['lan']], within: 'kind' }] }, [3]],
  ['what is not called so', { ...all, words: [{ any: [[]], not: [['yoga']] }] }, [3, 4, 5]],
  ['what is not called so in this order', { ...all, words: [{ any: [[]], not: [['lan', 'swim'], ['yoga']] }] }, [4, 5]],
  [
    'a level of what is not called so',
    { ...all, keys: { levels: ['beginner'] }, words: [{ any: [[]], not: [['lan']] }] },
    [2],
  ],
  ['prices of what is not called so', { ...all, maxPrice: 6, words: [{ any: [[]], not: [['yoga']] }] }, [3]],
  ['what is at no place of a name', { ...all, words: [{ any: [[]], notAt: [['lan']] }] }, [2, 3, 4, 5]],
  ['what is in no town', { ...all, words: [{ any: [['yoga']], notAt: [terms('Wexcombe')] }] }, [2, 3]],
  ['what is not by somebody', { ...all, words: [{ any: [['swim']], notBy: [terms('Vale Leisure')] }] }, [3]],
  [
    'no part of a name in another order',
    { ...all, words: [{ any: [[]], notBy: [terms('Leisure Vale')] }] },
    [1, 2, 3, 4, 5],
  ],
  [
    'what is neither called so, nor there, nor by somebody',
    { ...all, words: [{ any: [[]], not: [['hatha']], notAt: [terms('Old Mill')], notBy: [terms('vale')] }] },
    [3, 5],
  ],
  [
    'a free offer that is not there',
    { ...all, keys: { offers: ['free'] }, words: [{ any: [[]], notAt: [['lan']] }] },
    [3],
  ],
  ['letters beyond ASCII, folded', words(['uber']), [5]],
  ['a hyphenated word in one', words(['5asid']), [5]],
  ['no syntax of the index', words(['yoga" OR "swim'], ['*'], ['name:yoga']), []],
  ['keys', { ...all, keys: { activities: [hatha] } }, [1]],
  ['keys of what is broader', { ...all, keys: { activities: [yoga, 'unknown'] } }, [1]],
  ['two lists of keys', { ...all, keys: { levels: ['beginner'], places: ['old mill'] } }, [2]],
  ['no key among words', words(['a_yoga'], ['beginner_']), []],
  ['towns and districts', { ...all, keys: { towns: ['wexcombe'], districts: ['ex99'] } }, [1]],
  ['an organiser', { ...all, keys: { organizers: ['vale leisure'] } }, [4]],
  ['what is near', { ...all, near: { latitude: 50.7, longitude: -3.5, km: 1 } }, [1]],
  ['what is a little farther', { ...all, near: { latitude: 50.7, longitude: -3.5, km: 5.6 } }, [1, 2]],
  ['what is not within the corner of a box', { ...all, near: { latitude: 50.745, longitude: -3.43, km: 5 } }, [2]],
  ['what is beyond the date line', { ...all, near: { latitude: 10, longitude: -179.99, km: 5 } }, [5]],
  ['what is near a pole', { ...all, near: { latitude: 89.99, longitude: 0, km: 500 } }, []],
  ['prices', { ...all, maxPrice: 6 }, [2, 3]],
  ['what costs nothing', { ...all, maxPrice: 0 }, [3]],
  ['a free offer', { ...all, keys: { offers: ['free'] } }, [3]],
  ['gender', { ...all, gender: 'FemaleOnly' }, [3]],
  ['not a gender alone', { ...all, notGender: 'FemaleOnly' }, [1, 2, 4, 5]],
  ['no gender alone', { ...all, notGender: 'either' }, [1, 2, 4, 5]],
  ['what is online', { ...all, online: true }, [4]],
  ['what is not online', { ...all, online: false }, [1, 2, 3, 5]],
  ['ages, and what names none', { ...all, age: { min: 8, max: 8 } }, [1, 2, 3, 4]],
  ['ages without an end', { ...all, age: { min: 60 } }, [1, 2, 3, 5]],
  ['stated ages alone', { ...all, age: { min: 8, max: 8, stated: 0 } }, [4]],
  ['stated ages from one on', { ...all, age: { min: 60, stated: 50 } }, [5]],
  ['stated ages, all of them too low', { ...all, age: { min: 8, stated: 61 } }, []],
  ['ages up to a highest one', { ...all, age: { min: 8, max: 8, highest: 11 } }, [4]],
  ['ages up to a highest one, all of them above', { ...all, age: { min: 8, max: 8, highest: 10 } }, []],
  ['nothing for some ages', { ...all, notAge: [{ min: 3, max: 11 }] }, [1, 2, 3, 5]],
  ['nothing for ages, of which it has the end', { ...all, notAge: [{ min: 8, max: 15 }] }, [1, 2, 3, 5]],
  ['nothing for ages that are few of its own', { ...all, notAge: [{ min: 7, max: 9 }] }, [1, 2, 3, 4, 5]],
  [
    'nothing for other ages',
    {
      ...all,
      notAge: [
        { min: 0, max: 1 },
        { min: 13, max: 17 },
      ],
    },
    [1, 2, 3, 4, 5],
  ],
  ['rows', { ...all, records: [2, 4, 77] }, [2, 4]],
  ['a Place', { ...all, venues: [9] }, [2]],
  ['a Place that is named twice', { ...all, venues: [9, 9], words: [{ any: [[]], not: [['walk']] }] }, [2]],
  ['rows that are named twice', { ...all, records: [2, 4, 4], words: [{ any: [[]], not: [['walk']] }] }, [2, 4]],
  ['everything at once', { ...words(['yoga']), near: { latitude: 50.7, longitude: -3.5, km: 9 }, maxPrice: 6 }, [2]],
];

const HOUR = 3_600_000;

export function searchContract(make: () => Promise<StoreUnderTest>): void {
  let under: StoreUnderTest;
  let store: Store;

  beforeEach(async () => {
    under = await make();
    store = await under.open();
    await store.write(async (tx) => {
      await tx.openFeed('https://example.org/feed', {});
      const series = SERIES.map((_, index) =>
        record(`s${index + 1}`, { kind: 'series', ...(index === 1 && { venue: 9 }) }),
      );
      await tx.saveRecords(series);
      const rows = SERIES.map((details, index) =>
        calendar(index + 1, { document: documentOf(details, 'Europe/London') }),
      );
      await tx.saveCalendars(rows);
    });
  });

  afterEach(async () => {
    await store.close();
    await under.destroy();
  });

  const rowsOf = async (query: SearchQuery, limit = 99) =>
    (await store.read.search(query, limit)).map(({ record: row }) => row);

  describe('a search finds', () => {
    test.each(FOUND)('%s', async (_what, query, records) => {
      expect(await rowsOf(query)).toEqual(records);
      expect(await rowsOf(query, 1)).toEqual(records.slice(0, 1));
      expect(await store.read.countFound(query, 99)).toBe(records.length);
      expect(await store.read.countFound(query, 1)).toBe(Math.min(records.length, 1));
      expect(await store.read.countWithin(query, 99)).toBe(records.length);
    });
  });

  it('finds what a document says now, and nothing of a calendar that is not live', async () => {
    await store.write((tx) =>
      tx.saveCalendars([
        calendar(1, { document: documentOf({ name: 'Pilates' }) }),
        calendar(2, { state: 'deleted' }),
        calendar(3, { part: 'sessions', state: 'deleted' }),
        calendar(4),
      ]),
    );
    expect(await rowsOf(words(['yoga']))).toEqual([3]);
    expect(await rowsOf(words(['pilat']))).toEqual([1]);
    expect(await rowsOf(all)).toEqual([1, 3, 4, 5]);
    await store.write((tx) => tx.clearDerived());
    expect(await rowsOf(all)).toEqual([]);
    expect(await rowsOf(words(['pilat']))).toEqual([]);
    expect(await store.read.wordsLike('pilate')).toEqual([]);
    expect((await store.read.calendarOf(1))?.search).toBe('');
  });

  it('writes the document of a calendar that shows what it did', async () => {
    const { seq } = (await store.read.calendarOf(1)) ?? {};
    const document = documentOf({ name: 'Pilates' });
    await store.write((tx) => tx.saveDocuments([{ record: 1, kind: 'series', search: 'another', document }]));
    expect(await store.read.calendarOf(1)).toMatchObject({ seq, search: 'another', revision: 0 });
    expect(await rowsOf(words(['pilat']))).toEqual([1]);
    expect(await rowsOf(words(['hatha']))).toEqual([]);
  });

  it('takes a document back with its transaction', async () => {
    const write = store.write(async (tx) => {
      await tx.saveCalendars([calendar(5, { document: documentOf({ name: 'Zumba' }) })]);
      expect(await tx.search(words(['zumba']), 9)).toHaveLength(1);
      throw new Error('no');
    });
    await expect(write).rejects.toThrow('no');
    expect(await rowsOf(words(['zumba']))).toEqual([]);
    expect(await rowsOf(words(['uber']))).toEqual([5]);
  });

  it('gives facts, positions and words', async () => {
    const facts = await store.read.searchFacts([2, 1, 77]);
    expect([...facts.keys()].toSorted()).toEqual([1, 2]);
    const position = { latitude: 50.75, longitude: -3.5 };
    expect(facts.get(2)).toEqual({ record: 2, zone: 'Europe/London', ...position, venue: 9 });
    expect(await store.read.positionOf('places', 'old mill')).toEqual(position);
    expect(await store.read.positionOf('districts', 'ex99')).toEqual({ latitude: 50.7, longitude: -3.5 });
    expect(await store.read.positionOf('towns', 'nowhere')).toBeUndefined();
    expect(await store.read.positionOf('organizers', 'vale leisure')).toBeUndefined();
    expect(await store.read.wordsLike('harbuor')).toEqual(['harbour']);
    expect(await store.read.wordsLike('yga')).toEqual(['yoga']);
    expect(await store.read.wordsLike('yoga')).toEqual([]);
  });

  describe('occurrences that a search finds', () => {
    beforeEach(async () => {
      await store.write(async (tx) => {
        const session = (ident: string, parent: number, at: number | undefined, over = {}) =>
          record(ident, { parent, start: at, end: at === undefined ? undefined : at + HOUR, ...over });
        await tx.saveRecords([
          session('a', 1, 5 * HOUR),
          session('b', 1, 30 * HOUR, { cancelled: true }),
          session('no start', 2, undefined),
          session('no end', 2, 50 * HOUR, { end: 50 * HOUR }),
          session('c', 3, 5 * HOUR),
        ]);
        const weekly = (at: number, over = {}) => ({
          start: at * HOUR,
          end: (at + 2) * HOUR,
          schedule: 0,
          session: undefined,
          ...over,
        });
        await tx.replaceOccurrences(2, 'stamp', [
          weekly(5),
          weekly(40, { session: 8 }),
          weekly(49, { session: 9 }),
          weekly(900),
        ]);
      });
    });
    const window = { from: 0, to: 2000 * HOUR, limit: 99 };
    const a = { series: 1, start: 5 * HOUR, end: 6 * HOUR, session: 6, cancelled: false };
    const b = { series: 1, start: 30 * HOUR, end: 31 * HOUR, session: 7, cancelled: true };
    const c = { series: 3, start: 5 * HOUR, end: 6 * HOUR, session: 10, cancelled: false };
    const first = { series: 2, start: 5 * HOUR, end: 7 * HOUR, schedule: 0, cancelled: false };
    const last = { series: 2, start: 900 * HOUR, end: 902 * HOUR, schedule: 0, cancelled: false };
    const noStart = {
      series: 2,
      start: 40 * HOUR,
      end: 42 * HOUR,
      session: 8,
      instance: { start: 40 * HOUR, end: 42 * HOUR },
      cancelled: false,
    };
    const noEnd = {
      series: 2,
      start: 50 * HOUR,
      session: 9,
      instance: { start: 49 * HOUR, end: 51 * HOUR },
      cancelled: false,
    };

    it('come by start, from Schedules and sessions', async () => {
      expect(await store.read.foundOccurrences(all, window)).toEqual([a, first, c, noStart, noEnd, last]);
      expect(await store.read.foundOccurrences(words(['yoga']), window)).toEqual([a, first, c, noStart, noEnd, last]);
      expect(await store.read.foundOccurrences({ ...all, venues: [9] }, window)).toEqual([first, noStart, noEnd, last]);
      expect(await store.read.foundOccurrences({ ...all, gender: 'MaleOnly' }, window)).toEqual([]);
    });

    it('come with cancelled ones where they are asked for', async () => {
      const found = await store.read.foundOccurrences({ ...all, records: [1] }, { ...window, cancelled: true });
      expect(found).toEqual([a, b]);
    });

    it('end within the window, and with all that start together with the last one', async () => {
      expect(await store.read.foundOccurrences(all, { ...window, limit: 1 })).toEqual([a, first, c]);
      expect(await store.read.foundOccurrences(all, { ...window, from: 5 * HOUR + 1, limit: 1 })).toEqual([noStart]);
      expect(await store.read.foundOccurrences(all, { ...window, to: 40 * HOUR })).toEqual([a, first, c]);
      expect(await store.read.foundOccurrences(all, { ...window, from: 40 * HOUR, to: 50 * HOUR })).toEqual([noStart]);
    });

    describe('by what their sessions say themselves', () => {
      const aqua = documentOf({ name: 'Aqua fit', level: ['Expert'] });
      const added = 'added_aqua added_fit added_l_expert differs_place';
      beforeEach(async () => {
        await store.write(async (tx) => {
          await tx.saveRecords([
            record('d', { id: 6, parent: 1, start: 5 * HOUR, end: 6 * HOUR, own: true, venue: 12 }),
            record('e', { id: 10, parent: 3, start: 5 * HOUR, end: 6 * HOUR, price: 4 }),
            record('f', { id: 8, parent: 2, own: true, price: 3 }),
          ]);
          await tx.saveSessionDocuments(
            [6, 8, 10],
            [
              { record: 6, document: aqua, added },
              { record: 8, document: aqua, added },
            ],
          );
          await tx.countSessionPrices([1, 2, 3]);
        });
      });

      it('are found where their series is not', async () => {
        const found = (query: SearchQuery) => store.read.foundOccurrences(query, window);
        const [own, later] = [a, noStart].map((one) => ({ ...one, byItself: true }));
        expect(await found(words(['aqua']))).toEqual([own, later]);
        expect(await found({ ...words(['aqua']), kind: 'session' })).toEqual([a, noStart]);
        expect(await found({ ...words(['aqua']), records: [2] })).toEqual([later]);
        expect(await found({ ...words(['aqua']), venues: [12] })).toEqual([own]);
        expect(await store.read.foundOccurrences(words(['aqua']), { ...window, limit: 1 })).toEqual([own]);
        expect(await store.read.foundOccurrences(words(['aqua']), { ...window, from: 9 * HOUR })).toEqual([later]);
        const running = { ...window, to: 6 * HOUR, endsAfter: 5.5 * HOUR };
        expect(await store.read.foundOccurrences(words(['aqua']), running)).toEqual([own]);
        expect(await found({ ...all, venues: [12] })).toEqual([own]);
        expect(await rowsOf(words(['aqua']))).toEqual([]);
        expect(await rowsOf({ ...words(['aqua']), kind: 'session' })).toEqual([6, 8]);
      });

      it('are found by their prices', async () => {
        const found = (maxPrice: number) =>
          store.read.foundOccurrences({ ...words(['lan']), maxPrice }, { ...window, from: 5 * HOUR });
        const cheap = { ...words(['hatha']), maxPrice: 4 };
        expect(await store.read.foundOccurrences(cheap, window)).toEqual([]);
        await store.write((tx) => tx.saveRecords([record('d', { id: 6, parent: 1, start: 5 * HOUR, price: 4 })]));
        await store.write((tx) => tx.lowerSessionPrices(new Map([[1, 4]])));
        expect(await store.read.foundOccurrences(cheap, window)).toMatchObject([{ session: 6, byItself: true }]);
        expect(await store.read.foundOccurrences({ ...cheap, maxPrice: 3.9 }, window)).toEqual([]);
        // The price of the series is asked for too: it is free.
        expect(await found(2)).toEqual([c]);
        expect(await rowsOf({ ...all, sessionPrice: 4 })).toEqual([1, 2, 3]);
        expect(await rowsOf({ ...all, sessionPrice: 3 })).toEqual([2]);
        await store.write((tx) => tx.lowerSessionPrices(new Map([[1, 5]])));
        expect(await rowsOf({ ...all, sessionPrice: 4 })).toEqual([1, 2, 3]);
        await store.write((tx) => tx.countSessionPrices([2, 3]));
        await store.write((tx) => tx.clearRecords([6]));
        await store.write((tx) => tx.countSessionPrices([1]));
        expect(await rowsOf({ ...all, sessionPrice: 4 })).toEqual([2, 3]);
      });

      it('have documents as long as they are given any', async () => {
        const ofSessions = (...any: string[][]) => rowsOf({ ...words(...any), kind: 'session' });
        await store.write(async (tx) => {
          expect(await tx.ownSessions([2, 1, 3])).toEqual([6, 8]);
          await tx.saveSessionDocuments(
            [6, 10],
            [{ record: 10, document: documentOf({ name: 'Pilates' }), added: 'added_pilat' }],
          );
        });
        expect(await ofSessions(['aqua'])).toEqual([8]);
        expect(await ofSessions(['pilat'])).toEqual([10]);
        await store.write((tx) => tx.clearDerivedOf([2]));
        expect(await ofSessions(['aqua'], ['pilat'])).toEqual([10]);
      });
    });
  });
}
