/** Finds the command, runs it, and turns errors into one line and an exit code. */

import { ConfigError, DatabaseError, isBug, messageOf, StoppedError, UsageError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { readRefusal } from '../process/folder.ts';
import { type Command, columns } from './args.ts';
import type { Io } from './io.ts';
import { version } from './package.ts';

/** Commands, each loaded when it is needed: `convert` starts without a database, `config` without a server. */
const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  serve: () => import('./commands/serve.ts'),
  sync: () => import('./commands/sync.ts'),
  convert: () => import('./commands/convert.ts'),
  expand: () => import('./commands/expand.ts'),
  hours: () => import('./commands/hours.ts'),
  check: () => import('./commands/check.ts'),
  feeds: () => import('./commands/feeds.ts'),
  store: () => import('./commands/store.ts'),
  publish: () => import('./commands/publish.ts'),
  config: () => import('./commands/config.ts'),
};

/** Errors that the command line or the settings cause. */
const MISUSES = [UsageError, ConfigError, DatabaseError];

/** Exit codes: 0 done, 1 failed, 2 misuse, 130 and 143 stopped by a signal. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof StoppedError) return error.signal === 'SIGINT' ? 130 : 143;
    io.stderr(`openactive-ical: ${explained(error)}\n`);
    if (io.env.OPENACTIVE_ICAL_DEBUG && error instanceof Error) io.stderr(`${error.stack}\n`);
    return MISUSES.some((one) => error instanceof one) ? 2 : 1;
  }
}

async function dispatch([name, ...rest]: readonly string[], io: Io): Promise<number> {
  if (name === undefined) {
    io.stderr(await overview());
    return 2;
  }
  if (name === '--version' || name === '-V') return say(`${version}\n`, io);
  if (name === '--help' || name === '-h') return say(await overview(), io);
  if (name === 'help') {
    const [of] = rest;
    return say(of === undefined ? await overview() : (await load(of)).help(io.width), io);
  }
  return (await load(name)).run(rest, io);
}

async function say(text: string, io: Io): Promise<number> {
  await io.stdout(text);
  return 0;
}

async function load(name: string): Promise<Command> {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (found !== undefined) return (await found()).command;
  const known = Object.keys(COMMANDS).join(', ');
  const asked = `${JSON.stringify(name.slice(0, 80))}${didYouMean(name, Object.keys(COMMANDS))}`;
  throw new UsageError(`there is no command ${asked}; there are ${known}`);
}

async function overview(): Promise<string> {
  const commands = await Promise.all(Object.keys(COMMANDS).map(load));
  const rows = commands.map(({ name, summary }): [string, string] => [name, summary]);
  return `openactive-ical ${version}: from OpenActive feeds to everybody's calendar

Usage: openactive-ical COMMAND [OPTIONS]

Commands:
${columns(rows)}
openactive-ical COMMAND --help tells more of each.
`;
}

function explained(error: unknown): string {
  // Settings have a line each; everything else is one line.
  if (error instanceof ConfigError) return error.message;
  const { path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (path !== undefined && syscall !== undefined) return `${path}: ${readRefusal(error)}`;
  return isBug(error) ? `${messageOf(error)} (this is a fault of the program: please report it)` : messageOf(error);
}
