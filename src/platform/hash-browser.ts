import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();

/** SHA-256 of a text's UTF-8 octets where there is no Node, and no time to wait for Web Crypto, which answers later. */
export function sha256(text: string, encoding: 'hex' | 'base64url' = 'hex'): string {
  const octets = digest(encoder.encode(text));
  return encoding === 'hex' ? bytesToHex(octets) : base64url(octets);
}

function base64url(octets: Uint8Array): string {
  return btoa(String.fromCharCode(...octets))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
