import { META, type Reader, type Store } from '../store/index.ts';
import type { Instant } from '../time/instant.ts';

/**
 * How often the rendering has changed, and when last. Other settings or another release make other octets of the same data.
 * Then the revision of every calendar moves by one (semantics 6: revisions move exactly when the octets change).
 */
export interface Epoch {
  rendering: string;
  count: number;
  at: Instant;
}

interface Rendering {
  rendering: string;
  now(): Instant;
}

/** The epoch, stored where it is new. An unchanged one is not written, for another process may be in a long transaction. */
export async function currentEpoch(store: Store, options: Rendering): Promise<Epoch> {
  const known = await readEpoch(store.read, options);
  if (known.isKept) return known.epoch;
  return store.write(async (tx) => {
    const { epoch, isKept } = await readEpoch(tx, options);
    if (!isKept) await tx.setMeta(META.rendering, JSON.stringify(epoch));
    return epoch;
  });
}

/** The epoch for a process that only reads: that of a writer with the same settings. `isKept`: whether it is stored. */
export async function readEpoch(
  read: Pick<Reader, 'meta'>,
  { rendering, now }: Rendering,
): Promise<{ epoch: Epoch; isKept: boolean }> {
  const text = await read.meta(META.rendering);
  const known = text === undefined ? undefined : (JSON.parse(text) as Epoch);
  if (known?.rendering === rendering) return { epoch: known, isKept: true };
  const epoch = known === undefined ? { count: 0, at: 0 } : { count: known.count + 1, at: now() };
  return { epoch: { rendering, ...epoch }, isKept: false };
}
