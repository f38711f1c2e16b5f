import { readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lowers the priority of threads, so that calendars in memory are served before others are computed or harvested. Linux has
 * a priority for each thread; on other systems, where it belongs to the process, nothing happens.
 */

/** Nice values: a tenth of the processor beside a thread that serves, and a thirtieth. Computing has a person waiting. */
const COMPUTING = 10;
const HARVESTING = 15;
const LEAST = 19;

/** Lowers the priority of the calling thread, which computes. */
export function giveWay(): void {
  lower(() => [Number(basename(readlinkSync('/proc/thread-self')))], COMPUTING);
}

/** Lowers the priority of the process, which harvests, with all threads it has and will start. */
export function giveWayAltogether(): void {
  lower(() => readdirSync('/proc/self/task').map(Number), HARVESTING);
}

function lower(threads: () => number[], by: number): void {
  try {
    const priority = Math.min(LEAST, getPriority() + by);
    for (const thread of threads()) setPriority(thread, priority);
  } catch {
    // Another system, or a sandbox that forbids it: all threads keep the same priority.
  }
}
