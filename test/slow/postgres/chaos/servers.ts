/** A PostgreSQL and a Redis of a test's own, which it may kill, stop and start again. Debian's programs, by their process ids. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@keyv/redis';
import pg from 'pg';
import { DAY_MS } from '../../../../src/time/days.ts';

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const BETWEEN_MS = 3000;
/** For so long web processes put calendars into Redis. */
const KEPT_MS = 30 * DAY_MS;

/** A program that listens: started, ended without being asked, stopped for a while, and started again. */
abstract class Server {
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #away: { from: number; to?: number }[] = [];

  protected abstract spawn(): ChildProcess;
  /** Rejects until it answers. */
  protected abstract ping(): Promise<unknown>;

  protected get pid(): number {
    return this.#child?.pid as number;
  }

  /** Until it answers; what keeps it from starting is often over soon, as memory that its last processes still share. */
  async start(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null)
        this.#child = this.spawn();
      const answers = await this.ping().then(
        () => true,
        () => false,
      );
      if (answers) return;
      if (tries > 300) throw new Error(`${this.constructor.name} does not start`);
      await setTimeout(100);
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Ended by the signal, away for a while, and started again. */
  restart(signal: NodeJS.Signals, awayMs: number): Promise<void> {
    return this.disturbed(async () => {
      await this.end(signal);
      await setTimeout(awayMs);
      await this.start();
    });
  }

  /** Takes connections and answers nothing, as a machine that is overrun. */
  hang(ms: number): Promise<void> {
    return this.disturbed(async () => {
      const pids = [this.pid, ...childrenOf(this.pid)];
      for (const pid of pids) signalled(pid, 'SIGSTOP');
      await setTimeout(ms);
      for (const pid of pids) signalled(pid, 'SIGCONT');
    });
  }

  /** Milliseconds of the longest time without an answer that was not over by then. */
  longestAway(since: number): number {
    const now = performance.now();
    const lengths = this.#away.filter(({ to = now }) => to >= since).map(({ from, to = now }) => to - from);
    return Math.max(0, ...lengths);
  }

  /** Whether it was away, or lost what it had, since then. */
  wasAway(since: number): boolean {
    return this.#away.some(({ to = since }) => to >= since);
  }

  /** One after the other: what is away is not killed. */
  protected async disturbed(work: () => Promise<unknown>): Promise<void> {
    const turn = this.#last.then(async () => {
      // Whoever opens connections again has had no time to use them between two that follow each other.
      const [now, before] = [performance.now(), this.#away.at(-1)];
      const isNext = before?.to !== undefined && now - before.to < BETWEEN_MS;
      const away: { from: number; to?: number } = { from: isNext ? before.from : now };
      this.#away.push(away);
      await work();
      away.to = performance.now();
    });
    this.#last = turn.catch(() => {});
    await turn;
  }
}

/** One that has ended meanwhile needs no signal. */
function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The newest that Debian has installed; undefined: none. */
export const POSTGRES: string | undefined = newestPostgres();

function newestPostgres(): string | undefined {
  try {
    const [newest] = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a));
    return newest && join('/usr/lib/postgresql', newest, 'bin');
  } catch {
    return undefined;
  }
}

/** PostgreSQL refuses to run as root. */
const IS_ROOT = process.getuid?.() === 0;
const AS_POSTGRES = ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'];

function asPostgres(program: string, argv: readonly string[]): [string, string[]] {
  const path = join(String(POSTGRES), program);
  return IS_ROOT ? ['setpriv', [...AS_POSTGRES, path, ...argv]] : [path, [...argv]];
}

export class Cluster extends Server {
  readonly url: string;
  readonly #data: string;
  readonly #port: number;

  private constructor(data: string, port: number) {
    super();
    this.#data = data;
    this.#port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  static async make(folder: string): Promise<Cluster> {
    chmodSync(folder, 0o755);
    const data = join(folder, 'postgres');
    mkdirSync(data);
    if (IS_ROOT) spawnSync('chown', ['postgres', data]);
    const set = ['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'];
    const [program, argv] = asPostgres('initdb', ['-D', data, ...set]);
    const made = spawnSync(program, argv, { cwd: '/' });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
    const cluster = new Cluster(data, await freePort());
    await cluster.start();
    return cluster;
  }

  protected spawn(): ChildProcess {
    const set = ['fsync=off', 'max_connections=300', 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];
    const options = ['-D', this.#data, '-p', String(this.#port), ...set.flatMap((one) => ['-c', one])];
    const [program, argv] = asPostgres('postgres', options);
    return spawn(program, argv, { cwd: '/', stdio: 'ignore' });
  }

  protected ping(): Promise<unknown> {
    return this.query('SELECT 1');
  }

  /** Rows, over a connection of its own. */
  async query(text: string): Promise<unknown[][]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5000, query_timeout: 60_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query({ text, rowMode: 'array' })).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Kills a process that serves a connection: PostgreSQL then ends all others, and recovers. */
  async crash(): Promise<void> {
    await this.disturbed(async () => {
      const rows = await this.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'");
      const pid = Number(rows[0]?.[0]);
      if (pid > 0) signalled(pid, 'SIGKILL');
      await setTimeout(200);
      await this.start();
    });
  }
}

export class Redis extends Server {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;

  private constructor(folder: string, port: number) {
    super();
    this.#folder = folder;
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async make(folder: string): Promise<Redis> {
    const data = join(folder, 'redis');
    mkdirSync(data);
    const redis = new Redis(data, await freePort());
    await redis.start();
    return redis;
  }

  /** Nothing is kept: one that is started again is empty. */
  protected spawn(): ChildProcess {
    const argv = ['--bind', '127.0.0.1', '--port', String(this.#port), '--save', '', '--appendonly', 'no'];
    return spawn('redis-server', [...argv, '--dir', this.#folder], { cwd: '/', stdio: 'ignore' });
  }

  protected ping(): Promise<unknown> {
    return this.#asked('PING');
  }

  empty(): Promise<void> {
    return this.disturbed(() => this.#asked('FLUSHALL'));
  }

  /** For how many milliseconds it has had what a web process put there last under a name; undefined: it has nothing. */
  async ageOf(name: string): Promise<number | undefined> {
    const client = createClient({ url: this.url, socket: { connectTimeout: 2000, reconnectStrategy: false } });
    client.on('error', () => {});
    try {
      await client.connect();
      const [key] = await client.keys(`*:${name.replace(/[?*[]/g, '\\$&')}`);
      const left = key === undefined ? -1 : await client.pTTL(key);
      return left < 0 ? undefined : KEPT_MS - left;
    } catch {
      return undefined;
    } finally {
      client.destroy();
    }
  }

  /** A command, as RESP lets a person write it. */
  async #asked(command: string): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1');
    try {
      socket.write(`${command}\r\n`);
      await once(socket, 'data', { signal: AbortSignal.timeout(2000) });
    } finally {
      socket.destroy();
    }
  }
}
