import type { StoreDriver } from '../driver.ts';
import { hasPostgresChangeLog, openPostgresChangeLog } from './change-log.ts';
import { copyPostgres } from './copy.ts';
import { databaseName } from './faults.ts';
import { openPostgresLeases } from './leases.ts';
import { moveToPostgres } from './move.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { openPostgres, openPostgresReader, postgresSchema, unreadyPostgres } from './store.ts';
import { endPostgresWatch, openPostgresWatch } from './watch.ts';

/** The PostgreSQL of an address. */
export function postgresDriver(url: string): StoreDriver {
  return {
    name: databaseName(url),
    isEmbedded: false,
    backup: 'pg_dump',
    open: ({ onTrouble }) => openPostgres(url, { onTrouble }),
    openReader: ({ onTrouble }) => openPostgresReader(url, onTrouble),
    hasStore: async () => (await postgresSchema(url)) > 0,
    schema: async () => ({ schema: await postgresSchema(url), newest: SCHEMA_VERSION }),
    unready: () => unreadyPostgres(url),
    lockHarvest: () => ({ release: () => {} }),
    openLeases: () => openPostgresLeases(url),
    openRepublished: (options) => openPostgresChangeLog(url, options),
    hasRepublished: () => hasPostgresChangeLog(url),
    openWatch: () => openPostgresWatch(url),
    endWatch: () => endPostgresWatch(url),
    copyTo: (folder) => copyPostgres(url, folder),
    moveFrom: (folder) => moveToPostgres(folder, url),
  };
}
