import { join } from 'node:path';
import { BugError, StoreError } from '../../errors.ts';
import { writeRefusal } from '../../process/folder.ts';
import type { ChangeLog } from '../contract/index.ts';
import { type LogDatabase, type LogTables, SqlChangeLog } from '../sql/change-log.ts';
import type { Database } from '../sql/database.ts';
import { Connection, openToWrite } from './connection.ts';
import { storeFault } from './faults.ts';

/** Names of the logs that a folder may have: of harvested feeds that are republished, and of published calendars. */
export const LOG_NAMES = ['republished', 'published'] as const;
type LogName = (typeof LOG_NAMES)[number];

const VERSION = 2;

export const TABLES: LogTables = { entry: 'entry', value: 'mark' };

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

/** Feeds of several publishers are `publisher/type`, and a query for a type is one for all of them. */
const BY_TYPE = `
ALTER TABLE entry ADD COLUMN type TEXT GENERATED ALWAYS AS (substr(feed, instr(feed, '/') + 1)) VIRTUAL;
CREATE INDEX entry_type ON entry (type, number);
CREATE INDEX entry_object ON entry (id);
`;

/** The database file of a log: one connection that writes, and one that reads committed rows. */
function logFile(file: string, { readOnly }: { readOnly: boolean }): LogDatabase {
  let queue: Promise<unknown> = Promise.resolve();
  const writing = readOnly ? undefined : openedToWrite(file);
  const read = new Connection(file, { readOnly: true });

  function write<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const turn = queue.then(() => transaction(work));
    queue = turn.catch(() => undefined);
    return turn;
  }

  async function transaction<T>(work: (db: Database) => Promise<T>): Promise<T> {
    if (writing === undefined) throw new BugError('A change log that was opened to be read is written.');
    writing.db.exec('BEGIN IMMEDIATE');
    try {
      const result = await work(writing);
      writing.db.exec('COMMIT');
      return result;
    } catch (error) {
      writing.rollBack();
      throw storeFault(error, file);
    }
  }

  async function close(): Promise<void> {
    await queue;
    read.close();
    writing?.close();
  }

  return { read, write, close };
}

function openedToWrite(file: string): Connection {
  // After a power cut no number that a reader has seen may be given again: each commit waits for the disk.
  return openToWrite(file, 'PRAGMA synchronous = FULL', (version) => {
    if (version > VERSION) {
      throw new StoreError(
        `The change log ${file} was written by a newer release. Use that release, or another --data folder.`,
      );
    }
    return version === VERSION ? '' : `${version === 0 ? SCHEMA : ''} ${BY_TYPE} PRAGMA user_version = ${VERSION}`;
  });
}

/** Opens the log of published calendars, a file in the folder also where PostgreSQL holds the store. @throws StoreError */
export async function openPublishedLog(folder: string): Promise<ChangeLog> {
  return openSqliteChangeLog(folder, 'published');
}

/** Opens (and creates) a change log in a folder. @throws StoreError with the path, when it cannot be opened. */
export function openSqliteChangeLog(folder: string, name: LogName, options = { readOnly: false }): ChangeLog {
  const file = changeLogFile(folder, name);
  try {
    return new SqlChangeLog(logFile(file, options), TABLES);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const reason = writeRefusal(cause);
    throw new StoreError(
      `The change log ${file} cannot be opened: ${reason}. Check that the --data folder exists and can be written.`,
      { cause },
    );
  }
}

export const changeLogFile = (folder: string, name: LogName): string => join(folder, `${name}.sqlite`);
