import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { BugError } from '../../errors.ts';
import type { Leases, LeaseToken, Reader, Renewed, Writer } from '../contract/index.ts';
import type { Database } from '../sql/database.ts';
import type { SearchIndex } from '../sql/search-index.ts';
import type { Tags } from '../sql/tags.ts';
import { sqlWriter } from '../sql/write/writer.ts';
import { databaseName, openingFault, postgresFault } from './faults.ts';
import { IDLE_MS, leasingPool, WRITER } from './pools.ts';

/** The end of a lease by the clock of the database, because clocks of machines differ. Each statement is a transaction. */

const UNTIL = "now() + $2 * interval '1 millisecond'";
const ALIVE = `INSERT INTO harvester (holder, until) VALUES ($1, ${UNTIL}) ON CONFLICT (holder) DO UPDATE SET until = excluded.until`;
const FORGET_DEAD = 'DELETE FROM harvester WHERE until < now()';
/**
 * Ends the connections of stopped processes. `idle_in_transaction_session_timeout` ends those stopped between two statements.
 * A process stopped while it sends one, or receives rows, counts as active, and `statement_timeout` does not end it either.
 */
const END_STOPPED = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name = '${WRITER}'
    AND xact_start IS NOT NULL AND wait_event_type = 'Client' AND state_change < now() - interval '${IDLE_MS} milliseconds'`;
const COUNT = 'SELECT count(*)::int AS count FROM harvester';
const KNOW =
  "INSERT INTO lease (name, holder, token, until) SELECT name, '', 0, '-infinity' FROM unnest($1::text[]) name ON CONFLICT (name) DO NOTHING";
/** Renews leases. One that has ended is not renewed: it is taken again, with another token. */
const RENEW = `UPDATE lease SET until = ${UNTIL} WHERE holder = $1 AND until >= now() RETURNING name, token`;
/** Takes free leases, without those whose row is locked: a transaction of their last holder is under way. */
const TAKE = `UPDATE lease SET holder = $1, token = token + 1, until = ${UNTIL} WHERE name IN (
  SELECT name FROM lease WHERE name = ANY ($3) AND until < now() ORDER BY name LIMIT $4 FOR UPDATE SKIP LOCKED
) RETURNING name, token`;
const RELEASE = "UPDATE lease SET until = '-infinity' WHERE holder = $1 AND ($2::text[] IS NULL OR name = ANY ($2))";
const LEAVE = 'DELETE FROM harvester WHERE holder = $1';

/** A writer that can check a lease in its transaction. */
interface LeaseWriter extends Writer {
  /**
   * Whether a lease is current. Its row stays locked until the transaction ends: no other process takes it, and its holder
   * may renew it meanwhile.
   */
  holdsLease(lease: LeaseToken): Promise<boolean>;
}

export function postgresWriter(db: Database, tags: Tags, index: SearchIndex, before: Reader): LeaseWriter {
  return { ...sqlWriter(db, tags, index, before), holdsLease: (lease) => holdsLease(db, lease) };
}

const hasLeases = (tx: Writer): tx is LeaseWriter => 'holdsLease' in tx;

/** Whether a lease is current, in any transaction of the database. */
export async function holdsLease(db: Database, { name, token }: LeaseToken): Promise<boolean> {
  const row = await db.get('SELECT 1 FROM lease WHERE name = ? AND token = ? FOR KEY SHARE', name, token);
  return row !== undefined;
}

function postgresLeases(pool: Pool, name: string): Leases {
  /** The id of this process, new at each start. */
  const holder = randomUUID();
  let known = new Set<string>();

  async function renew(names: readonly string[], ttlMs: number): Promise<Renewed> {
    const tokens = new Map(await tokensOf(RENEW, [holder, ttlMs]));
    await ask(ALIVE, [holder, ttlMs]);
    await ask(FORGET_DEAD, []);
    await ask(END_STOPPED, []);
    const fresh = names.filter((name) => !known.has(name));
    if (fresh.length > 0) await ask(KNOW, [fresh]);
    known = new Set(names);
    const [all] = await ask(COUNT, []);
    const share = Math.ceil(names.length / Math.max(1, Number(all?.count)));
    const wanted = [...tokens.keys()].filter((name) => known.has(name));
    const unheld = names.filter((name) => !tokens.has(name));
    if (wanted.length < share && unheld.length > 0)
      for (const [name, token] of await tokensOf(TAKE, [holder, ttlMs, unheld, share - wanted.length]))
        tokens.set(name, token);
    const unused = [...tokens.keys()].filter((name) => !known.has(name));
    return { tokens, surplus: [...unused, ...wanted.slice(share)] };
  }

  async function harvesters(): Promise<number> {
    const [all] = await ask(`${COUNT} WHERE until >= now()`, []);
    return Number(all?.count);
  }

  async function release(names?: readonly string[]): Promise<void> {
    await ask(RELEASE, [holder, names ?? null]);
    if (names === undefined) await ask(LEAVE, [holder]);
  }

  function isCurrent(tx: Writer, lease: LeaseToken): Promise<boolean> {
    if (!hasLeases(tx)) throw new BugError('A lease is asked for in a transaction of another database.');
    return tx.holdsLease(lease);
  }

  async function close(): Promise<void> {
    await pool.end();
  }

  async function tokensOf(sql: string, values: unknown[]): Promise<[string, number][]> {
    return (await ask(sql, values)).map(({ name, token }) => [String(name), Number(token)]);
  }

  async function ask(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    try {
      return (await pool.query(sql, values)).rows;
    } catch (error) {
      throw postgresFault(error, name);
    }
  }

  return { renew, harvesters, release, isCurrent, close };
}

/** @throws StoreError */
export async function openPostgresLeases(url: string): Promise<Leases> {
  const name = databaseName(url);
  try {
    return postgresLeases(await leasingPool(url), name);
  } catch (error) {
    throw openingFault(error, name);
  }
}
