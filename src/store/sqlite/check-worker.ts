/** Reads a whole database for damage to its structure. What is in its rows `store verify` compares. */

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const db = new DatabaseSync(workerData as string, { readOnly: true, timeout: 30_000 });
const check = db.prepare('PRAGMA quick_check(1)');

parentPort?.on('message', () => {
  try {
    parentPort?.postMessage(String(check.get()?.quick_check));
  } catch (error) {
    const { code, errcode, message } = error as Error & { code?: unknown; errcode?: unknown };
    parentPort?.postMessage({ code, errcode, message });
  }
});
