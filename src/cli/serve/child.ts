/** Starts and ends child processes of this program, with the same command line. */

import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { constants } from 'node:os';
import { messageOf } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { startThread } from '../../process/thread.ts';

/** The variable that names the parent to its child, by process id. */
const PARENT = 'OPENACTIVE_ICAL_PARENT';

/** The id of the process that started this one with `forkProgram`. */
export const parentPid = process.env[PARENT] === undefined ? undefined : Number(process.env[PARENT]);

/** Starts the same command line in a child process. */
export function forkProgram(main: string, options: ForkOptions): ChildProcess {
  const env = { ...process.env, ...options.env, [PARENT]: String(process.pid) };
  return fork(main, process.argv.slice(2), { ...options, env });
}

/** Called in the child: runs `stop` when the parent is gone. A thread kills the process if the main thread is blocked then. */
export function endWithParent(parent: number, stop: () => void): void {
  process.once('disconnect', stop);
  startThread(import.meta.url, './parent-worker', { data: { parent } });
}

/**
 * Called in the parent: passes a signal on, and kills the child if it has not ended within `LIMITS.childEndMs`.
 * @returns a function that cancels the kill
 */
export function endChild(child: ChildProcess, signal: NodeJS.Signals, onKill = () => {}): () => void {
  child.kill(signal);
  const timer = setTimeout(() => {
    onKill();
    child.kill('SIGKILL');
  }, LIMITS.childEndMs);
  return () => clearTimeout(timer);
}

/** The process around `commandInChild`. */
export interface ProcessContext {
  /** Emits SIGINT and SIGTERM. */
  signals: Pick<NodeJS.Process, 'on'>;
  now(): number;
  say(line: string): void;
}

/**
 * Runs a command in a child process, so that a signal ends the command even if its thread is blocked.
 * @returns the exit code of the child; 128 + the signal that ended it
 */
export function commandInChild(child: ChildProcess, { signals, now, say }: ProcessContext): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const seconds = LIMITS.childEndMs / 1000;
  let asked: { signal: NodeJS.Signals; at: number } | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (asked !== undefined) {
      if (!isRepeat(asked.at, now())) child.kill('SIGKILL');
      return;
    }
    asked = { signal, at: now() };
    endChild(child, signal, () =>
      say(`not ended ${seconds} s after ${signal}: it is killed; what it had committed is kept`),
    );
  };
  signals.on('SIGINT', onSignal);
  signals.on('SIGTERM', onSignal);
  child.once('error', (error) => {
    say(messageOf(error));
    ended.resolve(1);
  });
  child.once('exit', (code, killed) => {
    if (killed !== null && asked === undefined) say(`ended by ${killed}`);
    ended.resolve(code ?? 128 + constants.signals[asked?.signal ?? (killed as NodeJS.Signals)]);
  });
  return ended.promise;
}

/** Whether a signal is the same Ctrl-C again, which comes from the terminal and from npm. */
export function isRepeat(first: number, now: number): boolean {
  return now - first < LIMITS.signalRepeatMs;
}
