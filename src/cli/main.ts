#!/usr/bin/env node
/** The process around a command: streams, signals, and an exit that waits for what was written. */

import { fork } from 'node:child_process';
import { writeSync } from 'node:fs';
import { messageOf, StoppedError } from '../errors.ts';
import { underWay } from '../harvest/under-way.ts';
import { LIMITS } from '../limits.ts';
import { parentOf } from './harvester.ts';
import type { Io } from './io.ts';
import { leave } from './leave.ts';
import { run } from './run.ts';

const stop = new AbortController();
/** Set in a harvester that `serve` started: another program may start ours with a channel too. */
const HARVESTER = 'OPENACTIVE_ICAL_HARVESTER';
const parent = process.env[HARVESTER] === undefined ? undefined : parentOf(process, () => onSignal('SIGTERM'));
const running = underWay();

/** A reader that has seen enough (`| head`) is no error. */
function quietAtEnd(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
}

function write(text: string): void | Promise<void> {
  if (process.stdout.write(text)) return;
  return new Promise((resolve) => {
    process.stdout.once('drain', resolve);
  });
}

function onSignal(signal: NodeJS.Signals): void {
  // The person, the supervisor and the process that started this one may all ask.
  if (stop.signal.aborted && parent !== undefined) return;
  // Asked twice: the person does not want to wait for us to tidy up.
  if (stop.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
  // A harvester says what does not end before it is killed.
  const ms = parent === undefined ? LIMITS.endMs : LIMITS.harvesterEndMs - 2000;
  setTimeout(() => giveUp(`not ended ${ms / 1000} s after ${signal}`), ms).unref();
  stop.abort(new StoppedError(signal));
}

/** Whatever does not end: the process does, with a word. What is committed stays; what is not comes again. */
function giveUp(why: string): void {
  const left = running.words();
  const shown = left.length === 0 ? 'nothing that is known of' : left.slice(0, MOST_SHOWN).join('; ');
  const more = left.length > MOST_SHOWN ? ` and ${left.length - MOST_SHOWN} more` : '';
  // Written at once: the event loop may have nothing left to do, or no time.
  writeSync(process.stderr.fd, `openactive-ical: ${why}; under way: ${shown}${more}\n`);
  leave(1, true);
}

const MOST_SHOWN = 5;

function onFault(error: unknown): void {
  process.stderr.write(`openactive-ical: ${messageOf(error)} (this is a fault of the program: please report it)\n`);
  if (process.env.OPENACTIVE_ICAL_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}

const io: Io = {
  stdout: write,
  stderr: (text) => {
    process.stderr.write(text);
  },
  stdin: process.stdin,
  now: Date.now,
  env: process.env,
  columns: process.stderr.isTTY ? process.stderr.columns : undefined,
  width: process.stdout.isTTY ? process.stdout.columns : undefined,
  underWay: running,
  signal: stop.signal,
  parent,
  fork: () =>
    fork(import.meta.filename, process.argv.slice(2), {
      env: { ...process.env, [HARVESTER]: '1' },
      // One helper thread of V8 instead of one a processor: what serves waits less for it (`npm run bench -- busy`).
      execArgv: [...process.execArgv, '--v8-pool-size=1'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
};

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`openactive-ical: Node 24 or newer is needed, this is ${process.version}\n`);
  process.exit(1);
}
quietAtEnd(process.stdout);
quietAtEnd(process.stderr);
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
process.on('uncaughtException', onFault);
process.on('unhandledRejection', onFault);
process.once('beforeExit', () => giveUp('nothing is left to wait for, and the command has not ended'));

// Not awaited here: what never settles would end the process without a word of ours.
void run(process.argv.slice(2), io).then((code) => {
  // Pipes are written asynchronously: exit only once they have taken everything.
  process.stdout.write('', () => {
    process.stderr.write('', () => leave(code));
  });
});
