/** What the server needs of a logger; pino is one. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** For embedders and tests that do not listen. */
export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** How often one kind of line is written, however often there is reason to. */
const SPARSE_MS = 10_000;

/** Warnings of what may happen a thousand times a second: one line for all since the last, with their count. */
export function sparseWarning(log: Log, message: string): (facts: object) => void {
  let [count, last] = [0, Number.NEGATIVE_INFINITY];
  return (facts) => {
    count += 1;
    if (performance.now() - last < SPARSE_MS) return;
    log.warn({ ...facts, count }, message);
    [count, last] = [0, performance.now()];
  };
}
