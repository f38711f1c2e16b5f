import type { Pool, PoolClient, QueryConfig } from 'pg';
import { StoreError } from '../../errors.ts';
import { DAY_MS } from '../../time/days.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './schema.ts';

/** Brings a database to the schema of this release, each migration in a transaction of its own. */

/** The oldest version of PostgreSQL with all features that statements use. */
const OLDEST = 15;

/** The lock for making tables: one process at a time. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('openactive-ical ' || current_schema(), 0))";

/** Runs the missing migrations. @throws StoreError where the server is too old, or the schema too new */
export async function migrate(client: PoolClient, name: string): Promise<void> {
  await checkServer(client, name);
  // Without a migration to run, nothing is locked.
  while ((await schemaOf(client, name)) < SCHEMA_VERSION) await migrateOnce(client, name);
}

async function migrateOnce(client: PoolClient, name: string): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(withinADay(LOCK));
    // Another process may have run the migration meanwhile.
    const version = await schemaOf(client, name);
    const migration = MIGRATIONS[version];
    if (migration !== undefined) {
      await client.query(withinADay(migration));
      await client.query('UPDATE store SET schema = $1', [version + 1]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** A statement with a time limit of a day: the database may be large, or another process may have the lock. */
const withinADay = (text: string): QueryConfig => ({ text, query_timeout: DAY_MS }) as QueryConfig;

/** The number of migrations that were run; 0: there is no store. @throws StoreError where a newer release has run more */
export async function schemaOf(client: Pick<Pool, 'query'>, name: string): Promise<number> {
  const there = await client.query("SELECT to_regclass('store') IS NOT NULL AS there");
  if (there.rows[0]?.there !== true) return 0;
  const version = Number((await client.query('SELECT schema FROM store')).rows[0]?.schema);
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      `The database ${name} was written by a newer release (schema ${version}, this one knows ${SCHEMA_VERSION}). Use that release, or another database.`,
    );
  }
  return version;
}

async function checkServer(client: PoolClient, name: string): Promise<void> {
  const sql = `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_version') AS shown,
    pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()`;
  const { version, shown, encoding } = (await client.query(sql)).rows[0] as Record<string, unknown>;
  if (Number(version) < OLDEST)
    throw new StoreError(`The database ${name} is of PostgreSQL ${shown}. Use version ${OLDEST} or later.`);
  if (encoding !== 'UTF8')
    throw new StoreError(`The database ${name} has the encoding ${encoding}. Make one with the encoding UTF8.`);
}
