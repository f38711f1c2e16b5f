/** Preloaded into every process and thread of both programs: the clock stands still at the moment that `COMPARE_NOW` names. */
const now = Number(process.env.COMPARE_NOW);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now] : args));
  }

  static now() {
    return now;
  }
};
