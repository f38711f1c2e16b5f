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

class PostgresLeases implements Leases {
  readonly #pool: Pool;
  readonly #name: string;
  /** The id of this process, new at each start. */
  readonly #holder = randomUUID();
  #known = new Set<string>();

  constructor(pool: Pool, name: string) {
    this.#pool = pool;
    this.#name = name;
  }

  async renew(names: readonly string[], ttlMs: number): Promise<Renewed> {
    const tokens = new Map(await this.#tokens(RENEW, [this.#holder, ttlMs]));
    await this.#ask(ALIVE, [this.#holder, ttlMs]);
    await this.#ask(FORGET_DEAD, []);
    await this.#ask(END_STOPPED, []);
    const fresh = names.filter((name) => !this.#known.has(name));
    if (fresh.length > 0) await this.#ask(KNOW, [fresh]);
    this.#known = new Set(names);
    const [all] = await this.#ask(COUNT, []);
    const share = Math.ceil(names.length / Math.max(1, Number(all?.count)));
    const wanted = [...tokens.keys()].filter((name) => this.#known.has(name));
    const unheld = names.filter((name) => !tokens.has(name));
    if (wanted.length < share && unheld.length > 0)
      for (const [name, token] of await this.#tokens(TAKE, [this.#holder, ttlMs, unheld, share - wanted.length]))
        tokens.set(name, token);
    const unused = [...tokens.keys()].filter((name) => !this.#known.has(name));
    return { tokens, surplus: [...unused, ...wanted.slice(share)] };
  }

  async harvesters(): Promise<number> {
    const [all] = await this.#ask(`${COUNT} WHERE until >= now()`, []);
    return Number(all?.count);
  }

  async release(names?: readonly string[]): Promise<void> {
    await this.#ask(RELEASE, [this.#holder, names ?? null]);
    if (names === undefined) await this.#ask(LEAVE, [this.#holder]);
  }

  isCurrent(tx: Writer, lease: LeaseToken): Promise<boolean> {
    if (!hasLeases(tx)) throw new BugError('A lease is asked for in a transaction of another database.');
    return tx.holdsLease(lease);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #tokens(sql: string, values: unknown[]): Promise<[string, number][]> {
    return (await this.#ask(sql, values)).map(({ name, token }) => [String(name), Number(token)]);
  }

  async #ask(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    try {
      return (await this.#pool.query(sql, values)).rows;
    } catch (error) {
      throw postgresFault(error, this.#name);
    }
  }
}

/** @throws StoreError */
export async function openPostgresLeases(url: string): Promise<Leases> {
  const name = databaseName(url);
  try {
    return new PostgresLeases(await leasingPool(url), name);
  } catch (error) {
    throw openingFault(error, name);
  }
}
