import { hash } from 'node:crypto';

/**
 * The short public key of an object, for addresses: 80 bits of SHA-256 over kind and id, as 16 characters [a-z2-7].
 * Stable for ever: calendars are subscribed at addresses made of it.
 */
export function keyOf(kind: string, id: string): string {
  const bytes = Buffer.from(hash('sha256', `${kind}\n${id}`, 'hex').slice(0, 20), 'hex');
  let key = '';
  for (let bit = 0; bit < 80; bit += 5) {
    const pair = ((bytes[bit >> 3] as number) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    key += 'abcdefghijklmnopqrstuvwxyz234567'[(pair >> (11 - (bit & 7))) & 31];
  }
  return key;
}

/** An id in the form ids are compared in: percent-decoded (semantics 1). */
export function identOf(id: string): string {
  if (!id.includes('%')) return id;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
