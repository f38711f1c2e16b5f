import type { Socket } from 'node:net';
import type { Client, ClientConfig, Pool, PoolClient, PoolConfig } from 'pg';
import { DatabaseError } from '../../errors.ts';
import { afterRunning } from '../../process/budget.ts';
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
/** The turn of whoever waits for a connection of the pool. */
const TURN_MS = 10_000;
/** A PostgreSQL that runs takes a connection within milliseconds, over half the world within one second. */
const CONNECT_MS = 4_000;
/** After so long without an answer the database is asked, by another connection, whether it works on one. */
const QUIET_MS = 2_500;
/** How long that question waits. Together with the time before it a page has its 503 after four seconds. */
const PROBE_MS = 1_500;
const CHECK_MS = 500;
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
  class Connecting extends pg.default.Client {
    constructor(options?: ClientConfig) {
      super({ ...options, connectionTimeoutMillis: CONNECT_MS });
    }
  }
  const pool = new pg.default.Pool({
    ...config,
    Client: Connecting,
    connectionString: url,
    connectionTimeoutMillis: TURN_MS,
    idleTimeoutMillis: 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: ALIVE_MS,
  });
  // A connection that nobody uses was lost: the next one who asks gets another.
  pool.on('error', () => {});
  // Nor does one that is lost between two statements of a transaction end the process: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const isReading = config.query_timeout === SILENT_MS || config.query_timeout === LEASE_MS;
  watchSilence(pool, () => new Connecting({ connectionString: url }), isReading);
  return pool;
}

/** A connection as its driver has it, beyond what its types say. */
type Connected = PoolClient & { connection: { stream: Socket }; processID: number | null };

/** The connections of this thread that read. */
const reading = new Set<Connected>();

/**
 * Cuts connections that give no answer, so that who waits has an error in seconds, and who asks next another connection. A
 * network that drops what is sent would give none for a quarter of an hour. Statements that the database works on go on. Where
 * it answers nothing at all, those that read are lost; a transaction is given up when that is so twice.
 */
function watchSilence(pool: Pool, connect: () => Client, isReading: boolean): void {
  const since = new Map<Connected, number>();
  pool.on('connect', (client) => isReading && reading.add(client as Connected));
  pool.on('acquire', (client) => since.set(client as Connected, performance.now()));
  pool.on('release', (_error, client) => since.delete(client as Connected));
  pool.on('remove', (client) => {
    since.delete(client as Connected);
    reading.delete(client as Connected);
  });
  let [isAsking, nothings, asked] = [false, 0, 0];
  const check = async () => {
    const now = performance.now();
    const late = [...since].filter(([, at]) => now - at >= QUIET_MS);
    if (late.length === 0) nothings = 0;
    if (late.length === 0 || isAsking || now - asked < QUIET_MS) return;
    isAsking = true;
    const working = await workingOn(
      connect(),
      late.map(([{ processID }]) => processID),
    );
    [isAsking, asked] = [false, performance.now()];
    nothings = working === 'nothing' ? nothings + 1 : 0;
    const still = late.filter(([client, at]) => since.get(client) === at).map(([client]) => client);
    if (working === 'nothing') endSilent(isReading ? reading : nothings > 1 ? still : []);
    // Between two statements of a transaction the database has nothing to work on.
    else if (isReading && working !== 'unknown') endSilent(still.filter(({ processID }) => !working.has(processID)));
  };
  const timer = setInterval(() => (pool.ended ? clearInterval(timer) : void check()), CHECK_MS).unref();
}

/** The pending question fails with what `isSilent` knows. */
function endSilent(silent: Iterable<Connected>): void {
  for (const { connection } of silent) connection.stream.destroy(new Error('Query read timeout'));
}

const WORKING = `SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1)
  AND (state = 'active' OR state_change > now() - interval '1 second')`;

/**
 * The connections whose statements the database works on, or has answered just now, by the number of their process. `nothing`:
 * it gives no answer. `unknown`: it answers otherwise, as where it has no connection left.
 */
async function workingOn(
  probe: Client,
  processes: readonly (number | null)[],
): Promise<ReadonlySet<number | null> | 'nothing' | 'unknown'> {
  probe.on('error', () => {});
  const late = Promise.withResolvers<'nothing'>();
  const end = afterRunning(PROBE_MS, () => late.resolve('nothing'));
  const asked = async () => {
    try {
      await probe.connect();
      const { rows } = await probe.query<{ pid: number }>(WORKING, [processes]);
      return new Set(rows.map(({ pid }) => pid));
    } catch (error) {
      // What the database itself says has a severity.
      return error instanceof Error && 'severity' in error ? 'unknown' : 'nothing';
    }
  };
  try {
    return await Promise.race([asked(), late.promise]);
  } finally {
    end();
    void probe.end().catch(() => {});
  }
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
