/**
 * Preloaded into every process and thread of both programs: the clock stands still at the moment that `COMPARE_NOW` names,
 * and pages wait for those that follow as long as it takes (`lingerMs` of `src/limits.ts`), so that the load of the machine
 * does not decide which of them share a transaction.
 */
const now = Number(process.env.COMPARE_NOW);
const RealDate = Date;
const LINGER_MS = 300;
const realTimeout = globalThis.setTimeout;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now] : args));
  }

  static now() {
    return now;
  }
};

globalThis.setTimeout = Object.assign(
  (callback, ms, ...args) => realTimeout(callback, ms === LINGER_MS ? 1e9 : ms, ...args),
  realTimeout,
);
