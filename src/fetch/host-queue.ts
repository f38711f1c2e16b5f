import { setTimeout } from 'node:timers/promises';
import { LIMITS } from '../limits.ts';

/**
 * Queues the requests of each host: a few at a time, first come first served, so that no feed of a host starves its
 * neighbours. A request that gets no answer gives up its place after a while, and starves none either.
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

/** The requests of one host: how many have begun and not ended, and the others in order. */
interface HostRequests {
  running: number;
  waiting: (() => void)[];
}

export function createHostQueue(options: HostQueueOptions = {}): HostQueue {
  const { atOnce = 1, pauseMs = 0, placeMs = LIMITS.placeMs, sleep = nap } = options;
  const hosts = new Map<string, HostRequests>();

  function startNext(host: string, requests: HostRequests): void {
    const waiting = requests.waiting.shift();
    if (waiting === undefined) requests.running -= 1;
    else waiting();
    if (requests.running === 0) hosts.delete(host);
  }

  return {
    run: async (host, work, signal) => {
      signal?.throwIfAborted();
      const requests = hosts.get(host) ?? { running: 0, waiting: [] };
      hosts.set(host, requests);
      if (requests.running < atOnce) requests.running += 1;
      else await waitInQueue(requests.waiting, signal);
      const ended = new AbortController();
      const left = sleep(placeMs, ended.signal).then(
        () => startNext(host, requests),
        () => (pauseMs > 0 ? sleep(pauseMs).then(() => startNext(host, requests)) : startNext(host, requests)),
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

/** Resolves when the owner of a queue calls the entry that is added to it. An aborted signal takes the entry out. */
export function waitInQueue<T>(queue: ((value: T) => void)[], signal: AbortSignal | undefined): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = () => {
    queue.splice(queue.indexOf(enter), 1);
    reject(signal?.reason);
  };
  const enter = (value: T) => {
    signal?.removeEventListener('abort', leave);
    resolve(value);
  };
  signal?.addEventListener('abort', leave, { once: true });
  queue.push(enter);
  return promise;
}

/** Waits without keeping the process alive. */
const nap = (ms: number, signal?: AbortSignal) => setTimeout(ms, undefined, { ref: false, ...(signal && { signal }) });
