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

export function checkpointsOf(db: Connection, file: string) {
  let thread: Thread<undefined, undefined> | undefined;
  let pass: Promise<void> | undefined;
  /** The thread has failed: commits run checkpoints, as SQLite does by default. */
  let inCommits = false;
  db.checkpointAt(0);

  /** Called after each commit. It does not throw, as a fault of the log does not undo the commit. */
  function committed(): void {
    if (inCommits) return;
    try {
      const { log, done } = db.log();
      // Sooner, a page would be copied again and again; later, the next transaction would wait longer.
      if (log - done >= longest() / 2) void runPass();
    } catch {
      leaveToCommits();
    }
  }

  /** Resolves when the next transaction may begin. @throws errors of SQLite */
  async function ready(): Promise<void> {
    for (let pass = 0; pass < PASSES && !inCommits; pass += 1) {
      const { log, done } = db.log();
      if (log === done || log < longest()) return;
      await runPass();
    }
  }

  function longest(): number {
    return Math.min(Math.max(db.pages(), LEAST_LOG), MOST_LOG);
  }

  function runPass(): Promise<void> {
    pass ??= ask().finally(() => {
      pass = undefined;
    });
    return pass;
  }

  async function ask(): Promise<void> {
    try {
      if (thread === undefined || thread.ended)
        thread = startThread(import.meta.url, './checkpoint-worker', { data: file });
      await thread.ask(undefined);
    } catch {
      leaveToCommits();
    }
  }

  /** Leaves checkpoints to commits, which report a fault. */
  function leaveToCommits(): void {
    inCommits = true;
    db.checkpointAt(MOST_LOG);
  }

  async function close(): Promise<void> {
    await pass;
    await thread?.end();
  }

  return { committed, ready, close };
}

export type Checkpoints = ReturnType<typeof checkpointsOf>;
