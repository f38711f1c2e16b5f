import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/limits.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../../src/store/postgres/schema.ts';
import { openPostgres } from '../../../src/store/postgres/store.ts';
import { tag } from '../../../src/store/sql/tags.ts';
import { storeContract } from '../../store/contract.ts';
import { testDatabase } from '../../store/postgres.ts';
import { record } from '../../store/rows.ts';
import { searchContract } from '../../store/search-contract.ts';

/** PostgreSQL behind the contract of every store. */

async function postgresUnderTest() {
  const database = await testDatabase();
  return {
    open: () => openPostgres(database.url),
    destroy: () => database.drop(),
  };
}

describe('PostgreSQL', () => {
  storeContract(postgresUnderTest);
  searchContract(postgresUnderTest);
});

describe('a database of an earlier release', () => {
  test.each(Array.from({ length: SCHEMA_VERSION - 1 }, (_, at) => at + 1))(
    'of schema version %i is opened with all that is in it',
    async (version) => {
      const { url, query, drop } = await testDatabase();
      for (const migration of MIGRATIONS.slice(0, version)) await query(migration);
      await query(`UPDATE store SET schema = ${version}; UPDATE meta SET value = '7' WHERE key = 'tags';
        INSERT INTO publisher (id, key) VALUES (1, 'https://x.org');
        INSERT INTO feed (id, url, name, cursor, live, publisher_id) VALUES (1, 'https://x.org/feed', 'X', 'https://x.org/feed?after=1', 1, 1);
        INSERT INTO item (id, feed, kind, rpde_id, modified, hash) VALUES (1, 1, 'K', 'a', '1', 'h');
        INSERT INTO record (id, kind, tag, item, rank, publisher_id) VALUES (1, 0, ${tag('https://x.org/s', 7)}, 1, 1, 1);
        INSERT INTO record_body (record, ident, body) VALUES (1, 'https://x.org/s', '{"series":1}');
        INSERT INTO calendar (record, part, kind, key, state, revision, changed, seq, name, search, header, sessions, rolling)
          VALUES (1, '', 0, 'k', 'live', 3, 5000, 9, 'n', 's', 'h', 0, 0);
        INSERT INTO kept_list (token, edit_hash, content, revision, changed, asked, seq) VALUES ('t', 'e', '{}', 1, 5000, 5000, 2)`);
      const store = await openPostgres(url);
      const { read } = store;
      expect(await read.feeds()).toMatchObject([{ url: 'https://x.org/feed', publisherKey: 'https://x.org' }]);
      expect(await read.recordByIdent('series', 'https://x.org/s')).toMatchObject({ id: 1, body: '{"series":1}' });
      expect(await read.calendarByKey('k')).toMatchObject({ record: 1, revision: 3, changed: 5000, seq: 9 });
      expect(await query('SELECT count(*)::int FROM kept_list')).toEqual([[1]]);
      expect(await query('SELECT schema FROM store')).toEqual([[SCHEMA_VERSION]]);
      await store.close();
      await drop();
    },
  );
});

test('tables are analyzed when what was inserted has doubled, without autovacuum', async () => {
  const { url, query, drop } = await testDatabase();
  const store = await openPostgres(url);
  await query('ALTER TABLE record SET (autovacuum_enabled = off)');
  // A table of somebody else that is locked is in nobody's way.
  await query('CREATE TABLE other (n int)');
  const other = await stranger(url);
  await other.query('BEGIN; LOCK TABLE other IN ACCESS EXCLUSIVE MODE');
  const rows = () => query("SELECT reltuples::int FROM pg_class WHERE oid = 'record'::regclass");
  const save = (from: number, to: number) =>
    store.write(async (tx) => {
      await tx.openFeed('https://example.org/feed', {});
      await tx.saveRecords(Array.from({ length: to - from }, (_, at) => record(`r${from + at}`)));
    });
  await save(0, 100);
  await store.write(async () => {});
  expect(await rows()).toEqual([[-1]]);
  await save(100, 1200);
  await store.write(async () => {});
  expect(await rows()).toEqual([[1200]]);
  await save(1200, 1300);
  await store.write(async () => {});
  expect(await rows()).toEqual([[1200]]);
  await save(1300, 3000);
  await store.write(async () => {});
  expect(await rows()).toEqual([[3000]]);
  await other.end();
  await store.close();
  await drop();
});

/** Another program in the same database. */
async function stranger(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

describe('transactions that are in the way of each other', () => {
  test('one of a deadlock is begun anew, and counted', async () => {
    const { url, drop } = await testDatabase();
    const store = await openPostgres(url);
    const other = await stranger(url);
    await store.write((tx) => tx.setMeta('a', '0'));
    // Who has waited for longer looks first: the store is to be the one that is ended.
    await other.query("SET deadlock_timeout = '1min'");
    await other.query("BEGIN; UPDATE meta SET value = '1' WHERE key = 'a'");
    let tries = 0;
    let waiting: Promise<unknown> = Promise.resolve();
    await store.write(async (tx) => {
      tries += 1;
      if (tries === 1) waiting = other.query('UPDATE store SET writes = writes + 1').then(() => other.query('COMMIT'));
      await tx.setMeta('a', `${await tx.meta('a')}2`);
    });
    await waiting;
    expect([tries, store.retries(), await store.read.meta('a')]).toEqual([2, 1, '12']);
    await Promise.all([store.close(), other.end()]);
    await drop();
  });

  test('one that cannot be serialized is begun anew, and given up with words after some tries', async () => {
    const { url, query, drop } = await testDatabase();
    const store = await openPostgres(url);
    await query('CREATE SEQUENCE failures');
    await query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('failures') <= current_setting('test.failures')::int THEN RAISE SQLSTATE '40001'; END IF; RETURN new; END $$`);
    await query("ALTER FUNCTION fail() SET test.failures = '2'");
    await query('CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON meta FOR EACH ROW EXECUTE FUNCTION fail()');
    await store.write((tx) => tx.setMeta('a', 'b'));
    expect([store.retries(), await store.read.meta('a')]).toEqual([2, 'b']);
    await query("ALTER FUNCTION fail() SET test.failures = '1000'");
    await expect(store.write((tx) => tx.setMeta('a', 'c'))).rejects.toThrow('were in the way again and again');
    expect(await store.read.meta('a')).toBe('b');
    await store.close();
    await drop();
  });

  test('a lock that nobody gives back is waited for only so long', async () => {
    const { url, drop } = await testDatabase();
    const lockMs = LIMITS.lockMs;
    Object.assign(LIMITS, { lockMs: 100 });
    const store = await openPostgres(url);
    const other = await stranger(url);
    try {
      await other.query('BEGIN; UPDATE store SET writes = writes + 1');
      await expect(store.write((tx) => tx.setMeta('a', 'b'))).rejects.toThrow('locked for too long');
      expect(await store.read.meta('a')).toBeUndefined();
      await other.query('COMMIT');
      await store.write((tx) => tx.setMeta('a', 'b'));
      expect(await store.read.meta('a')).toBe('b');
    } finally {
      Object.assign(LIMITS, { lockMs });
      await Promise.all([store.close(), other.end()]);
      await drop();
    }
  });
});
