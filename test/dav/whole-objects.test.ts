import { expect, test } from 'vitest';
import { escapedObject } from '../../src/dav/query/whole-objects.ts';
import { escapedOctets } from '../../src/dav/xml/write.ts';
import { objectBytes } from '../../src/library/index.ts';
import type { ObjectMember } from '../../src/library/objects/types.ts';
import { sha256 } from '../../src/platform/hash.ts';
import { event } from './fake.ts';

/** Whole objects are kept as XML has them, within bounds. */

const START = Date.UTC(2026, 10, 23, 18);
const MB = 1024 * 1024;

function member(uid: string, description: string): ObjectMember {
  const events = [event(uid, START, { description })];
  const revision = { sequence: 0, modified: START };
  const etag = sha256(new TextDecoder().decode(objectBytes({ events, revision }))).slice(0, 22);
  return { name: `${uid}.ics`, uid, etag, revision, events };
}

const written = (one: ObjectMember): Uint8Array => escapedOctets(objectBytes(one));

test('an object is what it is when written, the first time and again', () => {
  const one = member('a', 'Yoga & <more> "here"');
  const first = escapedObject(one);
  expect(first).toEqual(written(one));
  expect(escapedObject({ ...one })).toBe(first);
});

test('another ETag is another object', () => {
  escapedObject(member('a', 'before'));
  const after = member('a', 'after');
  expect(new TextDecoder().decode(escapedObject(after))).toContain('after');
});

test('8 MB are kept, those that were made last', () => {
  const all = Array.from({ length: 300 }, (_, n) => member(`o${n}`, 'x'.repeat(40_000)));
  const made = all.map(escapedObject);
  expect(made).toEqual(all.map(written));
  // From the last one on: whatever is made again takes the place of the oldest.
  const kept = all.toReversed().filter((one, at) => escapedObject(one) === made.at(-1 - at));
  const octets = kept.reduce((sum, one) => sum + written(one).length, 0);
  expect(octets).toBeLessThanOrEqual(8 * MB);
  expect(octets).toBeGreaterThan(7 * MB);
  expect(kept).toEqual(all.slice(-kept.length).toReversed());
});

test('a large object is not kept', () => {
  const large = member('large', 'x'.repeat(70_000));
  expect(escapedObject(large)).toEqual(written(large));
  expect(escapedObject(large)).not.toBe(escapedObject(large));
});
