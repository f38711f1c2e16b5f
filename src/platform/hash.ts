import { hash } from 'node:crypto';

/**
 * SHA-256 of a text's UTF-8 octets, by Node: a seventh of the time that one written in JavaScript takes, and ingest asks
 * for several an item. In a bundle for browsers `hash-browser.ts` takes the place of this file (`browser` in package.json).
 */
export function sha256(text: string, encoding: 'hex' | 'base64url' = 'hex'): string {
  return hash('sha256', text, encoding);
}
