import { DatabaseSync } from 'node:sqlite';
import { vi } from 'vitest';
import type { Store } from '../../src/store/index.ts';

/** The connection that a store on SQLite writes with: the one that begins its transactions. */
export async function writingDatabase(store: Store): Promise<DatabaseSync> {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  try {
    await store.write(async () => {});
    const begun = exec.mock.calls.findIndex(([sql]) => sql.startsWith('BEGIN'));
    return exec.mock.contexts[begun] as DatabaseSync;
  } finally {
    exec.mockRestore();
  }
}
