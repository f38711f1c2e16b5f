import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../../src/errors.ts';
import { postgresFault } from '../../../src/store/postgres/faults.ts';
import { openPostgres, type PostgresStore } from '../../../src/store/postgres/store.ts';
import { type TestDatabase, testDatabase } from '../../store/postgres.ts';

/** Connections that end while a store uses them. */

let database: TestDatabase;
let store: PostgresStore;
beforeEach(async () => {
  database = await testDatabase();
  store = await openPostgres(database.url);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

/** Ends each connection that the store has open, and waits until both sides know. */
async function endAll(): Promise<void> {
  await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND application_name LIKE 'openactive-ical%' AND datname = current_database()
      AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = pg_stat_activity.pid AND l.relation = 'store'::regclass)`);
  await new Promise((done) => setTimeout(done, 200));
}

describe('a connection that ends', () => {
  test('between two statements of a transaction fails the transaction, and the next one goes through', async () => {
    const failed = store.write(async (tx) => {
      await tx.setMeta('a', '1');
      // The driver says so while nobody asks it anything.
      await endAll();
      await tx.setMeta('b', '1');
    });
    await expect(failed).rejects.toThrow(/the connection was ended; it is opened again with the next question/);
    await expect(failed).rejects.toBeInstanceOf(StoreError);
    await store.write((tx) => tx.setMeta('a', '2'));
    expect([await store.read.meta('a'), await store.read.meta('b')]).toEqual(['2', undefined]);
  });

  test('and what the server and the driver say of it are words', () => {
    const words = (error: unknown) => (postgresFault(error, 'postgres://db/x') as Error).message;
    const coded = (code: string) => words(Object.assign(new Error('terminating connection'), { code }));
    for (const code of ['57P01', '57P02', '57P05', '25P03', 'ECONNRESET'])
      expect([code, coded(code)]).toEqual([code, expect.stringContaining('the connection was ended')]);
    expect(words(new Error('Query read timeout'))).toBe(
      'The database postgres://db/x failed: it gave no answer; it is asked again with the next question.',
    );
  });
});
