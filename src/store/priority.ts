import { readdirSync, readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Gives way to other work of the machine. A priority belongs to a thread (Linux) or a process (elsewhere, where nothing
 * happens here); without it, what is computed would have as much of the processor as who serves what is cached.
 */

/** The calling thread. */
export function giveWay(): void {
  lower(() => [Number(basename(readlinkSync('/proc/thread-self')))], constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The process, with every thread that it has and will start. */
export function giveWayAltogether(): void {
  lower(() => readdirSync('/proc/self/task').map(Number), constants.priority.PRIORITY_LOW);
}

function lower(threads: () => number[], priority: number): void {
  try {
    for (const thread of threads()) setPriority(thread, priority);
  } catch {
    // Another system, or a sandbox that allows none of it: all have the same priority then.
  }
}
