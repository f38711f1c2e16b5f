import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { allocatorOf, HEAP_FLAGS } from '../../../src/process/heap.ts';
import { type BareItem, bareItems, difference, ItemsOnly, RowWatch, SameRows, type TableRows } from '../bare-store.ts';
import { FLOORS } from '../floors.ts';
import { writeBenchPages } from '../generate.ts';
import { openTarget, type TargetPage } from '../ingest-target.ts';
import { type Bench, type Measurement, median, rate, timed } from '../measure.ts';

/**
 * Pages into the store, against the least that anybody must do with them (`test/bench/bare-store.ts`). A few pages at a time the
 * rivals take turns, so that all grow side by side; the program's pages go the way of `sync`, but for one thing: each has
 * a transaction of its own, so that the rows of each are the same in every run. Its clock stops when all of them are in.
 */

const ITEMS = 500_000;
const BLOCK = 25;
const DATABASE = 'openactive-ical.sqlite';

type Times = Record<'ours' | 'same' | 'only', number>;

export const ingestBench: Bench = async ({ quick, note }) => {
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-bench-'));
  const items = quick ? 50_000 : ITEMS;
  try {
    const pages = writeBenchPages({ items, seed: 20_260_105 }, join(folder, 'pages')).map((page, index) => ({
      ...page,
      file: join(folder, 'pages', `${index}.json`),
      rows: join(folder, 'rows', String(index)),
    }));
    note(`${items} items in ${pages.length} pages are written`);
    await writeRows(pages, folder);
    note('the rows they leave are known');
    const rounds: Times[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const times = await ingestRound(pages, folder, round === 0);
      rounds.push(times);
      note(`round ${round + 1}: ${Object.entries(times).map(([who, ms]) => `${who} ${rate(items, ms, 'items')}`)}`);
    }
    return [...ratios(items, rounds), memory(peakMemory(join(folder, 'pages'), join(folder, 'memory')))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

interface Listed extends Omit<TargetPage, 'text'> {
  file: string;
  rows: string;
}

interface Block {
  pages: TargetPage[];
  rows: TableRows[][];
  items: BareItem[][];
}

/** A run of the program whose time does not count: what each page leaves. */
async function writeRows(pages: readonly Listed[], folder: string): Promise<void> {
  mkdirSync(join(folder, 'rows'));
  const data = join(folder, 'watched');
  const target = await openTarget(data);
  const watch = new RowWatch(join(data, DATABASE));
  for (const page of pages) {
    await target.run([{ ...page, text: readFileSync(page.file, 'utf8') }]);
    writeFileSync(page.rows, serialize(watch.take()));
  }
  watch.close();
  await target.close();
  rmSync(data, { recursive: true });
}

async function ingestRound(pages: readonly Listed[], folder: string, check: boolean): Promise<Times> {
  const target = await openTarget(join(folder, 'ours'));
  const same = new SameRows(join(folder, 'same.db'));
  const only = new ItemsOnly(join(folder, 'only.db'));
  const times: Times = { ours: 0, same: 0, only: 0 };
  const turns: Record<keyof Times, (block: Block) => unknown> = {
    ours: (block) => target.run(block.pages),
    same: (block) => {
      for (const [index, { text }] of block.pages.entries()) same.take(text, block.rows[index] as TableRows[]);
    },
    only: (block) => {
      for (const [index, { text }] of block.pages.entries()) only.take(text, block.items[index] as BareItem[]);
    },
  };
  for (let at = 0; at < pages.length; at += BLOCK) {
    const block = read(pages.slice(at, at + BLOCK));
    const order = Object.keys(turns) as (keyof Times)[];
    if ((at / BLOCK) % 2 === 1) order.reverse();
    for (const who of order) {
      globalThis.gc?.();
      times[who] += await timed(() => turns[who](block));
    }
  }
  times.ours += await timed(() => target.close());
  times.same += await timed(() => same.close());
  times.only += await timed(() => only.close());
  const other = check ? difference(join(folder, 'ours', DATABASE), join(folder, 'same.db')) : undefined;
  if (other !== undefined) throw new Error(`The floor's rows are not those of the program: table ${other}.`);
  for (const name of ['ours', 'same.db', 'only.db']) rmSync(join(folder, name), { recursive: true, force: true });
  return times;
}

function read(pages: readonly Listed[]): Block {
  const whole = pages.map((page) => ({ ...page, text: readFileSync(page.file, 'utf8') }));
  return {
    pages: whole,
    rows: whole.map(({ rows }) => deserialize(readFileSync(rows)) as TableRows[]),
    items: whole.map(({ feed, text }) => bareItems(feed, text)),
  };
}

function ratios(items: number, rounds: readonly Times[]): Measurement[] {
  const speed = (who: keyof Times): string => rate(items, median(rounds.map((times) => times[who])), 'items');
  const against = (who: keyof Times): number => median(rounds.map((times) => times[who] / times.ours));
  return [
    {
      name: `ingest ${items} items`,
      value: against('same'),
      floor: FLOORS.ingest,
      ours: speed('ours'),
      rival: `parse and bare upsert of the same rows ${speed('same')}`,
    },
    {
      name: 'ingest, of a mirror of the items only',
      value: against('only'),
      floor: { least: 0 },
      ours: speed('ours'),
      rival: `parse and bare upsert of the items ${speed('only')}`,
    },
  ];
}

function memory(value: number): Measurement {
  const name = 'resident memory while ingesting, MB';
  return { name, value, floor: FLOORS.ingestMemory, ours: `${value.toFixed(0)} MB at most`, rival: '' };
}

/**
 * Megabytes: the highest resident size of a process of its own that ingests the pages and does nothing else, with the
 * allocator and the flags of V8 that the program gives its harvester.
 */
function peakMemory(pages: string, data: string): number {
  const script = fileURLToPath(new URL('../ingest-memory.ts', import.meta.url));
  const env = { ...process.env, ...allocatorOf(process.env) };
  return Number(execFileSync(process.execPath, [...HEAP_FLAGS, script, pages, data], { encoding: 'utf8', env }).trim());
}
