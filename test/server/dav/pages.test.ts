import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DavRig, davServed, listOf, namesWithin, placePath, propfind, seriesKey, weekly } from '../../dav/rig.ts';

/** The addresses that pages show are those that CalDAV answers. */

let one: DavRig;
beforeAll(async () => {
  one = await davServed();
  await one.feed(weekly('a'));
});
afterAll(() => one.close());

test.each<[page: string, address: string]>([
  [`/series/${seriesKey('a')}`, `/dav/series/${seriesKey('a')}/`],
  [placePath.slice('/dav'.length, -1), placePath],
  ['/search?q=yoga&day=tue', '/dav/search/day%3Dtue%26q%3Dyoga/'],
])('%s shows %s', async (page, address) => {
  const shown = /value="https:\/\/c\.example(\/dav\/[^"]*)"/.exec(await one.text(page))?.[1];
  expect(shown).toBe(address);
  const body = propfind('<D:prop><D:resourcetype/></D:prop>');
  const { responses } = await one.ask('PROPFIND', address, { depth: '0', body });
  expect(namesWithin(responses.get(address)?.props.get(200)?.get('resourcetype'))).toContain('calendar');
});

test('a search has a home of its own, and a calendar in it under a short name', async () => {
  const home = `/dav/my/${listOf('search?q=yoga')}/`;
  const { responses } = await one.ask('PROPFIND', home, {
    depth: '1',
    body: propfind('<D:prop><D:displayname/></D:prop>'),
  });
  const [, calendar] = [...responses.keys()];
  expect(calendar).toMatch(new RegExp(`^${home}search-[0-9a-f]{16}/$`));
  const listed = await one.ask('PROPFIND', calendar ?? '', {
    depth: '1',
    body: propfind('<D:prop><D:getetag/></D:prop>'),
  });
  expect(listed.responses.size).toBeGreaterThan(1);
});
