/**
 * What processes give each other through Keyv, in memory or in a Redis or Valkey (decision 3). All of it may be lost at any
 * time: whoever asks has another way to know. Nothing here fails who asks, or holds it up.
 *
 * Whoever can write to that server must not be able to make answers. Each value carries a MAC with a key that only the store
 * has, and a value that no process of this store has made is a miss.
 */

export { type CacheLog, LateError, onceUntilWell, withinTime } from './patience.ts';
export { openRedis, storeAsJson } from './redis.ts';
export { isSameDigest, macOf, namespaceOf } from './signature.ts';
export { type SignedValue, signedValue } from './signed-value.ts';
