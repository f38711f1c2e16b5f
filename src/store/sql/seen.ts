import { type Database, upsert } from './database.ts';

/** Ids in a row: those of a page lie close together, and a row of half a kilobyte is cheap to write again. */
const CHUNK = 4096;

const SAVE = upsert('seen', ['feed', 'chunk'], ['feed', 'chunk', 'bits']);

/**
 * The items of a feed that a pass from its start has met, as bits. It bounds what a page writes, and is no fast path. A page
 * writes some hundred octets for any size of feed; a row for each item would be written and deleted again.
 */
export async function seenItems(db: Database, feed: number, ids: readonly number[]) {
  const chunks = new Map<number, Uint8Array>();
  const wanted = new Set(ids.map(chunkOf));
  const sql = 'SELECT s.chunk, s.bits FROM json_each(?) t CROSS JOIN seen s ON s.feed = ? AND s.chunk = t.value';
  for (const chunk of wanted) chunks.set(chunk, new Uint8Array(CHUNK / 8));
  for (const [chunk, bits] of await db.all(sql, JSON.stringify([...wanted]), feed))
    chunks.set(Number(chunk), bits as Uint8Array);
  const bitsOf = (chunk: number) => chunks.get(chunk) as Uint8Array;

  function has(id: number): boolean {
    const at = id % CHUNK;
    return ((bitsOf(chunkOf(id))[at >> 3] as number) & (1 << (at & 7))) !== 0;
  }

  async function add(): Promise<void> {
    const changed = new Set<number>();
    for (const id of ids) {
      if (has(id)) continue;
      const at = id % CHUNK;
      (bitsOf(chunkOf(id))[at >> 3] as number) |= 1 << (at & 7);
      changed.add(chunkOf(id));
    }
    const rows = [...changed].map((chunk) => [feed, chunk, bitsOf(chunk)]);
    await db.insert(SAVE, rows);
  }

  return { has, add };
}

const chunkOf = (id: number): number => Math.floor(id / CHUNK);
