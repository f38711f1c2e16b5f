import type { ChangeLog } from './change-log.ts';
import type { Store } from './contract.ts';
import { openSqliteChangeLog } from './sqlite/change-log.ts';
import { openSqlite } from './sqlite/store.ts';

export type * from './change-log.ts';
export type * from './contract.ts';

export interface StoreOptions {
  /** Folder of the embedded database; made if missing. */
  data: string;
}

/** Opens the store. @throws StoreError, in one line with the cure. */
export async function openStore({ data }: StoreOptions): Promise<Store> {
  return openSqlite(data);
}

/**
 * Opens the log behind published feeds: `published` of calendars, `republished` of what was harvested. Each has a file of
 * its own, so that both may use one folder. @throws StoreError, in one line with the cure.
 */
export async function openChangeLog(
  { data }: StoreOptions,
  name: 'published' | 'republished',
  options: { readOnly?: boolean } = {},
): Promise<ChangeLog> {
  return openSqliteChangeLog(data, name, options);
}
