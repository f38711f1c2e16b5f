import { setImmediate } from 'node:timers/promises';

/** A body that has arrived is read in one turn or two; the next request goes out in the one after. */
const TURNS = 3;
/** Milliseconds of work after which others have their turn: what a transaction of many pages takes in goes on beside it. */
const SLICE_MS = 8;
/** Rows that are saved in a fraction of that. */
const PART = 256;

let since = performance.now();

/**
 * Between two parts of a page's work: requests are answered, and the next pages are received and sent to the reader, in the
 * middle of a transaction. Nothing that was not committed is seen by that.
 */
export async function yieldToEventLoop(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await setImmediate();
  since = performance.now();
}

/** Whether it is time to. */
export function isLong(): boolean {
  return performance.now() - since > SLICE_MS;
}

/** Does something with many rows, some at a time. */
export async function inParts<T>(rows: readonly T[], work: (part: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += PART) {
    await work(rows.slice(at, at + PART));
    if (isLong()) await yieldToEventLoop();
  }
}
