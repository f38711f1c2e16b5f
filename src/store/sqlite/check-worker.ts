/** Checks the structure of a whole database for damage; `store verify` compares its rows. */

import { parentPort, workerData } from 'node:worker_threads';
import { openToRead } from './connection.ts';

parentPort?.on('message', () => {
  try {
    // Opening throws where the first page is damaged.
    const { db } = openToRead(workerData as string);
    const check = db.prepare('PRAGMA quick_check(1)');
    parentPort?.postMessage(String(check.get()?.quick_check));
  } catch (error) {
    const { code, errcode, message } = error as Error & { code?: unknown; errcode?: unknown };
    parentPort?.postMessage({ code, errcode, message });
  }
});
