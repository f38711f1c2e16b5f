import { setImmediate } from 'node:timers/promises';

/** Turns of the event loop in which a body that came is read (one or two), and the next request is sent (the third). */
const TURNS = 3;
/** Milliseconds of work in a turn, so that a transaction of many pages does not hold up requests. */
const SLICE_MS = 8;
/** Rows that are saved in a fraction of `SLICE_MS`. */
const PART = 256;

let since = performance.now();

/**
 * Yields in the middle of a transaction, between two parts of a page's work: requests are answered, and the next pages are
 * received and sent to the reader. Requests do not see uncommitted rows.
 */
export async function yieldToEventLoop(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await setImmediate();
  since = performance.now();
}

/** Whether it is time to yield. */
export function isLong(): boolean {
  return performance.now() - since > SLICE_MS;
}

/** Works on many rows, a part at a time, and yields in between. */
export async function inParts<T>(rows: readonly T[], work: (part: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += PART) {
    await work(rows.slice(at, at + PART));
    if (isLong()) await yieldToEventLoop();
  }
}
