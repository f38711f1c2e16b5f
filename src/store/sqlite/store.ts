import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SourceError, StoreError } from '../../errors.ts';
import { publisherKeyOf } from '../../join/publishers.ts';
import { LIMITS } from '../../limits.ts';
import { comparedId } from '../../opportunity/ids.ts';
import { readRefusal, writeRefusal } from '../../process/folder.ts';
import { startThread } from '../../process/thread.ts';
import { type Reader, type ReadStore, type Store, Troubles, unreadyWords, type Writer } from '../contract/index.ts';
import type { StoreListeners } from '../driver.ts';
import { sqlReader } from '../sql/read/reader.ts';
import { SEED_OF, type TagOf, Tags, tag } from '../sql/tags.ts';
import { type SqlWriter, sqlWriter } from '../sql/write/writer.ts';
import { Checkpoints } from './checkpoints.ts';
import { Connection } from './connection.ts';
import { damagedFile, isLocked, isStillFull, storeFault } from './faults.ts';
import { privateFile } from './private.ts';
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { SqliteSearch } from './search/reading.ts';
import { Segments } from './search/segments.ts';
import { LOCK_POLL_MS, WaitingWriter } from './waiting-writer.ts';
import { restoreWatch } from './watch.ts';

/** The result of SQLite's check of the file, or its error as data. */
type CheckAnswer = string | { code: unknown; errcode: unknown; message: string };

/** Milliseconds without a transaction after which segments of the search index are merged, and between two slices of that. */
const IDLE_MS = 2_000;
const SLICE_PAUSE_MS = 20;

interface SqliteOptions extends StoreListeners {
  tagOf?: TagOf;
}

/** The embedded store: one file in WAL mode, one connection that writes and one that reads committed rows. */
class SqliteStore implements Store {
  readonly read: Reader;
  readonly troubles: Troubles;
  readonly #writing: Connection;
  readonly #reading: Connection;
  readonly #writer: SqlWriter;
  readonly #checkpoints: Checkpoints;
  readonly #file: string;
  readonly #waiting: WaitingWriter;
  readonly #segments: Segments;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Transactions that wait or are under way. */
  #writes = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: string, { tagOf, onTrouble }: SqliteOptions = {}) {
    this.#file = file;
    this.#waiting = new WaitingWriter(file);
    this.troubles = new Troubles(onTrouble);
    this.#writing = new Connection(file);
    prepare(this.#writing, file, tagOf);
    const tags = tagsIn(this.#writing, tagOf);
    // From here on `#begin` waits for the lock, without blocking the event loop.
    this.#writing.db.exec('PRAGMA busy_timeout = 0');
    this.#reading = new Connection(file, { readOnly: true, ...reportingTo(this.troubles) });
    this.read = sqlReader(this.#reading, tags, new SqliteSearch(this.#reading));
    this.#writer = sqlWriter(this.#writing, tags, new SqliteSearch(this.#writing), this.read);
    this.#checkpoints = new Checkpoints(this.#writing, file);
    this.#segments = new Segments(this.#writing);
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#writes += 1;
    return this.#turn(work).finally(() => {
      this.#writes -= 1;
      if (this.#writes === 0) this.#whenIdle(IDLE_MS);
    });
  }

  #turn<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#transaction(work));
    this.#queue = turn.catch(() => undefined).then(() => this.#waiting.giveWay());
    return turn;
  }

  /** Merges segments of the search index, a slice at a time, after `ms` milliseconds without a transaction. */
  #whenIdle(ms: number): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#bringTogether(), ms).unref();
  }

  /** Merges one slice. `troubles` reports a fault, and the slice is tried again. */
  async #bringTogether(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const areMore = await this.#turn(async () => this.#segments.bringTogether());
      if (areMore) this.#whenIdle(SLICE_PAUSE_MS);
    } catch {
      this.#whenIdle(IDLE_MS);
    }
  }

  /** No transaction is called again, as one at a time writes. */
  retries(): number {
    return 0;
  }

  async #transaction<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    try {
      await this.#checkpoints.ready();
      await this.#begin();
      this.#writer.begin();
      const result = await work(this.#writer);
      this.#writing.db.exec('COMMIT');
      this.#checkpoints.committed();
      if (this.troubles.current !== 'full' || !isStillFull(this.#file)) this.troubles.noteWrite();
      return result;
    } catch (error) {
      const fault = storeFault(error, this.#file);
      this.troubles.met(fault);
      this.#rollBack();
      throw fault;
    }
  }

  /** Rolls back, unless a full disk has done so. A damaged file may refuse, and the fault before is the one to report. */
  #rollBack(): void {
    try {
      this.#writing.rollBack();
    } catch {}
  }

  /** Begins a transaction; waits for those of other processes, which are short. */
  async #begin(): Promise<void> {
    try {
      for (let waited = 0; !this.#tryBegin(waited >= LIMITS.lockMs); waited += LOCK_POLL_MS) {
        this.#waiting.wait();
        await wait(LOCK_POLL_MS);
      }
    } finally {
      this.#waiting.done();
    }
  }

  /** Begins a transaction; false: another process writes. `isLast`: throws in that case. */
  #tryBegin(isLast: boolean): boolean {
    try {
      this.#writing.db.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isLast || !isLocked(error)) throw error;
      return false;
    }
  }

  check(signal?: AbortSignal): Promise<void> {
    return checkFile(this.#file, this.troubles, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#queue;
    await this.#checkpoints.close();
    this.#reading.close();
    this.#writing.close();
  }
}

