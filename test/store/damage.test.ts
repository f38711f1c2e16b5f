import fs from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoppedError, StoreError, type StoreTrouble } from '../../src/errors.ts';
import { bundled, unpack } from '../../src/store/bundles.ts';
import { Troubles } from '../../src/store/contract/index.ts';
import { recordOf } from '../../src/store/find.ts';
import { databaseAt, openReader, openStore, type Store, troubleWords } from '../../src/store/index.ts';
import { postgresFault } from '../../src/store/postgres/faults.ts';
import { storeFault } from '../../src/store/sqlite/faults.ts';
import { storeFile } from '../../src/store/sqlite/store.ts';
import { flip } from './flip.ts';
import { writingDatabase } from './writing-database.ts';

/** A broken disk, as the store tells of it. */

const sqlite = (errcode: number) => Object.assign(new Error('sqlite says'), { code: 'ERR_SQLITE_ERROR', errcode });

describe('what SQLite throws is reported in words, with the cure', () => {
  const codes: [name: string, code: number, trouble: string | undefined, words: RegExp][] = [
    ['SQLITE_BUSY', 5, undefined, /locked for too long/],
    ['SQLITE_READONLY', 8, 'read-only', /cannot be written; check who owns the --data folder/],
    ['SQLITE_READONLY_DBMOVED', 8 | (4 << 8), 'read-only', /cannot be written/],
    ['SQLITE_IOERR', 10, 'unreadable', /check the disk .* "openactive-ical store verify"/],
    ['SQLITE_IOERR_SHORT_READ', 10 | (2 << 8), 'unreadable', /check the disk/],
    ['SQLITE_CORRUPT', 11, 'damaged', /"openactive-ical store verify" .* "openactive-ical store backup"/],
    ['SQLITE_CORRUPT_INDEX', 11 | (3 << 8), 'damaged', /is damaged/],
    ['SQLITE_FULL', 13, 'full', /the disk is full; make room/],
    ['SQLITE_NOTADB', 26, 'damaged', /is no database; choose another/],
  ];
  test.each(codes)('%s', (_, code, trouble, words) => {
    const fault = storeFault(sqlite(code), '/data/one.sqlite');
    expect(fault).toMatchObject({ trouble, message: expect.stringMatching(words) });
    expect((fault as Error).message).toMatch(
      /^The database \/data\/one\.sqlite (?:failed|cannot be opened): [^\n]*\.$/,
    );
  });

  test('no file is named to whoever asks over HTTP', () => {
    for (const code of [8, 10, 11, 13, 26]) {
      const fault = storeFault(sqlite(code), '/data/a.sqlite') as StoreError;
      expect(fault.message).toContain('/data/a.sqlite');
      expect(troubleWords(fault)).toMatch(/^The database failed: [^/]*\.$/);
    }
  });

  test('what helps a PostgreSQL is said of a PostgreSQL', () => {
    const full = Object.assign(new Error('no space left on device'), { code: '53100' });
    const fault = postgresFault(full, 'postgres://db.internal/oai') as StoreError;
    expect([fault.trouble, troubleWords(fault)]).toEqual([
      'full',
      'The database failed: its disk is full; make room there, and it goes on by itself.',
    ]);
  });
});

test('too little shared memory is no full disk', () => {
  const message = 'could not resize shared memory segment "/PostgreSQL.1" to 8388608 bytes: No space left on device';
  const fault = postgresFault(Object.assign(new Error(message), { code: '53100' }), 'postgres://db/oai') as StoreError;
  expect([fault.trouble, fault.message]).toEqual([undefined, expect.stringMatching(/shm_size/)]);
});

test('a database that is busy is not one that cannot be reached', () => {
  const words = (message: string) => (postgresFault(new Error(message), 'postgres://db/oai') as StoreError).message;
  expect(words('timeout exceeded when trying to connect')).toMatch(/it is busy/);
  for (const message of ['Connection terminated due to connection timeout', 'timeout expired'])
    expect(words(message)).toMatch(/cannot be reached/);
});

