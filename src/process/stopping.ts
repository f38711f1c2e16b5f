/** Waits that an AbortSignal ends. */

import { setTimeout } from 'node:timers/promises';

/** Resolves after `ms` milliseconds. @throws `signal.reason` */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Awaits `work` until the signal aborts, also where `work` ignores it. @throws `signal.reason` */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, stopped.promise]).finally(() => signal.removeEventListener('abort', stop));
}
