import { hash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../../errors.ts';
import { yieldToEventLoop } from '../../process/event-loop.ts';
import { makeFolder } from '../../process/folder.ts';
import {
  DAMAGED_DATA,
  type Difference,
  databaseAt,
  differences,
  META,
  openStore,
  type Reader,
  rowBatches,
  type Store,
  type StorePlace,
  storeFile,
} from '../../store/index.ts';
import { useVocabularies } from '../../vocabulary/shipped.ts';
import type { IngestOptions } from './contract.ts';
import { rebuild } from './rebuild.ts';

/** What was compared, and what differs. */
interface Verified {
  /** Addresses. */
  feeds: string[];
  items: number;
  differences: Difference[];
}

const BATCH = 500;
const EXAMPLES = 3;

/**
 * Everything that is derived made again from the raw items, in a copy, and compared with what is stored. The store itself is
 * only read, in one transaction: whoever uses it goes on. `scratch`: a folder with room for two copies;
 * `prepare`: what `options` need of a store.
 * @throws StoreError where what is stored cannot be read
 */
export async function verifyStore(
  place: StorePlace,
  scratch: string,
  options: IngestOptions,
  prepare: (copy: Store) => Promise<unknown>,
): Promise<Verified> {
  const [stored, anew] = [join(scratch, 'stored'), join(scratch, 'anew')];
  // A store of a newer release is refused by its own name, and not by that of its copy.
  await databaseAt(place).unready();
  makeFolder(stored);
  await databaseAt(place).copyTo(stored);
  makeFolder(anew);
  // Both are of this release's schema.
  await (await openStore({ data: stored })).close();
  await copyFile(storeFile(stored), storeFile(anew));
  const copy = await openStore({ data: anew });
  try {
    const { items, damaged } = await rawItems(copy.read);
    const feeds = (await copy.read.feeds()).map(({ url }) => url);
    await prepare(copy);
    // What cannot be read cannot be made again.
    if (damaged !== undefined) return { feeds, items, differences: [damaged] };
    useVocabularies(await copy.read.meta(META.vocabularies));
    await rebuild(copy, options);
    return { feeds, items, differences: differences(storeFile(stored), storeFile(anew)) };
  } finally {
    await copy.close();
  }
}

/** Every raw item against the hash that was stored with it. */
async function rawItems(read: Reader): Promise<{ items: number; damaged?: Difference }> {
  const found: Difference = { what: 'raw items that are not what was harvested', count: 0, examples: [] };
  let items = 0;
  for await (const rows of rowBatches((after) => read.liveItems(after, BATCH))) {
    items += rows.length;
    const raws = await readable(
      read,
      rows.map(({ id }) => id),
    );
    for (const { id, kind, rpdeId, hash: before } of rows) {
      const raw = raws.get(id);
      if (raw !== undefined && (before === DAMAGED_DATA || hash('sha1', raw, 'base64') === before)) continue;
      found.count += 1;
      if (found.examples.length < EXAMPLES) found.examples.push(`${kind} ${rpdeId}`);
    }
    await yieldToEventLoop();
  }
  return { items, ...(found.count > 0 && { damaged: found }) };
}

/** One that cannot be unpacked keeps no other from being read. */
async function readable(read: Reader, items: readonly number[]): Promise<Map<number, string>> {
  try {
    return await read.raw(items);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (items.length === 1) return new Map();
    const each = await Promise.all(items.map((item) => readable(read, [item])));
    return new Map(each.flatMap((found) => [...found]));
  }
}
