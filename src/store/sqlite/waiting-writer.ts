import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Between two tries to be the one that writes, in milliseconds. */
export const LOCK_POLL_MS = 20;

/** Long enough for a process that waits to try again. */
const PAUSE_MS = 3 * LOCK_POLL_MS;

/**
 * A process that waits for the write lock says so in a file beside the database, and writes it anew at each try. SQLite keeps
 * no queue: a harvester whose transactions follow one another at once would never let another process write.
 */
export class WaitingWriter {
  readonly #file: string;
  #tries = 0;

  constructor(database: string) {
    this.#file = `${database}-waiting`;
  }

  /** Says that this process has found the database locked. */
  wait(): void {
    this.#tries += 1;
    try {
      writeFileSync(this.#file, `${process.pid} ${this.#tries}`, { mode: 0o600 });
    } catch {
      // On a full disk nobody gives way, and the lock is tried for all the same.
    }
  }

  /** Says that this process waits no longer. */
  done(): void {
    if (this.#tries > 0) rmSync(this.#file, { force: true });
    this.#tries = 0;
  }

  /** After a transaction: a pause, where another process waits. What a process that has died left behind is removed. */
  async giveWay(): Promise<void> {
    const before = this.#read();
    if (before === undefined) return;
    await setTimeout(PAUSE_MS);
    if (this.#read() === before) rmSync(this.#file, { force: true });
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch {
      return undefined;
    }
  }
}
