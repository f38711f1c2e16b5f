import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import type { RecordKind } from '../../src/opportunity/records.ts';
import { strayIdent } from '../../src/store/contract/claims.ts';
import { NEW_FEED } from '../../src/store/contract/feeds.ts';
import type { ItemWrite } from '../../src/store/contract/items.ts';
import type { RecordWrite } from '../../src/store/contract/records.ts';
import type { SessionWindow } from '../../src/store/contract/sessions.ts';
import { DAMAGED_DATA, type FeedRow, type HeldCopy, type Store, type Writer } from '../../src/store/index.ts';
import { packedBody } from '../../src/store/sql/body-text.ts';
import { calendar, documentOf, record } from './rows.ts';

/** What is stored of a feed in bytes depends on how it is compressed. */
const BYTES = expect.any(Number);

/**
 * The contract of every store, run against each (`sqlite.test.ts`, `test/slow/postgres/store.test.ts`). `open` gives a store over the same data each time it
 * is called until `destroy`, so that what survives a restart can be told.
 */
export interface StoreUnderTest {
  open(): Promise<Store>;
  destroy(): Promise<void>;
}

const URL_ = 'https://example.org/feed';

function item(rpdeId: string, over: Partial<ItemWrite> = {}): ItemWrite {
  const raw = `{"id":"${rpdeId}"}`;
  return { id: undefined, kind: 'K', rpdeId, modified: '1', hash: `h${rpdeId}`, raw, findings: undefined, ...over };
}

async function stubs(tx: Writer, kind: RecordKind, idents: readonly string[]): Promise<number[]> {
  const rows = await tx.stubs(
    kind,
    idents.map((ident) => ({ ident, publisherId: undefined })),
  );
  return rows.map(({ id }) => id);
}

const STORE = '../../src/store';

/** The names of all methods of `Reader` and `Writer`, but those of a search: `search-contract.ts` calls them. */
function methodsOfContract(): string[] {
  const parts = readdirSync(new URL(`${STORE}/contract`, import.meta.url)).filter((file) => file !== 'search.ts');
  const files = [...parts.map((file) => `contract/${file}`), 'kept-lists.ts'];
  const texts = files.map((file) => readFileSync(new URL(`${STORE}/${file}`, import.meta.url), 'utf8'));
  const interfaces = texts.join('\n').match(/^export interface \w*(?:Reader|Writer)\b[\s\S]*?^}/gm) ?? [];
  return interfaces.flatMap((text) => [...text.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name as string));
}

/** The same methods; which of them are called is noted. */
function noting<T extends object>(target: T, called: Set<string>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      // `before` of a writer.
      if (typeof value === 'object' && value !== null) return noting(value, called);
      if (typeof value !== 'function') return value;
      return (...values: unknown[]) => {
        called.add(String(name));
        return value.apply(target, values);
      };
    },
  });
}

