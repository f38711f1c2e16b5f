/** `serve` as a process of its own, as an operator would start it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS } from '../../program.ts';
import type { Sample } from './growth.ts';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

/** In MB, and when: `resident` and `used` are those of a `Sample`. */
export interface Memory extends Sample {
  /**
   * The longest that a turn of an event loop kept its thread busy since it was asked before, in milliseconds of processor
   * time: no signal is heard meanwhile. How long the thread waited for a processor is the machine's.
   */
  blocked: number;
}

/**
 * In a thread: V8 keeps the pages of a heap that shrank for the next time that it grows, so RSS would show the largest
 * heap there ever was. Only a collection as a last resort gives them back, and only those of the calling thread.
 */
const THREAD = `setInterval(() => gc({ type: 'major', flavor: 'last-resort' }), 5000).unref();`;

/** In a process: collects its garbage and says what is left, as often as it is asked to, and so do its threads. */
const PROCESS = `import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
const own = ['--import', ${JSON.stringify(dataUrl(THREAD))}];
threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    super(file, { ...options, execArgv: own });
  }
};
syncBuiltinESMExports();
let [blocked, before] = [0, process.threadCpuUsage()];
setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  blocked = Math.max(blocked, Math.round((user + system) / 1000));
  before = process.threadCpuUsage();
}, 20).unref();
process.on('SIGUSR2', () => {
  gc({ type: 'major', flavor: 'last-resort' });
  const { rss, heapUsed, external } = process.memoryUsage();
  process.stderr.write('MEMORY ' + process.pid + ' ' + rss + ' ' + (heapUsed + external) + ' ' + blocked + '\\n');
  [blocked, before] = [0, process.threadCpuUsage()];
});
const leak = Number(process.env.PLANTED_LEAK ?? 0);
const kept = [];
if (leak > 0 && process.send) setInterval(() => kept.push(Buffer.alloc(leak * 1024 * 1024, 1)), 1000).unref();`;

function dataUrl(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

export interface Program {
  url: string;
  /** All that it said. */
  log(): string;
  /** Of its processes together, once each has collected its garbage. */
  memory(): Promise<Memory>;
  /** Asks it to end; how long that took, in seconds, and its exit code. */
  end(): Promise<{ seconds: number; code: number | null }>;
  kill(): void;
}

/** `leak`: megabytes a second that the harvester keeps, to see that a test notices. */
export async function startServe(config: string, data: string, leak = 0): Promise<Program> {
  const own = ['--no-warnings', '--expose-gc', '--import', dataUrl(PROCESS)];
  const argv = [...own, MAIN, 'serve', '--config', config, '--data', data, '--port', '0', '--host', '127.0.0.1'];
  const child = spawn(process.execPath, argv, {
    env: { PATH: process.env.PATH, NODE_OPTIONS, PLANTED_LEAK: String(leak) },
  });
  let log = '';
  child.stderr.on('data', (piece) => {
    log += piece;
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const ready = once(child.stdout, 'data') as Promise<[Buffer]>;
  const [said] = await Promise.race([
    ready,
    ended.then(() => {
      throw new Error(`serve ended before it was ready: ${log}`);
    }),
  ]);
  return {
    url: /http:\/\/\S+(?=\/\s)/.exec(String(said))?.[0] ?? '',
    log: () => log,
    async memory() {
      const pids = [child.pid as number, ...childrenOf(child)];
      const from = log.length;
      for (const pid of pids) process.kill(pid, 'SIGUSR2');
      const memoryLines = () => [...log.slice(from).matchAll(/^MEMORY \d+ (\d+) (\d+) (\d+)$/gm)];
      for (let wait = 0; memoryLines().length < pids.length && wait < 200; wait += 1) await sleep(50);
      const sum = (at: number) => memoryLines().reduce((all, numbers) => all + Number(numbers[at]), 0) / 1024 / 1024;
      const blocked = Math.max(...memoryLines().map((numbers) => Number(numbers[3])));
      return { at: performance.now() / 1000, resident: sum(1), used: sum(2), blocked };
    },
    async end() {
      const began = performance.now();
      child.kill('SIGTERM');
      const [code] = await ended;
      return { seconds: (performance.now() - began) / 1000, code };
    },
    kill: () => child.kill('SIGKILL'),
  };
}

function childrenOf({ pid }: ChildProcess): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}