/** The callbacks of a connection that reads. */
const reportingTo = (troubles: Troubles) => ({
  onFault: (error: unknown) => troubles.met(error, true),
  onAnswer: () => troubles.noteAnswer(),
});

/** Checks a whole database for damage, on a thread. @throws StoreError, `signal.reason` */
async function checkFile(file: string, troubles: Troubles, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const thread = startThread<undefined, CheckAnswer>(import.meta.url, './check-worker', { data: file });
  const stop = () => void thread.end();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const found = await thread.ask(undefined).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
    if (found === 'ok') return;
    const fault =
      typeof found === 'string'
        ? damagedFile(found, file)
        : storeFault(Object.assign(new Error(found.message), found), file);
    troubles.met(fault, true);
    throw fault;
  } finally {
    signal?.removeEventListener('abort', stop);
    await thread.end();
  }
}

/** Makes the tables where there are none, and brings those of an earlier release up to date. @throws StoreError */
function prepare(connection: Connection, file: string, tagOf: TagOf = tag): void {
  connection.db.function('same_id', (ident) => comparedId(String(ident)));
  connection.db.function('tag_of', (text, salt) => tagOf(String(text), Number(salt)));
  connection.db.function('publisher_key_of', (url) => publisherKeyOf(String(url)));
  const versionOf = () => schemaOf(connection);
  // A current schema needs no lock: another process may be in the middle of a long transaction.
  if (versionOf() === SCHEMA_VERSION) return;
  connection.db.exec('BEGIN IMMEDIATE');
  const version = versionOf();
  if (version === 0) connection.db.exec(SCHEMA);
  else for (const migration of MIGRATIONS.slice(version - 1)) connection.db.exec(migration);
  if (version > 0 && version < SCHEMA_VERSION) restoreWatch(connection);
  if (version < SCHEMA_VERSION) connection.db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  connection.db.exec('COMMIT');
  if (version > SCHEMA_VERSION) throw newer(file, version);
}

function tagsIn(connection: Connection, tagOf?: TagOf): Tags {
  const [seed, blocks] = connection.get(SEED_OF) ?? [];
  return new Tags(seed, blocks, tagOf);
}

function schemaOf(connection: Connection): number {
  return Number(connection.get('PRAGMA user_version')?.[0]);
}

function newer(file: string, version: number): StoreError {
  return new StoreError(
    `The database ${file} was written by a newer release (schema ${version}, this one knows ${SCHEMA_VERSION}). Use that release, or another --data folder.`,
  );
}

/** The database file of the embedded store in a folder. */
export function storeFile(folder: string): string {
  return join(folder, 'openactive-ical.sqlite');
}

/** Whether a folder holds an embedded store. @throws SourceError where that cannot be found out, or it may not be read */
export function hasSqlite(folder: string): boolean {
  const file = storeFile(folder);
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new SourceError(`${existsSync(file) ? file : folder}: ${readRefusal(cause)}`, { cause });
  }
}

/** Opens (and creates) the embedded store in a folder. @throws StoreError with the path, when it cannot be opened. */
export function openSqlite(folder: string, options?: SqliteOptions): SqliteStore {
  const file = storeFile(folder);
  try {
    const open = privateFile(file);
    if (open.length > 0) options?.onTightened?.(open);
    return new SqliteStore(file, options);
  } catch (cause) {
    const fault = storeFault(cause, file);
    if (cause instanceof StoreError || (fault instanceof StoreError && fault.trouble !== undefined)) throw fault;
    const reason = writeRefusal(cause);
    throw new StoreError(
      `The database ${file} cannot be opened: ${reason}. Check that the --data folder exists and can be written.`,
      { cause },
    );
  }
}

/** Opens an existing database for reading, with a connection of its own. It waits for no lock. */
export function openSqliteReader(folder: string, onTrouble?: StoreListeners['onTrouble']): ReadStore {
  const file = storeFile(folder);
  const troubles = new Troubles(onTrouble);
  const connection = new Connection(file, { readOnly: true, ...reportingTo(troubles) });
  return {
    read: sqlReader(connection, tagsIn(connection), new SqliteSearch(connection)),
    troubles,
    check: (signal) => checkFile(file, troubles, signal),
    close: async () => connection.close(),
  };
}

/** The reason why a database cannot be read yet; undefined: it can. @throws StoreError where waiting does not help */
export function unreadySqlite(folder: string): string | undefined {
  const file = storeFile(folder);
  if (!hasSqlite(folder)) return unreadyWords(0);
  const connection = new Connection(file, { readOnly: true });
  try {
    const version = schemaOf(connection);
    if (version > SCHEMA_VERSION) throw newer(file, version);
    if (version === SCHEMA_VERSION) return undefined;
    return unreadyWords(version);
  } finally {
    connection.close();
  }
}
