import { startThread, type Thread } from '../../process/thread.ts';
import type { Connection } from './connection.ts';

/**
 * Checkpoints, which copy the log into the file, on a thread of their own. A checkpoint waits for the disk twice, and the
 * whole process would wait with it.
 *
 * One begins while transactions still go into the log. Once the log is long enough the next transaction waits until the rest
 * is copied, and the log begins anew.
 */

/**
 * Pages of the log at which it is to begin anew: as many as the file has, within 16 and 128 MB. A small database takes no
 * more than its share of a disk.
 */
const LEAST_LOG = 2048;
const MOST_LOG = 16_384;
/** One pass may be under way that began before the last commit; the next one is the last. */
const PASSES = 2;

export class Checkpoints {
  readonly #db: Connection;
  readonly #file: string;
  #thread: Thread<undefined, undefined> | undefined;
  #pass: Promise<void> | undefined;
  /** No thread can do it: who writes does it, as SQLite would by itself. */
  #alone = false;

  /** `db`: the connection that writes. */
  constructor(db: Connection, file: string) {
    this.#db = db;
    this.#file = file;
    db.checkpointAt(0);
  }

  /** To be called after each commit; whatever is wrong with the log does not undo that. */
  committed(): void {
    if (this.#alone) return;
    try {
      const { log, done } = this.#db.log();
      // Sooner, a page would be brought into the file again and again; later, more would be left to wait for.
      if (log - done >= this.#longest() / 2) void this.#bring();
    } catch {
      this.#goAlone();
    }
  }

  /** Resolves when the next transaction may begin. @throws what SQLite throws */
  async ready(): Promise<void> {
    for (let pass = 0; pass < PASSES && !this.#alone; pass += 1) {
      const { log, done } = this.#db.log();
      if (log === done || log < this.#longest()) return;
      await this.#bring();
    }
  }

  #longest(): number {
    return Math.min(Math.max(this.#db.pages(), LEAST_LOG), MOST_LOG);
  }

  #bring(): Promise<void> {
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
      this.#goAlone();
    }
  }

  /** A fault is reported by the commit that meets it. */
  #goAlone(): void {
    this.#alone = true;
    this.#db.checkpointAt(MOST_LOG);
  }

  async close(): Promise<void> {
    await this.#pass;
    await this.#thread?.end();
  }
}
