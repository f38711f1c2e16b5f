/** What the server needs of a logger; pino is one. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** For embedders and tests that do not listen. */
export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };
