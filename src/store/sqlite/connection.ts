import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { bodyText } from '../sql/body-text.ts';
import type { Cells, Database, Insert, Select, Update, Value } from '../sql/database.ts';
import { isUnopened, storeFault } from './faults.ts';
import { privateFile } from './private.ts';
import { deletion, insertion, selection, updating } from './row-statements.ts';

/**
 * Settings by which a file is written.
 *
 * - WAL with NORMAL never damages the file. A power cut costs the last transactions, and the cursors of feeds with them, so that
 *   their pages are read again.
 * - `wal_autocheckpoint` lets the log grow to 128 MB. Keys are random, so that most transactions change the same pages of the
 *   file; a long log has each page once to copy.
 * - `page_size` is twice the usual 4 KB, which has room for few rows of a kilobyte. It applies to new files only.
 */
export const WRITING =
  'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16384;';

/** One connection with its prepared statements; each statement is prepared once. */
export class Connection implements Database {
  db: DatabaseSync;
  /** No process had the file open for writing when it was opened. */
  #unwritten = false;
  readonly #file: string;
  readonly #onFault: (error: unknown) => void;
  readonly #onAnswer: () => void;
  readonly #statements = new Map<string, StatementSync>();

  /** `onFault`: called with each error of the database, in words, before it is thrown; `onAnswer`: after each answer. */
  constructor(
    file: string,
    options: { readOnly?: boolean; onFault?: (error: unknown) => void; onAnswer?: () => void } = {},
  ) {
    this.#file = file;
    this.#onFault = options.onFault ?? (() => {});
    this.#onAnswer = options.onAnswer ?? (() => {});
    this.db = options.readOnly ? this.#openToRead() : new DatabaseSync(file, { timeout: TIMEOUT_MS });
    if (options.readOnly) return;
    this.db.exec(`${WRITING} PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY;`);
    // Triggers of a watch call it (watch.ts).
    readsBodies(this.db);
  }

  #openToRead(): DatabaseSync {
    const { db, unwritten } = openToRead(this.#file);
    this.#unwritten = unwritten;
    try {
      db.exec('PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY;');
    } catch (error) {
      throw this.#fault(error);
    }
    return db;
  }

  /** Opens the file anew, which a process has begun to write. */
  #reopen(): void {
    this.close();
    this.db = this.#openToRead();
  }

  #prepare(sql: string): StatementSync {
    if (this.#unwritten && existsSync(logOf(this.#file))) this.#reopen();
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  get(sql: string, ...values: SQLInputValue[]): Cells | undefined {
    try {
      const row = this.#prepare(sql).get(...values) as unknown as Cells | undefined;
      this.#onAnswer();
      return row;
    } catch (error) {
      throw this.#fault(error);
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Cells[] {
    try {
      const rows = this.#prepare(sql).all(...values) as unknown as Cells[];
      this.#onAnswer();
      return rows;
    } catch (error) {
      throw this.#fault(error);
    }
  }

  varied(sql: string, ...values: SQLInputValue[]): Cells[] {
    return this.all(sql, ...values);
  }

  /** Runs a statement without rows by `get`: `StatementSync.run` counts changes, which costs a tenth of an insert. */
  run(sql: string, ...values: SQLInputValue[]): void {
    this.get(sql, ...values);
  }

  select(from: Select, keys: readonly Value[][]): Cells[] {
    const sql = selection(from);
    return keys.flatMap((key) => this.all(sql, ...key));
  }

  insert(into: Insert, rows: readonly Value[][]): void {
    const sql = insertion(into);
    for (const row of rows) this.run(sql, ...row);
  }

  update(what: Update, rows: readonly Value[][]): void {
    const sql = updating(what);
    for (const row of rows) this.run(sql, ...row);
  }

  delete(from: Pick<Update, 'table' | 'key'>, rows: readonly Value[][]): void {
    const sql = deletion(from);
    for (const row of rows) this.run(sql, ...row);
  }

  #fault(error: unknown): unknown {
    const fault = storeFault(error, this.#file);
    this.#onFault(fault);
    return fault;
  }

  /** A text that changes with every change by this connection and others. */
  version(): string {
    return `${this.get('PRAGMA data_version')} ${this.get('SELECT total_changes()')}`;
  }

  /** Undoes what a transaction has written so far, unless SQLite has done so by itself. */
  rollBack(): void {
    if (this.db.isTransaction) this.db.exec('ROLLBACK');
  }

  /** The number of pages in the log, and how many of them are copied to the file. */
  log(): { log: number; done: number } {
    const [, log, done] = this.get('PRAGMA wal_checkpoint(NOOP)') ?? [];
    return { log: Number(log), done: Number(done) };
  }

  pages(): number {
    return Number(this.get('PRAGMA page_count')?.[0]);
  }

  /** Sets the pages of the log at which a commit runs a checkpoint; 0: none does. */
  checkpointAt(pages: number): void {
    this.db.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }
}

/**
 * Opens a database file for writing, and makes file and folder where they are missing. `tables`: the statements that bring
 * tables of a version up to date; version 0: there are none.
 */
export function openToWrite(file: string, settings: string, tables: (version: number) => string): Connection {
  privateFile(file);
  const connection = new Connection(file);
  try {
    connection.db.exec(`${settings}; BEGIN IMMEDIATE`);
    connection.db.exec(`${tables(Number(connection.get('PRAGMA user_version')?.[0]))}; COMMIT`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** A function of SQL: the JSON of a body, by the body and the identity of its row (sql/body-text.ts). */
export const BODY_TEXT = 'body_text';

/** Makes bodies readable for statements of this connection. NULL stays NULL. */
export function readsBodies(db: DatabaseSync): void {
  db.function(BODY_TEXT, { deterministic: true }, (body, ident) => (body === null ? null : bodyText(body, ident)));
}

const TIMEOUT_MS = 30_000;

const logOf = (file: string): string => `${file}-wal`;

/**
 * Opens a database for reading. On a disk that cannot be written, SQLite cannot make the shared memory and the log that
 * readers and writers share. Where no process has made them, the file is read as immutable (`unwritten`), until a log appears.
 */
export function openToRead(file: string): { db: DatabaseSync; unwritten: boolean } {
  const db = new DatabaseSync(file, { readOnly: true, timeout: TIMEOUT_MS });
  try {
    db.prepare('PRAGMA schema_version').get();
  } catch (error) {
    // Any other fault is reported by the statement that meets it.
    if (isUnopened(error) && existsSync(file) && !existsSync(logOf(file))) {
      db.close();
      const url = pathToFileURL(file);
      url.searchParams.set('immutable', '1');
      return { db: new DatabaseSync(url, { readOnly: true }), unwritten: true };
    }
  }
  return { db, unwritten: false };
}
