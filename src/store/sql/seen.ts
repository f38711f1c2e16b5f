import { type Database, upsert } from './database.ts';

/** Ids in a row: those of a page lie close together, and a row of half a kilobyte is cheap to write again. */
const CHUNK = 4096;

const SAVE = upsert('seen', ['feed', 'chunk'], ['feed', 'chunk', 'bits']);

/**
 * The items of a feed that a pass from its start has met, as bits. It bounds what a page writes, and is no fast path. A page
 * writes some hundred octets for any size of feed; a row for each item would be written and deleted again.
 */
export class Seen {
  readonly #db: Database;
  readonly #feed: number;
  readonly #chunks = new Map<number, Uint8Array>();

  private constructor(db: Database, feed: number) {
    this.#db = db;
    this.#feed = feed;
  }

  /** Reads the bits of these items. */
  static async of(db: Database, feed: number, ids: readonly number[]): Promise<Seen> {
    const seen = new Seen(db, feed);
    const wanted = new Set(ids.map(chunkOf));
    const sql = 'SELECT s.chunk, s.bits FROM json_each(?) t CROSS JOIN seen s ON s.feed = ? AND s.chunk = t.value';
    for (const chunk of wanted) seen.#chunks.set(chunk, new Uint8Array(CHUNK / 8));
    for (const [chunk, bits] of await db.all(sql, JSON.stringify([...wanted]), feed))
      seen.#chunks.set(Number(chunk), bits as Uint8Array);
    return seen;
  }

  has(id: number): boolean {
    const at = id % CHUNK;
    return ((this.#bits(chunkOf(id))[at >> 3] as number) & (1 << (at & 7))) !== 0;
  }

  async add(ids: readonly number[]): Promise<void> {
    const changed = new Set<number>();
    for (const id of ids) {
      if (this.has(id)) continue;
      const at = id % CHUNK;
      (this.#bits(chunkOf(id))[at >> 3] as number) |= 1 << (at & 7);
      changed.add(chunkOf(id));
    }
    const rows = [...changed].map((chunk) => [this.#feed, chunk, this.#bits(chunk)]);
    await this.#db.insert(SAVE, rows);
  }

  #bits(chunk: number): Uint8Array {
    return this.#chunks.get(chunk) as Uint8Array;
  }
}

const chunkOf = (id: number): number => Math.floor(id / CHUNK);
