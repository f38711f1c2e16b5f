import { setTimeout } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { LIMITS } from '../../limits.ts';
import { DAY_MS } from '../../time/days.ts';
import { type Reader, type ReadStore, type Store, Troubles, unreadyWords, type Writer } from '../contract/index.ts';
import type { StoreListeners } from '../driver.ts';
import { sqlReader } from '../sql/read/reader.ts';
import { SEED_OF, seededTags, type Tags } from '../sql/tags.ts';
import { PostgresConnection, type Queryable } from './connection.ts';
import { databaseName, isConflict, openingFault, postgresFault } from './faults.ts';
import { postgresWriter } from './leases.ts';
import { migrate, schemaOf } from './migrations.ts';
import { IDLE_MS, inTransaction, readingPool, withPool, writingPool } from './pools.ts';
import type { ColumnTypes } from './row-statements.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { postgresSearch } from './search/reading.ts';

/** The most times that a transaction is begun anew, and the milliseconds before, times the number of tries. */
const MOST_RETRIES = 5;
const RETRY_MS = 50;

/**
 * Settings by which a writer finds rows by index alone. A statement is planned once for all its runs, perhaps while its
 * tables are empty: that plan would read whole tables ever after.
 */
const BY_INDEX = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
  .map((setting) => `SET LOCAL ${setting} = off`)
  .join('; ');

/** Begins a transaction with the write lock, a row that is also the version. Other writers wait in the order of arrival. */
const begin = (): string =>
  `BEGIN ISOLATION LEVEL READ COMMITTED; ${BY_INDEX}; SET LOCAL lock_timeout = ${LIMITS.lockMs}; UPDATE store SET writes = writes + 1; SET LOCAL lock_timeout = 0`;

/** Milliseconds after which PostgreSQL ends a check whose client is gone. */
const LEFT_MS = 5000;

/** Rows that a process inserts before its first ANALYZE; the next one comes after twice as many. */
const FIRST_ANALYZE = 1000;

const TABLES = 'SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()';
const COLUMN_TYPES = `SELECT c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod)
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`;

/** A PostgreSQL: some connections that read what is committed, and one that writes. */
function postgresStore(open: Opened, writing: Pool): Store {
  const { name, read, troubles, types, tags } = open;
  let queue: Promise<unknown> = Promise.resolve();
  let retries = 0;
  /** Rows that this process has inserted, and the number at which it runs ANALYZE next. */
  let inserted = 0;
  let analyzeAt = FIRST_ANALYZE;

  /**
   * Analyzes a growing store: a statement keeps the plan from when its tables were small until they are analyzed. Autovacuum
   * takes a minute to do so, and may be off. A fault is reported by the next transaction.
   */
  async function committed(): Promise<void> {
    if (inserted < analyzeAt) return;
    analyzeAt = 2 * inserted;
    await analyze(writing).catch(() => {});
  }

  async function untilThrough<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await transaction(work);
      } catch (error) {
        if (!isConflict(error) || tries > MOST_RETRIES) throw error;
        retries += 1;
        await setTimeout(RETRY_MS * tries * (0.5 + Math.random()));
      }
    }
  }

  async function transaction<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    try {
      const made = await inTransaction(writing, begin(), async (client) => {
        const db = new PostgresConnection(client, types, (error) => postgresFault(error, name));
        const result = await work(postgresWriter(db, tags, postgresSearch(db), readerBeside(open, client)));
        return { result, inserted: db.inserted };
      });
      inserted += made.inserted;
      troubles.noteWrite();
      return made.result;
    } catch (error) {
      const fault = postgresFault(error, name);
      troubles.met(fault);
      throw fault;
    }
  }

  return {
    read,
    troubles,
    write: (work) => {
      const turn = queue.then(() => untilThrough(work));
      queue = turn.then(committed, () => undefined);
      return turn;
    },
    retries: () => retries,
    check: (signal) => checkTables(open.reading, open.fault, signal),
    close: async () => {
      await queue;
      await writing.end();
      await open.reading.end();
    },
  };
}

/** The reader beside a transaction. During its queries the transaction gets statements, or it would be ended as stopped. */
function readerBeside({ reading, types, tags, fault, troubles }: Opened, client: PoolClient): Reader {
  const asked: Queryable = {
    query: async (query) => {
      const alive = setInterval(() => void client.query('SELECT 1').catch(() => {}), IDLE_MS / 4);
      try {
        return await reading.query(query);
      } finally {
        clearInterval(alive);
      }
    },
  };
  const db = new PostgresConnection(asked, types, fault, () => troubles.noteAnswer());
  return sqlReader(db, tags, postgresSearch(db));
}

