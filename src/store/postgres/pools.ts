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
/** How long a question waits for a connection of the pool. */
const TURN_MS = 10_000;
/** A PostgreSQL that runs takes a connection within milliseconds, over half the world within one second. */
const CONNECT_MS = 4_000;
/** A statement that brought no octet for so long: another connection asks the database whether it works on that statement. */
const QUIET_MS = 3_000;
/** How long that other connection waits. A page therefore answers 503 after seven seconds. */
const PROBE_MS = 4_000;
const CHECK_MS = 500;
/** After so long without a word the other machine is asked whether it is there; Node gives it ten seconds more. */
const ALIVE_MS = 10_000;

export function readingPool(url: string): Promise<Pool> {
  const limits = { max: READERS, statement_timeout: READ_MS, query_timeout: SILENT_MS };
  return openPool(url, { application_name: 'openactive-ical read', ...limits }, 1);
}

/** One connection: whoever writes waits for the transaction before. `ms`: for one statement; undefined: however long it takes. */
export function writingPool(url: string, ms?: number): Promise<Pool> {
  const limits = { max: 1, idle_in_transaction_session_timeout: IDLE_MS, query_timeout: ms };
  return openPool(url, { application_name: WRITER, ...limits }, 2);
}

/** One connection, whose statements end soon. */
export function leasingPool(url: string): Promise<Pool> {
  return openPool(url, { application_name: 'openactive-ical harvest', max: 1, query_timeout: LEASE_MS }, 1);
}

/** `probes`: as in `endSilent`. @throws DatabaseError where the package is absent */
async function openPool(url: string, config: PoolConfig, probes: number): Promise<Pool> {
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
  endSilent(pool, () => new Connecting({ connectionString: url }), probes);
  return pool;
}

/** A connection as its driver has it, beyond what its types state. */
type Connected = PoolClient & {
  connection: { stream: { bytesRead: number; destroy(error: Error): unknown } };
  processID: number | null;
  readyForQuery: boolean;
};

/** What a connection had received, and since when it has received nothing more while a statement is pending. */
interface Quiet {
  octets: number;
  since: number;
}

/**
 * Ends connections whose statement is lost, so that its request fails within seconds, and the next one gets another connection.
 * Where a network drops what is sent, TCP itself gives up after a quarter of an hour. A statement that the database works on
 * goes on. Where the database does not answer so many probes in a row, all connections of the pool end.
 */
function endSilent(pool: Pool, connect: () => Client, probes: number): void {
  const connections = new Set<Connected>();
  const acquired = new Map<Connected, Quiet>();
  let [isProbing, unanswered] = [false, 0];
  pool.on('connect', (client) => connections.add(client as Connected));
  pool.on('acquire', (client) => acquired.set(client as Connected, received(client as Connected)));
  pool.on('release', (_error, client) => acquired.delete(client as Connected));
  pool.on('remove', (client) => {
    acquired.delete(client as Connected);
    connections.delete(client as Connected);
  });
  const check = async () => {
    for (const entry of acquired) if (!isQuiet(entry)) acquired.set(entry[0], received(entry[0]));
    const late = [...acquired].filter(([, { since }]) => performance.now() - since >= QUIET_MS);
    if (late.length === 0) unanswered = 0;
    if (late.length === 0 || isProbing) return;
    isProbing = true;
    const processes = late.map(([{ processID }]) => processID);
    const working = await workingOn(connect(), processes);
    isProbing = false;
    unanswered = working === 'no answer' ? unanswered + 1 : 0;
    if (unanswered >= probes) destroyAll(connections);
    // Its answer may have come while the database was asked.
    else if (working instanceof Set)
      destroyAll(late.filter((entry) => isQuiet(entry) && !working.has(entry[0].processID)).map(([client]) => client));
  };
  const timer = setInterval(() => (pool.ended ? clearInterval(timer) : void check()), CHECK_MS).unref();
}

function received({ connection }: Connected): Quiet {
  return { octets: connection.stream.bytesRead, since: performance.now() };
}

function isQuiet([client, { octets }]: [Connected, Quiet]): boolean {
  return !client.readyForQuery && client.connection.stream.bytesRead === octets;
}

/** The pending statement of each fails with an error that `isSilent` knows. */
function destroyAll(silent: Iterable<Connected>): void {
  for (const { connection } of silent) connection.stream.destroy(new Error('Query read timeout'));
}

const WORKING = `SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1)
    AND (state IN ('active', 'disabled') OR state_change > now() - interval '1 second')
  UNION ALL SELECT pg_backend_pid()`;

/**
 * The processes of PostgreSQL, of those given, that work on a statement or ended one within the last second. `no answer`: the
 * probe got none. `unknown`: the database refuses the probe, as where it has no connection left. Likewise behind a pooler such
 * as PgBouncer. Its clients get other process numbers than PostgreSQL has, and the probe sees that of its own.
 */
async function workingOn(
  probe: Client,
  processes: readonly (number | null)[],
): Promise<ReadonlySet<number | null> | 'no answer' | 'unknown'> {
  probe.on('error', () => {});
  const late = Promise.withResolvers<'no answer'>();
  const end = afterRunning(PROBE_MS, () => late.resolve('no answer'));
  const asked = async () => {
    try {
      await probe.connect();
      const { rows } = await probe.query<{ pid: number }>(WORKING, [processes]);
      const working = new Set(rows.map(({ pid }): number | null => pid));
      return working.has((probe as Client & Connected).processID) ? working : 'unknown';
    } catch (error) {
      // An error that PostgreSQL itself sends has a severity.
      return error instanceof Error && 'severity' in error ? 'unknown' : 'no answer';
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