export function storeContract(make: () => Promise<StoreUnderTest>): void {
  let under: StoreUnderTest;
  let store: Store;
  let feed: FeedRow;
  const called = new Set<string>();

  const opened = async (): Promise<Store> => {
    const own = await under.open();
    return {
      read: noting(own.read, called),
      troubles: own.troubles,
      write: (work) => own.write((tx) => work(noting(tx, called))),
      retries: () => own.retries(),
      check: (signal) => own.check(signal),
      close: () => own.close(),
    };
  };

  beforeEach(async () => {
    under = await make();
    store = await opened();
    feed = await store.write((tx) => tx.openFeed(URL_, { name: 'One' }));
  });

  afterEach(async () => {
    await store.close();
    await under.destroy();
  });

  const saved = (rows: ItemWrite[]): Promise<number[]> => store.write((tx) => tx.saveItems(feed.id, rows));
  const session = async (tx: Writer, ident: string, over: Partial<RecordWrite> = {}): Promise<number> =>
    (await tx.saveRecords([record(ident, over)]))[0] as number;

  describe('transactions', () => {
    it('shows nothing of a transaction before it is committed', async () => {
      await store.write(async (tx) => {
        await tx.setMeta('a', '1');
        expect(await tx.meta('a')).toBe('1');
        expect(await store.read.meta('a')).toBeUndefined();
      });
      expect(await store.read.meta('a')).toBe('1');
    });

    it('has another version after every change, and the same one without', async () => {
      const reading = store.read;
      const first = await reading.version();
      expect(await reading.version()).toBe(first);
      await store.write((tx) => tx.setMeta('a', '1'));
      const second = await reading.version();
      expect([second === first, await reading.version()]).toEqual([false, second]);
    });

    it('shows a transaction what was there before it', async () => {
      await store.write((tx) => tx.setMeta('day', 'Friday'));
      await store.write(async (tx) => {
        await tx.setMeta('day', 'Saturday');
        expect([await tx.before.meta('day'), await tx.meta('day')]).toEqual(['Friday', 'Saturday']);
      });
    });

    it('takes all of a failed transaction back, and goes on', async () => {
      const failing = store.write(async (tx) => {
        await tx.saveItems(feed.id, [item('x')]);
        await tx.saveCursor(feed.id, 'https://example.org/2', undefined);
        throw new Error('in the middle');
      });
      await expect(failing).rejects.toThrow('in the middle');
      expect((await store.read.feeds())[0]?.cursor).toBeUndefined();
      expect(await store.write((tx) => tx.items(feed.id, [{ kind: 'K', rpdeId: 'x' }]))).toEqual([undefined]);
    });

    it('runs transactions one at a time, in call order', async () => {
      const log: string[] = [];
      const one = async (name: string) =>
        store.write(async (tx) => {
          log.push(`${name} begins`);
          await tx.setMeta('last', name);
          log.push(`${name} ends`);
        });
      await Promise.all([one('a'), one('b'), one('c')]);
      expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
      expect(await store.read.meta('last')).toBe('c');
    });

    it('keeps what was committed when it is closed and opened again', async () => {
      await saved([item('x')]);
      await store.write((tx) => tx.saveCursor(feed.id, 'https://example.org/2', 'https://licence.example'));
      await store.close();
      store = await opened();
      expect(await store.read.feeds()).toEqual([
        { ...feed, cursor: 'https://example.org/2', license: 'https://licence.example' },
      ]);
    });
  });

  describe('feeds', () => {
    it('opens a feed once; what is not said again stays', async () => {
      const again = await store.write((tx) => tx.openFeed(URL_, { publisher: 'P' }));
      expect(again).toEqual({ ...feed, publisher: 'P' });
    });

    it('keeps findings of so many pages, the newest, and counts those', async () => {
      const finding = (page: number) => ({ item: `${page}`, finding: { code: 'license-missing' as const, path: '$' } });
      const most = LIMITS.findingPages;
      const save = async (page: number) =>
        store.write((tx) => tx.savePageFindings(feed.id, `https://x.org/?after=${page}`, [finding(page)]));
      for (let page = 1; page <= most + 20; page += 1) await save(page);
      // A page of long ago that was read again is kept until another one comes.
      await save(5);
      const kept = async () => (await store.read.pageFindings(feed.id)).map(({ item }) => Number(item));
      const newest = Array.from({ length: most }, (_, at) => most + 20 - at).reverse();
      expect((await kept()).sort((a, b) => a - b)).toEqual([5, ...newest.slice(1)]);
      await save(most + 20);
      expect((await kept()).sort((a, b) => a - b)).toEqual([5, ...newest.slice(1)]);
      await save(most + 21);
      expect((await kept()).sort((a, b) => a - b)).toEqual([...newest.slice(1), most + 21]);
      const texts = (await kept()).map((page) => JSON.stringify([finding(page)]).length);
      const bytes = texts.reduce((sum, length) => sum + length, 0);
      expect(await store.read.feedCounts(feed.id)).toEqual({ items: 0, deleted: 0, findings: most, bytes });
      expect(await store.read.findingCodes(feed.id, 9)).toEqual([{ code: 'license-missing', count: most }]);
    });

    it('counts the findings of pages in octets, whatever they quote', async () => {
      const item = 'Übung 🏃 \u0001';
      const finding = { item, finding: { code: 'license-missing' as const, path: '$', facts: { value: '€5' } } };
      await store.write((tx) => tx.savePageFindings(feed.id, 'p', [finding]));
      expect(await store.read.pageFindings(feed.id)).toEqual([finding]);
      const text = JSON.stringify([finding]);
      const { bytes } = await store.read.feedCounts(feed.id);
      expect(bytes).toBe(text.replaceAll(/[^ -~]/g, '\\u0000').length);
      expect(bytes).toBeGreaterThanOrEqual(Buffer.byteLength(text));
      await store.write((tx) => tx.savePageFindings(feed.id, 'p', []));
      expect((await store.read.feedCounts(feed.id)).bytes).toBe(0);
    });

    it('counts live items, tombstones and findings of items and pages', async () => {
      await saved([item('a', { findings: '[{},{}]' }), item('b'), item('c', { hash: undefined, raw: undefined })]);
      const finding = { item: '', finding: { code: 'license-missing' as const, path: '$' } };
      await store.write((tx) => tx.savePageFindings(feed.id, 'p', [finding]));
      await store.write((tx) => tx.savePageFindings(feed.id, 'p', [finding]));
      expect(await store.read.feedCounts(feed.id)).toEqual({ items: 2, deleted: 1, findings: 3, bytes: BYTES });
      expect(await store.read.pageFindings(feed.id)).toEqual([finding]);
    });
  });

  describe('the state of a feed', () => {
    it('is that of a new one until something is saved, and stays', async () => {
      expect(await store.read.feedStates()).toEqual([
        { ...feed, ...NEW_FEED, items: 0, deleted: 0, findings: 0, bytes: 0 },
      ]);
      const state = { ...NEW_FEED, state: 'failing' as const, lastError: 'broken', failures: 3, nextVisit: 99 };
      await store.write((tx) => tx.saveFeedState(feed.id, state));
      await store.close();
      store = await opened();
      expect(await store.read.feedState(URL_)).toEqual({
        ...feed,
        ...state,
        items: 0,
        deleted: 0,
        findings: 0,
        bytes: 0,
      });
      expect(await store.read.feedState('another')).toBeUndefined();
    });

    it('counts as items change, come back and go, and as findings are made anew', async () => {
      const ids = (await saved([item('a', { findings: '[{},{}]' }), item('b'), item('c')])) as [number, number, number];
      const [a, b, c] = ids;
      await saved([item('a', { id: a, findings: '[{}]' }), item('b', { id: b, hash: undefined, raw: undefined })]);
      expect(await store.read.feedCounts(feed.id)).toEqual({ items: 2, deleted: 1, findings: 1, bytes: BYTES });
      await saved([item('b', { id: b }), item('a', { id: a, keepRaw: true, raw: undefined })]);
      await store.write((tx) => tx.saveFindings([{ item: c, findings: '[{},{},{}]' }]));
      expect(await store.read.feedCounts(feed.id)).toEqual({ items: 3, deleted: 0, findings: 4, bytes: BYTES });
      const finding = { item: '', finding: { code: 'license-missing' as const, path: '$' } };
      await store.write((tx) => tx.savePageFindings(feed.id, 'p', [finding, finding]));
      await store.write((tx) => tx.savePageFindings(feed.id, 'p', []));
      expect((await store.read.feedCounts(feed.id)).findings).toBe(4);
    });

    it('knows the live items that a pass from the start has not met', async () => {
      const ids = await saved(Array.from({ length: 9000 }, (_, index) => item(`i${index}`)));
      const other = await store.write((tx) => tx.openFeed('other', {}));
      await store.write((tx) => tx.saveItems(other.id, [item('x')]));
      const met = ids.filter((id) => id % 3 !== 0);
      await store.write((tx) => tx.saveSeen(feed.id, met.slice(0, 4000)));
      await store.write((tx) => tx.saveSeen(feed.id, met.slice(3000)));
      await saved([item('i2', { id: ids[2] as number, hash: undefined, raw: undefined })]);
      const last = await store.read.lastItem();
      const unseen = (await store.read.unseen(feed.id, 0, last)).map(({ id }) => id);
      expect(unseen).toEqual(ids.filter((id) => id % 3 === 0 && id !== ids[2]));
      const [first = 0, second = 0, third = 0] = unseen;
      expect((await store.read.unseen(feed.id, first, third - 1)).map(({ id }) => id)).toEqual([second]);
      await store.write((tx) => tx.forgetSeen(feed.id));
      expect(await store.read.unseen(feed.id, 0, last)).toHaveLength(8999);
    });
  });

  describe('items', () => {
    it('gives the raw data back to the letter, of many bundles and any text', async () => {
      const texts = Array.from({ length: 200 }, (_, index) =>
        JSON.stringify({ index, text: '\u0000\u2028\n😀'.repeat(index) }),
      );
      const ids = await saved(texts.map((raw, index) => item(`i${index}`, { raw })));
      const raws = await store.read.raw(ids);
      expect(ids.map((id) => raws.get(id))).toEqual(texts);
    });

    it('tells kinds apart, and ids of any form', async () => {
      const ids = ['1', 'ID', 'id', '{a-b}', "o'brien", '%2F', '💥'];
      await saved(ids.flatMap((rpdeId) => [item(rpdeId, { kind: 'A' }), item(rpdeId, { kind: 'B' })]));
      const found = await store.write((tx) =>
        tx.items(
          feed.id,
          ids.map((rpdeId) => ({ kind: 'B', rpdeId })),
        ),
      );
      expect(found.map((row) => [row?.kind, row?.rpdeId])).toEqual(ids.map((id) => ['B', id]));
    });

    it('keeps modified as text, without loss', async () => {
      await saved([item('a', { modified: '9223372036854775807' })]);
      const [row] = await store.write((tx) => tx.items(feed.id, [{ kind: 'K', rpdeId: 'a' }]));
      expect(row?.modified).toBe('9223372036854775807');
    });

    it('turns an item into a tombstone and back, and forgets its data in between', async () => {
      const [id] = await saved([item('a')]);
      await saved([item('a', { id: id as number, hash: undefined, raw: undefined, modified: '2' })]);
      expect(await store.read.raw([id as number])).toEqual(new Map());
      const [row] = await store.write((tx) => tx.items(feed.id, [{ kind: 'K', rpdeId: 'a' }]));
      expect(row).toMatchObject({ deleted: true, modified: '2' });
      await saved([item('a', { id: id as number, raw: '{"back":true}', modified: '3' })]);
      expect((await store.read.raw([id as number])).get(id as number)).toBe('{"back":true}');
    });

    it('moves only modified of data that was sent again', async () => {
      const [id] = await saved([item('a', { findings: '[{}]' })]);
      await saved([item('a', { id: id as number, modified: '7', raw: undefined, keepRaw: true })]);
      expect((await store.read.raw([id as number])).get(id as number)).toBe('{"id":"a"}');
      expect(await store.read.findingsOf(id as number)).toBe('[{}]');
      expect((await store.read.liveItems(0, 10))[0]).toMatchObject({ id, modified: '7', feed: feed.id });
    });
  });

  describe('items that lost their data', () => {
    it('keep it, with what was found of the copy that had none', async () => {
      const [id] = (await saved([item('a', { findings: '[{}]' })])) as [number];
      const lost = { id, hash: DAMAGED_DATA, raw: undefined, keepRaw: true, findings: '[{},{}]' };
      await saved([item('a', lost)]);
      expect((await store.read.raw([id])).get(id)).toBe('{"id":"a"}');
      expect(await store.read.findingsOf(id)).toBe('[{},{}]');
      expect(await store.read.findingsOfItems([id, 9999])).toEqual(new Map([[id, '[{},{}]']]));
      expect(await store.read.findingsOfItems([])).toEqual(new Map());
      expect((await store.read.liveItems(0, 10))[0]).toMatchObject({ id, modified: '1', hash: DAMAGED_DATA });
      expect(await store.read.feedCounts(feed.id)).toEqual({ items: 1, deleted: 0, findings: 2, bytes: BYTES });
    });
  });

  describe('what is held back', () => {
    const heldCopy = (row: Partial<HeldCopy> & { item: number }): HeldCopy => ({
      feed: feed.id,
      modified: '9',
      hash: undefined,
      raw: undefined,
      calendars: 1,
      sessions: 3,
      ...row,
    });

    it('is kept beside the items, one copy of each, and summed by feed', async () => {
      const [a, b] = (await saved([item('a'), item('b')])) as [number, number];
      await store.write((tx) => tx.saveHeld([heldCopy({ item: a }), heldCopy({ item: b, hash: 'h', raw: '{}' })]));
      await store.write((tx) => tx.saveHeld([heldCopy({ item: a, modified: '10' })]));
      await store.write(async (tx) => {
        expect(await tx.sumHeld(feed.id)).toEqual({ items: 2, calendars: 2, sessions: 6 });
        expect((await tx.heldOf([a, 99])).get(a)).toEqual(heldCopy({ item: a, modified: '10' }));
        expect(await tx.heldIn(feed.id, 10)).toEqual([
          { ...heldCopy({ item: a, modified: '10' }), kind: 'K', rpdeId: 'a' },
          { ...heldCopy({ item: b, hash: 'h', raw: '{}' }), kind: 'K', rpdeId: 'b' },
        ]);
        expect(await tx.heldIn(feed.id + 1, 10)).toEqual([]);
        await tx.dropHeld([a]);
        expect(await tx.sumHeld(feed.id)).toEqual({ items: 1, calendars: 1, sessions: 3 });
      });
    });

    it('is compared with what the feed has: places only where they are published by themselves', async () => {
      const [id] = (await saved([item('a')])) as [number];
      await store.write((tx) =>
        tx.saveRecords([
          record('https://s/1', { kind: 'series', item: id }),
          record('https://s/1/1', { item: id }),
          record('https://p/1', { kind: 'place', item: id }),
          record('https://p/2', { kind: 'place', item: id, rank: 0 }),
          record('https://slot/1', { kind: 'slot', item: id }),
        ]),
      );
      expect(await store.read.ownedIn(feed.id)).toEqual({ calendars: 2, sessions: 1 });
    });
  });

  describe('records', () => {
    it('makes a stub once, and a record of it when it comes', async () => {
      const [itemId] = await saved([item('a')]);
      await store.write(async (tx) => {
        const [stub, same] = await stubs(tx, 'series', ['https://s/1', 'https://s/1']);
        expect(same).toBe(stub);
        expect(await tx.recordsById([stub as number])).toMatchObject([{ owner: undefined, body: '' }]);
        const id = await session(tx, 'https://s/1', { id: stub, kind: 'series', item: itemId as number });
        expect(id).toBe(stub);
      });
      const row = await store.read.recordByIdent('series', 'https://s/1');
      expect(await store.read.publishedRecords([row?.id as number, 77])).toEqual([row]);
      expect(row?.owner).toEqual({ item: itemId, rank: 2, modified: '1', feed: URL_, kind: 'K', rpdeId: 'a' });
    });

    it('lists published records with the keys of their live calendars', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      const { one, two, stub } = await store.write(async (tx) => {
        const own = { kind: 'series', item: itemId, publisherId: 7 } as const;
        const [stub] = await stubs(tx, 'series', ['https://s/3']);
        const one = await session(tx, 'https://s/1', { ...own, venue: stub as number, packed: '{"id":"1"}' });
        const two = await session(tx, 'https://s/2', own);
        await tx.saveCalendars([calendar(one, { sessions: 5 }), calendar(two, { state: 'gone', key: 'two' })]);
        await tx.saveCalendars([calendar(one, { part: 'sessions', key: 'other' })]);
        return { one, two, stub: stub as number };
      });
      const listed = await store.read.listedRecords([one, two, stub, 777]);
      expect(listed.toSorted((a, b) => a.id - b.id)).toMatchObject([
        { id: one, kind: 'series', ident: 'https://s/1', venue: stub, publisherId: 7, key: `key${one}`, sessions: 5 },
        { id: two, kind: 'series', ident: 'https://s/2', venue: undefined, key: undefined },
      ]);
      expect(listed.find(({ id }) => id === one)?.body).toBe('{"id":"1"}');
      const named = await store.read.listedByIdent('series', ['https://s/2', 'https://s/3', 'https://s/4']);
      expect(named).toEqual(listed.filter(({ id }) => id === two));
      expect(await store.read.listedByIdent('place', ['https://s/1'])).toEqual([]);
    });

    it('keeps what a record says, letter by letter', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      const said = (name: string) => JSON.stringify({ id: 'https://s/1', name });
      await store.write(async (tx) => {
        const id = await session(tx, 'https://s/1', {
          item: itemId,
          packed: packedBody(said('“Yoga” – £5 🧘'), 'https://s/1'),
        });
        expect(await tx.recordsById([id])).toMatchObject([{ body: said('“Yoga” – £5 🧘') }]);
        await session(tx, 'https://s/1', { id, item: itemId, packed: packedBody(said('Ioga à tarde'), 'https://s/1') });
        const [bytes] = await tx.recordsById([id]);
        expect(bytes?.body).toBe(said('Ioga à tarde'));
        await session(tx, 'https://s/1', { id, item: itemId, packed: packedBody(said('Ioga à tarde'), 'https://s/1') });
        expect(await tx.recordsById([id])).toEqual([bytes]);
      });
    });

    it('lists children by start, a window of them around a day first', async () => {
      const [itemId] = await saved([item('a')]);
      await store.write(async (tx) => {
        const [parent] = (await stubs(tx, 'series', ['p'])) as [number];
        for (const start of [5, 1, 3, 2, 4])
          await session(tx, `s${start}`, { parent, start, end: start + 1, item: itemId as number });
        const idents = async (window?: { limit: number; around: number }) =>
          (await tx.sessions(parent, window)).map((row) => JSON.parse(row.body).id);
        for (const window of [undefined, { limit: 2, around: 3 }, { limit: 9, around: 9 }]) {
          const bare = await tx.bareSessions(parent, window);
          const bodies = await tx.bodies([...bare.map(({ id }) => id), parent, 999_999]);
          expect(bodies.size).toBe(bare.length);
          const told = bare.map((row) => ({ ...row, body: bodies.get(row.id) }));
          expect(await tx.sessions(parent, window)).toEqual(told);
        }
        expect(await idents()).toEqual(['s1', 's2', 's3', 's4', 's5']);
        expect(await idents({ limit: 2, around: 3 })).toEqual(['s3', 's4']);
        expect(await idents({ limit: 4, around: 3 })).toEqual(['s2', 's3', 's4', 's5']);
        expect(await idents({ limit: 9, around: 9 })).toEqual(['s1', 's2', 's3', 's4', 's5']);
        expect(await tx.countChildren('session', parent, 3)).toBe(3);
        expect(await tx.countChildren('session', parent, 99)).toBe(5);
      });
    });

    it('lists sessions from the first one on, and those without a start at the end', async () => {
      const [itemId] = await saved([item('a')]);
      await store.write(async (tx) => {
        const [parent] = (await stubs(tx, 'series', ['p'])) as [number];
        for (const [ident, start] of [
          ['x', undefined],
          ['c', 3],
          ['b', 2],
          ['a', -1],
          ['d', 3],
        ] as const)
          await session(tx, ident, { parent, start, end: start, item: itemId as number });
        const idents = async (window?: SessionWindow) =>
          (await tx.sessions(parent, window)).map((row) => JSON.parse(row.body).id);
        expect(await idents()).toEqual(['a', 'b', 'c', 'd', 'x']);
        expect(await idents({ limit: 3 })).toEqual(['a', 'b', 'c']);
        const [undated, , second] = (await tx.records('session', ['x', 'c', 'b'])).map((row) => row?.id as number);
        expect(await idents({ rows: [undated as number, second as number, 0] })).toEqual(['b', 'x']);
        expect(await idents({ rows: [] })).toEqual([]);
        expect((await tx.bareSessions(parent, { limit: 9 })).map(({ start }) => start)).toEqual([
          -1,
          2,
          3,
          3,
          undefined,
        ]);
      });
    });

    it('leaves the text of a record as it is where it is the same', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const id = await session(tx, 's', { item: itemId, packed: '{"id":"s"}' });
        await session(tx, 's', { id, item: itemId, start: 7, packed: '{"id":"s"}', sameText: true });
        expect(await tx.recordById(id)).toMatchObject({ body: '{"id":"s"}' });
      });
    });

    it('knows the series that sessions wait for', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [one, two, bare] = (await stubs(tx, 'series', ['one', 'two', 'bare'])) as [number, number, number];
        await session(tx, 's1', { parent: one, item: itemId });
        await session(tx, 's2', { parent: one, item: itemId });
        await session(tx, 's3', { parent: two, item: itemId });
        await session(tx, 'two', { id: two, kind: 'series', item: itemId });
        expect(await tx.awaited(0, 9)).toEqual([{ id: one, ident: 'one', sessions: 2 }]);
        expect(await tx.awaited(one, 9)).toEqual([]);
        const waiting = { ident: 'one', count: 2, kind: 'K', rpdeId: 'a' };
        expect(await tx.awaitedBy(feed.id, 'series', 9)).toEqual([waiting]);
        expect(await tx.awaitedBy(feed.id, 'series', 0)).toEqual([]);
        expect(await tx.awaitedBy(feed.id, 'facility', 9)).toEqual([]);
        expect(await tx.awaitedBy(feed.id + 1, 'series', 9)).toEqual([]);
        expect(bare).toBeGreaterThan(two);
      });
    });

    it('knows the places that events and facilities name, and nobody describes', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const idents = ['hall', 'park', 'gym', strayIdent('pool', 1)];
        const [hall, park, gym, pool] = (await stubs(tx, 'place', idents)) as [number, number, number, number];
        await session(tx, 's1', { place: hall, item: itemId });
        await session(tx, 's2', { place: hall, item: itemId });
        await session(tx, 'f1', { kind: 'facility', parent: hall, item: itemId });
        await session(tx, 's3', { place: park, item: itemId });
        await tx.saveClaims([{ record: park, item: itemId, rank: 0, refused: true }]);
        await session(tx, 'f2', { kind: 'facility', parent: gym, item: itemId });
        await session(tx, 'f3', { kind: 'facility', parent: pool, item: itemId });
        expect(await tx.awaitedBy(feed.id, 'place', 9)).toEqual([
          { ident: 'hall', count: 3, kind: 'K', rpdeId: 'a' },
          { ident: 'gym', count: 1, kind: 'K', rpdeId: 'a' },
        ]);
        expect(await tx.awaitedBy(feed.id + 1, 'place', 9)).toEqual([]);
      });
    });

    it('counts the slots of a feed', async () => {
      const kinds = ['FacilityUse/Slot', 'FacilityUse.Slot', 'FacilityUse', 'IndividualFacilityUse/Slot'];
      await saved(kinds.map((kind, at) => item(`${at}`, { kind, ...(at === 3 && { hash: undefined }) })));
      const first = { kind: 'FacilityUse/Slot', rpdeId: '0' };
      expect(await store.read.slotItems(feed.id, 9)).toEqual({ count: 2, first });
      expect(await store.read.slotItems(feed.id, 1)).toMatchObject({ count: 1 });
      expect(await store.read.slotItems(feed.id + 1, 9)).toBeUndefined();
    });

    it('knows the items of a feed that another one hides', async () => {
      const [owner, other, child] = (await saved([item('a'), item('b'), item('c')])) as [number, number, number];
      await store.write(async (tx) => {
        const record = await session(tx, 's', { item: owner });
        const claim = (itemId: number, rank: number) => ({ record, item: itemId, rank, refused: false });
        await tx.saveClaims([claim(other, 2), claim(child, 1)]);
        const hidden = { ident: 's', kind: 'K', rpdeId: 'b', by: { kind: 'K', rpdeId: 'a' } };
        expect(await tx.repeatedItems(feed.id, 9)).toEqual([hidden]);
        expect(await tx.repeatedItems(feed.id, 1)).toEqual([hidden]);
        expect(await tx.repeatedItems(feed.id, 0)).toEqual([]);
        expect(await tx.repeatedItems(feed.id + 1, 9)).toEqual([]);
        await session(tx, 's', { id: record, item: owner, rank: 1 });
        expect(await tx.repeatedItems(feed.id, 9)).toEqual([]);
      });
    });

    it('forgets the mark of a session that moves to another series, and only then', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [one, two] = (await stubs(tx, 'series', ['one', 'two'])) as [number, number];
        const id = await session(tx, 's', { parent: one, item: itemId });
        await tx.stampSessions([{ id, hash: { kind: 'hash', hash: 'x' }, sequence: 4, changed: 9 }]);
        await session(tx, 's', { id, parent: one, item: itemId });
        expect((await tx.recordsById([id]))[0]).toMatchObject({
          hash: { kind: 'hash', hash: 'x' },
          sequence: 4,
          changed: 9,
        });
        await session(tx, 's', { id, parent: two, item: itemId });
        expect((await tx.recordsById([id]))[0]?.hash).toEqual({ kind: 'none' });
      });
    });

    it('clears a record: gone if nothing needs it, a stub while something points to it', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const parent = await session(tx, 'p', { kind: 'series', item: itemId });
        const child = await session(tx, 'c', { parent, item: itemId });
        await tx.clearRecords([parent]);
        expect((await tx.recordsById([parent]))[0]).toMatchObject({ owner: undefined, body: '' });
        await tx.clearRecords([child]);
        await tx.clearRecords([parent]);
        expect(await tx.recordsById([parent, child])).toEqual([undefined, undefined]);
      });
    });

    it('keeps claims by record and by item', async () => {
      const [a, b] = (await saved([item('a'), item('b')])) as [number, number];
      await store.write(async (tx) => {
        const id = await session(tx, 's', { item: a });
        await tx.saveClaims([{ record: id, item: b, rank: 0, refused: false }]);
        await tx.saveClaims([{ record: id, item: b, rank: 1, refused: true }]);
        expect(await tx.claimsOn([id])).toMatchObject([
          { record: id, item: b, rank: 1, owner: { rpdeId: 'b', rank: 1 } },
        ]);
        expect(await tx.claimsBy([a, b])).toEqual([{ record: id, item: b, rank: 1, refused: true }]);
        await tx.dropClaims([{ record: id, item: b }]);
        expect(await tx.claimsOn([id])).toEqual([]);
      });
    });

    it('finds records by what they were saved with besides their identity', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const ids: number[] = [];
        for (const name of ['c', 'b', 'a']) ids.push(await session(tx, name, { kind: 'series', item: itemId }));
        const own = await session(tx, 's', { item: itemId });
        await tx.saveKeys([...ids, own].map((record) => ({ record, keys: ['one', 'two'] })));
        const found = async (...keys: string[]) => (await tx.recordsByKey('series', keys, 2)).map(({ ident }) => ident);
        expect(await found('one')).toEqual(['a', 'b']);
        expect(await found('one', 'two', 'three')).toEqual(['a', 'b']);
        expect((await tx.recordsByKey('session', ['two'], -1)).map(({ id }) => id)).toEqual([own]);
        await tx.saveKeys([{ record: ids[2] as number, keys: [] }]);
        expect(await found('one')).toEqual(['b', 'c']);
        await tx.clearRecords([ids[1] as number]);
        expect(await found('one')).toEqual(['c']);
      });
    });

    it('knows who takes details from an EventSeries or a place', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [place] = (await stubs(tx, 'place', ['p'])) as [number];
        const [group] = (await stubs(tx, 'series', ['g'])) as [number];
        const one = await session(tx, 'one', { kind: 'series', item: itemId, place });
        const two = await session(tx, 'two', { kind: 'series', item: itemId, parent: group, venue: place });
        await session(tx, 's', { item: itemId, parent: two, place });
        expect((await tx.dependents([place])).series.toSorted()).toEqual([one, two].toSorted());
        expect((await tx.dependents([group])).series).toEqual([two]);
      });
    });
  });

  describe('calendars', () => {
    it('gives every change a later place in the order of changes', async () => {
      await store.write(async (tx) => {
        await tx.saveCalendars([calendar(1), calendar(2)]);
        await tx.touchCalendars([{ record: 1, part: '', revision: 1, changed: 2000, sessions: 3 }]);
        await tx.saveCalendars([calendar(2, { revision: 1 })]);
      });
      const changes = await store.read.changesSince(0, 10);
      expect(changes.map((change) => change.key)).toEqual(['key1', 'key2']);
      expect(await store.read.lastSeq()).toBe(changes[1]?.seq);
      expect(await store.read.changesSince(changes[0]?.seq ?? 0, 10)).toEqual(changes.slice(1));
      expect(await store.read.calendarByKey('key1')).toMatchObject({
        revision: 1,
        changed: 2000,
        sessions: 3,
        name: 'Name 1',
      });
      expect(await store.read.calendarOf(2)).toMatchObject({ key: 'key2', revision: 1 });
    });

    it('lists live ones by name and key, page by page, and finds words without wildcards', async () => {
      const rows = ['b', 'a', 'a', '', '%'].map((name, index) =>
        calendar(index + 1, {
          name,
          document: documentOf({ name: `${name}x leisure_centre` }),
          ...(index === 4 && { state: 'deleted' as const }),
        }),
      );
      await store.write((tx) => tx.saveCalendars(rows));
      const all = { kind: 'series' as const };
      const AX = { any: [['ax']] };
      const first = await store.read.calendars({ ...all, limit: 2 });
      expect(first.map((row) => row.key)).toEqual(['key4', 'key2']);
      const second = await store.read.calendars({ ...all, limit: 2, after: { name: 'a', key: 'key2' } });
      expect(second.map((row) => row.key)).toEqual(['key3', 'key1']);
      expect(await store.read.countFound({ kind: 'series', words: [AX, { any: [['leis']], prefix: true }] }, 10)).toBe(
        2,
      );
      expect(await store.read.countFound({ kind: 'series', words: [{ any: [['%']] }] }, 10)).toBe(0);
      expect(await store.read.countCalendars({ kind: 'place' })).toBe(0);
      const document = documentOf({ name: 'Pilates' });
      await store.write((tx) => tx.saveDocuments([{ record: 2, kind: 'series', search: 'hash', document }]));
      expect(await store.read.countFound({ kind: 'series', words: [AX] }, 10)).toBe(1);
    });

    it('says which feeds have calendars that changed, and when the newest did', async () => {
      const [one, two] = await saved([item('one'), item('two')]);
      const first = await store.write(async (tx) => {
        const rows = [
          record('a', { kind: 'series', item: one as number }),
          record('b', { kind: 'series', item: two as number }),
        ];
        const made = await tx.saveRecords([...rows, record('c', { kind: 'place', item: two as number })]);
        await tx.saveCalendars([calendar(made[0] as number), calendar(made[1] as number, { changed: 3000 })]);
        return made[0] as number;
      });
      const { read } = store;
      expect(await read.feedsChanged(0)).toEqual([{ feed: feed.id, changed: 3000 }]);
      const seq = await read.lastSeq();
      expect(await read.feedsChanged(seq)).toEqual([]);
      await store.write((tx) => tx.saveCalendars([calendar(first, { changed: 2000 })]));
      expect(await read.feedsChanged(seq)).toEqual([{ feed: feed.id, changed: 2000 }]);
    });

    it('says where a calendar has moved', async () => {
      await store.write((tx) => tx.saveCalendars([calendar(1, { state: 'gone', movedTo: 'key2' })]));
      expect(await store.read.calendarByKey('key1')).toMatchObject({ state: 'gone', movedTo: 'key2' });
    });

    it('weighs what the series of each place bring, place by place', async () => {
      await store.write(async (tx) => {
        const [hall, pool] = (await stubs(tx, 'place', ['hall', 'pool'])) as [number, number];
        const [one, two, three] = (await tx.saveRecords(
          [hall, pool, hall].map((venue, index) => record(`s${index}`, { kind: 'series', venue })),
        )) as [number, number, number];
        await tx.saveCalendars([calendar(one, { sessions: 5 }), calendar(three, { sessions: 7 })]);
        const weight = '{"id":"s0"}'.length;
        await tx.saveRecords(['a', 'b'].map((ident) => record(ident, { parent: one, venue: pool, start: 7 })));
        await tx.saveRecords([record('c', { parent: one, venue: hall })]);
        expect(await tx.sessionsAt(pool)).toMatchObject([
          { series: one, start: 7 },
          { series: one, start: 7 },
        ]);
        expect(await tx.sessionsAt(hall)).toEqual([]);
        const loads = [
          {
            venue: hall,
            series: [
              { sessions: 5, weight },
              { sessions: 7, weight },
            ],
          },
          {
            venue: pool,
            series: [
              { sessions: 0, weight },
              { sessions: 2, weight, isVisiting: true },
            ],
          },
        ];
        expect(await tx.loads(0, 10)).toEqual(loads);
        expect(await tx.loads(0, 1)).toEqual(loads.slice(0, 1));
        expect(await tx.loads(hall, 10)).toEqual(loads.slice(1));
        expect(two).toBeGreaterThan(0);
      });
    });

    it('gives out rolling ones and withdrawn ones', async () => {
      await store.write(async (tx) => {
        await tx.saveCalendars([
          calendar(1, { rolling: true }),
          calendar(2, { state: 'deleted', deletedAt: 10, tail: '{}' }),
          calendar(3, { rolling: true }),
          calendar(4, { state: 'gone', deletedAt: 5, tail: '{}' }),
          calendar(5, { state: 'gone', deletedAt: 5, movedTo: 'else' }),
        ]);
        expect(await tx.rolling(0, 10)).toEqual([1, 3]);
        expect(await tx.rolling(1, 10)).toEqual([3]);
        expect(await tx.withdrawn(0, 10, false)).toEqual([2]);
        expect(await tx.withdrawn(0, 10, true)).toEqual([2, 4]);
        expect(await tx.withdrawn(2, 10, true)).toEqual([4]);
      });
    });
  });

  describe('occurrences', () => {
    const rows = [
      { start: 10, end: 20, schedule: 0, session: undefined },
      { start: 30, end: 40, schedule: 0, session: 7 },
    ];

    it('upserts with a stamp and deletes what was not refreshed', async () => {
      await store.write((tx) => tx.replaceOccurrences(1, 'a', rows));
      await store.write((tx) =>
        tx.replaceOccurrences(1, 'b', [{ start: 30, end: 41, schedule: 0, session: undefined }]),
      );
      expect(await store.read.occurrences(1)).toEqual([
        { start: 30, end: 41, schedule: 0, session: undefined, stamp: 'b' },
      ]);
    });

    it('gives when what a session replaces starts', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [series] = (await stubs(tx, 'series', ['p'])) as [number];
        const one = await session(tx, 's', { parent: series, start: 35, end: 45, item: itemId });
        const other = await session(tx, 't', { parent: series, start: 50, end: 60, item: itemId });
        await tx.replaceOccurrences(series, 'a', [{ start: 30, end: 40, schedule: 0, session: one }]);
        expect(await tx.replacedStarts([one, other, 999])).toEqual(new Map([[one, 30]]));
      });
    });

    it('gives what is upcoming: not the hidden, and explicit sessions among the generated', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [series] = (await stubs(tx, 'series', ['p'])) as [number];
        await tx.replaceOccurrences(series, 'a', [...rows, { start: 50, end: 60, schedule: 0, session: undefined }]);
        await session(tx, 's', { parent: series, start: 30, end: 40, item: itemId });
        const starts = (await tx.upcoming(series, 15, 60, 9)).map((one) =>
          one.source === 'generated' ? one.row.start : one.body,
        );
        expect(starts).toEqual([10, '{"id":"s"}', 50]);
        expect(await tx.upcoming(series, 20, 30, 9)).toEqual([]);
        expect(await tx.upcoming(series, 15, 60, 1)).toHaveLength(1);
      });
    });
  });

  describe('claims and publishers', () => {
    it('marks what other publishers name, and takes a publisher away', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const id = await session(tx, 's', { item: itemId });
        expect(await tx.recordById(id)).toMatchObject({ strays: false, publisherId: 1 });
        await tx.saveStrays([id]);
        await tx.disown([id]);
        expect(await tx.recordById(id)).toMatchObject({ strays: true, publisherId: undefined });
      });
    });

    it('gives records and claims by ranges of ids, the last included', async () => {
      const [a, b] = (await saved([item('a'), item('b')])) as [number, number];
      await store.write(async (tx) => {
        const one = await session(tx, 'one', { item: a });
        const [two] = (await stubs(tx, 'session', ['two'])) as [number];
        await tx.saveClaims([one, two].map((id) => ({ record: id, item: b, rank: 1, refused: false })));
        expect(await tx.lastRecord()).toBe(two);
        expect((await tx.recordsBetween(0, two)).map(({ ident }) => ident)).toEqual(['one', 'two']);
        expect((await tx.recordsBetween(0, one)).map(({ ident }) => ident)).toEqual(['one']);
        expect((await tx.claimsBetween(0, two)).map((claim) => claim.record)).toEqual([one, two]);
        expect(await tx.claimsBetween(one, two)).toMatchObject([{ record: two, item: b, owner: { rpdeId: 'b' } }]);
      });
    });

    it('knows the items on a record, and the live ones among items', async () => {
      const [a, b, c] = (await saved([item('a'), item('b'), item('c')])) as [number, number, number];
      await store.write(async (tx) => {
        const parent = await session(tx, 'p', { kind: 'series', item: a });
        const child = await session(tx, 's', { parent, item: b });
        await session(tx, 'q', { kind: 'series', venue: parent, item: c });
        expect((await tx.itemsOn([parent])).toSorted()).toEqual([b, c]);
        expect((await tx.ownedBy([b])).map(({ id }) => id)).toEqual([child]);
        await tx.saveItems(feed.id, [item('c', { id: c, hash: undefined, raw: undefined })]);
        const live = await tx.itemsById([c, b, a, 9999]);
        expect(live.map((row) => [row.id, row.feed]).toSorted()).toEqual([
          [a, feed.id],
          [b, feed.id],
        ]);
      });
    });

    it('gives records to the publisher of their feed, but for those that are found by keys', async () => {
      await store.write(async (tx) => {
        const other = await tx.openFeed('https://other.example/feed', {});
        const [a, b] = (await tx.saveItems(other.id, [item('a'), item('b')])) as [number, number];
        const one = await session(tx, 'one', { item: a, publisherId: feed.publisherId });
        const keyed = await session(tx, 'two', { item: b, publisherId: feed.publisherId });
        await tx.saveKeys([{ record: keyed, keys: ['key'] }]);
        expect(await tx.followFeeds(keyed, keyed + 9)).toEqual([]);
        expect(await tx.followFeeds(0, keyed)).toEqual([b]);
        const publishers = (await tx.recordsById([one, keyed])).map((row) => row?.publisherId);
        expect(publishers).toEqual([other.publisherId, feed.publisherId]);
      });
    });

    it('knows what hangs on a record of another publisher, or on a stub beside it', async () => {
      const [a, b, c, d] = (await saved(['a', 'b', 'c', 'd'].map((id) => item(id)))) as [
        number,
        number,
        number,
        number,
      ];
      await store.write(async (tx) => {
        const wanted = ['p', strayIdent('p', 1)].map((ident) => ({ ident, publisherId: 1 }));
        const [own, beside] = (await tx.stubs('series', wanted)).map(({ id }) => id) as [number, number];
        await session(tx, 'rightly', { parent: own, item: a });
        await session(tx, 'of another', { parent: own, item: b, publisherId: 2 });
        await session(tx, 'at another', { kind: 'series', venue: own, item: c, publisherId: 2 });
        await session(tx, 'beside', { parent: beside, item: d });
        const last = await tx.lastRecord();
        expect((await tx.misplaced(0, last)).toSorted()).toEqual([b, c, d]);
        expect(await tx.misplaced(last - 1, last)).toEqual([d]);
      });
    });

    it('forgets a feed with its items, claims and publisher', async () => {
      await store.write(async (tx) => {
        const other = await tx.openFeed('https://other.example/feed', {});
        const deleted = { hash: undefined, raw: undefined };
        const ids = await tx.saveItems(other.id, [item('a', deleted), item('b', deleted)]);
        const [a] = ids as [number];
        const [id] = (await stubs(tx, 'series', ['p'])) as [number];
        await tx.saveClaims([{ record: id, item: a, rank: 1, refused: false }]);
        await tx.beginForgetting(other.id);
        expect((await tx.feeds()).find(({ url }) => url === other.url)?.publisherId).toBe(0);
        expect(await tx.itemsOf(other.id, 1)).toHaveLength(1);
        expect((await tx.itemsOf(other.id, 9)).map((row) => row.id).toSorted()).toEqual(ids.toSorted());
        await tx.dropItems(ids);
        expect([await tx.itemsOf(other.id, 9), await tx.claimsBy(ids), await tx.claimsOn([id])]).toEqual([[], [], []]);
        await tx.dropFeed(other.id);
        await tx.prunePublishers();
        expect(await tx.feeds()).toEqual([feed]);
      });
    });
  });

  describe('records by what they are part of', () => {
    it('takes records under ids that were given out before, and finds them by identity in order', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [one, two] = (await tx.newRecordIds(2)) as [number, number];
        const fresh = { item: itemId, fresh: true };
        await tx.saveRecords([record('x', { id: two, ...fresh }), record('y', { id: one, ...fresh })]);
        const found = await tx.records('session', ['y', 'none', 'x']);
        expect(found.map((row) => row?.id)).toEqual([one, undefined, two]);
        expect((await tx.records('series', ['x']))[0]).toBeUndefined();
      });
    });

    it('lists children of one kind by start, and series at a place', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [hall, group] = (await stubs(tx, 'series', ['hall', 'group'])) as [number, number];
        const series = await session(tx, 'p', { kind: 'series', venue: hall, parent: group, item: itemId });
        for (const start of [20, 10]) await session(tx, `s${start}`, { parent: series, start, item: itemId });
        expect((await tx.children('session', series)).map(({ ident }) => ident)).toEqual(['s10', 's20']);
        expect(await tx.children('slot', series)).toEqual([]);
        const within = async (from: number, to: number, limit = 9, parents = [series]) =>
          (await tx.childrenWithin('session', parents, { from, to, limit })).map(({ ident }) => ident);
        expect(await within(10, 20)).toEqual(['s10']);
        expect(await within(11, 21)).toEqual(['s20']);
        expect(await within(0, 99, 1)).toEqual(['s10']);
        const other = await session(tx, 'q', { kind: 'series', item: itemId });
        await session(tx, 's15', { parent: other, start: 15, item: itemId });
        expect(await within(0, 99, 9, [series, other])).toEqual(['s10', 's15', 's20']);
        expect(await within(0, 99, 2, [other, series])).toEqual(['s10', 's15']);
        expect(await within(0, 99, 9, [])).toEqual([]);
        expect((await tx.children('series', group)).map(({ id }) => id)).toEqual([series]);
        expect([await tx.seriesAt(hall), await tx.seriesAt(group)]).toEqual([[series], []]);
        await tx.saveVenues([{ id: series, venue: undefined }]);
        expect(await tx.seriesAt(hall)).toEqual([]);
      });
    });

    it('knows the sessions that name a series and may have another', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [named, own] = (await stubs(tx, 'series', ['h', 'e'])) as [number, number];
        const id = await session(tx, 'e', { parent: own, named, item: itemId });
        await session(tx, 's', { parent: named, item: itemId });
        expect(await tx.sessionsNaming([named, own])).toMatchObject([{ id, kind: 'session', parent: own, named }]);
        expect(await tx.sessionsNaming([own])).toEqual([]);
        expect(await tx.sessionsNaming([])).toEqual([]);
      });
    });

    it('knows sessions that are searched by themselves, and the prices of others', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [series, other] = (await stubs(tx, 'series', ['p', 'q'])) as [number, number];
        const own = await session(tx, 's', { parent: series, item: itemId, own: true });
        const priced = await session(tx, 't', { parent: other, item: itemId, price: 4.5 });
        expect(await tx.ownSessions([series, other])).toEqual([own]);
        expect(await tx.recordsById([own, priced])).toMatchObject([
          { own: true, price: undefined },
          { own: false, price: 4.5 },
        ]);
        expect(await tx.sessionsAt(99)).toEqual([]);
        expect(await tx.venuesOfSessions([series, other])).toEqual([]);
        expect(await tx.venuesOfSessions([])).toEqual([]);
        await tx.saveSessionDocuments(
          [own],
          [{ record: own, document: documentOf({ name: 'Judo' }), added: 'added_judo' }],
        );
        expect(await tx.countFound({ kind: 'session', words: [{ any: [['judo']] }] }, 9)).toBe(1);
        await tx.saveSessionDocuments([own], []);
        expect(await tx.countFound({ kind: 'session', words: [{ any: [['judo']] }] }, 9)).toBe(0);
        await tx.lowerSessionPrices(new Map([[series, 9]]));
        await tx.countSessionPrices([series, other]);
      });
    });

    it('knows sessions whose times name no zone, and moves their times', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const [series] = (await stubs(tx, 'series', ['p'])) as [number];
        const id = await session(tx, 's', { parent: series, start: 10, end: 20, zone: '', item: itemId });
        await session(tx, 'zoned', { parent: series, start: 50, end: 60, item: itemId });
        expect(await tx.assumesZone(series)).toBe(true);
        expect(await tx.zonedSessions([series])).toMatchObject([{ id, parent: series, start: 10, end: 20, zone: '' }]);
        await tx.saveTimes([{ id, start: 11, end: 21, zone: 'Europe/Paris' }]);
        expect(await tx.assumesZone(series)).toBe(false);
        expect(await tx.zonedSessions([series])).toMatchObject([{ id, start: 11, end: 21, zone: 'Europe/Paris' }]);
      });
    });

    it('knows series with a session that is cancelled, by itself, with its series or with what is above it', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const one = await session(tx, 'one', { kind: 'series', item: itemId });
        const two = await session(tx, 'two', { kind: 'series', cancelled: true, item: itemId });
        await session(tx, 's1', { parent: one, start: 10, cancelled: true, item: itemId });
        await session(tx, 's2', { parent: two, start: 20, item: itemId });
        const between = await session(tx, 'between', { kind: 'series', parent: two, item: itemId });
        const three = await session(tx, 'three', { kind: 'series', parent: between, item: itemId });
        await session(tx, 's3', { parent: three, start: 20, item: itemId });
        expect(await tx.seriesWithCancelled(10, 21)).toEqual([one, two, three]);
        expect(await tx.seriesWithCancelled(11, 20)).toEqual([]);
      });
    });

    it('takes away what a rebuild makes anew, and keeps the rows', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const one = await session(tx, 'one', { kind: 'series', item: itemId });
        const [two] = (await stubs(tx, 'series', ['two'])) as [number];
        await tx.saveClaims([{ record: two, item: itemId, rank: 1, refused: false }]);
        await tx.saveKeys([{ record: one, keys: ['key'] }]);
        await tx.replaceOccurrences(one, 'a', [{ start: 1, end: 2, schedule: 0, session: undefined }]);
        expect((await tx.unowned(0, 9)).map(({ id }) => id)).toEqual([two]);
        await tx.clearDerivedOf([two]);
        expect(await tx.occurrences(one)).toHaveLength(1);
        await tx.clearDerivedOf([one]);
        expect(await tx.occurrences(one)).toEqual([]);
        await tx.replaceOccurrences(one, 'a', [{ start: 1, end: 2, schedule: 0, session: undefined }]);
        await tx.clearDerived();
        expect((await tx.unowned(0, 9)).map(({ id }) => id)).toEqual([one, two]);
        expect((await tx.unowned(one, 9)).map(({ id }) => id)).toEqual([two]);
        expect(await tx.recordIds('series', 0, 1)).toEqual([one]);
        expect(await tx.recordIds('series', one, 9)).toEqual([two]);
        expect(await tx.recordIds('place', 0, 9)).toEqual([]);
        expect(await tx.recordById(one)).toBeUndefined();
        expect(await tx.publishedRecords([one])).toEqual([]);
        expect(await tx.recordsById([one])).toMatchObject([{ ident: 'one', body: '', owner: undefined }]);
        const derived = [
          await tx.claimsOn([two]),
          await tx.recordsByKey('series', ['key'], 9),
          await tx.occurrences(one),
        ];
        expect(derived).toEqual([[], [], []]);
      });
    });

    it('gives the parts of a calendar, and the calendars of a feed', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      await store.write(async (tx) => {
        const series = await session(tx, 'p', { kind: 'series', item: itemId });
        await session(tx, 's', { parent: series, item: itemId });
        await tx.saveCalendars([calendar(series), calendar(series, { part: 'sessions' })]);
        expect((await tx.calendarParts(series)).map(({ part }) => part).toSorted()).toEqual(['', 'sessions']);
        const parts = await tx.partsOfCalendars([series, 9999]);
        expect([...parts].map(([record, rows]) => [record, rows.map(({ part }) => part)])).toEqual([
          [series, ['', 'sessions']],
        ]);
        expect(await tx.partsOfCalendars([])).toEqual(new Map());
        expect((await tx.calendarsOf([series, 9999])).map((row) => row?.part)).toEqual(['', undefined]);
        expect((await tx.calendarsOf([series], 'sessions')).map((row) => row?.part)).toEqual(['sessions']);
        expect([await tx.calendarsOfFeed(feed.id), await tx.calendarsOfFeed(feed.id + 1)]).toEqual([[series], []]);
      });
    });

    it('keeps the newest changes of a series, until they are old', async () => {
      const [itemId] = (await saved([item('a')])) as [number];
      const change = (series: number, at: number, venue?: number) => ({
        series,
        venue,
        at,
        text: `${series} at ${at}`,
      });
      await store.write(async (tx) => {
        const one = await session(tx, 'one', { kind: 'series', item: itemId });
        const two = await session(tx, 'two', { kind: 'series', item: itemId });
        await tx.saveCalendars([
          calendar(one, { key: 'k1', name: 'One' }),
          calendar(two, { key: 'k2', state: 'gone' }),
        ]);
        await tx.saveChanges([change(one, 1), change(one, 2, 7), change(two, 2, 7)]);
        await tx.saveChanges([
          { ...change(one, 3, 7), text: 'first' },
          { ...change(one, 3, 7), text: 'second' },
        ]);
        const texts = async (...asked: Parameters<Writer['changes']>) =>
          (await tx.changes(...asked)).map(({ text }) => text);
        expect(await texts({ series: one }, 0, 9)).toEqual(['first', 'second', `${one} at 2`, `${one} at 1`]);
        expect(await texts({ series: one }, 1, 2)).toEqual(['first', 'second']);
        expect(await texts({ venue: 7 }, 0, 9)).toEqual(['first', 'second', `${one} at 2`]);
        expect(await texts({ series: two }, 0, 9)).toEqual([]);
        expect((await tx.changes({ series: one }, 2, 1))[0]).toMatchObject({
          series: one,
          key: 'k1',
          name: 'One',
          at: 3,
        });
        await tx.forgetChanges(2);
        expect(await texts({ series: one }, 0, 9)).toEqual(['first', 'second', `${one} at 2`]);
        await tx.saveChanges(Array.from({ length: 120 }, (_, index) => change(one, 10 + index)));
        expect(await tx.changes({ series: one }, 0, 999)).toHaveLength(100);
        expect((await tx.changes({ series: one }, 0, 999)).at(-1)).toMatchObject({ at: 30 });
        await tx.saveChanges([change(one, 200, 8), change(one, 200, 9)]);
        for (const of of [{ series: one }, { venue: 8 }, { venue: 9 }])
          expect(await texts(of, 199, 9)).toEqual([`${one} at 200`]);
      });
    });

    it('pages through the findings of items', async () => {
      const findings = { findings: '[{}]' };
      const [a, , c] = (await saved([item('a', findings), item('b'), item('c', findings)])) as [number, number, number];
      const shown = (id: number, rpdeId: string) => ({ id, kind: 'K', rpdeId, ...findings });
      expect(await store.read.itemFindings(feed.id, 0, 9)).toEqual([shown(a, 'a'), shown(c, 'c')]);
      expect(await store.read.itemFindings(feed.id, 0, 1)).toEqual([shown(a, 'a')]);
      expect(await store.read.itemFindings(feed.id, a, 9)).toEqual([shown(c, 'c')]);
    });

    it('counts findings by their code', async () => {
      const found = (...codes: string[]) => ({ findings: JSON.stringify(codes.map((code) => ({ code, path: '$' }))) });
      await saved([item('a', found('x', 'y')), item('b', found('x')), item('c')]);
      const page = { item: '', finding: { code: 'y', path: '$' } };
      await store.write((tx) => tx.savePageFindings(feed.id, 'c', [page] as never));
      expect(await store.read.findingCodes(feed.id, 9)).toEqual([
        { code: 'x', count: 2 },
        { code: 'y', count: 2 },
      ]);
      expect(await store.read.findingCodes(feed.id, 0)).toEqual([{ code: 'y', count: 1 }]);
      await saved([item('d', { findings: JSON.stringify([{ code: 'y', path: '$', facts: { used: 'A "b"' } }]) })]);
      const [, { facts = '' } = {}] = await store.read.findingCodes(feed.id, 9);
      expect(JSON.parse(facts)).toEqual({ used: 'A "b"' });
    });
  });

  describe('lists that people keep', () => {
    const list = { token: 'k1', editHash: 'h', content: '{}', revision: 0, changed: 1000, asked: 1000 };

    it('come back as they were saved, and in the order in which they were', async () => {
      expect([await store.read.keptList('k1'), await store.read.lastKeptListSeq()]).toEqual([undefined, 0]);
      await store.write(async (tx) => {
        await tx.saveKeptList(list);
        await tx.saveKeptList({ ...list, token: 'k2' });
        await tx.saveKeptList({ ...list, content: '{"name":"Sport"}', revision: 1, changed: 2000 });
      });
      expect(await store.read.keptList('k1')).toEqual({
        ...list,
        content: '{"name":"Sport"}',
        revision: 1,
        changed: 2000,
      });
      expect(await store.read.keptListsSince(0, 9)).toEqual([
        { token: 'k2', seq: 2 },
        { token: 'k1', seq: 3 },
      ]);
      expect(await store.read.keptListsSince(2, 1)).toEqual([{ token: 'k1', seq: 3 }]);
      expect(await store.read.lastKeptListSeq()).toBe(3);
    });

    it('go when nobody has asked for them, and no number comes twice', async () => {
      await store.write(async (tx) => {
        for (const token of ['k1', 'k2', 'k3']) await tx.saveKeptList({ ...list, token });
        await tx.askedForKeptList('k2', 5000);
        expect(await tx.dropKeptLists(5000, 1)).toBe(1);
        expect(await tx.dropKeptLists(5000, 9)).toBe(1);
        await tx.saveKeptList(list);
      });
      expect(await store.read.keptList('k2')).toEqual({ ...list, token: 'k2', asked: 5000 });
      expect(await store.read.keptListsSince(0, 9)).toEqual([
        { token: 'k2', seq: 2 },
        { token: 'k1', seq: 4 },
      ]);
    });
  });

  // The last, after all cases of this store.
  it('has a case for every method of the contract', () => {
    const methods = methodsOfContract();
    expect(methods.length).toBeGreaterThan(80);
    expect(methods.filter((name) => !called.has(name))).toEqual([]);
  });
}