/** The parts that a store and a reader share. */
interface Opened {
  name: string;
  read: Reader;
  troubles: Troubles;
  reading: Pool;
  types: ColumnTypes;
  tags: Tags;
  fault: (error: unknown) => unknown;
}

async function opened(reading: Pool, name: string, onTrouble: StoreListeners['onTrouble']): Promise<Opened> {
  const troubles = new Troubles(onTrouble);
  const fault = (error: unknown): unknown => {
    const words = postgresFault(error, name);
    troubles.met(words, true);
    return words;
  };
  const types = await columnTypes(reading);
  const [[seed, blocks] = []] = await rowsOf(reading, SEED_OF);
  const tags = seededTags(seed, blocks);
  const db = new PostgresConnection(reading, types, fault, () => troubles.noteAnswer());
  return { name, read: sqlReader(db, tags, postgresSearch(db)), troubles, reading, types, tags, fault };
}

export async function columnTypes(asked: Queryable): Promise<ColumnTypes> {
  return new Map((await rowsOf(asked, COLUMN_TYPES)) as [string, string][]);
}

/** Opens a store, and makes its tables. @throws StoreError in one line with the cure */
export async function openPostgres(url: string, { onTrouble }: StoreListeners = {}): Promise<Store> {
  const name = databaseName(url);
  const reading = await readingPool(url);
  const writing = await writingPool(url, LIMITS.writeMs);
  try {
    const client = await writing.connect();
    try {
      await migrate(client, name);
    } finally {
      client.release();
    }
    return postgresStore(await opened(reading, name, onTrouble), writing);
  } catch (error) {
    await Promise.all([reading.end(), writing.end()]);
    throw openingFault(error, name);
  }
}

/** Opens an existing store for reading. @throws StoreError */
export async function openPostgresReader(url: string, onTrouble?: StoreListeners['onTrouble']): Promise<ReadStore> {
  const name = databaseName(url);
  const reading = await readingPool(url);
  try {
    const { read, troubles, fault } = await opened(reading, name, onTrouble);
    return { read, troubles, check: (signal) => checkTables(reading, fault, signal), close: () => reading.end() };
  } catch (error) {
    await reading.end();
    throw openingFault(error, name);
  }
}

/** The reason why a database cannot be read yet; undefined: it can. @throws StoreError where waiting does not help */
export async function unreadyPostgres(url: string): Promise<string | undefined> {
  const schema = await postgresSchema(url);
  return schema === SCHEMA_VERSION ? undefined : unreadyWords(schema);
}

/** The version of a database's schema; 0: there is no store in it. @throws StoreError */
export function postgresSchema(url: string): Promise<number> {
  return withPool(readingPool, url, (pool) => schemaOf(pool, databaseName(url)));
}

/** Runs ANALYZE on all tables that are not locked, so that statements are planned anew. */
async function analyze(pool: Queryable): Promise<void> {
  const tables = (await rowsOf(pool, TABLES)).map(([table]) => String(table));
  await rowsOf(pool, `ANALYZE (SKIP_LOCKED) ${tables.join(', ')}`);
}

async function rowsOf(asked: Queryable, text: string): Promise<unknown[][]> {
  return (await asked.query({ text, rowMode: 'array' })).rows;
}

/** Reads every row of every table, as PostgreSQL reports those that it cannot read. @throws StoreError, `signal.reason` */
async function checkTables(pool: Pool, fault: (error: unknown) => unknown, signal?: AbortSignal): Promise<void> {
  try {
    signal?.throwIfAborted();
    const tables = await rowsOf(pool, TABLES);
    const client = await pool.connect();
    // The connection is closed, with its settings and the statement under way.
    const end = () => client.release(true);
    signal?.addEventListener('abort', end, { once: true });
    try {
      await client.query('SET statement_timeout = 0');
      // PostgreSQL on Windows refuses this setting.
      await client.query(`SET client_connection_check_interval = ${LEFT_MS}`).catch(() => undefined);
      for (const [table] of tables) {
        signal?.throwIfAborted();
        const text = `SELECT count(row::text) FROM ${String(table)} AS row`;
        await client.query({ text, query_timeout: DAY_MS } as QueryConfig);
      }
    } finally {
      signal?.removeEventListener('abort', end);
      if (!signal?.aborted) end();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw fault(error);
  }
}
