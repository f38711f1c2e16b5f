import type { Store } from './contract.ts';
import { openSqlite } from './sqlite/store.ts';

export type * from './contract.ts';

export interface StoreOptions {
  /** Folder of the embedded database; made if missing. */
  data: string;
}

/** Opens the store. @throws StoreError, in one line with the cure. */
export async function openStore({ data }: StoreOptions): Promise<Store> {
  return openSqlite(data);
}
