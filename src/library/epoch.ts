import { META, type Reader, type Store } from '../store/index.ts';
import type { Instant } from '../time/instant.ts';

/**
 * How often the rendering has changed, and when last. Other settings or another release make other bytes of the same data:
 * every calendar is then one revision on (semantics 6: revisions move exactly when what would be served changes).
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

/** Where nothing has changed nothing is written: another process may be in the middle of a long transaction. */
export async function currentEpoch(store: Store, options: Rendering): Promise<Epoch> {
  const known = await readEpoch(store.read, options);
  if (known.isKept) return known.epoch;
  return store.write(async (tx) => {
    const { epoch, isKept } = await readEpoch(tx, options);
    if (!isKept) await tx.setMeta(META.rendering, JSON.stringify(epoch));
    return epoch;
  });
}

/** The epoch for a process that only reads: the one that a writer with the same settings would keep. */
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
