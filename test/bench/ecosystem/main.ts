import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Ecosystem, type FeedType, feedsOf, TYPES } from './shape.ts';

/**
 * `npm run bench:data -- --scale 0.01 [--slots] [--seed 1] [--database URL [--harvesters 2]] [--serve]`: an ecosystem of 475
 * feeds is published on loopback, and the built program reads it into a new store; then a hundredth of it changes, and is read.
 * With `--database` or `DATABASE_URL` the same is read into that empty PostgreSQL afterwards, by several processes that have
 * the datasets among them. `--serve` only publishes, and prints a settings file.
 * Seconds are of this machine and this hour, with the publisher on another processor.
 */

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '0.01' },
    seed: { type: 'string', default: '1' },
    slots: { type: 'boolean', default: false },
    database: { type: 'string', default: process.env.DATABASE_URL },
    harvesters: { type: 'string', default: '2' },
    serve: { type: 'boolean', default: false },
  },
});
const ecosystem: Ecosystem = { scale: Number(values.scale), seed: Number(values.seed), slots: values.slots };
const harvesters = Number(values.harvesters);
if (!(ecosystem.scale > 0 && [ecosystem.seed, harvesters].every(Number.isSafeInteger) && harvesters > 0)) {
  console.error('bench:data: --scale is a number above 0, --seed and --harvesters are whole numbers');
  process.exit(2);
}

const script = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const mb = (octets: number) => `${Math.round(octets / 1e6).toLocaleString('en-GB')} MB`;

function plan(): void {
  const feeds = feedsOf(ecosystem);
  const count = (type: FeedType) => feeds.filter((feed) => feed.type === type);
  const total = feeds.reduce((sum, { items }) => sum + items, 0);
  console.log(
    `${feeds.length} feeds, ${total.toLocaleString('en-GB')} items (seed ${ecosystem.seed}, scale ${ecosystem.scale})`,
  );
  for (const type of Object.keys(TYPES) as FeedType[]) {
    const own = count(type);
    if (own.length === 0) continue;
    const items = own.reduce((sum, feed) => sum + feed.items, 0);
    console.log(
      `  ${type}: ${own.length} feeds, ${items.toLocaleString('en-GB')} items, the largest ${own[0]?.items.toLocaleString('en-GB')}`,
    );
  }
}

interface Run {
  seconds: number;
  /** The most that all processes of the command had at a time, in octets. */
  resident: number;
}

/** What a process that failed printed last. */
const MOST_WORDS = 2000;

