/** The newest versions, from who harvests to who serves: by a Redis or Valkey, or in memory of one process and its harvester. */

import type { Logger } from 'pino';
import type { SignedValue } from '../../cache/index.ts';
import type { Settings } from '../../config.ts';
import { LIMITS } from '../../limits.ts';
import { type Reader, type StoreVersions, versionsIn, versionsSchema, withLater } from '../../store/index.ts';
import type { Io } from '../io.ts';
import { every } from '../serve/every.ts';

export interface VersionsCache extends SignedValue<StoreVersions> {
  close(): void;
}

/** `secret`: the store's. Undefined: nobody could find what this process puts in, and nobody else puts anything in. */
export async function openSharedVersions(
  { cacheUrl, role }: Settings,
  secret: string | undefined,
  log: Logger,
  io: Io,
): Promise<VersionsCache | undefined> {
  const how = { key: 'moved', schema: versionsSchema, log, instead: 'the database is asked what moved' };
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
 * Puts the committed versions where they are found for a second; until stopped. Another version of the database makes it
 * read them again.
 */
export function announceVersions(
  read: Reader,
  cache: Pick<SignedValue<StoreVersions>, 'put'> & Partial<Pick<SignedValue<StoreVersions>, 'get'>>,
  log: Logger,
  io: Io,
): Promise<void> {
  let known: { version: string; versions: StoreVersions } | undefined;
  const turn = async (): Promise<void> => {
    const at = performance.now();
    const version = await read.version();
    if (known?.version !== version) {
      const versions = withLater(await versionsIn(read, known?.versions), await cache.get?.());
      known = { version, versions };
    }
    // Who was stopped meanwhile puts in nothing of a time that is over.
    const left = Math.floor(LIMITS.versionsKeepMs - (performance.now() - at));
    if (left > 0) await cache.put(known.versions, left);
  };
  return every({ task: 'to say what moved', ms: LIMITS.versionsMs, turn }, log, io);
}
