/** Reads a whole database for damage to its structure. What is in its rows `store verify` compares. */

import { parentPort, workerData } from 'node:worker_threads';
import { openToRead } from './connection.ts';

const { db } = openToRead(workerData as string);
const check = db.prepare('PRAGMA quick_check(1)');

parentPort?.on('message', () => {
  try {
    parentPort?.postMessage(String(check.get()?.quick_check));
  } catch (error) {
    const { code, errcode, message } = error as Error & { code?: unknown; errcode?: unknown };
    parentPort?.postMessage({ code, errcode, message });
  }
});
