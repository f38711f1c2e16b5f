/** So many requests at a time to each host, first come first served, so that no feed of a host starves its neighbours. */

export interface Gate {
  /** Runs `work` when its turn for `host` has come. @throws what `work` throws; `signal.reason` if aborted while waiting */
  through<T>(host: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface GateOptions {
  /** Requests at a time to one host; default 1. */
  atOnce?: number;
  /** Milliseconds between the end of a request and the next one in its place. */
  pauseMs?: number;
  sleep?(ms: number): Promise<void>;
}

/** The requests of one host: how many are out, and who waits. */
interface Line {
  busy: number;
  waiting: (() => void)[];
}

export function createGate({ atOnce = 1, pauseMs = 0, sleep = nap }: GateOptions = {}): Gate {
  const lines = new Map<string, Line>();

  function leave(host: string, line: Line): void {
    const next = line.waiting.shift();
    if (next === undefined) line.busy -= 1;
    else next();
    if (line.busy === 0) lines.delete(host);
  }

  return {
    through: async (host, work, signal) => {
      signal?.throwIfAborted();
      const line = lines.get(host) ?? { busy: 0, waiting: [] };
      lines.set(host, line);
      if (line.busy < atOnce) line.busy += 1;
      else await turn(line, signal);
      try {
        return await work();
      } finally {
        if (pauseMs > 0) void sleep(pauseMs).then(() => leave(host, line));
        else leave(host, line);
      }
    },
  };
}

/** Resolves when it is given the place of one that left. */
function turn(line: Line, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => {
    line.waiting.splice(line.waiting.indexOf(enter), 1);
    reject(signal?.reason);
  };
  const enter = () => {
    signal?.removeEventListener('abort', stop);
    resolve();
  };
  signal?.addEventListener('abort', stop, { once: true });
  line.waiting.push(enter);
  return promise;
}

/** Keeps nobody from ending. */
function nap(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms).unref();
  });
}
