import { setImmediate } from 'node:timers/promises';

/**
 * Between two parts of a page's work: requests are answered, and the next page is received and sent to the door, in the
 * middle of a transaction. Nothing that was not committed is seen by that.
 */
export async function breathe(): Promise<void> {
  await setImmediate();
}
