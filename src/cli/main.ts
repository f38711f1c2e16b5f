#!/usr/bin/env node
/** The process around a command: streams, signals, and an exit that waits for written output. */

import { writeSync } from 'node:fs';
import { messageOf, StoppedError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { writeRefusal } from '../process/folder.ts';
import { allocatorOf, HEAP_FLAGS } from '../process/heap.ts';
import { underWay } from '../process/under-way.ts';
import type { Io } from './io.ts';
import { leave } from './leave.ts';
import { run } from './run.ts';
import { commandInChild, endWithParent, forkProgram, isRepeat, parentPid } from './serve/child.ts';
import { parentProcess } from './serve/harvester.ts';

const stop = new AbortController();
/** Commands that another program's data may block for long: each runs in a child process. */
const IN_CHILD = new Set(['sync', 'publish']);
const READING = new Set(['convert', 'expand', 'hours', 'check', 'config']);
const inChild = IN_CHILD.has(process.argv[2] ?? '');
const isChild = parentPid !== undefined;
const running = underWay();
let firstSignal = 0;

/** Ends the process with the reader of a stream. A reader that leaves (`| head`) is no error; a full disk is one. */
function endWithReader(stream: NodeJS.WriteStream, name: string): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    say(`${name}: cannot be written: ${writeRefusal(error)}`);
    process.exit(1);
  });
}

function write(piece: string | Uint8Array): void | Promise<void> {
  if (process.stdout.write(piece)) return;
  return new Promise((resolve) => {
    process.stdout.once('drain', resolve);
  });
}

function onSignal(signal: NodeJS.Signals): void {
  // One request to stop may come from the terminal, the supervisor, npm and the parent.
  if (stop.signal.aborted && (isChild || isRepeat(firstSignal, Date.now()))) return;
  // A second request: the person does not want to wait.
  if (stop.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
  // A command that only reads has nothing to close, and a file or pipe may never answer.
  if (READING.has(process.argv[2] ?? '')) leave(signal === 'SIGINT' ? 130 : 143, true);
  firstSignal = Date.now();
  // A child has time to name what does not end before it is killed.
  const ms = isChild ? LIMITS.childEndMs - 2000 : LIMITS.endMs;
  setTimeout(() => giveUp(`not ended ${ms / 1000} s after ${signal}`), ms).unref();
  stop.abort(new StoppedError(signal));
}

/** Ends a process that hangs, and names the operations under way. Committed pages stay; others are read again. */
function giveUp(why: string): void {
  const left = running.words();
  const shown = left.length === 0 ? 'nothing that is known of' : left.slice(0, MOST_SHOWN).join('; ');
  const more = left.length > MOST_SHOWN ? ` and ${left.length - MOST_SHOWN} more` : '';
  say(`${why}; under way: ${shown}${more}`);
  leave(1, true);
}

/** Writes a line synchronously, as the event loop may have ended, or be blocked. */
function say(line: string): void {
  try {
    writeSync(STDERR, `openactive-ical: ${line}\n`);
  } catch {
    // Standard error is closed.
  }
}

const STDERR = 2;

const MOST_SHOWN = 5;

function onFault(error: unknown): void {
  process.stderr.write(`openactive-ical: ${messageOf(error)} (this is a fault of the program: please report it)\n`);
  if (process.env.OPENACTIVE_ICAL_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}

function ioOf(process: NodeJS.Process): Io {
  return {
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
    parent: isChild && !inChild ? parentProcess(process) : undefined,
    fork: () =>
      forkProgram(import.meta.filename, {
        env: allocatorOf(process.env),
        // One helper thread of V8 instead of one a processor: requests wait less for it (`npm run bench -- busy`).
        execArgv: [...HEAP_FLAGS, ...process.execArgv, '--v8-pool-size=1'],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
  };
}

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`openactive-ical: Node 24 or newer is needed, this is ${process.version}\n`);
  process.exit(1);
}
if (inChild && !isChild) await runInChild();
else runHere();

function runHere(): void {
  endWithReader(process.stdout, 'standard output');
  endWithReader(process.stderr, 'standard error');
  if (parentPid !== undefined) endWithParent(parentPid, () => onSignal('SIGTERM'));
  // Without this the channel would keep a command alive that has nothing left to wait for.
  if (inChild) process.channel?.unref();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  process.once('beforeExit', () => giveUp('nothing is left to wait for, and the command has not ended'));
  // Not awaited here: a promise that stays pending would end the process silently.
  void run(process.argv.slice(2), ioOf(process)).then((code) => {
    // Pipes are written asynchronously: exit only once they have taken everything.
    process.stdout.write('', () => {
      // Operations that the command no longer awaits may block a thread.
      process.stderr.write('', () => leave(code, running.words().length > 0));
    });
  });
}

async function runInChild(): Promise<void> {
  const child = forkProgram(import.meta.filename, {
    env: allocatorOf(process.env),
    execArgv: [...HEAP_FLAGS, ...process.execArgv],
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  leave(await commandInChild(child, { signals: process, now: Date.now, say }));
}
