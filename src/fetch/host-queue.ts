import { setTimeout } from 'node:timers/promises';
import { LIMITS } from '../limits.ts';

/**
 * A queue for each host: a few requests at a time, first come first served, so that no feed of a host starves its
 * neighbours. One that does not answer starves none either, for a request keeps its place for a while only.
 */

export interface HostQueue {
  /** Runs `work` when its turn for `host` has come. @throws what `work` throws; `signal.reason` if aborted while waiting */
  run<T>(host: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface HostQueueOptions {
  /** Requests at a time to one host; default 1. */
  atOnce?: number;
  /** Milliseconds between the end of a request and the next one in its place. */
  pauseMs?: number;
  /** Milliseconds after which a request that has not ended gives up its place. */
  placeMs?: number;
  /** Rejects when aborted. */
  sleep?(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The requests of one host: how many are out, and who waits. */
interface Line {
  busy: number;
  waiting: (() => void)[];
}

export function createHostQueue(options: HostQueueOptions = {}): HostQueue {
  const { atOnce = 1, pauseMs = 0, placeMs = LIMITS.placeMs, sleep = nap } = options;
  const lines = new Map<string, Line>();

  function leave(host: string, line: Line): void {
    const next = line.waiting.shift();
    if (next === undefined) line.busy -= 1;
    else next();
    if (line.busy === 0) lines.delete(host);
  }

  return {
    run: async (host, work, signal) => {
      signal?.throwIfAborted();
      const line = lines.get(host) ?? { busy: 0, waiting: [] };
      lines.set(host, line);
      if (line.busy < atOnce) line.busy += 1;
      else await inLine(line.waiting, signal);
      const ended = new AbortController();
      const left = sleep(placeMs, ended.signal).then(
        () => leave(host, line),
        () => (pauseMs > 0 ? sleep(pauseMs).then(() => leave(host, line)) : leave(host, line)),
      );
      try {
        return await work();
      } finally {
        ended.abort();
        if (pauseMs === 0) await left;
      }
    },
  };
}

/** Resolves when whoever serves a line calls the entry that is added to it. Who is stopped before leaves the line. */
export function inLine<T>(line: ((value: T) => void)[], signal: AbortSignal | undefined): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = () => {
    line.splice(line.indexOf(enter), 1);
    reject(signal?.reason);
  };
  const enter = (value: T) => {
    signal?.removeEventListener('abort', leave);
    resolve(value);
  };
  signal?.addEventListener('abort', leave, { once: true });
  line.push(enter);
  return promise;
}

/** Keeps nobody from ending. */
const nap = (ms: number, signal?: AbortSignal) => setTimeout(ms, undefined, { ref: false, ...(signal && { signal }) });
