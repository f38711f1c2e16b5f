import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A PostgreSQL of the tests: `TEST_POSTGRES_URL` names a database in which they may make schemas. */
export function postgresUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (url === undefined || url === '') throw new Error('TEST_POSTGRES_URL names no PostgreSQL');
  return url;
}

export interface TestDatabase {
  /** The address of a store in a schema of its own, which a power cut may cost something. */
  url: string;
  /** Statements in that schema. */
  query(sql: string): Promise<unknown[][]>;
  drop(): Promise<void>;
}

/** Makes a schema that nobody else uses. */
export async function testDatabase(): Promise<TestDatabase> {
  // What a test leaves is taken away by the end of its run (`test/clean.ts`).
  const schema = `test_${inject('run')}_${randomBytes(6).toString('hex')}`;
  const url = new URL(postgresUrl());
  url.searchParams.set('options', `-csearch_path=${schema} -csynchronous_commit=off`);
  const pool = new pg.Pool({ connectionString: url.href, max: 1 });
  await pool.query(`CREATE SCHEMA ${schema}`);
  return {
    url: url.href,
    query: async (text) => (await pool.query({ text, rowMode: 'array' })).rows,
    drop: async () => {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}
