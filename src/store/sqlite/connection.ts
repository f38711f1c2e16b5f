import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Cells } from './rows.ts';

/** One connection with its prepared statements; each statement is prepared once. */
export class Connection {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, options: { readOnly?: boolean } = {}) {
    this.db = new DatabaseSync(file, { readOnly: options.readOnly ?? false, timeout: 30_000 });
    // A page's transaction is the unit of loss: WAL with NORMAL never corrupts, and a power cut costs at most the last pages,
    // whose cursor went with them.
    if (!options.readOnly) this.db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    // Random keys dirty the same pages again and again: a longer log writes each of them once instead of every few pages.
    if (!options.readOnly) this.db.exec('PRAGMA wal_autocheckpoint = 8192;');
    this.db.exec(`PRAGMA cache_size = -${options.readOnly ? 8192 : 65_536}; PRAGMA temp_store = MEMORY;`);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  get(sql: string, ...values: SQLInputValue[]): Cells | undefined {
    return this.#prepare(sql).get(...values) as unknown as Cells | undefined;
  }

  all(sql: string, ...values: SQLInputValue[]): Cells[] {
    return this.#prepare(sql).all(...values) as unknown as Cells[];
  }

  /** Runs a statement; returns the id of the row it inserted. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }
}
