import { hash } from 'node:crypto';
import { join } from 'node:path';
import { BugError, StoreError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { makeFolder } from '../../process/folder.ts';
import type { Instant } from '../../time/instant.ts';
import type { ChangeLog, LogChange, LogEntry, LogObject, LogOutcome, LogValue, PageStamp } from '../contract/index.ts';
import type { Cells } from '../sql/database.ts';
import { Connection } from './connection.ts';
import { madePrivate, tightened } from './private.ts';

const VERSION = 2;

const SCHEMA = `
CREATE TABLE mark (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entry (
  number INTEGER PRIMARY KEY, feed TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
  data TEXT, hash TEXT, deleted_at INTEGER
);
CREATE UNIQUE INDEX entry_id ON entry (feed, id);
CREATE UNIQUE INDEX entry_number ON entry (feed, number);
CREATE INDEX entry_deleted ON entry (deleted_at) WHERE deleted_at IS NOT NULL;
`;

/** Feeds of several publishers are `publisher/type`: what is asked of a type is asked of all of them. */
const BY_TYPE = `
ALTER TABLE entry ADD COLUMN type TEXT GENERATED ALWAYS AS (substr(feed, instr(feed, '/') + 1)) VIRTUAL;
CREATE INDEX entry_type ON entry (type, number);
CREATE INDEX entry_object ON entry (id);
`;

/** The key of the value that holds the last number given. */
const LAST = 'last';
/** Objects compared at once, so that memory does not grow with the feed. */
const BATCH = 1000;

/** `hash` undefined: a tombstone. */
interface Known {
  hash: string | undefined;
}

/** Comes after every text. */
const LAST_TEXT = '\u{10FFFF}';

const NOTHING: LogOutcome = { added: 0, updated: 0, deleted: 0, unchanged: 0 };

const UPSERT =
  'INSERT INTO entry (number, kind, data, hash, feed, id) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (feed, id) DO UPDATE SET number = excluded.number, kind = excluded.kind, data = excluded.data, hash = excluded.hash, deleted_at = NULL';

/** A change log in a database file of its own. */
class SqliteChangeLog implements ChangeLog {
  readonly #db: Connection;
  #next = 0;

  constructor(file: string, { readOnly }: { readOnly: boolean }) {
    this.#db = new Connection(file, { readOnly });
    if (readOnly) return;
    // A number that a reader has seen is not given again after a power cut: writes are few, and each is waited for.
    this.#db.db.exec('PRAGMA synchronous = FULL');
    this.#prepare(file);
  }

  #prepare(file: string): void {
    this.#db.db.exec('BEGIN IMMEDIATE');
    const version = Number(this.#db.get('PRAGMA user_version')?.[0]);
    if (version === 0) this.#db.db.exec(SCHEMA);
    if (version < VERSION) this.#db.db.exec(`${BY_TYPE} PRAGMA user_version = ${VERSION}`);
    this.#db.db.exec('COMMIT');
    if (version > VERSION) {
      throw new StoreError(
        `The change log ${file} was written by a newer release. Use that release, or another --data folder.`,
      );
    }
  }

  async replace(contents: Readonly<Record<string, readonly LogObject[]>>, now: Instant): Promise<LogOutcome> {
    return this.#write(now, () => {
      const outcome = { ...NOTHING };
      for (const [feed, objects] of Object.entries(contents)) {
        const kept = new Set(objects.map(({ id }) => id));
        if (kept.size < objects.length) throw new BugError(`Two objects of the feed ${feed} have one id.`);
        for (const object of objects) this.#apply({ feed, ...object }, now, outcome);
        outcome.deleted += this.#buryOthers(feed, kept, now);
      }
      return outcome;
    });
  }

  async merge(changes: readonly LogChange[], now: Instant, entry?: LogValue): Promise<LogOutcome> {
    return this.#write(now, () => {
      const outcome = { ...NOTHING };
      for (const change of changes) this.#apply(change, now, outcome);
      if (entry !== undefined) this.#setValue(entry);
      return outcome;
    });
  }

  /** One transaction. The counter is read and written in it, so that it goes on where another process left it. */
  #write<T>(now: Instant, work: () => T): T {
    this.#db.db.exec('BEGIN IMMEDIATE');
    try {
      const last = Number(this.#valueOf(LAST) ?? 0);
      // The clock as the floor: if the file is ever lost, its successor goes on above all numbers that readers have seen.
      this.#next = Math.max(last + 1, Math.floor(now));
      const first = this.#next;
      const result = work();
      if (this.#next > first) this.#setValue({ key: LAST, value: String(this.#next - 1) });
      this.#db.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.db.isTransaction) this.#db.db.exec('ROLLBACK');
      throw error;
    }
  }

  #known(feed: string, id: string): Known | undefined {
    const row = this.#db.get('SELECT hash FROM entry WHERE feed = ? AND id = ?', feed, id);
    return row && { hash: row[0] === null ? undefined : String(row[0]) };
  }

  #apply({ feed, id, kind, data }: LogChange, now: Instant, outcome: LogOutcome): void {
    const known = this.#known(feed, id);
    const own = data === undefined ? undefined : hash('sha1', `${kind}\n${data}`, 'base64');
    // The same, or still a tombstone; and what was never published needs none.
    if (known?.hash === own) outcome.unchanged += 1;
    else if (own === undefined) {
      this.#bury(feed, id, now);
      outcome.deleted += 1;
    } else {
      this.#db.run(UPSERT, this.#next++, kind, data as string, own, feed, id);
      outcome[known?.hash === undefined ? 'added' : 'updated'] += 1;
    }
  }

  #bury(feed: string, id: string, now: Instant): void {
    const sql = 'UPDATE entry SET number = ?, data = NULL, hash = NULL, deleted_at = ? WHERE feed = ? AND id = ?';
    this.#db.run(sql, this.#next++, now, feed, id);
  }

  #buryOthers(feed: string, kept: ReadonlySet<string>, now: Instant): number {
    let buried = 0;
    for (let after = ''; ; ) {
      const ids = this.#liveIds(feed, after);
      if (ids.length === 0) return buried;
      after = ids.at(-1) as string;
      for (const id of ids) {
        if (kept.has(id)) continue;
        this.#bury(feed, id, now);
        buried += 1;
      }
    }
  }

  #liveIds(feed: string, after: string): string[] {
    const sql = 'SELECT id FROM entry WHERE feed = ? AND id > ? AND hash IS NOT NULL ORDER BY id LIMIT ?';
    return this.#db.all(sql, feed, after, BATCH).map(([id]) => String(id));
  }

  async expire(now: Instant): Promise<number> {
    // The newest entry of a feed stays: a feed that was read once is never taken for one that has not begun.
    const sql =
      'DELETE FROM entry WHERE deleted_at < ? AND number < (SELECT max(number) FROM entry newest WHERE newest.feed = entry.feed) RETURNING number';
    return this.#write(now, () => this.#db.all(sql, now - LIMITS.tombstoneMs).length);
  }

  async page(feed: string, after: number, limit: number): Promise<LogEntry[]> {
    const sql = `SELECT number, id, kind, data FROM entry WHERE ${column(feed)} = ? AND number > ? ORDER BY number LIMIT ?`;
    return this.#db.all(sql, feed, after, limit).map(entryOf);
  }

  async stamp(feed: string, after: number, limit: number): Promise<PageStamp> {
    const sql = `SELECT count(*), coalesce(max(number), 0) FROM (SELECT number FROM entry WHERE ${column(feed)} = ? AND number > ? ORDER BY number LIMIT ?)`;
    const [count, last] = this.#db.get(sql, feed, after, limit) as Cells;
    return { count: Number(count), last: Number(last) };
  }

  async live(feed: string, after: string, limit: number): Promise<LogObject[]> {
    return this.#objects('id > ? AND id < ?', [feed, after, LAST_TEXT, limit]);
  }

  async liveOf(feed: string, prefix: string, limit: number): Promise<LogObject[]> {
    return this.#objects('id >= ? AND id < ?', [feed, prefix, prefix + LAST_TEXT, limit]);
  }

  #objects(range: string, values: [feed: string, from: string, to: string, limit: number]): LogObject[] {
    const sql = `SELECT id, kind, data FROM entry WHERE ${column(values[0])} = ? AND ${range} AND hash IS NOT NULL ORDER BY id LIMIT ?`;
    return this.#db
      .all(sql, ...values)
      .map(([id, kind, data]) => ({ id: String(id), kind: String(kind), data: String(data) }));
  }

  async count(feed: string): Promise<{ live: number; deleted: number }> {
    const sql = `SELECT count(*), count(deleted_at) FROM entry WHERE ${column(feed)} = ?`;
    const [all, deleted] = this.#db.get(sql, feed) as Cells;
    return { live: Number(all) - Number(deleted), deleted: Number(deleted) };
  }

  async feeds(): Promise<string[]> {
    return this.#db.all(FEEDS).map(([feed]) => String(feed));
  }

  async feedsOf(id: string): Promise<string[]> {
    const sql = 'SELECT feed FROM entry WHERE id = ? AND hash IS NOT NULL ORDER BY feed';
    return this.#db.all(sql, id).map(([feed]) => String(feed));
  }

  async value(key: string): Promise<string | undefined> {
    return this.#valueOf(key);
  }

  #valueOf(key: string): string | undefined {
    const row = this.#db.get('SELECT value FROM mark WHERE key = ?', key);
    return row && String(row[0]);
  }

  async setValue(entry: LogValue): Promise<void> {
    this.#setValue(entry);
  }

  #setValue({ key, value }: LogValue): void {
    this.#db.run(
      'INSERT INTO mark (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}

