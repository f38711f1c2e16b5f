/** `serve` as a process of its own, as an operator would start it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

/** In MB: what the processes take, and what their objects and buffers do. */
export interface Memory {
  resident: number;
  used: number;
  /** The longest that an event loop had no turn since it was asked before, in milliseconds: no signal is heard meanwhile. */
  blocked: number;
}

/** Lets a process collect its garbage and say what is left, as often as it is asked to. */
const ASKED = `import { monitorEventLoopDelay } from 'node:perf_hooks';
const delay = monitorEventLoopDelay();
delay.enable();
process.on('SIGUSR2', () => {
  const blocked = Math.round(delay.max / 1e6);
  for (let turn = 0; turn < 3; turn += 1) gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.stderr.write('MEMORY ' + process.pid + ' ' + rss + ' ' + (heapUsed + external) + ' ' + blocked + '\\n');
  delay.reset();
});`;

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

export async function startServe(config: string, data: string): Promise<Program> {
  const preload = `data:text/javascript,${encodeURIComponent(ASKED)}`;
  const own = ['--no-warnings', '--expose-gc', '--import', preload];
  const argv = [...own, MAIN, 'serve', '--config', config, '--data', data, '--port', '0', '--host', '127.0.0.1'];
  const child = spawn(process.execPath, argv, { env: { PATH: process.env.PATH } });
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
      const said = () => [...log.slice(from).matchAll(/^MEMORY \d+ (\d+) (\d+) (\d+)$/gm)];
      for (let wait = 0; said().length < pids.length && wait < 200; wait += 1) await sleep(50);
      const sum = (at: number) => said().reduce((all, numbers) => all + Number(numbers[at]), 0) / 1024 / 1024;
      return { resident: sum(1), used: sum(2), blocked: Math.max(...said().map((numbers) => Number(numbers[3]))) };
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
