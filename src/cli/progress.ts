/** Shows the progress of feeds: a bar each on a terminal, nothing elsewhere. */

import type { Sums } from '../harvest/index.ts';
import type { Io } from './io.ts';

export interface Progress {
  page(row: number, sums: Sums): void;
  /** Ends a row with its summary line, which goes to standard output. */
  done(row: number, summary: string): Promise<void>;
  end(): void;
}

const BAR = 16;
/** The most bars, to fit a screen; further feeds are counted. */
const MOST_ROWS = 20;
const FRAME_MS = 80;
const CLOCK_MS = 1000;

/**
 * @param sizes items that each feed is expected to have, where an earlier pass has counted them: for the time to go
 */
export function createProgress(
  names: readonly string[],
  io: Io,
  sizes: readonly (number | undefined)[] = [],
): Progress {
  if (io.columns === undefined) {
    return { page: () => {}, done: async (_row, summary) => io.stdout(summary), end: () => {} };
  }
  return onTerminal(boardOf(names, sizes, io.now()), io, io.columns);
}

/** Redraws a block of lines in place: the feeds being read, and a line for all; summaries scroll away above it. */
function onTerminal(board: ReturnType<typeof boardOf>, io: Io, width: number): Progress {
  let drawn = 0;
  let last = Number.NEGATIVE_INFINITY;
  const erase = () => {
    io.stderr(drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = () => {
    erase();
    last = io.now();
    const lines = board.lines(last).map((one) => one.slice(0, width - 1));
    if (lines.length > 0) io.stderr(`${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  // The clock is drawn also while a publisher does not answer.
  const clock = setInterval(draw, CLOCK_MS);
  clock.unref();
  return {
    page: (row, sums) => {
      board.page(row, sums, io.now());
      if (io.now() - last >= FRAME_MS) draw();
    },
    done: async (row, summary) => {
      board.done(row);
      erase();
      await io.stdout(summary);
      draw();
    },
    end: () => {
      clearInterval(clock);
      erase();
    },
  };
}

interface FeedProgress {
  sums: Sums;
  since: number;
}

/** The feeds that are being read, in the order in which they began. */
function boardOf(names: readonly string[], sizes: readonly (number | undefined)[], since: number) {
  const active = new Map<number, FeedProgress>();
  let ended = 0;
  let pages = 0;
  let items = 0;

  function page(row: number, sums: Sums, now: number): void {
    const before = active.get(row);
    pages += sums.pages - (before?.sums.pages ?? 0);
    items += sums.items - (before?.sums.items ?? 0);
    active.set(row, { sums, since: before?.since ?? now });
  }

  function done(row: number): void {
    active.delete(row);
    ended += 1;
  }

  function lines(now: number): string[] {
    if (ended === names.length || pages === 0) return [];
    const rows = [...active].slice(0, MOST_ROWS);
    const lines = rows.map(([row, one]) => line(names[row] ?? '', one, now));
    const more = active.size - rows.length;
    const others = more === 0 ? '' : `${more} more are being read, `;
    const gone = now - since;
    const counts = `pages ${pages}, items ${items}, ${rate(items, gone)}`;
    const feeds = names.length < 2 ? '' : `${ended} of ${names.length} feeds ended, ${others}`;
    return [...lines, `${feeds}${counts}, ${clockWords(gone)} gone, ${toGo(gone)}`];
  }

  /** The time to go, by the items that an earlier pass has counted, else by the feeds that have ended. */
  function toGo(gone: number): string {
    const size = names.reduce<number>((sum, _, row) => sum + (sizes[row] ?? Number.NaN), 0);
    const share = Number.isNaN(size) ? ended / names.length : Math.min(items / size, 1);
    if (!(share > 0)) return 'time to go not known yet';
    return `about ${clockWords(gone * (1 / share - 1))} to go`;
  }

  return { page, done, lines };
}

/** The line of a feed. RPDE states no length of a feed, so that the bar only moves, and counts show how far. */
function line(name: string, { sums: { pages, items, findings }, since }: FeedProgress, now: number): string {
  const at = pages % (BAR * 2);
  const place = at < BAR ? at : BAR * 2 - 1 - at;
  const bar = `${'·'.repeat(place)}█${'·'.repeat(BAR - 1 - place)}`;
  return `[${bar}] pages ${pages}, items ${items}, ${rate(items, now - since)}, findings ${findings}  ${name}`;
}

/** Items a second; less than a second counts as one. */
const rate = (items: number, milliseconds: number): string =>
  `${Math.round(items / Math.max(milliseconds / 1000, 1))} items/s`;

/** A duration as `0:42` or `1:02:03`. */
function clockWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, '0'));
  return parts[0] === 0 ? `${parts[1]}:${rest}` : `${Number(hours)}:${minutes}:${rest}`;
}
