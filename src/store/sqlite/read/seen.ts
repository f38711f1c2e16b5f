import type { Connection } from '../connection.ts';

/** Ids to a row: the items of a page lie close together, and a row of half a kilobyte is cheap to write again. */
const CHUNK = 4096;

/**
 * Which items of a feed a pass from its start has met, as bits. It bounds what a page writes, and is no fast path: some hundred
 * bytes whatever the feed's size, where a row for each item would be written and deleted again.
 */
export class Seen {
  readonly #db: Connection;
  readonly #feed: number;
  readonly #chunks = new Map<number, Uint8Array>();

  constructor(db: Connection, feed: number) {
    this.#db = db;
    this.#feed = feed;
  }

  has(id: number): boolean {
    const at = id % CHUNK;
    return ((this.#bits(Math.floor(id / CHUNK))[at >> 3] as number) & (1 << (at & 7))) !== 0;
  }

  add(ids: readonly number[]): void {
    const moved = new Set<number>();
    for (const id of ids) {
      if (this.has(id)) continue;
      const chunk = Math.floor(id / CHUNK);
      const at = id % CHUNK;
      (this.#bits(chunk)[at >> 3] as number) |= 1 << (at & 7);
      moved.add(chunk);
    }
    const sql = 'INSERT OR REPLACE INTO seen (feed, chunk, bits) VALUES (?, ?, ?)';
    for (const chunk of moved) this.#db.run(sql, this.#feed, chunk, this.#bits(chunk));
  }

  #bits(chunk: number): Uint8Array {
    let bits = this.#chunks.get(chunk);
    if (bits === undefined) {
      const row = this.#db.get('SELECT bits FROM seen WHERE feed = ? AND chunk = ?', this.#feed, chunk);
      bits = (row?.[0] as Uint8Array | undefined) ?? new Uint8Array(CHUNK / 8);
      this.#chunks.set(chunk, bits);
    }
    return bits;
  }
}
