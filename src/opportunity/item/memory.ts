import type { JsonObject } from './json.ts';
import type { RankedRecord, Traced } from './ranked-record.ts';

/**
 * What objects say that come again and again: the same place and the same organiser are embedded in hundreds of items.
 * An object that is equal to an earlier one is not read again: what was made of it is given out once more, and what
 * was found odd in it is noted once more. Results are the same with and without a memory.
 */
export class Memory {
  #young = new Map<string, Remembered>();
  #old = new Map<string, Remembered>();
  #size = 0;

  get(key: string): Remembered | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** What nobody has asked for since half of the room was filled is forgotten. */
  set(key: string, one: Remembered): void {
    if (this.#size + one.size > HALF) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = 0;
    }
    this.#size += one.size;
    this.#young.set(key, one);
  }
}

/** Values and characters of what is remembered, half of it: some megabytes in all. */
const HALF = 1_000_000;

/** One object, and all that came of it. */
interface Remembered {
  value: JsonObject;
  size: number;
  result: unknown;
  records: readonly RankedRecord[];
  notes: readonly Traced[];
}
