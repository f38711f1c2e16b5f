import { setImmediate } from 'node:timers/promises';

/** A body that has arrived is read in one turn or two; the next request goes out in the one after. */
const TURNS = 3;

/**
 * Between two parts of a page's work: requests are answered, and the next pages are received and sent to the door, in the
 * middle of a transaction. Nothing that was not committed is seen by that.
 */
export async function breathe(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await setImmediate();
}
