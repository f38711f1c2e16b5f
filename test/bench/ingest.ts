import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BareStore, rowsOf } from './bare-store.ts';
import { FLOORS } from './floors.ts';
import { type BenchPage, writeBenchPages } from './generate.ts';
import { openTarget } from './ingest-target.ts';
import { type Bench, median, rate, timed } from './measure.ts';

/**
 * Pages into the store, against the least that anybody must do with them: JSON.parse of the same text and a bare upsert
 * of the same rows, one transaction a page. Page by page the two take turns, so that both grow side by side. The floor is
 * given each row's text for nothing.
 */

type Listed = Omit<BenchPage, 'text'>;
const ITEMS = 500_000;

export const ingestBench: Bench = async ({ quick, note }) => {
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-bench-'));
  const items = quick ? 50_000 : ITEMS;
  try {
    const pages = writeBenchPages({ items, seed: 20_260_105 }, join(folder, 'pages'));
    note(`${items} items in ${pages.length} pages are written`);
    const rounds: { ours: number; rival: number }[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      rounds.push(await ingestRound(pages, folder, round));
      note(
        `round ${round + 1}: ${Object.entries(rounds.at(-1) ?? {}).map(([who, ms]) => `${who} ${rate(items, ms, 'items')}`)}`,
      );
    }
    const ours = median(rounds.map((round) => round.ours));
    const rival = median(rounds.map((round) => round.rival));
    const value = median(rounds.map((round) => round.rival / round.ours));
    const memory = peakMemory(join(folder, 'pages'), join(folder, 'memory'));
    return [
      {
        name: `ingest ${items} items`,
        value,
        floor: FLOORS.ingest,
        ours: rate(items, ours, 'items'),
        rival: `parse and bare upsert ${rate(items, rival, 'items')}`,
      },
      {
        name: 'resident memory while ingesting, MB',
        value: memory,
        floor: FLOORS.ingestMemory,
        ours: `${memory.toFixed(0)} MB at most`,
        rival: '',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

async function ingestRound(
  pages: readonly Listed[],
  folder: string,
  round: number,
): Promise<{ ours: number; rival: number }> {
  const bare = new BareStore(join(folder, `bare${round}.db`));
  const target = await openTarget(join(folder, `ours${round}`));
  const times = { ours: 0, rival: 0 };
  for (const [index, page] of pages.entries()) {
    const text = readFileSync(join(folder, 'pages', `${index}.json`), 'utf8');
    const rows = rowsOf(page.feed, text);
    const floor = async () => {
      times.rival += await timed(() => bare.take(text, rows));
    };
    const program = async () => {
      times.ours += await timed(() => target.take(page, text));
    };
    for (const turn of index % 2 === 0 ? [floor, program] : [program, floor]) await turn();
  }
  times.ours += await timed(() => target.close());
  times.rival += await timed(() => bare.close());
  for (const name of [`bare${round}.db`, `ours${round}`]) rmSync(join(folder, name), { recursive: true, force: true });
  return times;
}

/** Megabytes: the highest resident size of a process of its own that ingests the pages and does nothing else. */
function peakMemory(pages: string, data: string): number {
  const script = fileURLToPath(new URL('./ingest-memory.ts', import.meta.url));
  return Number(execFileSync(process.execPath, [script, pages, data], { encoding: 'utf8' }).trim());
}