/** From one to the next in the index: there are few feeds of many entries. */
const FEEDS = `WITH RECURSIVE known (feed) AS (
  SELECT min(feed) FROM entry UNION ALL
  SELECT (SELECT min(feed) FROM entry WHERE feed > known.feed) FROM known WHERE feed IS NOT NULL
) SELECT feed FROM known WHERE feed IS NOT NULL`;

function column(feed: string): 'feed' | 'type' {
  return feed.includes('/') ? 'feed' : 'type';
}

function entryOf([number, id, kind, data]: Cells): LogEntry {
  return {
    number: Number(number),
    id: String(id),
    kind: String(kind),
    data: data === null || data === undefined ? undefined : String(data),
  };
}

/** Opens (and creates) a change log in a folder. @throws StoreError with the path, when it cannot be opened. */
export function openSqliteChangeLog(folder: string, name: string, options = { readOnly: false }): ChangeLog {
  const file = join(folder, `${name}.sqlite`);
  try {
    if (options.readOnly) return new SqliteChangeLog(file, options);
    makeFolder(folder, 0o700);
    madePrivate(file);
    tightened(file);
    return new SqliteChangeLog(file, options);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(
      `The change log ${file} cannot be opened: ${reason}. Check that the --data folder exists and can be written.`,
      { cause },
    );
  }
}
