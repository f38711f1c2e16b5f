import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { FLOORS } from '../floors.ts';
import { writeBenchPages } from '../generate.ts';
import { type Bench, type Measurement, median, rate } from '../measure.ts';

/**
 * A cold `sync` of feeds on a loopback server into a new data folder, against @openactive/harvesting-utils reading the same
 * feeds into a Map, without any store. It is the built program that runs, as users have it. Each in a process of its own, in
 * turns; the clock of both runs from the start of the process to its end, so that everything of ours is in the store. Both
 * must have the same items in the end.
 */

const ITEMS = 500_000;

interface Run {
  ms: number;
  items: number;
  live: number;
}

interface Served {
  /** The addresses of the feeds, and the items on all their pages. */
  feeds: string[];
  items: number;
  folder: string;
}

export const syncBench: Bench = async ({ quick, note }) => {
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-bench-'));
  const server = spawn(process.execPath, [script('../rpde-server.ts'), join(folder, 'pages')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const served = writePages(quick ? 50_000 : ITEMS, folder, await firstLine(server));
    note(`${served.items} items in ${served.feeds.length} feeds are served`);
    const rounds: Record<'ours' | 'rival', Run>[] = [];
    for (let round = 0; round < 3; round++) {
      const runs = await takeTurns(served, round % 2 === 0);
      rounds.push(runs);
      const speeds = Object.entries(runs).map(([who, { ms, items }]) => `${who} ${rate(items, ms, 'items')}`);
      note(`round ${round + 1}: ${speeds.join(', ')}`);
    }
    return [measurement(served.items, rounds)];
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

function script(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const piece of child.stdout ?? []) return String(piece).trim();
  throw new Error('The server ended before it listened.');
}

function writePages(items: number, folder: string, origin: string): Served {
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  const index = writeBenchPages({ items, seed: 20_260_105, origin }, pages);
  for (const number of index.keys()) {
    const file = join(pages, `${number}.json`);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
  }
  const all = index.reduce((sum, page) => sum + page.items, 0);
  return { feeds: [...new Set(index.map(({ feed }) => feed))], items: all, folder };
}

async function takeTurns(served: Served, oursFirst: boolean): Promise<Record<'ours' | 'rival', Run>> {
  const before = oursFirst ? await ours(served) : undefined;
  const rival = await rivals(served);
  const runs = { ours: before ?? (await ours(served)), rival };
  for (const { items, live } of Object.values(runs)) {
    if (items !== served.items || live !== rival.live)
      throw new Error(`Not the same was harvested: ${JSON.stringify(runs)} of ${served.items} items.`);
  }
  return runs;
}

async function ours({ feeds, folder }: Served): Promise<Run> {
  const data = join(folder, 'data');
  const args = feeds.flatMap((feed) => ['--feed', feed]);
  const { ms, out } = await run([
    '--no-warnings',
    script('../../../dist/cli/main.js'),
    'sync',
    '--data',
    data,
    ...args,
  ]);
  const items = [...out.matchAll(/, items (\d+),/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'), { readOnly: true });
  const live = Number(db.prepare('SELECT count(*) AS n FROM item WHERE hash IS NOT NULL').get()?.n);
  db.close();
  rmSync(data, { recursive: true });
  return { ms, items, live };
}

async function rivals({ feeds }: Served): Promise<Run> {
  const { ms, out } = await run([...ROOM, script('../rival-harvest.ts'), ...feeds]);
  return { ms, ...(JSON.parse(out) as Pick<Run, 'items' | 'live'>) };
}

/** It holds everything in memory: it shall not spend its time on making room. */
const ROOM = ['--max-old-space-size=8192', '--max-semi-space-size=64'];

async function run(args: readonly string[]): Promise<{ ms: number; out: string }> {
  // What was written before is on the disk: nobody pays for another's writing.
  spawnSync('sync');
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [out, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((done) => child.once('exit', done)),
  ]);
  if (code !== 0) throw new Error(`${args[0]} … ended with ${code}: ${out.slice(-500)}`);
  return { ms: performance.now() - start, out };
}

function measurement(items: number, rounds: readonly Record<'ours' | 'rival', Run>[]): Measurement {
  const speed = (who: 'ours' | 'rival'): string => rate(items, median(rounds.map((runs) => runs[who].ms)), 'items');
  return {
    name: `cold sync of ${items} items, into the store`,
    value: median(rounds.map(({ ours, rival }) => rival.ms / ours.ms)),
    floor: FLOORS.sync,
    ours: speed('ours'),
    rival: `harvesting-utils, into memory ${speed('rival')}`,
  };
}
