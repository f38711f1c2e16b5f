/**
 * A map that holds at most so many bytes: it bounds memory, and is no fast path. What has not been asked for is let go first.
 *
 * Second chance instead of a strict least-recently-used order: a read only sets a flag, so that the path of a cached
 * answer never reorders the map. Keyv uses it as its store (`get`, `set`, `delete`, `clear`).
 */
export class BoundedMap<Value> {
  #slots = new Map<string, { value: Value; size: number; used: boolean }>();
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
    return this.#slots.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    slot.used = true;
    return slot.value;
  }

  /** A value heavier than the whole map is not kept. */
  set(key: string, value: Value): boolean {
    this.delete(key);
    const size = this.#weigh(value);
    if (size > this.#limit) return false;
    this.#makeRoom(size);
    this.#slots.set(key, { value, size, used: false });
    this.#bytes += size;
    return true;
  }

  delete(key: string): boolean {
    const slot = this.#slots.get(key);
    if (slot === undefined) return false;
    this.#bytes -= slot.size;
    this.#dropped(key);
    return this.#slots.delete(key);
  }

  clear(): void {
    this.#slots.clear();
    this.#bytes = 0;
  }

  values(): Value[] {
    return Array.from(this.#slots.values(), (slot) => slot.value);
  }

  /** Oldest first; one that was read since goes to the end once more. Each turn removes a slot or clears a flag. */
  #makeRoom(size: number): void {
    for (const [key, slot] of this.#slots) {
      if (this.#bytes + size <= this.#limit) return;
      this.#slots.delete(key);
      if (slot.used) {
        slot.used = false;
        this.#slots.set(key, slot);
      } else {
        this.#bytes -= slot.size;
        this.#dropped(key);
      }
    }
  }
}
