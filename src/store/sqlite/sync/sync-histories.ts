import { join } from 'node:path';
import { StoreError } from '../../../errors.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { SyncHistories, SyncHistory, SyncLimits } from '../../sync-histories.ts';
import { type Connection, openToWrite } from '../connection.ts';

const VERSION = 1;

// `content` is the last column, so that the others are read without it.
const SCHEMA = `
CREATE TABLE history (key TEXT PRIMARY KEY, state TEXT NOT NULL, asked INTEGER NOT NULL, size INTEGER NOT NULL, content TEXT NOT NULL);
CREATE INDEX history_asked ON history (asked, size);
`;
// Another version is dropped and not migrated: clients load their collections once more.
const TABLES = `DROP TABLE IF EXISTS history; ${SCHEMA} PRAGMA user_version = ${VERSION}`;

const SAVE =
  'INSERT INTO history (key, state, asked, size, content) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET state = excluded.state, asked = excluded.asked, size = excluded.size, content = excluded.content';
/** Rows beyond the newest that fit the limits, by their last request. */
const BEYOND =
  'SELECT rowid FROM (SELECT rowid, row_number() OVER newest AS number, sum(size) OVER newest AS total FROM history WINDOW newest AS (ORDER BY asked DESC, rowid DESC ROWS UNBOUNDED PRECEDING)) WHERE number > ? OR total > ?';

/** Milliseconds to wait for the lock of another process, which writes for some milliseconds; then the write fails. */
const PATIENCE_MS = 2000;

/** Settings for a connection of each thread that answers: little memory, and a log of 8 MB. */
const SETTINGS = `PRAGMA cache_size = -2048; PRAGMA wal_autocheckpoint = 1000; PRAGMA busy_timeout = ${PATIENCE_MS}`;

/** Histories in a file of the folder, made and opened at its first use, in any process and thread; also beside a PostgreSQL. */
export function openSyncHistories(folder: string, limits: SyncLimits): SyncHistories {
  let connection: Connection | undefined;

  function database(): Connection {
    connection ??= opened(join(folder, 'sync.sqlite'));
    return connection;
  }

  async function open(): Promise<void> {
    database();
  }

  async function state(key: string, now: Instant): Promise<string | undefined> {
    const row = database().get('SELECT state, asked FROM history WHERE key = ?', key);
    if (row === undefined) return undefined;
    // The difference counts in both directions, as the clock may have been set back.
    if (Math.abs(now - Number(row[1])) > DAY_MS) database().run('UPDATE history SET asked = ? WHERE key = ?', now, key);
    return String(row[0]);
  }

  function historyOf(key: string): SyncHistory | undefined {
    const row = database().get('SELECT state, content FROM history WHERE key = ?', key);
    return row && { state: String(row[0]), content: String(row[1]) };
  }

  async function update(
    key: string,
    now: Instant,
    change: (before: SyncHistory | undefined) => SyncHistory,
  ): Promise<void> {
    const db = database();
    db.db.exec('BEGIN IMMEDIATE');
    try {
      const before = historyOf(key);
      const { state, content } = change(before);
      db.run(SAVE, key, state, now, content.length, content);
      if (before === undefined) sweep(db, now);
      db.db.exec('COMMIT');
    } catch (error) {
      db.rollBack();
      throw error;
    }
  }

  /** Deletes old histories, when a new one is saved. */
  function sweep(db: Connection, now: Instant): void {
    const { unaskedMs, collections, characters } = limits;
    db.run('DELETE FROM history WHERE asked < ?', now - unaskedMs);
    db.run(`DELETE FROM history WHERE rowid IN (${BEYOND})`, collections, characters);
  }

  async function close(): Promise<void> {
    connection?.close();
    connection = undefined;
  }

  return { open, state, history: async (key) => historyOf(key), update, close };
}

/** @throws StoreError */
function opened(file: string): Connection {
  try {
    return openToWrite(file, SETTINGS, (version) => (version === VERSION ? '' : TABLES));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(
      `What collections held cannot be kept in ${file}: ${reason}. Check that the --data folder can be written, or delete the file.`,
      { cause },
    );
  }
}
