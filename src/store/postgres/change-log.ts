import type { Pool } from 'pg';
import { BugError, OvertakenError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { ChangeLog } from '../contract/index.ts';
import type { LogOptions } from '../driver.ts';
import { type LogDatabase, type LogTables, SqlChangeLog } from '../sql/change-log.ts';
import { PostgresConnection, type Queryable } from './connection.ts';
import { databaseName, openingFault, postgresFault } from './faults.ts';
import { holdsLease } from './leases.ts';
import { inTransaction, readingPool, withPool, writingPool } from './pools.ts';
import { columnTypes } from './store.ts';

/** Names of the tables of the log. */
export const LOG_TABLES: LogTables = { entry: 'republished', value: 'republished_value' };

/**
 * Begins a transaction, and locks the row of the last number until its end, so that numbers are committed in their order.
 * With `synchronous_commit` a number that a reader has seen is on the disk.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${LIMITS.lockMs};
  SELECT 1 FROM ${LOG_TABLES.value} WHERE key = 'last' FOR UPDATE; SET LOCAL lock_timeout = 0`;

/** A log in a PostgreSQL. `connect`: makes a connection from a pool, or from the client of a transaction. */
function logInPostgres(
  { reading, writing }: { reading: Pool; writing: Pool },
  connect: (asked: Queryable) => PostgresConnection,
  fault: (error: unknown) => unknown,
  { readOnly, lease }: LogOptions,
): LogDatabase {
  return {
    read: connect(reading),
    async write(work) {
      if (readOnly) throw new BugError('A change log that was opened to be read is written.');
      try {
        return await inTransaction(writing, BEGIN, async (client) => {
          const db = connect(client);
          const held = lease?.();
          if (lease !== undefined && (held === undefined || !(await holdsLease(db, held))))
            throw new OvertakenError('The log of republished feeds');
          return work(db);
        });
      } catch (error) {
        throw fault(error);
      }
    },
    async close() {
      await Promise.all([reading.end(), writing.end()]);
    },
  };
}

/** Opens the log of an existing store. @throws StoreError */
export async function openPostgresChangeLog(
  url: string,
  options: LogOptions = { readOnly: false },
): Promise<ChangeLog> {
  const name = databaseName(url);
  const reading = await readingPool(url);
  const writing = await writingPool(url, LIMITS.writeMs);
  try {
    const fault = (error: unknown): unknown => postgresFault(error, name);
    const types = await columnTypes(reading);
    const connect = (asked: Queryable) => new PostgresConnection(asked, types, fault);
    return new SqlChangeLog(logInPostgres({ reading, writing }, connect, fault, options), LOG_TABLES);
  } catch (error) {
    await Promise.all([reading.end(), writing.end()]);
    throw openingFault(error, name);
  }
}

/** Whether a process has written the log. @throws StoreError */
export function hasPostgresChangeLog(url: string): Promise<boolean> {
  return withPool(readingPool, url, async (pool) => {
    const { rowCount } = await pool.query(`SELECT 1 FROM ${LOG_TABLES.value} WHERE key <> 'last' LIMIT 1`);
    return rowCount !== 0;
  });
}
