/** Waiting, until somebody asks for an end. */

import { setTimeout } from 'node:timers/promises';

/** Resolves after so many milliseconds. @throws `signal.reason` */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Nobody waits for something after it was asked to stop, also where what does it does not hear of it. @throws `signal.reason` */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, stopped.promise]).finally(() => signal.removeEventListener('abort', stop));
}
