import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/platform/hash.ts';
import { sha256 as inBrowser } from '../../src/platform/hash-browser.ts';

/** Calendars are subscribed at addresses made of digests: a browser must make the very same ones. */

test('is SHA-256 (FIPS 180-2, B.1)', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect([sha256('abc'), inBrowser('abc')]).toEqual([digest, digest]);
  expect(sha256('abc', 'base64url')).toBe(Buffer.from(digest, 'hex').toString('base64url'));
});

test('is the same in a browser, of every text', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('a', 'é', '\ud800', '🏸') }));
  fc.assert(
    fc.property(text, fc.constantFrom('hex', 'base64url'), (value, encoding) => {
      expect(inBrowser(value, encoding)).toBe(sha256(value, encoding));
    }),
  );
});