test('each trouble is over with what shows that it is, and told once', () => {
  const KINDS = ['damaged', 'unreadable', 'full', 'read-only'] as const;
  const event = fc.oneof(
    fc.record({ does: fc.constant('met' as const), trouble: fc.constantFrom(...KINDS), reads: fc.boolean() }),
    fc.record({ does: fc.constantFrom('noteAnswer' as const, 'noteWrite' as const) }),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const heard: (StoreTrouble | undefined)[] = [];
      const troubles = new Troubles((trouble) => heard.push(trouble));
      const told: (StoreTrouble | undefined)[] = [];
      let now: { trouble: StoreTrouble; reads: boolean } | undefined;
      for (const one of events) {
        const before = now?.trouble;
        if (one.does === 'met') troubles.met(new StoreError('it failed', one), one.reads);
        else troubles[one.does]();
        if (one.does === 'met' && before !== 'damaged')
          now = { ...one, reads: one.reads && (before !== one.trouble || now?.reads === true) };
        else if (before !== 'damaged' && (one.does === 'noteWrite' || now?.reads)) now = undefined;
        if (now?.trouble !== before) told.push(now?.trouble);
        expect(troubles.current).toBe(now?.trouble);
      }
      expect(heard).toEqual(told);
    }),
  );
});

test('a thread tells what it met with one question, and once', () => {
  const troubles = new Troubles();
  const full = new StoreError('it failed', { trouble: 'full' });
  for (const _ of [1, 2]) {
    troubles.met(full, true);
    troubles.noteAnswer();
    expect(troubles.take()).toBe(full);
    expect(troubles.take()).toBeUndefined();
  }
});

