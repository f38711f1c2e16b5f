import { HOUR_MS } from '../../../time/days.ts';
import type { FoundOccurrence, OccurrenceWindow, SearchQuery } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';
import { byStartAndRow, inSeries, type Span } from './dated-rows.ts';
import type { FoundRows } from './found-rows.ts';
import { Walk } from './walk.ts';

/**
 * Occurrences of the series that a query finds. There are two ways: series by series, or all that starts in the window, by start,
 * each checked with the query. Nothing tells beforehand which is shorter. So a piece of the second is gone first, and more of
 * it by turns with looking for all series of the first, until one of them is near its end.
 */

/** How far the first turn goes. */
export interface Turns {
  /** Series that are looked for. */
  series: number;
  /** Rows by start, for each that is wanted. */
  rows: number;
}

const TURNS: Turns = { series: 250, rows: 4 };
const FARTHER = 4;
/** More series than these are not held by row. */
const MOST_SERIES = 100_000;
/** Rows by start that cost as much as a series does. */
const ROWS_A_SERIES = 4;
/** Series that are looked for while a row is read by start. */
const SERIES_A_ROW = 4;
/** What is on may have begun a year ago. */
const ROWS_A_YEAR = 60;
/** Between two occurrences of a series. */
const USUAL_GAP = 3 * 24 * HOUR_MS;
const GROWTH = 3;

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
    const rowsOfOne = window.endsAfter === undefined ? ROWS_A_SERIES : ROWS_A_YEAR;
    let [among, far] = [this.#turns.series, this.#turns.rows * window.limit];
    for (;;) {
      const few = among > MOST_SERIES ? undefined : this.#rows.all(query, among);
      if (few !== undefined && few.size * rowsOfOne < walk.ahead) return this.#inSeries(few, window);
      const before = walk.read;
      if (walk.goOn(far)) return firstOf(walk.found, window.limit);
      // Where all of it started together, nothing was learnt.
      const next = walk.read === before ? FARTHER * far : Math.ceil(walk.ahead);
      far = Math.min(FARTHER * far, Math.max(far, next));
      among = Math.max(among, SERIES_A_ROW * walk.read);
    }
  }

  /** In parts of the window that grow, so that few rows are read in vain. */
  #inSeries(series: ReadonlySet<number>, { from, to, limit, endsAfter, cancelled = false }: OccurrenceWindow) {
    const found: FoundOccurrence[] = [];
    const usual = Math.max(HOUR_MS, Math.round((limit * USUAL_GAP) / series.size));
    // What is still on may have begun at any time.
    let length = endsAfter === undefined ? usual : to - from;
    for (let start = from; series.size > 0 && start < to && found.length < limit; length *= GROWTH) {
      const span: Span = { from: start, to: Math.min(start + length, to), endsAfter, cancelled };
      found.push(...inSeries(this.#db, series, span));
      start = span.to;
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
