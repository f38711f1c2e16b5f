/** Reads a whole database for damage to its structure. What is in its rows `store verify` compares. */

import { parentPort, workerData } from 'node:worker_threads';
import { openToRead } from './connection.ts';

parentPort?.on('message', () => {
  try {
    // Damage of the first page is met here.
    const { db } = openToRead(workerData as string);
    const check = db.prepare('PRAGMA quick_check(1)');
    parentPort?.postMessage(String(check.get()?.quick_check));
  } catch (error) {
    const { code, errcode, message } = error as Error & { code?: unknown; errcode?: unknown };
    parentPort?.postMessage({ code, errcode, message });
  }
});
