/** Timeouts in time that this process runs: time in which the process is stopped (SIGSTOP, suspend) does not count. */

/** Ticks of a timeout. */
const PARTS = 10;

/** Calls `over` once, after the process has run for `ms` milliseconds. The result cancels that. */
export function afterRunning(ms: number, over: () => void): () => void {
  let left = PARTS;
  // A process that was stopped gets one tick for all that it missed.
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    over();
  }, ms / PARTS);
  return () => clearInterval(timer);
}

/** Resolves with `promise`, or with `instead` once the process has run for `ms` milliseconds. The promise goes on. */
export async function withinRunning<T>(promise: Promise<T>, ms: number, instead: () => T): Promise<T> {
  const over = Promise.withResolvers<T>();
  const end = afterRunning(ms, () => over.resolve(instead()));
  try {
    return await Promise.race([promise, over.promise]);
  } finally {
    end();
  }
}
