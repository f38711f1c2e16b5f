/**
 * Values that processes share through Keyv, in memory or in a Redis or Valkey (decision 3). A value may be lost at any time,
 * and each reader can compute it. A cache that fails or is slow makes no reader fail, and delays it by half a second at most.
 *
 * A stranger who can write to that server must not be able to forge values. Each value carries a MAC with a key that only
 * the store has, and a value without a valid MAC is a miss.
 */

export { type CacheLog, LateError, onceUntilWell, withinTime } from './patience.ts';
export { openRedis, storeAsJson } from './redis.ts';
export { isSameDigest, macOf, namespaceOf } from './signature.ts';
export { type SignedValue, signedValue } from './signed-value.ts';
