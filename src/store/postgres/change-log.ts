import type { Pool } from 'pg';
import { BugError, OvertakenError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { ChangeLog } from '../contract/index.ts';
import type { LogOptions } from '../driver.ts';
import { type LogDatabase, type LogTables, SqlChangeLog } from '../sql/change-log.ts';
import type { Database } from '../sql/database.ts';
import { PostgresConnection } from './connection.ts';
import { databaseName, openingFault, postgresFault } from './faults.ts';
import { holdsLease } from './leases.ts';
import { inTransaction, readingPool, withPool, writingPool } from './pools.ts';
import type { ColumnTypes } from './row-statements.ts';
import { columnTypes } from './store.ts';

/** Names of the tables of the log. */
export const LOG_TABLES: LogTables = { entry: 'republished', value: 'republished_value' };

/**
 * The row of the last number is the lock of whoever writes, and is kept until the transaction has ended: numbers are committed
 * in their order. A number that a reader has seen is on the disk.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${LIMITS.lockMs};
  SELECT 1 FROM ${LOG_TABLES.value} WHERE key = 'last' FOR UPDATE; SET LOCAL lock_timeout = 0`;

/** A log in a PostgreSQL. */
class LogInPostgres implements LogDatabase {
  readonly read: Database;
  readonly #reading: Pool;
  readonly #writing: Pool;
  readonly #types: ColumnTypes;
  readonly #fault: (error: unknown) => unknown;
  readonly #options: LogOptions;

  constructor(
    pools: { reading: Pool; writing: Pool },
    types: ColumnTypes,
    fault: (error: unknown) => unknown,
    options: LogOptions,
  ) {
    this.#reading = pools.reading;
    this.#writing = pools.writing;
    this.#types = types;
    this.#fault = fault;
    this.#options = options;
    this.read = new PostgresConnection(this.#reading, types, fault);
  }

  async write<T>(work: (db: Database) => Promise<T>): Promise<T> {
    if (this.#options.readOnly) throw new BugError('A change log that was opened to be read is written.');
    try {
      return await inTransaction(this.#writing, BEGIN, async (client) => {
        const db = new PostgresConnection(client, this.#types, this.#fault);
        await this.#checkLease(db);
        return work(db);
      });
    } catch (error) {
      throw this.#fault(error);
    }
  }

  /** @throws OvertakenError */
  async #checkLease(db: Database): Promise<void> {
    if (this.#options.lease === undefined) return;
    const lease = this.#options.lease();
    if (lease === undefined || !(await holdsLease(db, lease))) throw new OvertakenError('The log of republished feeds');
  }

  async close(): Promise<void> {
    await Promise.all([this.#reading.end(), this.#writing.end()]);
  }
}

/** Opens the log of a store that is there. @throws StoreError */
export async function openPostgresChangeLog(
  url: string,
  options: LogOptions = { readOnly: false },
): Promise<ChangeLog> {
  const name = databaseName(url);
  const reading = await readingPool(url);
  const writing = await writingPool(url, LIMITS.writeMs);
  try {
    const fault = (error: unknown): unknown => postgresFault(error, name);
    return new SqlChangeLog(
      new LogInPostgres({ reading, writing }, await columnTypes(reading), fault, options),
      LOG_TABLES,
    );
  } catch (error) {
    await Promise.all([reading.end(), writing.end()]);
    throw openingFault(error, name);
  }
}

/** Whether somebody has written it. @throws StoreError */
export function hasPostgresChangeLog(url: string): Promise<boolean> {
  return withPool(readingPool, url, async (pool) => {
    const { rowCount } = await pool.query(`SELECT 1 FROM ${LOG_TABLES.value} WHERE key <> 'last' LIMIT 1`);
    return rowCount !== 0;
  });
}
