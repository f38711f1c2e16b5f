import type { Instant } from '../../../time/instant.ts';
import type { FoundOccurrence, OccurrenceWindow } from '../../contract/index.ts';
import { firstStretch } from '../../sql/search/weeks.ts';
import type { Connection } from '../connection.ts';
import { type Candidate, candidates, type Index, LONG, type Part, rowsOf } from './dated-rows.ts';

/** Which series are wanted, of some. */
type Among = (series: Iterable<number>) => (series: number) => boolean;

const ALL = Number.MAX_SAFE_INTEGER;
/** Before any was read. */
const FEW = 4;

/** Everything that starts in a window, from its beginning on, as far as one goes. */
export class Walk {
  readonly found: FoundOccurrence[] = [];
  readonly #db: Connection;
  readonly #among: Among;
  readonly #window: OccurrenceWindow;
  readonly #parts: Part[];
  /** Read first: it goes less far with as many rows. */
  #dense: Index = 'sessions';
  /** Rows that were checked. */
  read = 0;

  constructor(db: Connection, among: Among, window: OccurrenceWindow) {
    this.#db = db;
    this.#among = among;
    this.#window = window;
    this.#parts = stagesOf(window);
  }

  /** Rows that are still to be read, as far as those that were tell. */
  get ahead(): number {
    const { length } = this.found;
    return (FEW + this.read) * (Math.max(1, this.#window.limit - length) / Math.max(0.5, length));
  }

  /** So many rows farther, at least; true: enough are found, or there are no more. */
  goOn(rows: number): boolean {
    for (let left = rows; left > 0; ) {
      const [part] = this.#parts;
      if (part === undefined || this.found.length >= this.#window.limit) return true;
      const piece = pieceOf(part);
      if (piece === undefined) {
        this.#parts.shift();
        continue;
      }
      const step = candidates(this.#db, piece, rows, this.#dense);
      this.#dense = step.dense;
      // Where everything that was read starts together, all of that is read, and nothing beyond it.
      const isOne = step.end === piece.from;
      const { read, count, end } = isOne
        ? candidates(this.#db, { ...piece, to: piece.from + 1 }, ALL, this.#dense)
        : step;
      this.#take(read.filter(({ start }) => start < end));
      left -= count;
      part.from = end;
    }
    return this.#parts.length === 0 || this.found.length >= this.#window.limit;
  }

  #take(read: readonly Candidate[]): void {
    this.read += read.length;
    const isWanted = this.#among(read.map(({ series }) => series));
    const wanted = read.filter(({ series }) => isWanted(series));
    this.found.push(...rowsOf(this.#db, wanted, this.#window));
  }
}

/** What is read of a part at once: no times of a week between those that are wanted. */
function pieceOf(part: Part): Part | undefined {
  const stretch = firstStretch(part);
  return stretch && { ...part, ...stretch };
}

/** What ends after an instant and began hours before it is found by an index of what is on for long. */
export function stagesOf({ from, to, endsAfter, weekly }: OccurrenceWindow): Part[] {
  const times = weekly === undefined ? {} : { weekly };
  if (endsAfter === undefined) return [{ of: 'start', from, to, ...times }];
  const recent: Instant = Math.min(to, Math.max(from, endsAfter - LONG));
  const parts: Part[] = [
    { of: 'long', from, to: recent, endsAfter, ...times },
    { of: 'start', from: recent, to, endsAfter, ...times },
  ];
  return parts.filter((part) => part.from < part.to);
}
