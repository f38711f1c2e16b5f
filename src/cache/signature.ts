import { createHmac, timingSafeEqual } from 'node:crypto';

/** MACs, by which a process recognises values of processes with the same store. */

/**
 * HMAC-SHA-256 of the parts as a JSON list, in base64url.
 *
 * @example macOf(secret, 'series/abc', 7)
 */
export function macOf(secret: string, ...parts: readonly (string | number)[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
}

/** Compares two digests in a time that does not depend on how many octets are equal. */
export function isSameDigest(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A namespace by store and purpose, so that stores on one server do not overwrite each other's values. */
export function namespaceOf(secret: string, purpose: string): string {
  const apart = createHmac('sha256', secret).update(purpose).digest('base64url').slice(0, 22);
  return `openactive-ical:${apart}`;
}
