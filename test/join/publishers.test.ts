import { describe, expect, test } from 'vitest';
import { type KnownFeed, NO_RIGHT, originOf, Publishers } from '../../src/join/publishers.ts';

test.each([
  ['https://x.example/1', 'x.example'],
  ['https://x.example:443/1', 'x.example'],
  ['http://x.example:80/1', 'x.example'],
  ['https://x.example:80/1', 'x.example:80'],
  ['http://x.example:443/1', 'x.example:443'],
  ['HTTPS://me:secret@X.example:8443?a#b', 'x.example:8443'],
  ['urn:openactive-ical:/data/feeds#1', 'urn:openactive-ical:/data/feeds'],
  ['urn:uuid:1', undefined],
])('the origin of %s is %s', (id, origin) => {
  expect(originOf(id)).toBe(origin);
});

const feed = (id: number, publisherId: number, path = String(id)): KnownFeed => ({
  id,
  url: `https://x.example/${path}`,
  publisherId,
});

describe('publishers', () => {
  test('are none for feeds that are being forgotten', () => {
    const known = new Publishers([feed(1, 0), feed(2, 7)]);
    expect(known.ids()).toEqual([7]);
    expect(known.idOf('https://x.example/1')).toBeUndefined();
    expect(known.order('https://x.example/1', 'https://x.example/a')).toBe(NO_RIGHT);
    expect(known.mayName(0, 'https://x.example/a')).toBe(false);
  });

  test('have one fingerprint in whichever order their feeds come', () => {
    const feeds = [feed(1, 7), feed(2, 8), feed(3, 9)];
    expect(new Publishers(feeds.toReversed()).fingerprint).toBe(new Publishers(feeds).fingerprint);
    expect(new Publishers(feeds.slice(1)).fingerprint).not.toBe(new Publishers(feeds).fingerprint);
  });
});
