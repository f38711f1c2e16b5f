import type { HarvestLock } from '../contract/index.ts';
import { lockingPool } from './driver.ts';
import { databaseName, openingFault } from './faults.ts';

const TAKE =
  "SELECT pg_try_advisory_lock(hashtextextended('openactive-ical harvest ' || current_schema(), 0)) AS taken";

/**
 * A lock of the database's, which ends with the connection that holds it, and so with its process. Undefined: another process
 * has it. @throws StoreError
 */
export async function lockPostgresHarvest(url: string): Promise<HarvestLock | undefined> {
  const name = databaseName(url);
  const pool = await lockingPool(url);
  try {
    const client = await pool.connect();
    const ended = Promise.withResolvers<void>();
    client.on('error', () => ended.resolve());
    client.on('end', () => ended.resolve());
    if ((await client.query(TAKE)).rows[0]?.taken === true) {
      const release = () => {
        client.release(true);
        return pool.end();
      };
      return { release, ended: ended.promise };
    }
    client.release();
  } catch (error) {
    await pool.end();
    throw openingFault(error, name);
  }
  await pool.end();
  return undefined;
}
