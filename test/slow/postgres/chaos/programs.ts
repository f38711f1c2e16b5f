/** Processes of `serve` under a supervisor, as systemd is one: what ends unasked is started again, and written down. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { PROGRAM, PROGRAM_ENV } from '../../../program.ts';

/** An end that nobody asked for. */
export interface Ended {
  name: string;
  code: number | null;
  signal: string | null;
  /** It had said that it is ready. */
  wasReady: boolean;
  /** The last lines of standard error. */
  words: string;
}

const RESTART_MS = 1000;

export class Program {
  readonly name: string;
  /** How often it was started. */
  starts = 0;
  readonly #argv: readonly string[];
  readonly #env: Record<string, string>;
  readonly #onEnd: (ended: Ended) => void;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #isWanted = true;
  #isStopped = false;
  #isReady = false;
  #disturbedAt = Number.NEGATIVE_INFINITY;

  constructor(
    name: string,
    argv: readonly string[],
    how: { env: Record<string, string>; log: string; onEnd(ended: Ended): void },
  ) {
    this.name = name;
    this.#argv = argv;
    this.#env = how.env;
    this.#onEnd = how.onEnd;
    this.#log = createWriteStream(how.log);
    this.#start();
  }

  /** By `kill -9`; the supervisor starts it again. */
  kill(): void {
    this.#disturbedAt = performance.now();
    this.#isStopped = false;
    this.#isReady = false;
    this.#child?.kill('SIGKILL');
  }

  /** Stopped for so long, unless it is killed meanwhile. */
  async stop(ms: number): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#isStopped) return;
    this.#isStopped = true;
    child.kill('SIGSTOP');
    await setTimeout(ms);
    child.kill('SIGCONT');
    if (child !== this.#child) return;
    this.#isStopped = false;
    this.#disturbedAt = performance.now();
  }

  /** Whether it has said since its last start that it is ready. */
  get isReady(): boolean {
    return this.#isReady && !this.#isStopped;
  }

  /** Whether it was killed, ended, stopped or ready since. */
  wasDisturbed(since: number): boolean {
    return this.#isStopped || this.#disturbedAt >= since;
  }

  /** By SIGTERM, for good. */
  async end(): Promise<{ code: number | null; signal: string | null }> {
    this.#isWanted = false;
    const child = this.#child as ChildProcess;
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await ended;
    this.#log.end();
    return { code: child.exitCode, signal: child.signalCode };
  }

  /** For the end of a test that failed. */
  abandon(): void {
    this.#isWanted = false;
    this.#child?.kill('SIGKILL');
  }

  #start(): void {
    const env = { ...PROGRAM_ENV, ...this.#env };
    const child = spawn(process.execPath, [PROGRAM, ...this.#argv], {
      cwd: '/',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.starts += 1;
    let words = '';
    child.stdout.once('data', () => {
      this.#isReady = true;
      this.#disturbedAt = performance.now();
    });
    child.stderr.on('data', (piece: Buffer) => {
      words = (words + piece).slice(-2000);
      this.#log.write(piece);
    });
    child.once('exit', (code, signal) => {
      this.#disturbedAt = performance.now();
      const wasReady = this.#isReady;
      this.#isReady = false;
      if (!this.#isWanted) return;
      if (signal !== 'SIGKILL') this.#onEnd({ name: this.name, code, signal, wasReady, words });
      void setTimeout(RESTART_MS).then(() => this.#isWanted && this.#start());
    });
  }
}
