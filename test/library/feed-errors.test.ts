import { expect, test } from 'vitest';
import { shownText } from '../../src/store/shown-feed.ts';

/** What anybody may see of an error: the server's name alone, unless the feed is listed anyway. */

const SECRET = 'https://key@data.example:8443/v1/secret/feed?key=abc';

test.each([
  [`${SECRET}: there is no host of this name`, 'https://data.example:8443: there is no host of this name'],
  [`What is at ${SECRET}.`, 'What is at https://data.example:8443.'],
  [`(${SECRET}), again`, '(https://data.example:8443), again'],
  ['ENOENT: "/srv/feeds/key.json"', 'ENOENT: "/…"'],
  ['http://: nothing', 'an address that cannot be read: nothing'],
  ['no address', 'no address'],
])('%s', (text, shown) => {
  expect(shownText(text, { listed: false })).toBe(shown);
  expect(shownText(text, { listed: true })).toBe(text);
});
