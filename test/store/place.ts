import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type StorePlace, storeFile } from '../../src/store/index.ts';
import { testDatabase } from './postgres.ts';

export interface TestPlace extends StorePlace {
  /** Of the database itself. */
  rows(sql: string): Promise<unknown[][]>;
  destroy(): Promise<void>;
}

/** A place for a store that nobody else uses, in the database that a project of the tests is for (`vitest.config.ts`). */
export async function testPlace(): Promise<TestPlace> {
  const data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
  const database = process.env.TEST_DATABASE === 'postgres' ? await testDatabase() : undefined;
  return {
    data,
    databaseUrl: database?.url,
    rows: async (sql) => (database ? database.query(sql) : rowsOf(storeFile(data), sql)),
    destroy: async () => {
      await database?.drop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

function rowsOf(file: string, sql: string): unknown[][] {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare(sql).all().map(Object.values);
}
