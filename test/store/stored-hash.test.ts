import { describe, expect, it } from 'vitest';
import {
  decodeEvents,
  decodeHash,
  decodeHeader,
  encodeEvents,
  encodeHash,
  encodeHeader,
  HIDDEN,
  IN_SESSIONS,
  isShown,
  NO_HASH,
  type StoredEvents,
  type StoredHash,
} from '../../src/store/contract/stored-hash.ts';

const DEFERRED = { kind: 'deferred', since: '2026-06-01' } as const;

const HASHES: readonly (readonly [text: string | undefined, stored: StoredHash, shown: boolean])[] = [
  [undefined, NO_HASH, false],
  ['', HIDDEN, false],
  ['n4bQgYhMfWWaL-qgxVrQFaO_Txs', { kind: 'hash', hash: 'n4bQgYhMfWWaL-qgxVrQFaO_Txs' }, true],
  ['?20605', DEFERRED, true],
];

const EVENTS: readonly (readonly [text: string | undefined, stored: StoredEvents])[] = [
  [undefined, IN_SESSIONS],
  ['{"a":["b",1,2]}', { kind: 'stamps', json: '{"a":["b",1,2]}' }],
  ['?20605', DEFERRED],
];

describe('the text of stored hashes', () => {
  it.each(HASHES)('of a session: %s', (text, stored, shown) => {
    expect(decodeHash(text)).toEqual(stored);
    expect(encodeHash(stored)).toBe(text ?? null);
    expect(isShown(stored)).toBe(shown);
  });

  it.each(EVENTS)('of all events of a calendar: %s', (text, stored) => {
    expect(decodeEvents(text)).toEqual(stored);
    expect(encodeEvents(stored)).toBe(text ?? null);
  });

  it.each([
    ['', ''],
    ['one two', 'one two'],
    ['?', undefined],
  ])('of a header: %s', (text, header) => {
    expect(decodeHeader(text)).toBe(header);
    expect(encodeHeader(header)).toBe(text);
  });
});
