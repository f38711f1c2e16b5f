import { messageOf } from '../errors.ts';

/** How long a process waits for the shared cache, and how often the log names a cache that does not answer. */

export interface CacheLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** Half a second: what is asked for is found otherwise in less, so that waiting longer never pays. */
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

/** One line when it fails, and one when it is well again: not one per request. `instead`: what is done without it. */
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
