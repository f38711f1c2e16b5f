/** One request at a time to each host, first come first served, so that no feed of a host starves its neighbours. */

export interface Gate {
  /** Runs `work` when its turn for `host` has come. @throws what `work` throws; `signal.reason` if aborted while waiting */
  through<T>(host: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createGate(): Gate {
  const last = new Map<string, Promise<void>>();
  return {
    through: async (host, work, signal) => {
      const before = last.get(host);
      const { promise: done, resolve } = Promise.withResolvers<void>();
      last.set(host, done);
      try {
        await before;
        signal?.throwIfAborted();
        return await work();
      } finally {
        if (last.get(host) === done) last.delete(host);
        resolve();
      }
    },
  };
}
