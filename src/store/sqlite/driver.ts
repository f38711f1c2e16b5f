import { existsSync } from 'node:fs';
import type { StoreDriver } from '../driver.ts';
import { changeLogFile, openSqliteChangeLog } from './change-log.ts';
import { checkDatabase, copyDatabase, schemaOf } from './copies/backup.ts';
import { storeFault } from './faults.ts';
import { lockSqliteHarvest } from './harvest-lock.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { hasSqlite, openSqlite, openSqliteReader, storeFile, unreadySqlite } from './store.ts';
import { endSqliteWatch, openSqliteWatch } from './watch.ts';

/** The name of the log in its folder. */
const REPUBLISHED = 'republished';

/** Runs `work`. @throws StoreError in place of an error of SQLite */
function inWords<T>(work: () => T, file: string): T {
  try {
    return work();
  } catch (error) {
    throw storeFault(error, file);
  }
}

/** The embedded database of a folder. */
export function sqliteDriver(data: string): StoreDriver {
  const file = storeFile(data);
  return {
    name: file,
    isEmbedded: true,
    backup: '"openactive-ical store backup"',
    open: async (listeners) => openSqlite(data, listeners),
    openReader: async ({ onTrouble }) => openSqliteReader(data, onTrouble),
    hasStore: async () => hasSqlite(data),
    schema: async () => ({ schema: schemaOf(file), newest: SCHEMA_VERSION }),
    unready: async () => unreadySqlite(data),
    lockHarvest: () => lockSqliteHarvest(data),
    openLeases: async () => undefined,
    openRepublished: async (options) => openSqliteChangeLog(data, REPUBLISHED, options),
    hasRepublished: async () => existsSync(changeLogFile(data, REPUBLISHED)),
    openWatch: async () => inWords(() => openSqliteWatch(file), file),
    endWatch: async () => inWords(() => endSqliteWatch(file), file),
    copyTo: async (folder) => {
      checkDatabase(file);
      copyDatabase(file, storeFile(folder));
    },
    moveFrom: undefined,
  };
}
