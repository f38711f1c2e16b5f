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

/** Where nothing has changed nothing is written: another process may be in the middle of a long transaction. */
export async function currentEpoch(
  store: Store,
  { rendering, now }: { rendering: string; now(): Instant },
): Promise<Epoch> {
  const known = epochIn(await store.read.meta(META.rendering));
  if (known?.rendering === rendering) return known;
  return store.write(async (tx) => {
    const before = epochIn(await tx.meta(META.rendering));
    if (before?.rendering === rendering) return before;
    const epoch = epochAfter(before, rendering, now);
    await tx.setMeta(META.rendering, JSON.stringify(epoch));
    return epoch;
  });
}

/** The same for who may not write: what a process that writes is about to keep, if it has the same settings. */
export async function readEpoch(
  read: Pick<Reader, 'meta'>,
  { rendering, now }: { rendering: string; now(): Instant },
): Promise<{ epoch: Epoch; isKept: boolean }> {
  const known = epochIn(await read.meta(META.rendering));
  if (known?.rendering === rendering) return { epoch: known, isKept: true };
  return { epoch: epochAfter(known, rendering, now), isKept: false };
}

function epochAfter(before: Epoch | undefined, rendering: string, now: () => Instant): Epoch {
  if (before === undefined) return { rendering, count: 0, at: 0 };
  return { rendering, count: before.count + 1, at: now() };
}

function epochIn(text: string | undefined): Epoch | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Epoch);
}
