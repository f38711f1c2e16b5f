import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inWindow, type Row } from '../../rows.ts';
import type { Client } from '../client.ts';

const script = fileURLToPath(new URL('./python-caldav.py', import.meta.url));

/** python-caldav in a process of its own. */
export class PythonCaldav implements Client {
  readonly #process: ChildProcess;
  readonly #lines: Interface;
  readonly #ended: Promise<[string]>;

  constructor() {
    const child = spawn('/usr/bin/python3', [script], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#process = child;
    this.#lines = createInterface({ input: child.stdout });
    this.#ended = once(child, 'exit').then(() => ['{"error":"it ended by itself"}']);
  }

  async subscribe(url: string): Promise<void> {
    await this.#ask('subscribe', url);
  }

  async refresh(url: string): Promise<void> {
    await this.#ask('refresh', url);
  }

  /** The server's instances of the objects that it holds. */
  async shows(url: string, from: string, to: string): Promise<Row[]> {
    const rows = (await this.#ask('show', url, from, to)) as Row[];
    return rows.filter((row) => inWindow(row, from, to));
  }

  async close(): Promise<void> {
    this.#process.stdin?.end();
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
  }

  async #ask(...command: string[]): Promise<unknown> {
    const line = Promise.race([once(this.#lines, 'line'), this.#ended]) as Promise<[string]>;
    this.#process.stdin?.write(`${JSON.stringify(command)}\n`);
    const answer = JSON.parse((await line)[0]) as { value: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(`python-caldav, ${command[0]}: ${answer.error}`);
    return answer.value;
  }
}
