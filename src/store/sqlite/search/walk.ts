import type { Instant } from '../../../time/instant.ts';
import type { FoundOccurrence, OccurrenceWindow } from '../../contract/index.ts';
import { firstStretch } from '../../sql/search/weeks.ts';
import type { Connection } from '../connection.ts';
import { type Asked, type Candidate, candidates, candidatesAt, LONG, rowsOf, type WindowPart } from './dated-rows.ts';

/** Which are wanted, of some. */
type Wanted = (read: readonly Candidate[]) => readonly Candidate[];

/** Rows that are left out while a series is listed for it. A list that is longer than the rest of the walk costs more than it saves. */
const MOST_LISTED = 16;
/** How many times the rows ahead are read at once: they are an estimate. */
export const MORE = 1.5;
/** Before any was read. */
const FEW = 4;

/** Everything that starts in a window, from its beginning on, as far as one goes. */
export class Walk {
  readonly found: FoundOccurrence[] = [];
  readonly #db: Connection;
  readonly #asked: Asked;
  readonly #wanted: Wanted;
  readonly #window: OccurrenceWindow;
  readonly #parts: WindowPart[];
  /** Where the part of the window begins in which things start. */
  readonly #begin: Instant;
  /** Rows that were checked. */
  read = 0;

  constructor(db: Connection, asked: Asked, wanted: Wanted, window: OccurrenceWindow) {
    this.#db = db;
    this.#asked = asked;
    this.#wanted = wanted;
    this.#window = window;
    this.#parts = stagesOf(window);
    this.#begin = this.#parts.find(({ of }) => of === 'start')?.from ?? window.to;
  }

  /** Rows that are still to be read, as far as those that were tell. */
  get ahead(): number {
    const { length } = this.found;
    return (FEW + this.read) * (Math.max(1, this.#window.limit - length) / Math.max(0.5, length));
  }

  /** What was not read. */
  get parts(): readonly WindowPart[] {
    return this.#parts;
  }

  /** Milliseconds to the last occurrence that is wanted, estimated by those that were found; undefined: nothing was read. */
  get lengthAhead(): number | undefined {
    const { limit } = this.#window;
    const [begin, end] = [this.#begin, this.#parts[0]?.from ?? this.#begin];
    const { length } = this.found;
    return end > begin ? ((end - begin) * Math.max(1, limit - length)) / Math.max(0.5, length) : undefined;
  }

  /** Reads so many rows farther, at least; true: enough are found, or there are no more. `some`: all that is wanted is of these. */
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

  /** Adds what is found among candidates. `count`: the rows that were read for them, which is returned. */
  #take(read: readonly Candidate[], count = read.length): number {
    this.read += count;
    this.found.push(...rowsOf(this.#db, this.#wanted(read), this.#window));
    return count;
  }
}

/** What is read of a part at once: no times of a week between those that are wanted. */
function pieceOf(part: WindowPart): WindowPart | undefined {
  const stretch = firstStretch(part);
  return stretch && { ...part, ...stretch };
}

/** What ends after an instant and began hours before it is found by an index of what is on for long. */
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
