/** The newest versions, from harvesters to servers: through a Redis or Valkey, or in memory of a server with its harvester. */

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

/** Opens the cache of versions; undefined: this process has none to share. `secret`: the key of the store. */
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
 * Puts the committed versions into the cache for a second, again and again until stopped. They are read again only when the
 * version of the database has changed.
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
    // A process that was stopped meanwhile puts in no expired versions.
    const left = Math.floor(LIMITS.versionsKeepMs - (performance.now() - at));
    if (left > 0) await cache.put(known.versions, left);
  };
  return every({ task: 'to say what moved', ms: LIMITS.versionsMs, turn }, log, io);
}
