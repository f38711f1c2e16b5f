/** Ends the process of a child whose parent is gone, also while its own thread is blocked (child.ts). */

import { workerData } from 'node:worker_threads';
import { LIMITS } from '../../limits.ts';

const { parent } = workerData as { parent: number };

const timer = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LIMITS.childEndMs);
}, LIMITS.parentMs);
