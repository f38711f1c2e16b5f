import type { Instant } from '../../../time/instant.ts';
import type { FoundOccurrence, OccurrenceWindow } from '../../contract/index.ts';
import { firstStretch } from '../../sql/search/weeks.ts';
import type { Connection } from '../connection.ts';
import { type Asked, type Candidate, candidates, candidatesAt, LONG, rowsOf, type WindowPart } from './dated-rows.ts';

/** Rows by start, read piece by piece. */

/** Chooses the wanted ones of some candidates. */
type Wanted = (read: readonly Candidate[]) => readonly Candidate[];

/** Rows that are read at once for each listed series, where a list leaves out rows of other series. */
const MOST_LISTED = 16;
/** The factor by which more rows are read than the estimate `ahead`. */
export const MORE = 1.5;
/** Rows that the estimate adds to those that were read. */
const FEW = 4;

/** The wanted occurrences that start in a window, found by reading all rows of the window by start. */
export class Walk {
  readonly found: FoundOccurrence[] = [];
  readonly #db: Connection;
  readonly #asked: Asked;
  readonly #wanted: Wanted;
  readonly #window: OccurrenceWindow;
  readonly #parts: WindowPart[];
  /** The beginning of the part that is read by start. */
  readonly #begin: Instant;
  /** The number of rows that were checked. */
  read = 0;

  constructor(db: Connection, asked: Asked, wanted: Wanted, window: OccurrenceWindow) {
    this.#db = db;
    this.#asked = asked;
    this.#wanted = wanted;
    this.#window = window;
    this.#parts = stagesOf(window);
    this.#begin = this.#parts.find(({ of }) => of === 'start')?.from ?? window.to;
  }

  /** An estimate of the rows that are still to be read, by those that were. */
  get ahead(): number {
    const { length } = this.found;
    return (FEW + this.read) * (Math.max(1, this.#window.limit - length) / Math.max(0.5, length));
  }

  /** The parts of the window that were not read. */
  get parts(): readonly WindowPart[] {
    return this.#parts;
  }

  /**
   * An estimate of the milliseconds to the last wanted occurrence, by those that were found; undefined before any was read.
   */
  get lengthAhead(): number | undefined {
    const { limit } = this.#window;
    const [begin, end] = [this.#begin, this.#parts[0]?.from ?? this.#begin];
    const { length } = this.found;
    return end > begin ? ((end - begin) * Math.max(1, limit - length)) / Math.max(0.5, length) : undefined;
  }

  /**
   * Reads at least `rows` more rows. Returns whether enough occurrences are found, or the window has ended. `some`: rows that all
   * wanted candidates are of.
   */
  goOn(rows: number, some?: ReadonlySet<number>): boolean {
    for (let left = rows; left > 0; ) {
      const [part] = this.#parts;
      if (part === undefined || this.found.length >= this.#window.limit) return true;
      if (part.of === 'long' && part.weekly !== undefined) {
        left -= this.#take(candidatesAt(this.#db, part, this.#asked));
        this.#parts.shift();
        continue;
      }
      const piece = pieceOf(part);
      if (piece === undefined) {
        this.#parts.shift();
        continue;
      }
      const isListed = some !== undefined && some.size < this.ahead && part.weekly === undefined;
      const farther = isListed ? Math.max(left, Math.min(MOST_LISTED * some.size, Math.ceil(MORE * this.ahead))) : left;
      const { read, end } = candidates(this.#db, piece, this.#asked, farther, isListed ? some : undefined);
      left -= this.#take(read, isListed ? farther : read.length);
      part.from = end;
    }
    return this.#parts.length === 0 || this.found.length >= this.#window.limit;
  }

  /** Adds the wanted candidates. Returns `count`, the number of rows that were read for them. */
  #take(read: readonly Candidate[], count = read.length): number {
    this.read += count;
    this.found.push(...rowsOf(this.#db, this.#wanted(read), this.#window));
    return count;
  }
}

/** The beginning of a part that is read at once: up to the end of the next time of the week. */
function pieceOf(part: WindowPart): WindowPart | undefined {
  const stretch = firstStretch(part);
  return stretch && { ...part, ...stretch };
}

/**
 * The parts of a window. Occurrences that end after `endsAfter` and began more than `LONG` before it are in the index of long
 * ones.
 */
function stagesOf({ from, to, endsAfter, weekly }: OccurrenceWindow): WindowPart[] {
  const times = weekly === undefined ? {} : { weekly };
  if (endsAfter === undefined) return [{ of: 'start', from, to, ...times }];
  const recent: Instant = Math.min(to, Math.max(from, endsAfter - LONG));
  const parts: WindowPart[] = [
    { of: 'long', from, to: recent, endsAfter, ...times },
    { of: 'start', from: recent, to, endsAfter, ...times },
  ];
  return parts.filter((part) => part.from < part.to);
}
