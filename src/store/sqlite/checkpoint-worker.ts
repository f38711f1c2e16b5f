/** Copies the log of a database into its file, once for each message (checkpoints.ts). */

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const pass = new DatabaseSync(workerData as string).prepare('PRAGMA wal_checkpoint(PASSIVE)');

parentPort?.on('message', () => {
  pass.get();
  parentPort?.postMessage(undefined);
});
