import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two tries to get the write lock. */
export const LOCK_POLL_MS = 20;

/** Milliseconds of a pause, long enough for a waiting process to try again. */
const PAUSE_MS = 3 * LOCK_POLL_MS;

/**
 * Lets waiting processes write. A process that waits for the write lock writes a file beside the database, anew at each try.
 * SQLite has no queue: a harvester with one transaction right after another would never let another process write.
 */
export class WaitingWriter {
  readonly #file: string;
  #tries = 0;

  constructor(database: string) {
    this.#file = `${database}-waiting`;
  }

  /** Writes the file: this process has found the database locked. */
  wait(): void {
    this.#tries += 1;
    try {
      writeFileSync(this.#file, `${process.pid} ${this.#tries}`, { mode: 0o600 });
    } catch {
      // On a full disk no process gives way, and this one tries on.
    }
  }

  /** Removes the file: this process waits no longer. */
  done(): void {
    if (this.#tries > 0) rmSync(this.#file, { force: true });
    this.#tries = 0;
  }

  /** Pauses after a transaction, where another process waits. The file of a process that has died is removed. */
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
