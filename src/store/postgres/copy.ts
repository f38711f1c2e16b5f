import type { QueryArrayConfig } from 'pg';
import { StoreError } from '../../errors.ts';
import { columnNames, type Value } from '../sql/database.ts';
import { Connection } from '../sqlite/connection.ts';
import { openSqlite, storeFile } from '../sqlite/store.ts';
import { databaseName, postgresFault } from './faults.ts';
import { readingPool } from './pools.ts';
import { openPostgresReader, unreadyPostgres } from './store.ts';
import { TYPES } from './values.ts';

/** The tables that both databases have; of the search index, those that a comparison needs. */
export const TABLES = [
  'meta',
  'feed',
  'publisher',
  'page_finding',
  'seen',
  'bundle',
  'item',
  'aside',
  'record',
  'record_body',
  'record_key',
  'claim',
  'calendar',
  'occurrence',
  'change',
  'kept_list',
  'search_terms',
  'session_price',
];

/** Rows that are read at a time: bundles have some kilobytes each. */
export const ROWS = 500;
const FETCH = `FETCH ${ROWS} FROM copied`;

/**
 * Copies a PostgreSQL store, without its search index, to an embedded database that is made in a folder. One transaction
 * reads all of it, and no other process waits. @throws StoreError
 */
export async function copyPostgres(url: string, folder: string): Promise<void> {
  await checkRead(url);
  await openSqlite(folder).close();
  const to = new Connection(storeFile(folder));
  const pool = await readingPool(url);
  try {
    const client = await pool.connect();
    try {
      to.db.exec('BEGIN IMMEDIATE; DELETE FROM meta');
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      for (const table of TABLES) await copyRows(async (query) => (await client.query(query)).rows, to, table);
      await client.query('COMMIT');
      to.db.exec('COMMIT');
    } finally {
      client.release(true);
    }
  } catch (error) {
    throw postgresFault(error, databaseName(url));
  } finally {
    await pool.end();
    to.close();
  }
}

/** Checks that every row can be read. @throws StoreError */
async function checkRead(url: string): Promise<void> {
  const reason = await unreadyPostgres(url);
  if (reason !== undefined) throw new StoreError(`The database ${databaseName(url)} cannot be read: ${reason}.`);
  const store = await openPostgresReader(url);
  try {
    await store.check();
  } finally {
    await store.close();
  }
}

/** Runs a query in the connection of a transaction. */
type Ask = (query: QueryArrayConfig) => Promise<unknown[][]>;

async function copyRows(ask: Ask, to: Connection, table: string): Promise<void> {
  const columns = columnsOf(to, table);
  const into = { table, columns };
  for await (const rows of rowsOfCursor(ask, table, columns)) to.insert(into, rows);
}

/** Yields all rows of a table, `ROWS` at a time. */
export async function* rowsOfCursor(ask: Ask, table: string, columns: readonly string[]): AsyncGenerator<Value[][]> {
  const next = (text: string) => ask({ text, rowMode: 'array', types: TYPES }) as Promise<Value[][]>;
  await next(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${columnNames(columns)} FROM ${table}`);
  for (let rows = await next(FETCH); rows.length > 0; rows = await next(FETCH)) yield rows;
  await next('CLOSE copied');
}

export function columnsOf(db: Connection, table: string): string[] {
  return db.all('SELECT name FROM pragma_table_info(?)', table).map(([name]) => String(name));
}
