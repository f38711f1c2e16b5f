/** Time that passes only when everybody sleeps. */

import { setImmediate } from 'node:timers/promises';

export interface VirtualTime {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets so many milliseconds pass. */
  pass(ms: number): Promise<void>;
}

export function virtualTime(start: number): VirtualTime {
  let now = start;
  const sleepers = new Set<{ at: number; wake: () => void }>();

  /** Whatever can run has run: promises, and turns given to others. */
  async function runPending(): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) await setImmediate();
  }

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async pass(ms) {
      const until = now + ms;
      await runPending();
      for (;;) {
        const next = [...sleepers].reduce<number>((at, sleeper) => Math.min(at, sleeper.at), Number.POSITIVE_INFINITY);
        if (next > until) break;
        now = next;
        for (const sleeper of sleepers) {
          if (sleeper.at > now) continue;
          sleepers.delete(sleeper);
          sleeper.wake();
        }
        await runPending();
      }
      now = until;
    },
  };
}
