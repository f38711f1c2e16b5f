import { hash } from 'node:crypto';
import { BugError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Instant } from '../../time/instant.ts';
import type {
  ChangeLog,
  LogChange,
  LogEntry,
  LogObject,
  LogOutcome,
  LogValue,
  PageVersion,
} from '../contract/index.ts';
import { type Cells, type Database, upsert, type Value } from './database.ts';

export interface LogDatabase {
  /** Reads committed rows. */
  readonly read: Database;
  /** Runs one transaction. One transaction of all processes writes a log at a time: others wait until it is committed. */
  write<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Names of a log's tables. */
export interface LogTables {
  entry: string;
  value: string;
}

/** The key of the value that holds the last number given. */
const LAST = 'last';
/** Objects that are compared at a time, so that memory does not grow with the feed. */
const BATCH = 1000;
/** The last character in the order of texts. */
const LAST_TEXT = '\u{10FFFF}';
const COLUMNS = ['number', 'feed', 'id', 'kind', 'data', 'hash', 'deleted_at'];

/** The stored state of an object. `hash` undefined: a tombstone. */
interface LoggedObject {
  number: number;
  kind: string;
  hash: string | undefined;
}

/** An entry to be written. */
interface Written extends LoggedObject {
  feed: string;
  id: string;
  data: string | undefined;
  deletedAt: Instant | undefined;
}

/** A change log in a database that has SQL. */
export class SqlChangeLog implements ChangeLog {
  readonly #db: LogDatabase;
  readonly #tables: LogTables;

  constructor(db: LogDatabase, tables: LogTables) {
    this.#db = db;
    this.#tables = tables;
  }

  replace(contents: Readonly<Record<string, readonly LogObject[]>>, now: Instant): Promise<LogOutcome> {
    return this.#write(now, async (turn) => {
      for (const [feed, objects] of Object.entries(contents)) {
        const kept = new Set(objects.map(({ id }) => id));
        if (kept.size < objects.length) throw new BugError(`Two objects of the feed ${feed} have one id.`);
        await turn.apply(objects.map((object) => ({ feed, ...object })));
        await turn.apply(await this.#missing(turn.db, feed, kept));
      }
      return turn.outcome;
    });
  }

