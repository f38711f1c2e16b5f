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
 * `npm run bench:data -- --scale 0.01 [--slots] [--seed 1] [--database URL] [--serve]`: an ecosystem of 475 feeds is published on
 * loopback, and the built program reads it into a new store; then a hundredth of it changes, and is read. `--serve` only
 * publishes, and prints a settings file. Seconds are of this machine and this hour, with the publisher on another processor.
 */

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '0.01' },
    seed: { type: 'string', default: '1' },
    slots: { type: 'boolean', default: false },
    database: { type: 'string' },
    serve: { type: 'boolean', default: false },
  },
});
const ecosystem: Ecosystem = { scale: Number(values.scale), seed: Number(values.seed), slots: values.slots };
if (!(ecosystem.scale > 0 && Number.isSafeInteger(ecosystem.seed))) {
  console.error('bench:data: --scale is a number above 0, --seed a whole number');
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

/** Runs the built program; memory is read four times a second. */
async function run(args: readonly string[], env: Record<string, string>): Promise<Run> {
  const start = performance.now();
  const child = spawn(process.execPath, [script('../../../dist/cli/main.js'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  let resident = 0;
  const timer = setInterval(() => {
    resident = Math.max(resident, residentOf(child.pid ?? 0));
  }, 250);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  return { seconds: (performance.now() - start) / 1000, resident };
}

/** Of a process and its children. Linux alone says so; elsewhere it is 0. */
function residentOf(pid: number): number {
  try {
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return own + children.reduce((sum, one) => sum + residentOf(Number(one)), 0);
  } catch {
    return 0;
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

async function measure(): Promise<void> {
  const { child, feeds, control } = await started();
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-data-'));
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify({ feeds, feedItems: 50_000_000, feedBytes: 64 * 1024 ** 3 }));
  const data = join(folder, 'data');
  const args = ['sync', '--config', settings, '--data', data];
  const env: Record<string, string> = values.database === undefined ? {} : { DATABASE_URL: values.database };
  const sums = async (path: string) =>
    (await (await fetch(control + path)).json()) as { items: number; octets: number; requests: number };
  try {
    const cold = await run(args, env);
    const read = await sums('/sums');
    const stored = values.database === undefined ? sizeOf(data) : databaseSize(values.database);
    const rate = Math.round(read.items / cold.seconds).toLocaleString('en-GB');
    console.log(
      `cold: ${cold.seconds.toFixed(1)} s, ${rate} items/s, ${read.requests} pages, ${mb(read.octets)} of JSON`,
    );
    console.log(
      `  store ${mb(stored)}: ${(stored / read.octets).toFixed(2)} of the JSON; resident at most ${mb(cold.resident)}`,
    );
    await sums('/day');
    const day = await run(args, env);
    const items = (await sums('/sums')).items - read.items;
    console.log(`a hundredth changed: ${day.seconds.toFixed(1)} s for ${items.toLocaleString('en-GB')} items`);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

plan();
if (values.serve) {
  const { feeds } = await started();
  console.log(JSON.stringify({ feeds }, null, 2));
} else await measure();
