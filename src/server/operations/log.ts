import { perObject } from '../../bounded-map.ts';
import { isBug, messageOf, StoreError } from '../../errors.ts';

/** The logger of the server; pino is one. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** A logger without output, for embedding programs and tests. */
export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** Least time between two lines of one kind. */
const SPARSE_MS = 10_000;

/** Warnings of frequent events: one line for all since the last line, with their number. */
export function sparseWarning(log: Log, message: string): (facts: object) => void {
  let [count, last] = [0, Number.NEGATIVE_INFINITY];
  return (facts) => {
    count += 1;
    if (performance.now() - last < SPARSE_MS) return;
    log.warn({ ...facts, count }, message);
    [count, last] = [0, performance.now()];
  };
}

/**
 * Logs a request that failed. While a database is away every request fails for the same reason, so that there is one warning
 * with a count.
 */
export function logFailed(log: Log, error: unknown, facts: object, message: string): void {
  if (!(error instanceof StoreError)) {
    log.error({ err: error, ...facts }, message);
    return;
  }
  awayWarning(log)({ reason: error.message, ...facts });
}

const awayWarning = perObject((log: Log) => sparseWarning(log, 'Requests failed: the database gives no answer.'));

/** Errors of repeated requests: one line until a request succeeds, or fails for another reason. */
export function repeatedError(log: Log, message: string): { failed: (error: unknown) => void; well: () => void } {
  let last: string | undefined;
  return {
    failed: (error) => {
      const reason = messageOf(error);
      if (reason !== last) log.error(isBug(error) ? { err: error } : { error: reason }, message);
      last = reason;
    },
    well: () => {
      last = undefined;
    },
  };
}
