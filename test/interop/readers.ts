import { execFileSync } from 'node:child_process';
import { accessSync, mkdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWithIcalJs } from './readers/ical-js.ts';
import { readWithNodeIcal } from './readers/node-ical.ts';
import { parseRows, type Row } from './rows.ts';

/**
 * Other people's calendar engines, each as one function from a file and a window (UTC dates) to rows. They read events
 * with DTEND, which is all that series are written as; whole days as days of UTC.
 */
export interface Reader {
  name: string;
  /** What is missing on this machine, in words; undefined: nothing. Compiles what needs compiling. */
  missing(): string | undefined;
  read(file: string, from: string, to: string): Row[];
}

const here = fileURLToPath(new URL('./readers', import.meta.url));
const built = fileURLToPath(new URL('../../.cache/interop/', import.meta.url));
/** An engine that hangs is an engine that failed. */
const RUN = {
  encoding: 'utf8',
  timeout: 180_000,
  maxBuffer: 512 * 1024 * 1024,
  env: { ...process.env, TZ: 'UTC', QT_QPA_PLATFORM: 'offscreen' },
} as const;

export const READERS: Reader[] = [
  { name: 'ical.js', missing: () => undefined, read: readWithIcalJs },
  { name: 'node-ical', missing: () => undefined, read: readWithNodeIcal },
  compiled('libical', 'libical.c', ['cc', '-O1'], ['libical']),
  compiled(
    'KCalendarCore',
    'kcalcore.cpp',
    ['c++', '-std=c++17', '-O1', '-fPIC', '-I/usr/include/KF5', '-I/usr/include/KF5/KCalendarCore'],
    ['Qt5Core', 'Qt5Gui'],
    ['-lKF5CalendarCore'],
  ),
  script('recurring-ical-events', '/usr/bin/python3', 'recurring.py', ['-c', 'import recurring_ical_events']),
  script('sabre/vobject 2.1', 'php', 'sabre.php', ['-r', "require '/usr/share/php/Sabre/VObject/includes.php';"]),
];

/** The reader of a name; a wrong name is a mistake in the test. */
export function readerOf(name: string): Reader {
  const found = READERS.find((reader) => reader.name === name);
  if (found === undefined) throw new Error(`no reader is called ${name}`);
  return found;
}

/** What the parser and icalrestriction_check() of libical object to, one line each. */
export function libicalObjections(file: string): string[] {
  try {
    execFileSync(join(built, 'libical'), [file, '--check'], RUN);
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout ?? ''}${stderr ?? ''}`.split('\n').filter((line) => line !== '');
  }
}

function script(name: string, program: string, file: string, probe: string[]): Reader {
  return {
    name,
    missing: () => (runs(program, probe) ? undefined : `${program} cannot run ${probe.at(-1)}`),
    read: (calendar, from, to) => parseRows(execFileSync(program, [join(here, file), calendar, from, to], RUN)),
  };
}

function compiled(
  name: string,
  source: string,
  compiler: string[],
  packages: string[],
  libraries: string[] = [],
): Reader {
  const program = join(built, source.replace(/\.\w+$/, ''));
  return {
    name,
    missing: () =>
      isNewer(program, join(here, source))
        ? undefined
        : compile(program, join(here, source), compiler, packages, libraries),
    read: (calendar, from, to) => parseRows(execFileSync(program, [calendar, from, to], RUN)),
  };
}

function compile(
  program: string,
  source: string,
  [compiler, ...flags]: string[],
  packages: string[],
  libraries: string[],
): string | undefined {
  mkdirSync(built, { recursive: true });
  try {
    const found = execFileSync('pkg-config', ['--cflags', '--libs', ...packages], RUN)
      .trim()
      .split(/\s+/);
    execFileSync(compiler as string, [...flags, '-o', program, source, ...found, ...libraries], {
      ...RUN,
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    return `it does not compile here: ${(error as Error).message.slice(0, 400)}`;
  }
}

function isNewer(program: string, source: string): boolean {
  const age = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return age(program) > age(source);
}

/** Whether a program ends well with these arguments. */
export function runs(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { ...RUN, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether a program is on the PATH. */
export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program));
      return true;
    } catch {
      return false;
    }
  });
}
