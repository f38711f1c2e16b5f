/** The harvester of `serve` in a process of its own, with both ends of its messages. */

import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { messageOf, StalledError, type StoreError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { giveWayAltogether } from '../../process/priority.ts';
import type { HarvesterMessage, Io, Parent } from '../io.ts';
import { endChild } from './child.ts';

/** The harvester, for the process that started it. */
export interface Harvester {
  /** Resolves when folders have been read, or when the harvester has ended before. */
  ready: Promise<void>;
  writes(): number;
  retries(): number;
  /** Messages to the webhook, by its present process; undefined: none was sent. */
  notices(): HarvesterMessage['notices'];
  /** Facts for `/readyz`. */
  facts(): Record<string, string | number>;
  /** Ends the harvester, and waits for its end. @throws StalledError where it was killed, or gave up */
  close(): Promise<void>;
}

interface Hosting {
  settings: Settings;
  fork: () => ChildProcess;
  onMessage(message: HarvesterMessage): void;
  log: Logger;
  io: Io;
}

/**
 * Runs the harvester for as long as this process runs: it is started again when it ends, after a pause that grows. It is a
 * process and no thread, so that a long transaction, a full heap and a lower priority are its own, and serving goes on when
 * it fails.
 */
export function hostHarvester({ settings, fork, onMessage, log, io }: Hosting): Harvester {
  const ready = Promise.withResolvers<void>();
  const closing = new AbortController();
  const signal = AbortSignal.any([io.signal, closing.signal]);
  let [writes, retries, restarts] = [0, 0, 0];
  /** Counts of earlier harvesters. */
  let before = { writes, retries };
  let state = 'starting';
  let notices: HarvesterMessage['notices'];

  function takeMessage(message: HarvesterMessage): void {
    writes = before.writes + message.writes;
    retries = before.retries + (message.retries ?? 0);
    notices = message.notices ?? notices;
    if (message.ready) {
      state = message.waits ? 'waiting' : 'running';
      ready.resolve();
    }
    onMessage(message);
  }

  async function keep(): Promise<void> {
    let wait: number = LIMITS.restartFirstMs;
    while (!signal.aborted) {
      const began = io.now();
      const reason = await lifeOf(fork, settings, takeMessage, { log, signal });
      before = { writes, retries };
      ready.resolve();
      if (signal.aborted) return endedWell(reason);
      if (io.now() - began > LIMITS.restartMaxMs) wait = LIMITS.restartFirstMs;
      state = 'ended';
      restarts += 1;
      log.warn(
        { reason, seconds: wait / 1000 },
        'The harvester ended unasked: it is started again. What is stored is served.',
      );
      await pause(wait, signal);
      wait = Math.min(2 * wait, LIMITS.restartMaxMs);
      state = 'starting';
    }
  }

  const kept = keep();
  kept.catch(() => {});
  return {
    ready: ready.promise,
    writes: () => writes,
    retries: () => retries,
    notices: () => notices,
    facts: () => ({ harvester: state, harvesterRestarts: restarts }),
    close: async () => {
      closing.abort();
      await kept;
    },
  };
}

/** Checks the end of a harvester. Code 1 follows a line that names what did not end; SIGKILL comes without. @throws StalledError */
function endedWell(reason: string): void {
  if (reason === 'SIGKILL' || reason === 'exit code 1') {
    throw new StalledError(`the harvester did not end by itself (${reason}); what it had committed is kept`);
  }
}

/** Runs one harvester to its end. Returns the reason. When the signal aborts, it is ended, and killed if that takes long. */
function lifeOf(
  fork: () => ChildProcess,
  settings: Settings,
  takeMessage: (message: HarvesterMessage) => void,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<string> {
  const child = fork();
  const ended = Promise.withResolvers<string>();
  let endWait = () => {};
  const stop = () => {
    endWait = endChild(child, 'SIGTERM');
  };
  child.on('message', (message: HarvesterMessage) => takeMessage(message));
  child.once('exit', (code, killed) => ended.resolve(killed ?? `exit code ${code}`));
  child.once('error', (error) => ended.resolve(messageOf(error)));
  // A harvester that has ended reports that by `exit`.
  child.send(settings, () => {});
  log.info({ pid: child.pid }, 'The harvester runs in a process of its own.');
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return ended.promise.finally(() => {
    endWait();
    signal.removeEventListener('abort', stop);
  });
}

/** Waits for `ms` milliseconds, or until the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  const end = () => over.resolve();
  signal.addEventListener('abort', end);
  return over.promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  });
}

/** A trouble of the store as plain data, because classes are lost between processes. */
export function cloneableTrouble(error: StoreError | undefined): NonNullable<HarvesterMessage['trouble']> {
  return error?.trouble === undefined ? 'over' : { message: error.message, trouble: error.trouble, cure: error.cure };
}

/** The parent, for the process of the harvester. */
export function parentProcess(child: NodeJS.Process): Parent {
  giveWayAltogether();
  const settings = new Promise<Settings>((resolve) => child.once('message', (sent: Settings) => resolve(sent)));
  return {
    settings,
    send: (message) => {
      // A message to a parent that is gone is dropped; the disconnect ends this process.
      if (child.connected) child.send?.(message, undefined, {}, () => {});
    },
  };
}
