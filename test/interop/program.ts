import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NODE_OPTIONS } from '../program.ts';

/** The program as people run it, from its sources. */
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** The variables of the surroundings without settings of the program's. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:OPENACTIVE_ICAL_|PORT$|HOST$)/.test(name)),
  ),
  NODE_OPTIONS,
};

/** stdout of one command; a failing one throws with what it said. */
export async function run(...args: string[]): Promise<string> {
  const options = { env, maxBuffer: 512 * 1024 * 1024, timeout: 180_000 };
  return (await promisify(execFile)(process.execPath, [MAIN, ...args], options)).stdout;
}

/** A row of `expand`. */
export interface Occurrence {
  id?: string;
  type: string;
  start: string;
  end: string;
  url?: string;
  name?: string;
  status: string;
  source: 'generated' | 'explicit';
}

export async function expand(file: string, from: string, to: string): Promise<Occurrence[]> {
  const lines = (await run('expand', file, '--from', from, '--to', to, '--format', 'jsonl')).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Occurrence);
}

export interface Service {
  url: string;
  stop(): Promise<void>;
}

/** `serve` on a free port of loopback, up when it answers `/readyz`; ended by the process that started it. */
export async function serve(...args: string[]): Promise<Service> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--host', '127.0.0.1', '--port', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const said: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`serve ended with exit code ${code}: ${said.join('\n')}`)));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
        if (address !== undefined) resolve(address);
      });
    }
  });
  try {
    await ready(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function ready(url: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`${url}/readyz is not well after a minute`);
}
