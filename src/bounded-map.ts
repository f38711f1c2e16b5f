/**
 * A map that holds at most so many bytes: it bounds memory, and is no fast path. What has not been asked for is let go first.
 *
 * Second chance instead of a strict least-recently-used order: a read only sets a flag, so that the path of a cached
 * answer never reorders the map. Keyv uses it as its store (`get`, `set`, `delete`, `clear`).
 */
export class BoundedMap<Value> {
  #entries = new Map<string, { value: Value; size: number; used: boolean }>();
  #bytes = 0;
  readonly #limit: number;
  readonly #weigh: (value: Value) => number;
  readonly #dropped: (key: string) => void;

  /** `dropped` hears of each key that is not here any more. */
  constructor(limitBytes: number, weigh: (value: Value) => number, dropped: (key: string) => void = () => {}) {
    this.#limit = limitBytes;
    this.#weigh = weigh;
    this.#dropped = dropped;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.value;
  }

  /** A value heavier than the whole map is not kept. */
  set(key: string, value: Value): boolean {
    this.delete(key);
    const size = this.#weigh(value);
    if (size > this.#limit) return false;
    this.#makeRoom(size);
    this.#entries.set(key, { value, size, used: false });
    this.#bytes += size;
    return true;
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#bytes -= entry.size;
    this.#dropped(key);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), (entry) => entry.value);
  }

  /** Oldest first; one that was read since goes to the end once more. Each turn removes an entry or clears a flag. */
  #makeRoom(size: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes + size <= this.#limit) return;
      this.#entries.delete(key);
      if (entry.used) {
        entry.used = false;
        this.#entries.set(key, entry);
      } else {
        this.#bytes -= entry.size;
        this.#dropped(key);
      }
    }
  }
}

/**
 * A pure function of an object that keeps its result for as long as the object is in use.
 *
 * @example const wordsOf = perObject((vocabulary: Vocabulary) => new Set(vocabulary.concepts.flatMap(labelsOf)))
 */
export function perObject<T extends object, R>(make: (of: T) => R): (of: T) => R {
  const made = new WeakMap<T, R>();
  return (of) => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const result = make(of);
    made.set(of, result);
    return result;
  };
}
