import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SourceError, StoreError } from '../../errors.ts';
import { publisherKeyOf } from '../../join/publishers.ts';
import { LIMITS } from '../../limits.ts';
import { comparedId } from '../../opportunity/ids.ts';
import { readRefusal, writeRefusal } from '../../process/folder.ts';
import { startThread } from '../../process/thread.ts';
import { type ReadStore, type Store, Troubles, unreadyWords, type Writer } from '../contract/index.ts';
import type { StoreListeners } from '../driver.ts';
import { sqlReader } from '../sql/read/reader.ts';
import { SEED_OF, seededTags, type TagOf, type Tags, tag } from '../sql/tags.ts';
import { sqlWriter } from '../sql/write/writer.ts';
import { checkpointsOf } from './checkpoints.ts';
import { Connection } from './connection.ts';
import { damagedFile, isLocked, isStillFull, storeFault } from './faults.ts';
import { privateFile } from './private.ts';
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { sqliteSearch } from './search/reading.ts';
import { segmentMerger } from './search/segments.ts';
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
function sqliteStore(file: string, { tagOf, onTrouble }: SqliteOptions = {}): Store {
  const waiting = new WaitingWriter(file);
  const troubles = new Troubles(onTrouble);
  const writing = new Connection(file);
  prepare(writing, file, tagOf);
  const tags = tagsIn(writing, tagOf);
  // From here on `begin` waits for the lock, without blocking the event loop.
  writing.db.exec('PRAGMA busy_timeout = 0');
  const reading = new Connection(file, { readOnly: true, ...reportingTo(troubles) });
  const read = sqlReader(reading, tags, sqliteSearch(reading));
  const writer = sqlWriter(writing, tags, sqliteSearch(writing), read);
  const checkpoints = checkpointsOf(writing, file);
  const merges = idleMerges(writing, turn);
  /** Transactions that wait or are under way. */
  let writes = 0;
  let queue: Promise<unknown> = Promise.resolve();

  function turn<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    const result = queue.then(() => transaction(work));
    queue = result.catch(() => undefined).then(() => waiting.giveWay());
    return result;
  }

  async function transaction<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    try {
      await checkpoints.ready();
      await begin(writing, waiting);
      writer.begin();
      const result = await work(writer);
      writing.db.exec('COMMIT');
      checkpoints.committed();
      if (troubles.current !== 'full' || !isStillFull(file)) troubles.noteWrite();
      return result;
    } catch (error) {
      const fault = storeFault(error, file);
      troubles.met(fault);
      rollBack(writing);
      throw fault;
    }
  }

  return {
    read,
    troubles,
    write: (work) => {
      merges.pause();
      writes += 1;
      return turn(work).finally(() => {
        writes -= 1;
        if (writes === 0) merges.resume();
      });
    },
    // No transaction is called again, as one at a time writes.
    retries: () => 0,
    check: (signal) => checkFile(file, troubles, signal),
    close: async () => {
      merges.end();
      await queue;
      await checkpoints.close();
      reading.close();
      writing.close();
    },
  };
}

/** Merges segments of the search index, a slice at a time, after `IDLE_MS` without a transaction. */
function idleMerges(db: Connection, turn: (work: () => Promise<boolean>) => Promise<boolean>) {
  const mergeSlice = segmentMerger(db);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  function resume(ms = IDLE_MS): void {
    clearTimeout(timer);
    timer = setTimeout(() => void merge(), ms).unref();
  }

  /** Merges one slice. `troubles` of the store report a fault, and the slice is tried again. */
  async function merge(): Promise<void> {
    if (isOver) return;
    try {
      if (await turn(async () => mergeSlice())) resume(SLICE_PAUSE_MS);
    } catch {
      resume();
    }
  }

  const pause = () => clearTimeout(timer);
  const end = () => {
    isOver = true;
    pause();
  };
  return { pause, resume, end };
}

/** Begins a transaction; waits for those of other processes, which are short. */
async function begin(connection: Connection, waiting: WaitingWriter): Promise<void> {
  try {
    for (let waited = 0; !tryBegin(connection, waited >= LIMITS.lockMs); waited += LOCK_POLL_MS) {
      waiting.wait();
      await wait(LOCK_POLL_MS);
    }
  } finally {
    waiting.done();
  }
}

/** Begins a transaction; false: another process writes. `isLast`: throws in that case. */
function tryBegin({ db }: Connection, isLast: boolean): boolean {
  try {
    db.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (isLast || !isLocked(error)) throw error;
    return false;
  }
}

/** Rolls back, unless a full disk has done so. A damaged file may refuse, and the fault before is the one to report. */
function rollBack(connection: Connection): void {
  try {
    connection.rollBack();
  } catch {}
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
  return seededTags(seed, blocks, tagOf);
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
export function openSqlite(folder: string, options?: SqliteOptions): Store {
  const file = storeFile(folder);
  try {
    const open = privateFile(file);
    if (open.length > 0) options?.onTightened?.(open);
    return sqliteStore(file, options);
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
    read: sqlReader(connection, tagsIn(connection), sqliteSearch(connection)),
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
