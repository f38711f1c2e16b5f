import { createHmac, timingSafeEqual } from 'node:crypto';

/** By what a process knows values that another process of the same store has made. */

/**
 * HMAC-SHA-256 of the parts as a JSON list, in base64url.
 *
 * @example macOf(secret, 'series/abc', 7)
 */
export function macOf(secret: string, ...parts: readonly (string | number)[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
}

/** Compares two digests in a time that does not depend on how many octets are equal. */
export function isSameDigest(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Stores that share a server by mistake do not overwrite each other's values for ever. `purpose`: what shapes the values. */
export function namespaceOf(secret: string, purpose: string): string {
  const apart = createHmac('sha256', secret).update(purpose).digest('base64url').slice(0, 22);
  return `openactive-ical:${apart}`;
}