/** Runs the built program; memory is read four times a second. */
async function run(args: readonly string[], env: Record<string, string>): Promise<Run> {
  const start = performance.now();
  const child = spawn(process.execPath, [script('../../../dist/cli/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: '', ...env },
  });
  let words = '';
  child.stdout.on('data', (piece: Buffer) => {
    words = (words + piece).slice(-MOST_WORDS);
  });
  let resident = 0;
  const timer = setInterval(() => {
    resident = Math.max(resident, residentOf(child.pid ?? 0));
  }, 250);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}:\n${words}`);
  return { seconds: (performance.now() - start) / 1000, resident };
}

/**
 * Of a process and its children, in octets. Pages of files that several of them map, such as the program's, count once.
 * Linux alone says so; elsewhere it is 0.
 */
function residentOf(pid: number): number {
  const all = statusesOf(pid);
  const own = all.reduce((sum, { anon, shared }) => sum + anon + shared, 0);
  return own + Math.max(0, ...all.map(({ file }) => file));
}

type Resident = Record<'anon' | 'file' | 'shared', number>;

function statusesOf(pid: number): Resident[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const octets = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024;
    const own = { anon: octets('RssAnon'), file: octets('RssFile'), shared: octets('RssShmem') };
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return [own, ...children.flatMap((one) => statusesOf(Number(one)))];
  } catch {
    return [];
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function databaseSize(url: string): number {
  const { stdout } = spawnSync('psql', [url, '-At', '-c', 'SELECT pg_database_size(current_database())']);
  return Number(String(stdout).trim());
}

async function started(): Promise<{ child: ChildProcess; feeds: string[]; control: string }> {
  const child = spawn(process.execPath, [...process.execArgv, script('publisher.ts'), JSON.stringify(ecosystem)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = (await once(lines, 'line')) as [string];
  return { child, ...(JSON.parse(line) as { feeds: string[]; control: string }) };
}

type Sums = Record<'items' | 'octets' | 'requests', number>;

interface Measured {
  /** Settings files, one for each process. */
  settings: readonly string[];
  data: string;
  database?: string | undefined;
  sums(path: '/sums' | '/day'): Promise<Sums>;
}

/** All processes at a time. */
async function read({ settings, data, database }: Measured): Promise<Run> {
  const env: Record<string, string> = database === undefined ? {} : { DATABASE_URL: database };
  const runs = await Promise.all(settings.map((file) => run(['sync', '--config', file, '--data', data], env)));
  const resident = runs.reduce((sum, one) => sum + one.resident, 0);
  return { seconds: Math.max(...runs.map(({ seconds }) => seconds)), resident };
}

/** Seconds of the first pass, and of that after a hundredth has changed. */
async function measure(measured: Measured): Promise<[cold: number, day: number]> {
  const { data, database, sums } = measured;
  const before = await sums('/sums');
  const cold = await read(measured);
  const after = await sums('/sums');
  const [items, octets] = [after.items - before.items, after.octets - before.octets];
  const stored = database === undefined ? sizeOf(data) : databaseSize(database);
  const rate = Math.round(items / cold.seconds).toLocaleString('en-GB');
  console.log(
    `cold: ${cold.seconds.toFixed(1)} s, ${rate} items/s, ${after.requests - before.requests} pages, ${mb(octets)} of JSON`,
  );
  console.log(
    `  store ${mb(stored)}: ${(stored / octets).toFixed(2)} of the JSON; resident at most ${mb(cold.resident)}`,
  );
  await sums('/day');
  const day = await read(measured);
  const changed = (await sums('/sums')).items - after.items;
  console.log(`a hundredth changed: ${day.seconds.toFixed(1)} s for ${changed.toLocaleString('en-GB')} items`);
  return [cold.seconds, day.seconds];
}

/** Slots are left out of a feed whose settings do not ask for them. */
function feedSettings(feeds: readonly string[]): unknown[] {
  return feeds.map((url) => (ecosystem.slots ? { url, slots: true } : url));
}

/** SQLite, and beside it the PostgreSQL that is named. */
async function compare(): Promise<void> {
  const { child, feeds, control } = await started();
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-data-'));
  const sums = async (path: string) => (await (await fetch(control + path)).json()) as Sums;
  const settingsOf = (name: string, own: readonly string[]) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ feeds: feedSettings(own), feedItems: 50_000_000, feedBytes: 64 * 1024 ** 3 }));
    return file;
  };
  try {
    const sqlite = await measure({ settings: [settingsOf('all', feeds)], data: join(folder, 'data'), sums });
    const { database } = values;
    if (database === undefined) return;
    console.log(`PostgreSQL, ${harvesters} processes (memory without that of PostgreSQL):`);
    const origins = [...new Set(feeds.map((url) => new URL(url).origin))];
    const share = (url: string) => origins.indexOf(new URL(url).origin) % harvesters;
    const settings = Array.from({ length: harvesters }, (_, at) =>
      settingsOf(
        `part-${at}`,
        feeds.filter((url) => share(url) === at),
      ),
    );
    const postgres = await measure({ settings, data: join(folder, 'beside'), database, sums });
    const times = (at: 0 | 1) => (postgres[at] / sqlite[at]).toFixed(2);
    console.log(`PostgreSQL took ${times(0)} times as long as SQLite, and ${times(1)} times for what changed`);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

plan();
if (values.serve) {
  const { feeds } = await started();
  console.log(JSON.stringify({ feeds: feedSettings(feeds) }, null, 2));
} else await compare();
