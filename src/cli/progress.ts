/** Progress of several feeds: a bar each where a person looks, nothing where nobody does. */

import type { Sums } from '../harvest/crawl.ts';
import type { Io } from './io.ts';

export interface Progress {
  page(row: number, sums: Sums): void;
  /** Ends a row with its summary line, which goes to standard output. */
  done(row: number, summary: string): Promise<void>;
  end(): void;
}

const BAR = 16;
/** A terminal shows no more than a screen of bars; further feeds show their summary only. */
const MOST_ROWS = 20;
const FRAME_MS = 80;

export function createProgress(names: readonly string[], io: Io): Progress {
  if (io.columns === undefined) {
    return { page: () => {}, done: async (_row, summary) => io.stdout(summary), end: () => {} };
  }
  return onTerminal(names, io, io.columns);
}

/** Redraws a block of lines in place; summaries scroll away above it. */
function onTerminal(names: readonly string[], io: Io, width: number): Progress {
  const rows = new Map<number, Sums | undefined>(names.slice(0, MOST_ROWS).map((_name, row) => [row, undefined]));
  let drawn = 0;
  let last = Number.NEGATIVE_INFINITY;
  const erase = () => {
    io.stderr(drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = () => {
    erase();
    const lines = [...rows].map(([row, sums]) => line(names[row] ?? '', sums).slice(0, width - 1));
    if (lines.length > 0) io.stderr(`${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  return {
    page: (row, sums) => {
      if (rows.has(row)) rows.set(row, sums);
      if (io.now() - last < FRAME_MS) return;
      last = io.now();
      draw();
    },
    done: async (row, summary) => {
      rows.delete(row);
      erase();
      await io.stdout(summary);
      draw();
    },
    end: erase,
  };
}

/** RPDE does not say how long a feed is, so the bar shows that it moves, and the counts how far. */
function line(name: string, sums: Sums | undefined): string {
  const at = (sums?.pages ?? 0) % (BAR * 2);
  const place = at < BAR ? at : BAR * 2 - 1 - at;
  const bar = sums === undefined ? ' '.repeat(BAR) : `${'·'.repeat(place)}█${'·'.repeat(BAR - 1 - place)}`;
  const counts = sums === undefined ? 'waiting' : `pages ${sums.pages}, items ${sums.items}, findings ${sums.findings}`;
  return `[${bar}] ${counts}  ${name}`;
}
