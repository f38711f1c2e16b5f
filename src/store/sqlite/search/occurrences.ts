import { HOUR_MS } from '../../../time/days.ts';
import type { FoundOccurrence, OccurrenceWindow, SearchQuery } from '../../contract/index.ts';
import { byStartAndRow } from '../../sql/search/occurrence-rows.ts';
import type { Connection } from '../connection.ts';
import { inSeries } from './dated-rows.ts';
import type { FoundRows } from './found-rows.ts';
import { stagesOf, Walk } from './walk.ts';

/**
 * Occurrences of the series that a query finds. There are two ways: series by series, or all that starts in the window, by start,
 * each checked with the query. Nothing tells beforehand which is shorter. So a piece of the second is gone first, and more of
 * it by turns with looking for all series of the first, until one of them is near its end.
 */

/** How far the first turn goes. */
export interface Turns {
  /** Series that are asked for. */
  series: number;
  /** The same where they are near something, and many rows are still to be checked. */
  near?: number;
  /** Rows by start, for each that is wanted. */
  rows: number;
}

const TURNS: Turns = { series: 64, near: 16_000, rows: 4 };
const FARTHER = 4;
/** However many are wanted: until then it is cheaper to check each than to know all series. */
const MOST_FIRST = 1_000;
/** More series than these are not held by row. */
const MOST_SERIES = 100_000;
/** Rows by start that cost as much as a series does. */
const ROWS_A_SERIES = 4;
/** Series that are asked for while a row is read by start. */
const SERIES_A_ROW = 6;
/** An index of coordinates lists so many series while one row is checked. */
const LISTED_A_ROW = 20;
/** Between two occurrences of a series. */
const USUAL_GAP = 3 * 24 * HOUR_MS;
const GROWTH = 3;
const NONE: ReadonlySet<number> = new Set();

export class Occurrences {
  readonly #db: Connection;
  readonly #rows: FoundRows;
  readonly #turns: Turns;

  constructor(db: Connection, rows: FoundRows, turns: Turns = TURNS) {
    this.#db = db;
    this.#rows = rows;
    this.#turns = turns;
  }

  found(query: SearchQuery, window: OccurrenceWindow): FoundOccurrence[] {
    const walk = new Walk(this.#db, (rows) => this.#rows.among(query, rows), window);
    const first = Math.min(this.#turns.rows * window.limit, MOST_FIRST);
    const { series, near = series } = this.#turns;
    let [among, far] = [series, first];
    for (;;) {
      const few = this.#rows.atMost(query, Math.min(among, MOST_SERIES));
      if (few !== undefined && few * ROWS_A_SERIES < walk.ahead)
        return this.#inSeries(this.#rows.all(query, few) ?? NONE, window);
      const before = walk.read;
      if (walk.goOn(far)) return firstOf(walk.found, window.limit);
      // Where all of it started together, nothing was learnt.
      const next = walk.read === before ? FARTHER * far : Math.ceil(walk.ahead);
      far = Math.min(FARTHER * far, Math.max(first, next));
      const isFar = query.near !== undefined && walk.ahead * LISTED_A_ROW > near;
      among = Math.max(among, isFar ? near : 0, SERIES_A_ROW * walk.read);
    }
  }

  /** In pieces of the window that grow, so that few rows are read in vain. */
  #inSeries(series: ReadonlySet<number>, window: OccurrenceWindow): FoundOccurrence[] {
    const { limit, cancelled = false } = window;
    const found: FoundOccurrence[] = [];
    let length = Math.max(HOUR_MS, Math.round((limit * USUAL_GAP) / series.size));
    for (const part of stagesOf(window)) {
      // What is on for long is rare.
      if (part.of === 'long') found.push(...inSeries(this.#db, series, part, cancelled));
      for (let { from } = part; part.of === 'start' && from < part.to && found.length < limit; length *= GROWTH) {
        const to = Math.min(from + length, part.to);
        found.push(...inSeries(this.#db, series, { ...part, from, to }, cancelled));
        from = to;
      }
    }
    return firstOf(found, limit);
  }
}

/** By start; with all that start together with the last one. */
function firstOf(found: readonly FoundOccurrence[], limit: number): FoundOccurrence[] {
  const sorted = found.toSorted(byStartAndRow);
  const last = sorted[limit - 1];
  return last === undefined ? sorted : sorted.filter(({ start }) => start <= last.start);
}
