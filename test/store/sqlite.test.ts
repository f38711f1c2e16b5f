import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../src/errors.ts';
import { databaseAt, openStore } from '../../src/store/index.ts';
import { tag, tagInBlock } from '../../src/store/sql/tags.ts';
import { SCHEMA, SCHEMA_VERSION } from '../../src/store/sqlite/schema.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { storeContract } from './contract.ts';
import { searchContract } from './search-contract.ts';

/** Columns and indexes of each table in any order, and the triggers. */
function schemaIn(data: string): unknown {
  using db = new DatabaseSync(join(data, 'openactive-ical.sqlite'), { readOnly: true });
  const all = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  return {
    columns: all(`SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk
      FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.name`),
    indexes: all(
      `SELECT tbl_name, name, replace(sql, '"', '') FROM sqlite_schema WHERE type = 'index' ORDER BY tbl_name, name`,
    ),
    triggers: all(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`),
  };
}

/** Columns that the condition of a partial index compares with a constant. */
function partialIndexes(): { table: string; column: string }[] {
  const indexes = SCHEMA.matchAll(/^CREATE INDEX \w+ ON (\w+) \(.*\) WHERE (.+);$/gm);
  return [...indexes].flatMap(([, table = '', condition = '']) =>
    [...condition.matchAll(/(\w+) = /g)].map(([, column = '']) => ({ table, column })),
  );
}

/** Whether a condition of a statement compares the column of the table with a bound value. */
function binds(sql: string, table: string, column: string): boolean {
  const uses = sql.matchAll(new RegExp(`\\b(?:FROM|JOIN|UPDATE) ${table}\\b(?: ([a-z])\\b)?`, 'g'));
  const conditions = sql.slice(sql.indexOf(' WHERE '));
  return [...uses].some(([, alias]) =>
    new RegExp(`${alias === undefined ? '(?<![.\\w])' : `\\b${alias}\\.`}${column} (?:= |IN \\()\\?`).test(conditions),
  );
}

const embedded = async () => {
  const data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
  return { open: () => openStore({ data }), destroy: () => rm(data, { recursive: true }) };
};

/** Each has a file of its tables, `earlier/schema-N.sql`: a new version adds the one before it. */
const EARLIER = Array.from({ length: SCHEMA_VERSION - 1 }, (_, at) => at + 1);

describe('SQLite', () => {
  const statements = new Set<string>();
  beforeAll(() => {
    const { prepare } = DatabaseSync.prototype;
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
      statements.add(sql);
      return prepare.call(this, sql);
    });
  });
  afterAll(() => vi.restoreAllMocks());

  storeContract(embedded);
  searchContract(embedded);

  it('binds no value to what a partial index compares with a constant: each would prepare the statement anew', () => {
    const indexes = partialIndexes();
    expect(statements.size).toBeGreaterThan(100);
    expect(indexes).toContainEqual({ table: 'record', column: 'kind' });
    const bound = indexes.flatMap(({ table, column }) => [...statements].filter((sql) => binds(sql, table, column)));
    expect(bound).toEqual([]);
  });

  describe('where every name has the same tag', () => {
    storeContract(async () => {
      const data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
      return { open: async () => openSqlite(data, { tagOf: () => 1 }), destroy: () => rm(data, { recursive: true }) };
    });
  });

  describe('tags', () => {
    const names = Array.from({ length: 100_000 }, (_, n) => `https://example.org/api/sessions/${n}`);

    const hashes = names.map((name) => `https://example.org/api/sessions/${hash('sha1', name)}`);

    it('tell names apart', () => {
      for (const list of [names, hashes]) expect(new Set(list.map((name) => tag(name, 7))).size).toBe(list.length);
      expect(new Set(hashes.map((name) => tagInBlock(name, 7))).size).toBe(hashes.length);
    });

    it('in blocks are one for few names in ten thousand, also where all are in one block', () => {
      const letters = names.map((_, n) => `https://example.org/${String.fromCharCode(n % 1000, n / 1000, 7)}`);
      for (const list of [names, letters])
        expect(new Set(list.map((name) => tagInBlock(name, 7))).size).toBeGreaterThan(list.length * 0.996);
    });

    it('in blocks are neighbours where names count up', () => {
      const tags = names.map((name) => tagInBlock(name, 7));
      const order = tags.toSorted((a, b) => a - b);
      const places = new Map(order.map((one, place) => [one, place]));
      // A page of 500 items, and index pages of 400 rows.
      const written = new Set(tags.slice(50_000, 50_500).map((one) => Math.floor((places.get(one) as number) / 400)));
      expect(written.size).toBeLessThan(10);
    });

    it.each([tag, tagInBlock])('are others with another seed, and whole numbers of 48 bits (%o)', (tagOf) => {
      const both = names.slice(0, 1000).flatMap((name) => [tagOf(name, 7), tagOf(name, 8)]);
      expect(new Set(both).size).toBe(both.length);
      expect(both.every((one) => Number.isInteger(one) && one >= 0 && one < 2 ** 48)).toBe(true);
    });

    it('have a seed of each database’s own', async () => {
      const seeds = new Set<unknown>();
      for (let n = 0; n < 3; n++) {
        const data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
        const store = await openStore({ data });
        seeds.add(await store.read.meta('tags'));
        await store.close();
        await rm(data, { recursive: true });
      }
      expect(seeds.size).toBe(3);
    });
  });

  describe('the file', () => {
    let data: string;
    beforeEach(async () => {
      data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
    });
    afterEach(() => rm(data, { recursive: true }));

    it('is refused in one line when a newer release wrote it', async () => {
      await (await openStore({ data })).close();
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec('PRAGMA user_version = 99');
      db.close();
      await expect(openStore({ data })).rejects.toThrow(/written by a newer release \(schema 99/);
    });

    it('of the first release is opened with all that is in it', async () => {
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec(await readFile(new URL('earlier/schema-1.sql', import.meta.url), 'utf8'));
      db.exec(`PRAGMA user_version = 1;
        INSERT INTO feed (id, url, name, cursor) VALUES (1, 'read', 'One', 'https://f.example/?after=2'), (2, 'unread', NULL, NULL);
        INSERT INTO item (feed, kind, rpde_id, modified, hash, findings) VALUES
          (1, 'K', 'a', '1', 'h', '[{},{}]'), (1, 'K', 'b', '1', 'h', NULL), (1, 'K', 'c', '2', NULL, NULL);
        INSERT INTO page_finding VALUES (1, 'p', '[{}]');
        INSERT INTO calendar (record, part, kind, key, state, revision, changed, seq, name, search, header, sessions, rolling)
          VALUES (1, '', 0, 'k', 'live', 3, 5000, 9, 'n', 's', 'h', 0, 0);`);
      db.close();
      const store = await openStore({ data });
      const [read, unread] = await store.read.feedStates();
      expect(read).toMatchObject({
        name: 'One',
        cursor: 'https://f.example/?after=2',
        state: 'reading',
        lastChange: 5000,
      });
      expect(read).toMatchObject({ items: 2, deleted: 1, findings: 3 });
      expect(unread).toMatchObject({ state: 'new', cursor: undefined, items: 0, deleted: 0, findings: 0 });
      expect(await store.read.calendarByKey('k')).toMatchObject({ revision: 3, seq: 9 });
      await store.write((tx) => tx.saveSeen(1, [1]));
      expect((await store.read.unseen(1, 0, 99)).map(({ rpdeId }) => rpdeId)).toEqual(['b']);
      await store.close();
      await (await openStore({ data })).close();
    });

    it('of the second release is opened with all that is in it, and its watch goes on', async () => {
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec(await readFile(new URL('earlier/schema-2.sql', import.meta.url), 'utf8'));
      db.exec(`PRAGMA user_version = 2;
        INSERT INTO feed (id, url, cursor) VALUES (1, 'one', 'c'), (2, 'two', NULL);
        INSERT INTO item (id, feed, kind, rpde_id, modified, hash) VALUES
          (1, 1, 'K', 'a', '5', 'ha'), (2, 1, 'L', 'a', '6', 'hb'), (3, 2, 'K', 'a', '7', NULL);
        INSERT INTO record (id, kind, ident, parent, venue, item, rank, start, "end", cancelled, body, hash, sequence, changed) VALUES
          (1, 0, 'same', NULL, 3, 1, 2, NULL, NULL, NULL, '{"series":1}', NULL, 0, 0),
          (2, 1, 'same', 1, NULL, 2, 1, 100, 200, 1, '{"session":1}', 'shown', 4, 9000),
          (3, 2, 'stub', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0);
        INSERT INTO claim VALUES (1, 2, 0);
        INSERT INTO occurrence VALUES (1, 10, 0, 20, 0, 's');
        CREATE TABLE touched (ident TEXT NOT NULL, kind INTEGER NOT NULL, n INTEGER NOT NULL, parent INTEGER, PRIMARY KEY (ident, kind)) WITHOUT ROWID;
        CREATE TRIGGER touched_delete AFTER DELETE ON record WHEN old.body IS NOT NULL BEGIN SELECT raise(ABORT, 'not this one'); END;
        INSERT INTO meta VALUES ('watch', 'ours');
        INSERT INTO touched VALUES ('same', 1, 5, 1);`);
      db.close();
      const store = await openStore({ data });
      const { read } = store;
      expect(
        await store.write((tx) =>
          tx.items(
            1,
            ['K', 'L', 'M'].map((kind) => ({ kind, rpdeId: 'a' })),
          ),
        ),
      ).toMatchObject([{ id: 1, modified: '5', hash: 'ha' }, { id: 2, modified: '6', hash: 'hb' }, undefined]);
      expect(await store.write((tx) => tx.items(2, [{ kind: 'K', rpdeId: 'a' }]))).toMatchObject([
        { id: 3, deleted: true },
      ]);
      const owner = { item: 2, rank: 1, modified: '6', feed: 'one', kind: 'L', rpdeId: 'a' };
      const session = {
        kind: 'session',
        ident: 'same',
        place: undefined,
        venue: undefined,
        owner,
        publisherId: 1,
        strays: false,
        named: undefined,
        own: false,
        price: undefined,
        body: '{"session":1}',
      };
      const series = await read.recordByIdent('series', 'same');
      expect(series).toMatchObject({ id: 1, venue: 3, body: '{"series":1}', owner: { item: 1, rank: 2 } });
      expect(await read.recordByIdent('session', 'same')).toEqual({
        ...session,
        id: 2,
        parent: 1,
        hash: { kind: 'hash', hash: 'shown' },
        sequence: 4,
        changed: 9000,
      });
      expect(await read.recordByIdent('place', 'stub')).toMatchObject({ id: 3, owner: undefined, body: '' });
      expect(await read.sessions(1)).toMatchObject([{ id: 2, body: '{"session":1}' }]);
      expect(await read.seriesAt(3)).toEqual([1]);
      expect(await read.occurrences(1)).toHaveLength(1);
      await store.write(async (tx) => {
        expect(await tx.claimsBy([2])).toEqual([{ record: 1, item: 2, rank: 0, refused: false }]);
        expect(await tx.seriesWithCancelled(0, 1000)).toEqual([1]);
        const wanted = ['stub', 'new'].map((ident) => ({ ident, publisherId: 1 }));
        expect(await tx.stubs('place', wanted)).toEqual([
          { id: 3, publisherId: 1, owned: false },
          { id: 4, publisherId: 1, owned: false },
        ]);
        await tx.clearRecords([2]);
      });
      await store.close();
      const watch = await databaseAt({ data }).openWatch();
      expect(watch.name).toBe('ours');
      expect(await watch.since(5, 9)).toEqual([{ seq: 6, kind: 'session', ident: 'same', parent: 1 }]);
      await watch.close();
      await databaseAt({ data }).endWatch();
      await (await openStore({ data })).close();
    });

    it('of the third release is opened, and what ids that differ in a slash or in capitals say is of one record', async () => {
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec(await readFile(new URL('earlier/schema-3.sql', import.meta.url), 'utf8'));
      db.exec(`PRAGMA user_version = 3;
        INSERT INTO meta VALUES ('tags', '7');
        INSERT INTO meta VALUES ('watch', 'ours');
        INSERT INTO said VALUES (1, 'https://X.org/s/', NULL), (2, 'https://x.org/t', NULL), (3, 'https://x.org/t/', NULL);
        INSERT INTO record (id, kind, tag) VALUES (1, 0, 1), (2, 0, ${tag('https://x.org/t', 7)}), (3, 0, 3);
        INSERT INTO calendar (record, part, kind, key, state, revision, changed, seq, name, search, header, sessions, rolling)
          VALUES (1, '', 0, 'k', 'live', 3, 5000, 9, 'n', 's', 'h', 0, 0);`);
      db.close();
      const store = await openStore({ data });
      const wanted = ['https://x.org/s', 'https://x.org/t'].map((ident) => ({ ident, publisherId: undefined }));
      expect(await store.write((tx) => tx.stubs('series', wanted))).toMatchObject([{ id: 1 }, { id: 2 }]);
      expect(await store.read.calendarByKey('k')).toMatchObject({ record: 1 });
      await store.close();
      const watch = await databaseAt({ data }).openWatch();
      expect(watch.name).not.toBe('ours');
      await watch.close();
      await databaseAt({ data }).endWatch();
      await (await openStore({ data })).close();
    });

    it('of the third release counts what each feed has stored in bytes, as this one would', async () => {
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec(await readFile(new URL('earlier/schema-3.sql', import.meta.url), 'utf8'));
      db.exec(`PRAGMA user_version = 3;
        INSERT INTO meta VALUES ('tags', '7');
        INSERT INTO feed (id, url) VALUES (1, 'items'), (2, 'items and findings'), (3, 'findings'), (4, 'nothing');
        INSERT INTO bundle (id, live, data) VALUES (1, 2, zeroblob(1000)), (2, 1, zeroblob(200)), (3, 1, zeroblob(30));
        INSERT INTO item (id, feed, kind, rpde_id, modified, hash, bundle, slot) VALUES
          (1, 1, 'K', 'a', '1', 'h', 1, 0), (2, 1, 'K', 'b', '1', 'h', 1, 1), (3, 1, 'K', 'c', '1', 'h', 2, 0),
          (4, 1, 'K', 'd', '2', NULL, NULL, NULL), (5, 2, 'K', 'a', '1', 'h', 3, 0), (6, 4, 'K', 'a', '1', NULL, NULL, NULL);
        INSERT INTO page_finding VALUES (2, 'p', '[{}]'), (2, 'q', '[{},{}]'), (3, 'p', '[{"a":1}]');`);
      db.close();
      const store = await openStore({ data });
      const bytes = async () =>
        Object.fromEntries((await store.read.feedStates()).map((feed) => [feed.url, feed.bytes]));
      expect(await bytes()).toEqual({ items: 1200, 'items and findings': 41, findings: 9, nothing: 0 });
      // What goes later goes from the same sum.
      const gone = {
        id: 3,
        kind: 'K',
        rpdeId: 'c',
        modified: '2',
        hash: undefined,
        raw: undefined,
        findings: undefined,
      };
      await store.write((tx) => tx.saveItems(1, [gone]));
      expect((await bytes()).items).toBe(1000);
      await store.close();
    });

    it('of the fourth release is opened with all that is in it, and its watch goes on', async () => {
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec(await readFile(new URL('earlier/schema-4.sql', import.meta.url), 'utf8'));
      db.exec(`PRAGMA user_version = 4;
        INSERT INTO meta VALUES ('tags', '7'), ('watch', 'ours');
        INSERT INTO said VALUES (1, 'https://x.org/s', '{"series":1}'), (2, 'https://x.org/t', '{"session":1}');
        INSERT INTO record (id, kind, tag, parent, item) VALUES
          (1, 0, ${tag('https://x.org/s', 7)}, NULL, 1), (2, 1, ${tag('https://x.org/t', 8)}, 1, 2);`);
      db.close();
      const store = await openStore({ data });
      expect(await store.read.recordByIdent('series', 'https://x.org/s')).toMatchObject({
        id: 1,
        body: '{"series":1}',
      });
      expect(await store.read.sessions(1)).toMatchObject([{ id: 2, body: '{"session":1}' }]);
      await store.write((tx) => tx.clearRecords([2]));
      await store.close();
      const watch = await databaseAt({ data }).openWatch();
      expect(watch.name).toBe('ours');
      const session = { kind: 'session', ident: 'https://x.org/t', parent: 1 };
      expect(await watch.since(0, 9)).toMatchObject([
        { seq: 1, kind: 'series', ident: 'https://x.org/s' },
        { seq: 3, ...session },
      ]);
      await watch.close();
    });

    it('of the fifth release is opened with the lists that people keep, and without what is searched', async () => {
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec(await readFile(new URL('earlier/schema-5.sql', import.meta.url), 'utf8'));
      db.exec(`PRAGMA user_version = 5;
        INSERT INTO meta VALUES ('tags', '7');
        INSERT INTO kept_list VALUES ('ours', 'hash', '{}', 1, 1, 1, 1);
        INSERT INTO search (record, kind, online, activities) VALUES (1, 0, 0, '[]');
        INSERT INTO search_text (rowid, name) VALUES (1, 'yoga');`);
      db.close();
      const store = await openStore({ data });
      expect(await store.read.keptList('ours')).toMatchObject({ token: 'ours', revision: 1 });
      const words = [{ any: [['yoga']] }];
      expect(await store.read.search({ kind: 'series', words }, 9)).toEqual([]);
      await store.close();
    });

    it.each(EARLIER)('of schema version %i gets the tables of a new one', async (version) => {
      const earlier = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      earlier.exec(await readFile(new URL(`earlier/schema-${version}.sql`, import.meta.url), 'utf8'));
      earlier.exec(`PRAGMA user_version = ${version}`);
      if (version > 2) earlier.exec("INSERT INTO meta VALUES ('tags', '7')");
      earlier.close();
      const anew = join(data, 'new');
      for (const folder of [data, anew]) {
        await (await openStore({ data: folder })).close();
        await (await databaseAt({ data: folder }).openWatch()).close();
      }
      expect(schemaIn(data)).toEqual(schemaIn(anew));
    });

    it('is opened while another process is in the middle of a transaction, without waiting for its end', async () => {
      await (await openStore({ data })).close();
      const other = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      other.exec('BEGIN IMMEDIATE');
      // Waiting would block this thread, and end in an error: nobody is left to end the transaction.
      const store = await openStore({ data });
      expect(await store.read.feeds()).toEqual([]);
      other.exec('ROLLBACK');
      other.close();
      await store.close();
    });

    it('lets another process write between transactions that follow one another at once', async () => {
      const [busy, other] = [await openStore({ data }), await openStore({ data })];
      let written = false;
      let transactions = 0;
      const harvest = async () => {
        // Each is queued before the one ahead of it ends, as pages of a feed are.
        for (let ahead = busy.write(() => setTimeout(30)); !written; transactions += 1) {
          if (transactions === 100) throw new Error('100 transactions have kept another process waiting');
          const next = busy.write(() => setTimeout(30));
          await ahead;
          ahead = next;
        }
      };
      const harvesting = harvest();
      await setTimeout(10);
      await Promise.race([harvesting, other.write((tx) => tx.setMeta('a', 'b'))]);
      written = true;
      await harvesting;
      expect(await busy.read.meta('a')).toBe('b');
      await busy.close();
      await other.close();
      expect(existsSync(join(data, 'openactive-ical.sqlite-waiting'))).toBe(false);
    });

    it('gives way once to a process that died while it waited', async () => {
      const store = await openStore({ data });
      const left = join(data, 'openactive-ical.sqlite-waiting');
      await writeFile(left, '1 1');
      await store.write((tx) => tx.setMeta('a', 'b'));
      await store.close();
      expect(existsSync(left)).toBe(false);
    });

    it('is refused in one line when it is no database, with the path', async () => {
      await writeFile(
        join(data, 'openactive-ical.sqlite'),
        'not a database at all, but long enough to be read as one'.repeat(40),
      );
      const opening = openStore({ data });
      await expect(opening).rejects.toBeInstanceOf(StoreError);
      await expect(opening).rejects.toThrow(/openactive-ical\.sqlite cannot be opened/);
    });

    it('holds no bundle whose last item has left it', async () => {
      const store = await openStore({ data });
      const feed = await store.write((tx) => tx.openFeed('f', {}));
      const one = { kind: '', rpdeId: 'a', modified: '1', hash: 'h', raw: '{}', findings: undefined };
      const [id] = await store.write((tx) => tx.saveItems(feed.id, [{ ...one, id: undefined }]));
      await store.write((tx) => tx.saveItems(feed.id, [{ ...one, id, raw: '{"b":1}' }]));
      await store.close();
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      expect(db.prepare('SELECT count(*) AS n FROM bundle').get()).toEqual({ n: 1 });
      db.close();
    });
  });
});
