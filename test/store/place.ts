import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore, type StorePlace, storeFile } from '../../src/store/index.ts';
import { type TestDatabase, testDatabase } from './postgres.ts';

export interface TestPlace extends StorePlace {
  /** Of the database itself. */
  rows(sql: string): Promise<unknown[][]>;
  destroy(): Promise<void>;
}

/** A place for a store that nobody else uses, in the database that a project of the tests is for (`vitest.config.ts`). */
export async function testPlace(): Promise<TestPlace> {
  const data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
  const database = await databaseOf(process.env.TEST_DATABASE);
  return {
    data,
    databaseUrl: database?.url,
    rows: async (sql) => (database ? database.query(sql) : rowsOf(storeFile(data), sql)),
    destroy: async () => {
      await database?.giveBack();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Undefined: the embedded one. */
async function databaseOf(name = ''): Promise<EmptyStore | undefined> {
  if (name === 'postgres') return emptyStore();
  if (name !== '') throw new Error(`TEST_DATABASE=${name}: no tests run with that database.`);
  return undefined;
}

function rowsOf(file: string, sql: string): unknown[][] {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare(sql).all().map(Object.values);
}

interface EmptyStore extends Pick<TestDatabase, 'url' | 'query'> {
  /** Makes it as empty as it was, for the next test. */
  giveBack(): Promise<void>;
}

/** Schemas that no test has now. Making one takes a third of a second, and emptying it a tenth of that. */
const free: EmptyStore[] = [];

/** A schema of PostgreSQL in which a store has just been made. */
async function emptyStore(): Promise<EmptyStore> {
  return free.pop() ?? newStore();
}

async function newStore(): Promise<EmptyStore> {
  const { url, query } = await testDatabase();
  await (await openStore({ data: tmpdir(), databaseUrl: url })).close();
  const names = await query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
  const tables = names.map(([name]) => `"${name}"`);
  const kept: string[] = [];
  for (const table of tables) {
    const [[rows] = []] = await query(`SELECT json_agg(t)::text FROM ${table} t`);
    if (typeof rows === 'string')
      kept.push(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $rows$${rows}$rows$)`);
  }
  const clear = [...tables.map((table) => `DELETE FROM ${table}`), ...kept].join(';');
  const one: EmptyStore = {
    url,
    query,
    giveBack: async () => {
      await query(`BEGIN; ${clear}; COMMIT`);
      free.push(one);
    },
  };
  return one;
}
