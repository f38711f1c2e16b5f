import { readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Gives way to other work of the machine. A priority belongs to a thread (Linux) or a process (elsewhere, where nothing happens
 * here). Without it, what is computed would have as much of the processor as who serves what is cached.
 */

/** A tenth of the processor beside what serves, and a thirtieth: what somebody waits for goes before what nobody does. */
const COMPUTING = 10;
const HARVESTING = 15;
const LEAST = 19;

/** The calling thread. */
export function giveWay(): void {
  lower(() => [Number(basename(readlinkSync('/proc/thread-self')))], COMPUTING);
}

/** The process, with every thread that it has and will start. */
export function giveWayAltogether(): void {
  lower(() => readdirSync('/proc/self/task').map(Number), HARVESTING);
}

function lower(threads: () => number[], by: number): void {
  try {
    const priority = Math.min(LEAST, getPriority() + by);
    for (const thread of threads()) setPriority(thread, priority);
  } catch {
    // Another system, or a sandbox that allows none of it: all have the same priority then.
  }
}
