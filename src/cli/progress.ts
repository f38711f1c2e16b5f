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
/** A terminal shows no more than a screen of bars; with hundreds of feeds at once the others are counted. */
const MOST_ROWS = 20;
const FRAME_MS = 80;

export function createProgress(names: readonly string[], io: Io): Progress {
  if (io.columns === undefined) {
    return { page: () => {}, done: async (_row, summary) => io.stdout(summary), end: () => {} };
  }
  return onTerminal(names, io, io.columns);
}

/** Redraws a block of lines in place: the feeds being read, and a line for all; summaries scroll away above it. */
function onTerminal(names: readonly string[], io: Io, width: number): Progress {
  const board = new Board(names);
  let drawn = 0;
  let last = Number.NEGATIVE_INFINITY;
  const erase = () => {
    io.stderr(drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = () => {
    erase();
    const lines = board.lines().map((one) => one.slice(0, width - 1));
    if (lines.length > 0) io.stderr(`${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  return {
    page: (row, sums) => {
      board.page(row, sums);
      if (io.now() - last < FRAME_MS) return;
      last = io.now();
      draw();
    },
    done: async (row, summary) => {
      board.done(row);
      erase();
      await io.stdout(summary);
      draw();
    },
    end: erase,
  };
}

/** What is being read, in the order in which it began. */
class Board {
  readonly #names: readonly string[];
  readonly #active = new Map<number, Sums>();
  #ended = 0;
  #pages = 0;
  #items = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  page(row: number, sums: Sums): void {
    const before = this.#active.get(row);
    this.#pages += sums.pages - (before?.pages ?? 0);
    this.#items += sums.items - (before?.items ?? 0);
    this.#active.set(row, sums);
  }

  done(row: number): void {
    this.#active.delete(row);
    this.#ended += 1;
  }

  lines(): string[] {
    const rows = [...this.#active].slice(0, MOST_ROWS);
    const lines = rows.map(([row, sums]) => line(this.#names[row] ?? '', sums));
    if (this.#names.length < 2 || this.#ended === this.#names.length) return lines;
    const more = this.#active.size - rows.length;
    const others = more === 0 ? '' : `${more} more are being read, `;
    return [
      ...lines,
      `${this.#ended} of ${this.#names.length} feeds ended, ${others}pages ${this.#pages}, items ${this.#items}`,
    ];
  }
}

/** RPDE does not say how long a feed is, so the bar shows that it moves, and the counts how far. */
function line(name: string, { pages, items, findings }: Sums): string {
  const at = pages % (BAR * 2);
  const place = at < BAR ? at : BAR * 2 - 1 - at;
  const bar = `${'·'.repeat(place)}█${'·'.repeat(BAR - 1 - place)}`;
  return `[${bar}] pages ${pages}, items ${items}, findings ${findings}  ${name}`;
}
