import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { PoolClient, QueryArrayConfig } from 'pg';
import { StoreError } from '../../errors.ts';
import { yieldToEventLoop } from '../../process/event-loop.ts';
import { type Cell, type Cells, columnNames, type Value } from '../sql/database.ts';
import { changeLogFile, TABLES as FILE_TABLES } from '../sqlite/change-log.ts';
import { Connection } from '../sqlite/connection.ts';
import { storeFile } from '../sqlite/store.ts';
import { LOG_TABLES } from './change-log.ts';
import { PostgresConnection } from './connection.ts';
import { columnsOf, ROWS, rowsOfCursor, TABLES } from './copy.ts';
import { databaseName, postgresFault } from './faults.ts';
import { writingPool } from './pools.ts';
import { lexemesOf } from './search/lexemes.ts';
import { columnTypes, openPostgres } from './store.ts';

/** The tables of the search index to move; the lexemes of a document are made from its terms on the way. */
const SEARCH_TABLES = ['search', 'search_word', 'search_zone'];

/** The number of rows, and the sum of their hashes, which does not depend on their order. */
interface RowSum {
  rows: number;
  sum: bigint;
}

/**
 * Moves every row of the embedded database in a folder to an empty PostgreSQL, in one transaction, which reads the rows back
 * and compares them. Returns rows by table. @throws StoreError: nothing was moved
 */
export async function moveToPostgres(folder: string, url: string): Promise<Record<string, number>> {
  const name = databaseName(url);
  await (await openPostgres(url)).close();
  const from = new Connection(storeFile(folder), { readOnly: true });
  const pool = await writingPool(url);
  try {
    const client = await pool.connect();
    try {
      from.db.exec('BEGIN');
      await client.query('BEGIN; UPDATE store SET writes = writes + 1');
      await checkEmpty(client, name);
      const rowsByTable = await moveAll(from, client);
      Object.assign(rowsByTable, await moveChangeLog(folder, client));
      await client.query('COMMIT; ANALYZE');
      return rowsByTable;
    } finally {
      // Closing the connection rolls an open transaction back.
      client.release(true);
    }
  } catch (error) {
    throw postgresFault(error, name);
  } finally {
    await pool.end();
    from.close();
  }
}

async function checkEmpty(client: PoolClient, name: string): Promise<void> {
  for (const table of ['feed', 'item', 'record', 'calendar', 'kept_list', LOG_TABLES.entry]) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (rowCount !== 0) throw new StoreError(`The database ${name} holds a store already. Name an empty one.`);
  }
  // The migrations have made these rows.
  await client.query(`DELETE FROM meta; DELETE FROM ${LOG_TABLES.value}`);
}

async function moveAll(from: Connection, client: PoolClient): Promise<Record<string, number>> {
  const rowsByTable: Record<string, number> = {};
  for (const table of [...TABLES, ...SEARCH_TABLES]) rowsByTable[table] = await moveTable(from, client, table);
  return rowsByTable;
}

/** Moves the log of republished feeds, with the numbers that its readers know. */
async function moveChangeLog(folder: string, client: PoolClient): Promise<Record<string, number>> {
  const rowsByTable: Record<string, number> = {};
  const file = changeLogFile(folder, 'republished');
  if (existsSync(file)) {
    const from = new Connection(file, { readOnly: true });
    try {
      for (const name of ['entry', 'value'] as const)
        rowsByTable[LOG_TABLES[name]] = await moveTable(from, client, FILE_TABLES[name], LOG_TABLES[name]);
    } finally {
      from.close();
    }
  }
  await client.query(`INSERT INTO ${LOG_TABLES.value} (key, value) VALUES ('last', '0') ON CONFLICT DO NOTHING`);
  return rowsByTable;
}

/** Moves one table. Returns the number of rows. */
async function moveTable(from: Connection, client: PoolClient, table: string, name = table): Promise<number> {
  const to = new PostgresConnection(client, await columnTypes(client), (error) => error);
  const columns = columnsOf(from, table);
  const [sent, kept] = [nothing(), nothing()];
  for await (const rows of batchesOf(from, table, columns)) {
    sumUp(sent, rows);
    await to.insert(INTO(name, columns), table === 'search' ? withLexemes(from, rows) : rows);
  }
  const ask = async (query: QueryArrayConfig) => (await client.query(query)).rows as unknown[][];
  for await (const rows of rowsOfCursor(ask, name, columns)) sumUp(kept, rows);
  if (kept.rows !== sent.rows || kept.sum !== sent.sum)
    throw new StoreError(`The rows of ${name} are not the same in the two databases: nothing was moved.`);
  return sent.rows;
}

const INTO = (table: string, columns: readonly string[]) => ({
  table,
  columns: table === 'search' ? [...columns, 'lexemes'] : columns,
});

/** Conditions of rows to move. The watch of records is not moved: it is begun anew (sqlite/watch.ts). */
const WHERE: Readonly<Record<string, string>> = { meta: "WHERE key <> 'watch'" };

async function* batchesOf(from: Connection, table: string, columns: readonly string[]): AsyncGenerator<Value[][]> {
  const statement = from.db.prepare(`SELECT ${columnNames(columns)} FROM ${table} ${WHERE[table] ?? ''}`);
  statement.setReturnArrays(true);
  let rows: Value[][] = [];
  for (const row of statement.iterate() as Iterable<unknown>) {
    if (rows.push(row as Value[]) < ROWS) continue;
    yield rows;
    rows = [];
    await yieldToEventLoop();
  }
  if (rows.length > 0) yield rows;
}

function withLexemes(from: Connection, rows: readonly Value[][]): Value[][] {
  return rows.map((row) => {
    const [terms, added] = from.get('SELECT terms, added FROM search_terms WHERE record = ?', row[0] as number) ?? [];
    return [...row, lexemesOf(String(terms ?? ''), added === null ? undefined : (added as string))];
  });
}

const nothing = (): RowSum => ({ rows: 0, sum: 0n });

function sumUp(counted: RowSum, rows: readonly (readonly Cell[])[] | readonly unknown[][]): void {
  for (const row of rows) {
    const text = JSON.stringify((row as Cells).map((cell) => (cell instanceof Uint8Array ? hexOf(cell) : cell)));
    counted.rows += 1;
    counted.sum += BigInt(`0x${hash('sha1', text)}`);
  }
}

const hexOf = (octets: Uint8Array): string => Buffer.from(octets).toString('hex');
