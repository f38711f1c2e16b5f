import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { packageFolder } from '../../../src/cli/package.ts';
import { commandInChild } from '../../../src/cli/serve/child.ts';
import { type FaultServer, faultServer } from '../../harvest/ingest/faults.ts';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';

const CALENDARS = join(packageFolder, 'fixtures/calendars');

/** Blocks the thread of the child for ever, once it listens for signals, and leaves the processor to others. */
const BLOCKED = `import { writeSync } from 'node:fs';
  if (process.connected) setInterval(() => {
    if (process.listenerCount('SIGTERM') === 0) return;
    writeSync(2, 'blocked ' + process.pid + '\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }, 5);`;

/** Names the process of the child. */
const NAMED = `import { writeSync } from 'node:fs'; if (process.connected) writeSync(2, 'child ' + process.pid + '\\n');`;

let folder: string;
/** Folders of pages: a feed, and what is none. */
let pages: string;
let broken: string;
let server: FaultServer;
let asked: PromiseWithResolvers<void>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-child-'));
  [pages, broken] = [join(folder, 'pages'), join(folder, 'broken')];
  const data = { '@type': 'SessionSeries', '@id': 'https://a.example/1', name: 'Yoga' };
  const items = [{ state: 'updated', kind: 'SessionSeries', id: 1, modified: 1, data }];
  await Promise.all([mkdir(pages), mkdir(broken)]);
  await writeFile(join(pages, '1.json'), JSON.stringify({ items, next: 'https://a.example/2', license: 'x' }));
  await writeFile(join(broken, '1.json'), 'no page');
  // It begins an answer, and goes on for ever.
  server = await faultServer((_request, response) => {
    asked.resolve();
    response.writeHead(200, { 'content-type': 'application/json' }).write(' ');
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked = Promise.withResolvers();
});

let stores = 0;
const data = () => ['--data', join(folder, String(stores++))];

const ARGV = {
  sync: () => ['sync', '--feed', `${server.url}/feed`, ...data()],
  publish: () => ['publish', `${server.url}/one.ics`, '--port', '0', '--host', '127.0.0.1', ...data()],
};
const COMMANDS = ['sync', 'publish'] as const;

interface Started {
  parent: ChildProcess;
  /** What the child, or its parent, wrote to standard error. */
  err(): string;
  out(): string;
  ended: Promise<unknown[]>;
}

function start(script: string, argv: readonly string[]): Started {
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
  const parent = spawn(process.execPath, [...preload, PROGRAM, ...argv], { cwd: folder, env: PROGRAM_ENV });
  let [out, err] = ['', ''];
  parent.stdout.on('data', (piece) => {
    out += piece;
  });
  parent.stderr.on('data', (piece) => {
    err += piece;
  });
  // Not `close`: whether a child still holds the pipes is what is asked.
  return { parent, err: () => err, out: () => out, ended: once(parent, 'exit') };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 20));
}

