import { startThread, type Thread } from '../../process/thread.ts';
import type { Connection } from './connection.ts';

/**
 * Runs checkpoints, which copy the log into the file, on a thread. A checkpoint waits for the disk twice, and would block the
 * event loop.
 *
 * A checkpoint begins while transactions still write to the log. Once the log is long enough, the next transaction waits
 * until the rest is copied, and the log begins anew.
 */

/**
 * Bounds of the pages at which the log begins anew: as many as the file has, within 16 and 128 MB. So the log of a small
 * database stays small.
 */
const LEAST_LOG = 2048;
const MOST_LOG = 16_384;
/** The most passes to wait for: one under way may have begun before the last commit, and the next one has all of it. */
const PASSES = 2;

export class Checkpoints {
  readonly #db: Connection;
  readonly #file: string;
  #thread: Thread<undefined, undefined> | undefined;
  #pass: Promise<void> | undefined;
  /** The thread has failed: commits run checkpoints, as SQLite does by default. */
  #inCommits = false;

  /** `db`: the connection that writes. */
  constructor(db: Connection, file: string) {
    this.#db = db;
    this.#file = file;
    db.checkpointAt(0);
  }

  /** Called after each commit. It does not throw, as a fault of the log does not undo the commit. */
  committed(): void {
    if (this.#inCommits) return;
    try {
      const { log, done } = this.#db.log();
      // Sooner, a page would be copied again and again; later, the next transaction would wait longer.
      if (log - done >= this.#longest() / 2) void this.#runPass();
    } catch {
      this.#leaveToCommits();
    }
  }

  /** Resolves when the next transaction may begin. @throws errors of SQLite */
  async ready(): Promise<void> {
    for (let pass = 0; pass < PASSES && !this.#inCommits; pass += 1) {
      const { log, done } = this.#db.log();
      if (log === done || log < this.#longest()) return;
      await this.#runPass();
    }
  }

  #longest(): number {
    return Math.min(Math.max(this.#db.pages(), LEAST_LOG), MOST_LOG);
  }

  #runPass(): Promise<void> {
    this.#pass ??= this.#ask().finally(() => {
      this.#pass = undefined;
    });
    return this.#pass;
  }

  async #ask(): Promise<void> {
    try {
      if (this.#thread === undefined || this.#thread.ended)
        this.#thread = startThread(import.meta.url, './checkpoint-worker', { data: this.#file });
      await this.#thread.ask(undefined);
    } catch {
      this.#leaveToCommits();
    }
  }

  /** Leaves checkpoints to commits, which report a fault. */
  #leaveToCommits(): void {
    this.#inCommits = true;
    this.#db.checkpointAt(MOST_LOG);
  }

  async close(): Promise<void> {
    await this.#pass;
    await this.#thread?.end();
  }
}
