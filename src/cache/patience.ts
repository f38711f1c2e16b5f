import { messageOf } from '../errors.ts';

/** Bounds how long a process waits for the shared cache, and how often the log names a cache that does not answer. */

export interface CacheLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** Milliseconds to wait for the shared cache: most values are computed in less. */
const ANSWER_MS = 500;

export class LateError extends Error {}

/** @throws LateError where there is no answer in half a second */
export async function withinTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`no answer in ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Logs one line when the cache fails, and one when it answers again. `instead`: words for the service without it. */
export function onceUntilWell(log: CacheLog, instead: string): { failed: (error: unknown) => void; well: () => void } {
  let failing = false;
  return {
    failed: (error) => {
      if (!failing) log.warn({ error: messageOf(error) }, `The shared cache does not answer; ${instead}.`);
      failing = true;
    },
    well: () => {
      if (failing) log.info({}, 'The shared cache answers again.');
      failing = false;
    },
  };
}
