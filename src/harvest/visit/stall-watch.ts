import { StalledError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';

interface Wait {
  waitsFor: string;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Stops a visit that has made no step for long. Each operation has a deadline of its own; this one is for faults that those
 * miss. The visit is over at that time, whether it reacts to its signal or not.
 */
export class StallWatch {
  readonly #stop = new AbortController();
  readonly #stalled = Promise.withResolvers<never>();
  readonly #caller: AbortSignal | undefined;
  readonly #ms: number;
  #step: Wait | undefined;
  readonly #beside = new Set<Wait>();

  constructor(caller: AbortSignal | undefined, ms: number = LIMITS.stallMs) {
    this.#caller = caller;
    this.#ms = ms;
    this.#stalled.promise.catch(() => {});
    if (caller?.aborted) this.#abort();
    caller?.addEventListener('abort', this.#abort, { once: true });
    this.step('to begin');
  }

  readonly #abort = (): void => this.#stop.abort(this.#caller?.reason);

  /** Aborts with the caller's signal, or when the visit has stalled. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get waitsFor(): string {
    const [beside = this.#step] = this.#beside;
    return beside?.waitsFor ?? 'for nothing';
  }

  /** Notes a step of the visit, and what it waits for next. `ms`: infinite where other visits decide how long that takes. */
  step(waitsFor: string, ms: number = this.#ms): void {
    clearTimeout(this.#step?.timer);
    this.#step = this.#wait(waitsFor, ms);
  }

  /** Awaits work with a limit of its own, beside the steps. */
  async beside<T>(waitsFor: string, work: Promise<T>): Promise<T> {
    const wait = this.#wait(waitsFor, this.#ms);
    this.#beside.add(wait);
    try {
      return await work;
    } finally {
      this.#beside.delete(wait);
      clearTimeout(wait.timer);
    }
  }

  #wait(waitsFor: string, ms: number): Wait {
    if (ms === Number.POSITIVE_INFINITY) return { waitsFor, timer: undefined };
    return { waitsFor, timer: setTimeout(() => this.#stall(waitsFor, ms), ms) };
  }

  #stall(waitsFor: string, ms: number): void {
    const error = new StalledError(`nothing came for ${ms / 60_000} min while it waited ${waitsFor}`);
    this.#stop.abort(error);
    this.#stalled.reject(error);
  }

  /** Resolves with the result of the visit. @throws StalledError */
  async watch<T>(visit: Promise<T>): Promise<T> {
    try {
      return await Promise.race([visit, this.#stalled.promise]);
    } finally {
      for (const wait of [this.#step, ...this.#beside]) clearTimeout(wait?.timer);
      this.#caller?.removeEventListener('abort', this.#abort);
    }
  }
}
