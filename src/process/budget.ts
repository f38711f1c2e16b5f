/** Time in which this process runs. While the process is stopped, nothing that it waits for can use any. */

/** A budget is counted in so many parts. */
const PARTS = 10;

/** Calls back once, when the process has run for so many milliseconds; the result ends the wait. */
export function afterRunning(ms: number, over: () => void): () => void {
  let left = PARTS;
  // One that was stopped in between is called once for all that it missed.
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    over();
  }, ms / PARTS);
  return () => clearInterval(timer);
}

/** What is promised, or something else once the process has run for so many milliseconds; others may wait for the promise. */
export async function withinRunning<T>(promise: Promise<T>, ms: number, instead: () => T): Promise<T> {
  const over = Promise.withResolvers<T>();
  const end = afterRunning(ms, () => over.resolve(instead()));
  try {
    return await Promise.race([promise, over.promise]);
  } finally {
    end();
  }
}
