import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const CLOCK = join(ROOT, 'test', 'compare', 'clock.mjs');

/** A commit, built, with a store of its own. */
export interface Program {
  commit: string;
  /** Of its code. */
  code: string;
  /** Of its store and settings. */
  home: string;
}

/** A commit in a folder, built with the packages that are installed here; without one this checkout. */
export function programOf(home: string, commit: string | undefined): Program {
  mkdirSync(home);
  const code = commit === undefined ? ROOT : join(home, 'code');
  if (commit !== undefined) {
    mkdirSync(code);
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1e9 });
    execFileSync('tar', ['-x'], { cwd: code, input: archive });
    symlinkSync(join(ROOT, 'node_modules'), join(code, 'node_modules'));
  }
  execFileSync('npm', ['run', '-s', 'build'], { cwd: code });
  return { commit: commit ?? 'this checkout', code, home };
}

/** Reads feeds to their ends, as of a moment. */
export async function sync(program: Program, feeds: readonly string[], now: number): Promise<void> {
  const settings = join(program.home, 'settings.json');
  writeFileSync(settings, JSON.stringify({ feeds, confirmDeletes: 'apply' }));
  const child = spawned(program, ['sync', '--config', settings], now);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(String(text)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program.commit}: sync ended with ${code}:\n${output.join('').slice(-2000)}`);
}

/** Runs a program's web server for as long as somebody asks it. */
export async function serving<T>(program: Program, now: number, ask: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const options = ['--host', '127.0.0.1', '--port', String(port), '--base-url', 'http://calendars.example'];
  const child = spawned(program, ['serve', '--role', 'web', ...options], now);
  const ended = once(child, 'close');
  try {
    await Promise.race([ready(`http://127.0.0.1:${port}`), ended.then(() => Promise.reject(new Error('serve ended')))]);
    return await ask(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
    await ended;
  }
}

function spawned({ code, home }: Program, args: readonly string[], now: number): ChildProcessWithoutNullStreams {
  const own = {
    COMPARE_NOW: String(now),
    NODE_OPTIONS: `--import=${CLOCK}`,
    NODE_COMPILE_CACHE: join(home, 'compiled'),
  };
  const env = { ...process.env, ...own };
  const command = [join(code, 'dist/cli/main.js'), ...args, '--data', join(home, 'data')];
  return spawn(process.execPath, command, { cwd: home, env });
}

async function ready(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await setTimeout(100);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
