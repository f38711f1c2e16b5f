/** What moved, from who harvests to who serves: by a Redis or Valkey, or in memory of one process and its harvester. */

import type { Logger } from 'pino';
import type { SignedValue } from '../../cache/index.ts';
import type { Settings } from '../../config.ts';
import { LIMITS } from '../../limits.ts';
import { type Moved, movedIn, movedSchema, type Reader, withLater } from '../../store/index.ts';
import type { Io } from '../io.ts';
import { every } from '../serve/every.ts';

export interface MovedCache extends SignedValue<Moved> {
  close(): void;
}

/** `secret`: the store's. Undefined: nobody could find what this process puts in, and nobody else puts anything in. */
export async function openMoved(
  { cacheUrl, role }: Settings,
  secret: string | undefined,
  log: Logger,
  io: Io,
): Promise<MovedCache | undefined> {
  const how = { key: 'moved', schema: movedSchema, log, instead: 'the database is asked what moved' };
  if (cacheUrl !== undefined && secret !== undefined) {
    const { namespaceOf, openRedis, signedValue } = await import('../../cache/index.ts');
    const { keyv, ready, close } = openRedis(cacheUrl, namespaceOf(secret, how.key));
    return { ...signedValue(keyv, { ...how, secret, ready }), close };
  }
  if (role !== 'all' || io.parent !== undefined) return undefined;
  const [{ signedValue }, { Keyv }] = await Promise.all([import('../../cache/index.ts'), import('keyv')]);
  return { ...signedValue(new Keyv(), { ...how, secret: '' }), close: () => {} };
}

/**
 * Puts what moved, as it is committed, where it is found for a second; until stopped. Another version of the database is
 * what makes it read again.
 */
export function announceMoved(
  read: Reader,
  cache: Pick<SignedValue<Moved>, 'put'> & Partial<Pick<SignedValue<Moved>, 'get'>>,
  log: Logger,
  io: Io,
): Promise<void> {
  let known: { version: string; moved: Moved } | undefined;
  const turn = async (): Promise<void> => {
    const at = performance.now();
    const version = await read.version();
    if (known?.version !== version) {
      const moved = withLater(await movedIn(read, known?.moved), await cache.get?.());
      known = { version, moved };
    }
    // Who was stopped meanwhile puts in nothing of a time that is over.
    const left = Math.floor(LIMITS.movedKeepMs - (performance.now() - at));
    if (left > 0) await cache.put(known.moved, left);
  };
  return every(LIMITS.movedMs, turn, log, io);
}
