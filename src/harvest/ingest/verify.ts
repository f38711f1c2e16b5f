import { hash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, StoreError } from '../../errors.ts';
import { yieldToEventLoop } from '../../process/event-loop.ts';
import { makeFolder } from '../../process/folder.ts';
import {
  DAMAGED_DATA,
  type Difference,
  databaseAt,
  differences,
  isFullDisk,
  META,
  openStore,
  type Reader,
  rowBatches,
  type Store,
  type StoreDriver,
  type StorePlace,
  storeFile,
} from '../../store/index.ts';
import { useVocabularies } from '../../vocabulary/shipped.ts';
import type { IngestOptions } from './contract.ts';
import { rebuild } from './rebuild.ts';

/** The result of a verification. */
interface Verified {
  /** Addresses. */
  feeds: string[];
  items: number;
  differences: Difference[];
}

const BATCH = 500;
const EXAMPLES = 3;

/**
 * Makes all derived rows again from the raw items, in a copy, and compares them with the stored ones. The store itself is
 * only read, in one transaction, while other processes use it. `scratch`: a folder with room for two copies;
 * `prepare`: reads from the copy what `options` need.
 * @throws StoreError where the store cannot be read
 */
export async function verifyStore(
  place: StorePlace,
  scratch: string,
  options: IngestOptions,
  prepare: (copy: Store) => Promise<unknown>,
): Promise<Verified> {
  const database = databaseAt(place);
  // Before the copy, so that an error about a newer release names the store.
  await database.unready();
  const [stored, anew] = [join(scratch, 'stored'), join(scratch, 'anew')];
  try {
    makeFolder(stored);
    await database.copyTo(stored);
    makeFolder(anew);
    return await verifyCopy(stored, anew, database, options, prepare);
  } catch (error) {
    if (!isFullDisk(error)) throw error;
    throw new StoreError(
      `${dirname(scratch)}: the disk is full; it needs room for two copies of ${database.name}, and --scratch names another folder.`,
      { cause: error },
    );
  }
}

/** @throws StoreError that names the database, and not its copy */
async function verifyCopy(
  stored: string,
  anew: string,
  database: StoreDriver,
  options: IngestOptions,
  prepare: (copy: Store) => Promise<unknown>,
): Promise<Verified> {
  let step = 'its copy was opened';
  let copy: Store | undefined;
  try {
    // Both are of this release's schema.
    await (await openStore({ data: stored })).close();
    await copyFile(storeFile(stored), storeFile(anew));
    copy = await openStore({ data: anew });
    step = 'its raw items were read';
    const { items, damaged } = await rawItems(copy.read);
    const feeds = (await copy.read.feeds()).map(({ url }) => url);
    await prepare(copy);
    // Records cannot be made again from damaged items.
    if (damaged !== undefined) return { feeds, items, differences: [damaged] };
    step = 'everything was made again from its raw items';
    useVocabularies(await copy.read.meta(META.vocabularies));
    await rebuild(copy, options);
    step = 'it was compared with what its raw items make';
    return { feeds, items, differences: differences(storeFile(stored), storeFile(anew)) };
  } catch (error) {
    throw error instanceof StoreError && !isFullDisk(error) ? namedFault(error, step, database) : error;
  } finally {
    await copy?.close();
  }
}

function namedFault(error: StoreError, step: string, { name, backup }: StoreDriver): StoreError {
  const { trouble, cure, cause } = error;
  const words =
    trouble === undefined || trouble === 'damaged'
      ? `${trouble === 'damaged' ? 'it is damaged' : (cure ?? messageOf(cause ?? error))}; bring back a copy that ${backup} made`
      : 'the disk of its copy gave an error; --scratch names another folder';
  return new StoreError(`The database ${name} cannot be verified: while ${step}, ${words}.`, { cause: error, trouble });
}

/** Counts the live items, and compares their raw data with the stored hashes. */
async function rawItems(read: Reader): Promise<{ items: number; damaged?: Difference }> {
  const found: Difference = { what: 'raw items that are not what was harvested', count: 0, examples: [] };
  let items = 0;
  for await (const rows of rowBatches((after) => read.liveItems(after, BATCH))) {
    items += rows.length;
    const ids = rows.map(({ id }) => id);
    const raws = await readable(read, ids);
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

/** Raw data of the items that can be unpacked; beside a damaged item, each is read by itself. */
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
