import type { Pool, PoolClient, PoolConfig } from 'pg';
import { DatabaseError } from '../../errors.ts';
import { databaseName, isSilent, openingFault } from './faults.ts';

/** The package `pg`, which is loaded where a PostgreSQL is named: who uses SQLite does without it. */

const ABSENT =
  'The settings name a PostgreSQL, and the package "pg", which speaks to it, is not installed. Install it beside this one: npm install pg';

/** Connections of one process that read; each of its threads has as many. */
const READERS = 4;
/** A statement that reads takes milliseconds; a check of everything has no limit. */
const READ_MS = 60_000;
/** A database that does not even say that it took too long is not waited for: the next question gets another connection. */
const SILENT_MS = READ_MS + 5_000;
/** A process that was stopped in a transaction gives the write lock and its leases back. */
export const IDLE_MS = 20_000;
/** The `application_name` of connections that write. */
export const WRITER = 'openactive-ical write';
/** A lease that cannot be renewed for so long is as good as taken by another. */
const LEASE_MS = 10_000;
const CONNECT_MS = 10_000;
/** After so long without a word the other machine is asked whether it is there; Node gives it ten seconds more. */
const ALIVE_MS = 10_000;

export function readingPool(url: string): Promise<Pool> {
  const limits = { max: READERS, statement_timeout: READ_MS, query_timeout: SILENT_MS };
  return openPool(url, { application_name: 'openactive-ical read', ...limits });
}

/** One connection: whoever writes waits for the transaction before. `ms`: for one statement; undefined: however long it takes. */
export function writingPool(url: string, ms?: number): Promise<Pool> {
  const limits = { max: 1, idle_in_transaction_session_timeout: IDLE_MS, query_timeout: ms };
  return openPool(url, { application_name: WRITER, ...limits });
}

/** One connection, whose statements end soon. */
export function leasingPool(url: string): Promise<Pool> {
  return openPool(url, { application_name: 'openactive-ical harvest', max: 1, query_timeout: LEASE_MS });
}

/** @throws DatabaseError where the package is absent */
async function openPool(url: string, config: PoolConfig): Promise<Pool> {
  const pg = await import('pg').catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') throw new DatabaseError(ABSENT, { cause });
    throw cause;
  });
  const pool = new pg.default.Pool({
    ...config,
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: ALIVE_MS,
  });
  // A connection that nobody uses was lost: the next one who asks gets another.
  pool.on('error', () => {});
  // Nor does one that is lost between two statements of a transaction end the process: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** One transaction on a connection of the pool, from the statement `begin` to its COMMIT. What throws rolls it back. */
export async function inTransaction<T>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (isSilent(error)) broken = error as Error;
    else
      await client.query('ROLLBACK').catch((fault: Error) => {
        broken = fault;
      });
    throw error;
  } finally {
    // One that gives no answer, or cannot even be rolled back, is not used again.
    client.release(broken);
  }
}

/** Work on a pool that ends with it. @throws StoreError in words for who opens the database */
export async function withPool<T>(open: typeof readingPool, url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = await open(url);
  try {
    return await work(pool);
  } catch (error) {
    throw openingFault(error, databaseName(url));
  } finally {
    await pool.end();
  }
}