  merge(changes: readonly LogChange[], now: Instant, value?: LogValue): Promise<LogOutcome> {
    return this.#write(now, async (turn) => {
      await turn.apply(changes);
      if (value !== undefined) await this.#save(turn.db, value);
      return turn.outcome;
    });
  }

  /** The counter is read and written in the transaction, so that it goes on where another process left it. */
  #write<T>(now: Instant, work: (turn: Turn) => Promise<T>): Promise<T> {
    return this.#db.write(async (db) => {
      const last = Number((await this.#valueIn(db, LAST)) ?? 0);
      // The clock as the floor: if the log is ever lost, its successor goes on above all numbers that readers have seen.
      const turn = new Turn(db, this.#tables.entry, Math.max(last + 1, Math.floor(now)), now);
      const first = turn.next;
      const result = await work(turn);
      if (turn.next > first) await this.#save(db, { key: LAST, value: String(turn.next - 1) });
      return result;
    });
  }

  /** Live objects of a feed that are not among `kept`, as deletions. */
  async #missing(db: Database, feed: string, kept: ReadonlySet<string>): Promise<LogChange[]> {
    const sql = `SELECT id FROM ${this.#tables.entry} WHERE feed = ? AND hash IS NOT NULL ORDER BY id`;
    const ids = (await db.all(sql, feed)).map(([id]) => String(id));
    return ids.filter((id) => !kept.has(id)).map((id) => ({ feed, id, kind: '', data: undefined }));
  }

  expire(now: Instant): Promise<number> {
    const { entry } = this.#tables;
    // The newest entry of a feed stays: a feed that was read once is never taken for one that has not begun.
    const sql = `DELETE FROM ${entry} WHERE deleted_at < ? AND number < (SELECT max(number) FROM ${entry} newest WHERE newest.feed = ${entry}.feed) RETURNING number`;
    return this.#db.write(async (db) => (await db.all(sql, now - LIMITS.tombstoneMs)).length);
  }

  async page(feed: string, after: number, limit: number): Promise<LogEntry[]> {
    const sql = `SELECT number, id, kind, data FROM ${this.#tables.entry} WHERE ${column(feed)} = ? AND number > ? ORDER BY number LIMIT ?`;
    return (await this.#db.read.all(sql, feed, after, limit)).map(entryOf);
  }

  async pageVersion(feed: string, after: number, limit: number): Promise<PageVersion> {
    const sql = `SELECT count(*), coalesce(max(number), 0) FROM (SELECT number FROM ${this.#tables.entry} WHERE ${column(feed)} = ? AND number > ? ORDER BY number LIMIT ?) page`;
    const [count, last] = (await this.#db.read.get(sql, feed, after, limit)) as Cells;
    return { count: Number(count), last: Number(last) };
  }

  async liveOf(feed: string, prefix: string, limit: number): Promise<LogObject[]> {
    const sql = `SELECT id, kind, data FROM ${this.#tables.entry} WHERE ${column(feed)} = ? AND id >= ? AND id < ? AND hash IS NOT NULL ORDER BY id LIMIT ?`;
    const rows = await this.#db.read.all(sql, feed, prefix, prefix + LAST_TEXT, limit);
    return rows.map(([id, kind, data]) => ({ id: String(id), kind: String(kind), data: String(data) }));
  }

  async count(feed: string): Promise<{ live: number; deleted: number }> {
    const sql = `SELECT count(*), count(deleted_at) FROM ${this.#tables.entry} WHERE ${column(feed)} = ?`;
    const [all, deleted] = (await this.#db.read.get(sql, feed)) as Cells;
    return { live: Number(all) - Number(deleted), deleted: Number(deleted) };
  }

  /** Each step finds the next feed in the index, as there are few feeds with many entries. */
  async feeds(): Promise<string[]> {
    const { entry } = this.#tables;
    const sql = `WITH RECURSIVE known (feed) AS (
      SELECT min(feed) FROM ${entry} UNION ALL
      SELECT (SELECT min(feed) FROM ${entry} WHERE feed > known.feed) FROM known WHERE feed IS NOT NULL
    ) SELECT feed FROM known WHERE feed IS NOT NULL`;
    return (await this.#db.read.all(sql)).map(([feed]) => String(feed));
  }

  async feedsOf(id: string): Promise<string[]> {
    const sql = `SELECT feed FROM ${this.#tables.entry} WHERE id = ? AND hash IS NOT NULL ORDER BY feed`;
    return (await this.#db.read.all(sql, id)).map(([feed]) => String(feed));
  }

  value(key: string): Promise<string | undefined> {
    return this.#valueIn(this.#db.read, key);
  }

  setValue(value: LogValue): Promise<void> {
    return this.#db.write((db) => this.#save(db, value));
  }

  async #valueIn(db: Database, key: string): Promise<string | undefined> {
    const row = await db.get(`SELECT value FROM ${this.#tables.value} WHERE key = ?`, key);
    return row && String(row[0]);
  }

  async #save(db: Database, { key, value }: LogValue): Promise<void> {
    await db.insert(upsert(this.#tables.value, ['key'], ['key', 'value']), [[key, value]]);
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}

/** The writes of one transaction. */
class Turn {
  readonly db: Database;
  readonly outcome: LogOutcome = { added: 0, updated: 0, deleted: 0, unchanged: 0 };
  next: number;
  readonly #entry: string;
  readonly #now: Instant;

  constructor(db: Database, entry: string, next: number, now: Instant) {
    this.db = db;
    this.#entry = entry;
    this.next = next;
    this.#now = now;
  }

  /** Writes changes with numbers in their order; an object that changes twice gets the later number. */
  async apply(changes: readonly LogChange[]): Promise<void> {
    for (let at = 0; at < changes.length; at += BATCH) await this.#applyBatch(changes.slice(at, at + BATCH));
  }

  async #applyBatch(changes: readonly LogChange[]): Promise<void> {
    const known = await this.#known(changes);
    const left = new Set<number>();
    const written = new Map<string, Written>();
    for (const change of changes) {
      const place = entryKey(change);
      const now = known.get(place);
      const next = this.#countChange(change, now);
      if (next === undefined) continue;
      if (now !== undefined && !written.has(place)) left.add(now.number);
      known.set(place, next);
      written.set(place, next);
    }
    const numbers = [...left].map((number) => [number]);
    await this.db.delete({ table: this.#entry, key: ['number'] }, numbers);
    await this.db.insert({ table: this.#entry, columns: COLUMNS }, [...written.values()].map(cellsOf));
  }

  /** Counts a change of an object. Returns the entry to write; undefined: it is unchanged. */
  #countChange({ feed, id, kind, data }: LogChange, known: LoggedObject | undefined): Written | undefined {
    const next = data === undefined ? undefined : hash('sha1', `${kind}\n${data}`, 'base64');
    // Unchanged, or still a tombstone; an object that was never published needs none.
    if (known?.hash === next) {
      this.outcome.unchanged += 1;
      return undefined;
    }
    const number = this.next++;
    if (next === undefined) {
      this.outcome.deleted += 1;
      return { number, feed, id, kind: known?.kind ?? kind, data, hash: next, deletedAt: this.#now };
    }
    this.outcome[known?.hash === undefined ? 'added' : 'updated'] += 1;
    return { number, feed, id, kind, data, hash: next, deletedAt: undefined };
  }

  async #known(changes: readonly LogChange[]): Promise<Map<string, LoggedObject>> {
    const from = { table: this.#entry, columns: ['feed', 'id', 'number', 'kind', 'hash'], key: ['feed', 'id'] };
    const keys = changes.map(({ feed, id }) => [feed, id]);
    const rows = await this.db.select(from, keys);
    return new Map(
      rows.map(([feed, id, number, kind, own]) => [
        entryKey({ feed: String(feed), id: String(id) }),
        { number: Number(number), kind: String(kind), hash: own === null ? undefined : String(own) },
      ]),
    );
  }
}

const entryKey = ({ feed, id }: Pick<LogChange, 'feed' | 'id'>): string => `${feed}\n${id}`;

/** The values of an entry in the order of `COLUMNS`. */
function cellsOf({ number, feed, id, kind, data, hash: own, deletedAt }: Written): Value[] {
  return [number, feed, id, kind, data ?? null, own ?? null, deletedAt ?? null];
}

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
