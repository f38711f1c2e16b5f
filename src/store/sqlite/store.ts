import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Reader, Store, Writer } from '../contract.ts';
import { makeFolder } from '../folder.ts';
import { Checkpoints } from './checkpoints.ts';
import { Connection } from './connection.ts';
import { isLocked, storeFault } from './faults.ts';
import { SqliteReader } from './reader.ts';
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { type TagOf, Tags, tag } from './tags.ts';
import { restoreWatch } from './watch.ts';
import { SqliteWriter } from './writer.ts';

/** Between two tries to be the one that writes. */
const LOCK_POLL_MS = 20;

/** The embedded store: one file in WAL mode, one connection that writes and one that reads committed data only. */
export class SqliteStore implements Store {
  readonly read: Reader;
  readonly #writing: Connection;
  readonly #reading: Connection;
  readonly #writer: SqliteWriter;
  readonly #checkpoints: Checkpoints;
  readonly #file: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: string, tagOf?: TagOf) {
    this.#file = file;
    this.#writing = new Connection(file);
    prepare(this.#writing, file, tagOf);
    const tags = new Tags(this.#writing, tagOf);
    // From here on it is waited without keeping the process from everything else.
    this.#writing.db.exec('PRAGMA busy_timeout = 0');
    this.#reading = new Connection(file, { readOnly: true });
    this.read = new SqliteReader(this.#reading, tags);
    this.#writer = new SqliteWriter(this.#writing, tags, this.read);
    this.#checkpoints = new Checkpoints(this.#writing, file);
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#transaction(work));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #transaction<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    try {
      await this.#checkpoints.ready();
      await this.#begin();
      this.#writer.begin();
      const result = await work(this.#writer);
      this.#writing.db.exec('COMMIT');
      this.#checkpoints.committed();
      return result;
    } catch (error) {
      // A full disk has rolled it back already.
      if (this.#writing.db.isTransaction) this.#writing.db.exec('ROLLBACK');
      throw storeFault(error, this.#file);
    }
  }

  /** Other processes write too: each of their transactions is short, and waited for. */
  async #begin(): Promise<void> {
    for (let waited = 0; ; waited += LOCK_POLL_MS) {
      try {
        this.#writing.db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isLocked(error) || waited >= LIMITS.lockMs) throw error;
        await setTimeout(LOCK_POLL_MS);
      }
    }
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#checkpoints.close();
    this.#reading.close();
    this.#writing.close();
  }
}

function prepare(connection: Connection, file: string, tagOf: TagOf = tag): void {
  connection.db.function('tag_of', (text, salt) => tagOf(String(text), Number(salt)));
  connection.db.exec('BEGIN IMMEDIATE');
  const version = Number(connection.get('PRAGMA user_version')?.[0]);
  if (version === 0) connection.db.exec(SCHEMA);
  else for (const migration of MIGRATIONS.slice(version - 1)) connection.db.exec(migration);
  if (version > 0 && version < SCHEMA_VERSION) restoreWatch(connection);
  if (version < SCHEMA_VERSION) connection.db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  connection.db.exec('COMMIT');
  if (version > SCHEMA_VERSION)
    throw new StoreError(
      `The database ${file} was written by a newer release (schema ${version}, this one knows ${SCHEMA_VERSION}). Use that release, or another --data folder.`,
    );
}

/** The database file of the embedded store in a folder. */
export function storeFile(folder: string): string {
  return join(folder, 'openactive-ical.sqlite');
}

/** Opens (and creates) the embedded store in a folder. @throws StoreError with the path, when it cannot be opened. */
export function openSqlite(folder: string, tagOf?: TagOf): SqliteStore {
  const file = storeFile(folder);
  try {
    makeFolder(folder);
    return new SqliteStore(file, tagOf);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(
      `The database ${file} cannot be opened: ${reason}. Check that the --data folder exists and can be written.`,
      { cause },
    );
  }
}

/** A connection of its own to a database that is there. */
export function openSqliteReader(folder: string): Reader {
  const connection = new Connection(storeFile(folder), { readOnly: true });
  return new SqliteReader(connection, new Tags(connection));
}
