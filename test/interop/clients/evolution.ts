import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inWindow, type Row } from '../rows.ts';

const script = fileURLToPath(new URL('./evolution.py', import.meta.url));

/** The real Evolution data server, on a bus and in a home that are thrown away afterwards. */
export class Evolution {
  readonly #process: ChildProcess;
  readonly #home: string;
  readonly #lines: Interface;
  readonly #ended: Promise<[string]>;

  private constructor(child: ChildProcess, home: string, lines: Interface) {
    this.#process = child;
    this.#home = home;
    this.#lines = lines;
    this.#ended = once(child, 'exit').then(() => ['{"error":"it ended by itself"}']);
  }

  static start(): Evolution {
    const home = mkdtempSync(join(tmpdir(), 'openactive-ical-evolution-'));
    const env = {
      ...process.env,
      TZ: 'UTC',
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_DATA_HOME: join(home, 'data'),
    };
    const child = spawn('dbus-run-session', ['--', '/usr/bin/python3', script], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return new Evolution(child, home, createInterface({ input: child.stdout }));
  }

  async subscribe(url: string): Promise<void> {
    await this.#ask('subscribe', url);
  }

  async refresh(url: string): Promise<void> {
    await this.#ask('refresh', url);
  }

  /** What it shows of a calendar between two dates. */
  async shows(url: string, from: string, to: string): Promise<Row[]> {
    const rows = (await this.#ask('show', url, from, to)) as Row[];
    return rows.filter((row) => inWindow(row, from, to));
  }

  async close(): Promise<void> {
    // Its input ends, then the session, then the bus with all that was started on it.
    this.#process.stdin?.end();
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  async #ask(...command: string[]): Promise<unknown> {
    const said = Promise.race([once(this.#lines, 'line'), this.#ended]) as Promise<[string]>;
    this.#process.stdin?.write(`${JSON.stringify(command)}\n`);
    const answer = JSON.parse((await said)[0]) as { value: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(`Evolution, ${command[0]}: ${answer.error}`);
    return answer.value;
  }
}