describe('a store', () => {
  let data: string;
  let store: Store;
  let told: (string | undefined)[];
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'oai-damage-'));
    told = [];
    store = await openStore({ data, onTrouble: (trouble) => told.push(trouble) });
    await store.write(async (tx) => {
      for (let n = 0; n < 400; n++) await tx.openFeed(`https://f.example/${n}`, { name: 'x'.repeat(200) });
    });
  });
  afterEach(async () => {
    await store.close();
    await rm(data, { recursive: true });
  });

  const write = () =>
    store.write((tx) => tx.openFeed(`https://f.example/${Math.random()}`, { name: 'y'.repeat(9000) }));
  const writing = () => writingDatabase(store);

  test('that is well says so', async () => {
    await store.check();
    expect([store.troubles.current, told]).toEqual([undefined, []]);
  });

  test('is checked no further when somebody wants the process to end', async () => {
    const stop = new AbortController();
    const checked = store.check(stop.signal);
    stop.abort(new StoppedError('SIGTERM'));
    await expect(checked).rejects.toThrow(StoppedError);
    await expect(store.check(stop.signal)).rejects.toThrow(StoppedError);
    expect(told).toEqual([]);
  });

  test('on a full disk tells it once, and once that it is over', async () => {
    const db = await writing();
    db.exec(`PRAGMA max_page_count = ${Number(db.prepare('PRAGMA page_count').get()?.page_count)}`);
    for (let time = 0; time < 3; time++) await expect(write()).rejects.toThrow(/disk is full/);
    expect([store.troubles.current, told]).toEqual(['full', ['full']]);
    expect(await store.read.feedCounts(1)).toMatchObject({ items: 0 });
    db.exec('PRAGMA max_page_count = 1000000');
    await write();
    expect([store.troubles.current, told]).toEqual([undefined, ['full', undefined]]);
  });

  test('on a full disk that takes a small transaction is not well before there is room', async () => {
    const db = await writing();
    const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
    const room = { bavail: 1000, bsize: 4096 } as ReturnType<typeof fs.statfsSync>;
    const statfs = vi.spyOn(fs, 'statfsSync').mockReturnValue(room);
    syncBuiltinESMExports();
    try {
      for (let time = 0; time < 3; time++) {
        db.exec(`PRAGMA max_page_count = ${pages}`);
        await expect(write()).rejects.toThrow(/disk is full/);
        await store.write((tx) => tx.setMeta('a', String(time)));
        expect([store.troubles.current, told]).toEqual(['full', ['full']]);
      }
    } finally {
      statfs.mockRestore();
      syncBuiltinESMExports();
    }
    await store.write((tx) => tx.setMeta('a', 'b'));
    expect(told).toEqual(['full', undefined]);
  });

  test('that cannot be written tells it once, is read on, and tells that it is over', async () => {
    const db = await writing();
    db.exec('PRAGMA query_only = 1');
    for (let time = 0; time < 3; time++) await expect(write()).rejects.toThrow(/cannot be written/);
    expect([store.troubles.current, told]).toEqual(['read-only', ['read-only']]);
    expect(await store.read.feeds()).toHaveLength(400);
    db.exec('PRAGMA query_only = 0');
    await write();
    expect(told).toEqual(['read-only', undefined]);
  });

  async function flipped(name: string): Promise<void> {
    await store.close();
    await flip(storeFile(data), name);
    store = await openStore({ data, onTrouble: (trouble) => told.push(trouble) });
  }

  test('with flipped bytes tells it once, whoever meets them, and for good', async () => {
    await flipped('feed');
    for (let time = 0; time < 3; time++) await expect(store.read.feedStates()).rejects.toThrow(/is damaged/);
    await expect(write()).rejects.toThrow(/is damaged/);
    await store.write((tx) => tx.setMeta('a', 'b'));
    expect([store.troubles.current, told]).toEqual(['damaged', ['damaged']]);
  });

  test.each(['a process that writes', 'one that only reads'])(
    'whose disk fails once is well again with the next answer: %s',
    async (who) => {
      const reader = who.includes('only')
        ? await openReader({ data, onTrouble: (trouble) => told.push(trouble) })
        : store;
      const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(() => {
        throw sqlite(10);
      });
      await expect(reader.read.lastItem()).rejects.toThrow(/check the disk/);
      expect(reader.troubles.current).toBe('unreadable');
      prepare.mockRestore();
      expect(await reader.read.lastItem()).toBe(0);
      expect([reader.troubles.current, told]).toEqual([undefined, ['unreadable', undefined]]);
      if (reader !== store) await reader.close();
    },
  );

  test('whose watch of records meets damage says so in words', async () => {
    const place = databaseAt({ data });
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation((sql) => {
      if (sql.startsWith('BEGIN')) throw sqlite(11);
    });
    try {
      for (const work of [place.openWatch, place.endWatch]) await expect(work()).rejects.toThrow(/it is damaged; /);
    } finally {
      exec.mockRestore();
    }
  });

  test('that cannot be rolled back reports why it was to be', async () => {
    const db = await writing();
    const exec = db.exec.bind(db);
    db.exec = (sql) => {
      if (sql === 'COMMIT' || sql === 'ROLLBACK') throw sqlite(sql === 'COMMIT' ? 10 : 11);
      exec(sql);
    };
    await expect(write()).rejects.toThrow(/check the disk/);
    exec('ROLLBACK');
    db.exec = exec;
  });

  test('whose schema cannot be read is checked, and the check says so in words', async () => {
    const db = await writing();
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const file = await open(storeFile(data), 'r+');
    await file.write(Buffer.alloc(4000, 0xff), 0, 4000, 100);
    await file.close();
    await expect(store.check()).rejects.toThrow(/it is damaged; /);
    expect(told).toEqual(['damaged']);
  });

  test('with damage that nobody has met finds it by a check', async () => {
    await flipped('claim_item');
    expect(await store.read.feeds()).toHaveLength(400);
    await expect(store.check()).rejects.toThrow(/is damaged; .* \(.+\)\.$/);
    expect(told).toEqual(['damaged']);
  });

  test('whose file is none is refused in one line', async () => {
    await store.close();
    await writeFile(storeFile(data), 'x'.repeat(20_000));
    await expect(openStore({ data })).rejects.toThrow(
      /^The database .*openactive-ical\.sqlite cannot be opened: it is no database; [^\n]*$/,
    );
    await rm(data, { recursive: true });
    store = await openStore({ data });
  });
});

test('a text of the store that is no JSON any more, and a bundle that does not unpack, are damage', () => {
  expect(() => recordOf({ body: '{"kind":"ser' })).toThrow(StoreError);
  const [one] = bundled(['{"a":1}', '{"a":2}']);
  const data = (one as NonNullable<typeof one>).bundle.data.slice();
  data.fill(0, 4, 12);
  expect(() => unpack(data)).toThrow(/database is damaged/);
});
