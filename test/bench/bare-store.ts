import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { WRITING } from '../../src/store/sqlite/connection.ts';
import { SCHEMA } from '../../src/store/sqlite/schema.ts';

/**
 * The floors of ingesting: what anybody must do at least, from prepared statements, one transaction a page, with the
 * same WAL, cache and checkpoint settings as the program's store.
 *
 * The same rows: `RowWatch` notes in a run of its own which rows each page writes, and gives them as they stand after
 * the page's commit, each once. `SameRows` upserts them into the same tables with the same indexes. All that makes
 * those rows (cleaning, ids, hashes, compression, planning, the reads before a write) it is given for nothing.
 *
 * Items only: a mirror of the feeds that keeps every item's data as text, and knows nothing of what is in it.
 */

const PRAGMAS = `${WRITING} PRAGMA cache_size = -65536;`;

interface Table {
  name: string;
  key: string[];
  columns: string[];
}

export interface TableRows {
  table: string;
  rows: SQLInputValue[][];
  /** Keys of rows that this page took away. */
  gone: SQLInputValue[][];
}

/** What tells the rows of each table apart. */
const KEYS: Record<string, string[]> = {
  feed: ['id'],
  page_finding: ['feed', 'cursor'],
  bundle: ['id'],
  item: ['id'],
  record: ['id'],
  record_body: ['record'],
  claim: ['record', 'item'],
  calendar: ['record', 'part'],
  occurrence: ['series', 'start', 'schedule'],
};

function tablesOf(db: DatabaseSync): Table[] {
  return Object.entries(KEYS).map(([name, key]) => {
    const columns = db.prepare(`SELECT name FROM pragma_table_info(?)`).all(name) as { name: string }[];
    return { name, key, columns: columns.map((column) => `"${column.name}"`) };
  });
}

const matches = (key: readonly string[]): string => key.map((column) => `${column} = ?`).join(' AND ');

/** Watches the program's database, through triggers: nothing of the program knows of it. */
export class RowWatch {
  readonly #db: DatabaseSync;
  readonly #tables: (Table & { noted: StatementSync; row: StatementSync })[];

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 30_000 });
    const tables = tablesOf(this.#db);
    for (const { name, key } of tables) {
      this.#db.exec(`CREATE TABLE noted_${name} (${key.join(', ')}, PRIMARY KEY (${key.join(', ')})) WITHOUT ROWID`);
      for (const [event, row] of [
        ['INSERT', 'new'],
        ['UPDATE', 'new'],
        ['DELETE', 'old'],
      ] as const) {
        const values = key.map((column) => `${row}.${column}`).join(', ');
        this.#db.exec(
          `CREATE TRIGGER note_${name}_${event} AFTER ${event} ON ${name} BEGIN INSERT INTO noted_${name} VALUES (${values}) ON CONFLICT DO NOTHING; END`,
        );
      }
    }
    this.#tables = tables.map((table) => ({
      ...table,
      noted: this.#arrays(`SELECT ${table.key.join(', ')} FROM noted_${table.name}`),
      row: this.#arrays(`SELECT ${table.columns.join(', ')} FROM ${table.name} WHERE ${matches(table.key)}`),
    }));
  }

  #arrays(sql: string): StatementSync {
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  }

  /** The rows that were written since the last call. */
  take(): TableRows[] {
    return this.#tables.map(({ name, noted, row }) => {
      const keys = noted.all() as unknown as SQLInputValue[][];
      this.#db.exec(`DELETE FROM noted_${name}`);
      const found = keys.map((key) => row.get(...key) as unknown as SQLInputValue[] | undefined);
      return {
        table: name,
        rows: found.filter((one) => one !== undefined),
        gone: keys.filter((_key, index) => found[index] === undefined),
      };
    });
  }

  close(): void {
    this.#db.close();
  }
}

/** JSON.parse of a page, and a bare upsert of the rows that it leaves in the program's store. */
export class SameRows {
  readonly #db: DatabaseSync;
  readonly #statements: Map<string, { upsert: StatementSync; remove: StatementSync }>;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec(PRAGMAS);
    this.#db.exec(SCHEMA);
    this.#statements = new Map(
      tablesOf(this.#db).map(({ name, key, columns }) => {
        const values = columns.map(() => '?').join(', ');
        const set = columns.filter((column) => !key.includes(column.slice(1, -1)));
        const update = `DO UPDATE SET ${set.map((column) => `${column} = excluded.${column}`).join(', ')}`;
        const upsert = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${values}) ON CONFLICT (${key.join(', ')}) ${update}`;
        const remove = this.#db.prepare(`DELETE FROM ${name} WHERE ${matches(key)}`);
        return [name, { upsert: this.#db.prepare(upsert), remove }] as const;
      }),
    );
  }

  take(text: string, tables: readonly TableRows[]): void {
    JSON.parse(text);
    this.#db.exec('BEGIN');
    for (const { table, rows, gone } of tables) {
      const { upsert, remove } = this.#statements.get(table) as { upsert: StatementSync; remove: StatementSync };
      for (const key of gone) remove.run(...key);
      for (const row of rows) upsert.run(...row);
    }
    this.#db.exec('COMMIT');
  }

  close(): void {
    this.#db.close();
  }
}

/** The first table in which two databases differ, for a bench that shall not compare apples with pears. */
export function difference(fileA: string, fileB: string): string | undefined {
  const db = new DatabaseSync(fileA, { readOnly: true });
  db.prepare('ATTACH ? AS b').run(fileB);
  try {
    return tablesOf(db).find(({ name, columns }) => {
      // Every database has tags of its own (tags.ts).
      const list = columns.filter((column) => column !== '"tag"').join(', ');
      const sum = (schema: string) => db.prepare(`SELECT count(*) AS n FROM ${schema}.${name}`).get()?.n;
      const only = `SELECT 1 FROM (SELECT ${list} FROM main.${name} EXCEPT SELECT ${list} FROM b.${name}) LIMIT 1`;
      return sum('main') !== sum('b') || db.prepare(only).get() !== undefined;
    })?.name;
  } finally {
    db.close();
  }
}

/** Feed, kind, id, modified, state, data: what a mirror of the feeds would keep, and no more. */
export type BareItem = [feed: string, kind: string, id: string, modified: string, state: string, data: string | null];

/** The rows of a page, made outside the measured time. */
export function bareItems(feed: string, text: string): BareItem[] {
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

/** JSON.parse of a page, and a bare upsert of its items: one table, one index. */
export class ItemsOnly {
  readonly #db: DatabaseSync;
  readonly #upsert: StatementSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec(PRAGMAS);
    this.#db.exec(
      'CREATE TABLE item (id INTEGER PRIMARY KEY, feed TEXT, kind TEXT, rpde_id TEXT, modified TEXT, state TEXT, data TEXT, UNIQUE (feed, kind, rpde_id))',
    );
    this.#upsert = this.#db.prepare(
      `INSERT INTO item (feed, kind, rpde_id, modified, state, data) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET modified = excluded.modified, state = excluded.state, data = excluded.data`,
    );
  }

  take(text: string, rows: readonly BareItem[]): void {
    JSON.parse(text);
    this.#db.exec('BEGIN');
    for (const row of rows) this.#upsert.run(...row);
    this.#db.exec('COMMIT');
  }

  close(): void {
    this.#db.close();
  }
}