/** The process id that a script wrote. */
async function pidOf({ err }: Started): Promise<number> {
  const found = () => /^(?:blocked|child) (\d+)$/m.exec(err())?.[1];
  await until(() => found() !== undefined);
  return Number(found());
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const ownLines = (err: string) => err.split('\n').filter((line) => line.startsWith('openactive-ical:'));

describe.concurrent('a command whose thread is blocked', () => {
  test.each(COMMANDS.flatMap((command) => [[command, 'SIGTERM', 143] as const, [command, 'SIGINT', 130] as const]))(
    'a blocked %s ends at %s, with one line',
    async (command, signal, code) => {
      const started = start(BLOCKED, ARGV[command]());
      const pid = await pidOf(started);
      started.parent.kill(signal);
      expect(await started.ended).toEqual([code, null]);
      expect(runs(pid)).toBe(false);
      await until(() => ownLines(started.err()).length > 0);
      expect(ownLines(started.err())).toEqual([
        `openactive-ical: not ended 12 s after ${signal}: it is killed; what it had committed is kept`,
      ]);
    },
  );

  test.each([...COMMANDS, 'serve'] as const)(
    'a blocked child of %s ends after its parent was killed',
    async (command) => {
      const argv = command === 'serve' ? ['serve', '--samples', '--port', '0', ...data()] : ARGV[command]();
      const started = start(BLOCKED, argv);
      const pid = await pidOf(started);
      started.parent.kill('SIGKILL');
      await started.ended;
      await until(() => !runs(pid));
      expect(runs(pid)).toBe(false);
    },
  );
});

/** A sync that a signal ends says so, once. */
const STOPPED = expect.stringMatching(
  /^openactive-ical: sync stopped by SIG(?:TERM|INT): 0 of 1 feed read, 0 items stored;/,
);

describe('a command in a child process', () => {
  test.each(COMMANDS)('%s ends after its parent was killed', async (command) => {
    const started = start(NAMED, ARGV[command]());
    const pid = await pidOf(started);
    await asked.promise;
    started.parent.kill('SIGKILL');
    await started.ended;
    await until(() => !runs(pid));
    expect(ownLines(started.err())).toEqual(command === 'sync' ? [STOPPED] : []);
  });

  test('Ctrl-C reaches parent and child, and more than once: one ending, and one line', async () => {
    const started = start(NAMED, ARGV.sync());
    const pid = await pidOf(started);
    await asked.promise;
    for (const each of [pid, started.parent.pid as number, started.parent.pid as number]) process.kill(each, 'SIGINT');
    expect(await started.ended).toEqual([130, null]);
    expect([runs(pid), ownLines(started.err())]).toEqual([false, [STOPPED]]);
  });

  test('a child that somebody else kills is named, with its exit code', async () => {
    const started = start(NAMED, ARGV.sync());
    const pid = await pidOf(started);
    process.kill(pid, 'SIGKILL');
    expect(await started.ended).toEqual([137, null]);
    await until(() => ownLines(started.err()).length > 0);
    expect(ownLines(started.err())).toEqual(['openactive-ical: ended by SIGKILL']);
  });

  test.each<[string, () => string[], number]>([
    ['a pass', () => ['sync', '--feed', pages, ...data()], 0],
    ['a feed that cannot be read', () => ['sync', '--feed', broken, ...data()], 1],
    ['misuse', () => ['publish'], 2],
    ['help', () => ['sync', '--help'], 0],
  ])('%s: the exit code of the child', async (_name, argv, code) => {
    expect(await start('', argv()).ended).toEqual([code, null]);
  });
});

/** A line of a shell; its status. */
async function shell(line: string): Promise<{ code: number; out: string; err: string }> {
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    env: { ...PROGRAM_ENV, PATH: process.env.PATH, NODE: process.execPath, MAIN: PROGRAM },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

describe('the streams of the child', () => {
  const pass = () => `"$NODE" "$MAIN" sync --feed ${pages} ${data().join(' ')}`;

  test('a pipe gets the summary, and ends', async () => {
    const { out, err, code } = await shell(`${pass()} | cat`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/: pages \d+, items \d+, kept \d+/);
  });

  test.each(['| head -c 1', '| true', '>&-', '>/dev/null 2>&-'])('%s is no error', async (to) => {
    const { code, err } = await shell(`{ ${pass()}; echo "code $?" >&3; } 3>code ${to}`);
    expect([code, err]).toEqual([0, '']);
    expect(await readFile(join(folder, 'code'), 'utf8')).toBe('code 0\n');
  });

  test('standard input is that of the child', async () => {
    const out = join(folder, 'out');
    await writeFile(join(folder, 'mapping.json'), await readFile(join(CALENDARS, 'mapping.json')));
    const publish = `"$NODE" "$MAIN" publish ${CALENDARS} --mapping /dev/stdin --out ${out} ${data().join(' ')}`;
    const { code, err } = await shell(`cat mapping.json | ${publish}`);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('files written') });
  });
});

describe('what the parent does', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A child that ends only by SIGKILL. */
  function deaf() {
    vi.useFakeTimers();
    const killed: string[] = [];
    const child = Object.assign(new EventEmitter(), {
      kill(signal: string) {
        killed.push(signal);
        if (signal === 'SIGKILL') child.emit('exit', null, signal);
        return true;
      },
    });
    const signals = new EventEmitter();
    const lines: string[] = [];
    const around = {
      signals: signals as unknown as NodeJS.Process,
      now: Date.now,
      say: (line: string) => lines.push(line),
    };
    return { child, killed, signals, lines, code: commandInChild(child as unknown as ChildProcess, around) };
  }

  test('a signal is handed on once; a second one of a person kills at once', async () => {
    const { killed, signals, lines, code } = deaf();
    signals.emit('SIGINT', 'SIGINT');
    signals.emit('SIGINT', 'SIGINT');
    expect(killed).toEqual(['SIGINT']);
    await vi.advanceTimersByTimeAsync(1000);
    signals.emit('SIGINT', 'SIGINT');
    expect([killed, lines, await code]).toEqual([['SIGINT', 'SIGKILL'], [], 130]);
  });

  test('a child that cannot be started is one line, and a failure', async () => {
    const { child, lines, code } = deaf();
    child.emit('error', new Error('spawn EAGAIN'));
    expect([await code, lines]).toEqual([1, ['spawn EAGAIN']]);
  });
});
