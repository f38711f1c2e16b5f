import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { FLOORS } from '../floors.ts';
import { writeBenchPages } from '../generate.ts';
import { hostilePages } from '../hostile.ts';
import { type Bench, type Measurement, median } from '../measure.ts';

/**
 * What is cached while `serve` is as busy as it gets: one pass over half a million items into its store, and twenty callers
 * who ask for everything of hostile items at once. `/healthz` and a cached calendar are asked for every few milliseconds,
 * before and meanwhile, by a process that does nothing else. The value is the p99 then through the median before, of the same
 * run. The limit per caller is off: it would only make it easier.
 */

const ITEMS = 500_000;
const IDLE_PROBES = 1000;
/** The most that is measured: the pass takes longer on a busy machine. */
const BUSY_MS = 60_000;
const PAUSE_MS = 4;

interface Probes {
  healthz: number[];
  calendar: number[];
}

export const busyBench: Bench = async ({ quick, note }) => {
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-bench-'));
  const pages = join(folder, 'pages');
  const hold = join(folder, 'hold');
  mkdirSync(pages);
  writeFileSync(hold, '');
  const children: ChildProcess[] = [];
  try {
    const publisher = spawn(process.execPath, [script('../rpde-server.ts'), pages, hold], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(elsewhere(publisher));
    const { feeds, items } = writePages(quick ? 50_000 : ITEMS, pages, (await firstLine(publisher)).trim());
    const { server, url } = await serve(folder, feeds);
    children.push(server);
    const calendar = await calendarOf(url, 'Calm');
    const idle = await probe(url, calendar, (count) => count < IDLE_PROBES);
    note(`idle: ${words(idle)}`);
    rmSync(hold);
    const callers = fork(script('../callers.ts'), [url], { stdio: 'inherit' });
    children.push(elsewhere(callers));
    const began = performance.now();
    let done = false;
    const whole = passOver(server, feeds.length).then(() => {
      done = true;
    });
    const busy = await probe(url, calendar, () => !done && performance.now() - began < BUSY_MS);
    callers.send('stop');
    const [answers] = (await once(callers, 'message')) as [Record<string, number>];
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    note(`busy for ${seconds} s (${done ? 'all' : 'part'} of ${items} items): ${words(busy)}`);
    note(`answers to hostile requests: ${JSON.stringify(answers)}`);
    void whole;
    return (['healthz', 'calendar'] as const).map((what) => measurement(what, idle[what], busy[what]));
  } finally {
    for (const child of children) child.kill();
    const left = children.filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(left.map((child) => once(child, 'exit')));
    rmSync(folder, { recursive: true, force: true });
  }
};

function script(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** Publishers and callers are on machines of their own: here they take what is left of this one. */
function elsewhere(child: ChildProcess): ChildProcess {
  setPriority(child.pid as number, 15);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [piece] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return String(piece);
}

function writePages(items: number, pages: string, origin: string): { feeds: string[]; items: number } {
  const index = writeBenchPages({ items, seed: 20_260_105, origin }, pages);
  for (const number of index.keys()) {
    const file = join(pages, `${number}.json`);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
  }
  return {
    feeds: [...new Set(index.map(({ feed }) => feed))],
    items: index.reduce((sum, page) => sum + page.items, 0),
  };
}

/** The built program, as users have it: a folder with calm and hostile items, and feeds whose publisher is still held. */
async function serve(folder: string, feeds: readonly string[]): Promise<{ server: ChildProcess; url: string }> {
  const hostile = join(folder, 'hostile');
  mkdirSync(hostile);
  for (const [number, page] of hostilePages().entries()) writeFileSync(join(hostile, `${number}.json`), page);
  const sources = [hostile, ...feeds].flatMap((feed) => ['--feed', feed]);
  const args = ['serve', '--port', '0', '--host', '127.0.0.1', '--data', join(folder, 'data'), ...sources];
  const server = spawn(process.execPath, ['--no-warnings', script('../../../dist/cli/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, OPENACTIVE_ICAL_RATE_LIMIT: '0' },
  });
  const url = /http:\/\/\S+(?=\/\s)/.exec(await firstLine(server))?.[0];
  if (url === undefined) throw new Error('serve ended before it was ready.');
  return { server, url };
}

/** Until so many feeds have been read to their end, by the log. */
async function passOver(server: ChildProcess, feeds: number): Promise<void> {
  const ended = new Set<string>();
  for await (const piece of server.stderr ?? []) {
    for (const [, feed = ''] of String(piece).matchAll(/"feed":"(http[^"]+)","state":"ended"/g)) ended.add(feed);
    if (ended.size >= feeds) return;
  }
}

async function calendarOf(url: string, name: string): Promise<string> {
  const { items } = (await (await fetch(`${url}/api/series?q=${name}`)).json()) as { items: { calendar: string }[] };
  return items[0]?.calendar ?? '';
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

async function probe(url: string, calendar: string, goesOn: (count: number) => boolean): Promise<Probes> {
  const probes: Probes = { healthz: [], calendar: [] };
  // What is asked for first is made, and connections are opened: neither is measured.
  for (const address of [`${url}/healthz`, calendar, calendar]) await timeOf(address);
  for (let count = 0; goesOn(count); count++) {
    probes.healthz.push(await timeOf(`${url}/healthz`));
    probes.calendar.push(await timeOf(calendar));
    await setTimeout(PAUSE_MS);
  }
  return probes;
}

async function timeOf(address: string): Promise<number> {
  const began = performance.now();
  const [response] = (await once(get(address, { agent }), 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${address}: ${response.statusCode}`);
  return performance.now() - began;
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

function words({ healthz, calendar }: Probes): string {
  const one = (name: string, times: number[]) =>
    `${name} ${times.length} times, median ${median(times).toFixed(2)} ms, p99 ${p99(times).toFixed(2)} ms, most ${Math.max(...times).toFixed(1)} ms`;
  return `${one('/healthz', healthz)}; ${one('calendar', calendar)}`;
}

function measurement(what: keyof Probes, idle: number[], busy: number[]): Measurement {
  return {
    name: `busy ${what === 'healthz' ? '/healthz' : 'cached calendar'}, p99 through the idle median`,
    value: p99(busy) / median(idle),
    floor: FLOORS.busy,
    ours: `p99 ${p99(busy).toFixed(2)} ms, median ${median(busy).toFixed(2)} ms`,
    rival: `idle median ${median(idle).toFixed(2)} ms, p99 ${p99(idle).toFixed(2)} ms`,
  };
}
