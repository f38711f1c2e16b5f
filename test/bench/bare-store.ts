import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Feed, kind, id, modified, state, data: what a mirror of the feeds would keep, and no more. */
export type BareRow = [feed: string, kind: string, id: string, modified: string, state: string, data: string | null];

/** The rows of a page, made outside the measured time. */
export function rowsOf(feed: string, text: string): BareRow[] {
  const page = JSON.parse(text) as {
    items: { kind: string; id: string; modified: number; state: string; data?: unknown }[];
  };
  return page.items.map((item) => [
    feed,
    item.kind,
    item.id,
    String(item.modified),
    item.state,
    item.data === undefined ? null : JSON.stringify(item.data),
  ]);
}

/** The floor of ingesting: one table, one index, WAL with synchronous=NORMAL, one transaction a page. */
export class BareStore {
  readonly #db: DatabaseSync;
  readonly #upsert: StatementSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;');
    this.#db.exec(
      'CREATE TABLE item (id INTEGER PRIMARY KEY, feed TEXT, kind TEXT, rpde_id TEXT, modified TEXT, state TEXT, data TEXT, UNIQUE (feed, kind, rpde_id))',
    );
    this.#upsert = this.#db.prepare(
      `INSERT INTO item (feed, kind, rpde_id, modified, state, data) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET modified = excluded.modified, state = excluded.state, data = excluded.data`,
    );
  }

  take(text: string, rows: readonly BareRow[]): void {
    JSON.parse(text);
    this.#db.exec('BEGIN');
    for (const row of rows) this.#upsert.run(...row);
    this.#db.exec('COMMIT');
  }

  close(): void {
    this.#db.close();
  }
}
