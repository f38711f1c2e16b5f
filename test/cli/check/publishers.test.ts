import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { cli } from '../io.ts';
import { rig } from '../rig.ts';

const { path, serve } = rig();

const item = (kind: string, id: string, data: object, state = 'updated') => ({
  state,
  kind,
  id,
  modified: 1,
  ...(state === 'updated' && { data: { '@type': kind, ...data } }),
});
const pages = (name: string, items: object[]): Record<string, string> => ({
  [`/${name}`]: JSON.stringify({ items, next: `$/${name}?2`, license: 'https://creativecommons.org/licenses/by/4.0/' }),
  [`/${name}?2`]: JSON.stringify({ items: [], next: `$/${name}?2`, license: 'x' }),
});
const when = { startDate: '2027-02-01T18:00:00Z', duration: 'PT1H' };

const OF_PUBLISHERS = /^(claimed-by|series-of|facility-of)-another-publisher$|-not-here$/;

/** Findings about publishers, `A` and `B` for the origins of the two servers. */
async function checked(one: Record<string, string>, other: Record<string, string>, names: string[]): Promise<string[]> {
  const [a, b] = [await serve(one), await serve(other)];
  const filled = (text: string) => text.replaceAll('AAA', a.url).replaceAll('BBB', b.url);
  for (const feeds of [one, other]) for (const [key, text] of Object.entries(feeds)) feeds[key] = filled(text);
  const { out } = await cli(['check', '--format', 'jsonl', ...names.map(filled)]);
  const found = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { code: string; feed: string; item: string; message: string });
  return found
    .filter(({ code }) => OF_PUBLISHERS.test(code))
    .map(({ code, feed, item: of }) =>
      `${code} ${feed} ${of}`.replaceAll(a.url, 'A').replaceAll(b.url, 'B').replaceAll(/: .*/g, ''),
    );
}

const SERIES = item('SessionSeries', '1', { '@id': 'AAA/series/1', name: 'Yoga' });
const SESSION = item('ScheduledSession', '2', { '@id': 'BBB/session/2', superEvent: 'AAA/series/1', ...when });
const THEFT = item('SessionSeries', '9', { '@id': 'AAA/series/1', name: 'Mine' });
const SLOT = item('Slot', '3', { '@id': 'BBB/slot/3', facilityUse: 'AAA/facility/1', ...when });
const FACILITY = item('FacilityUse', '4', { '@id': 'AAA/facility/1', name: 'Court' });
const PLACE = item('SessionSeries', '5', {
  '@id': 'BBB/series/5',
  location: { '@type': 'Place', '@id': 'AAA/place/1', name: 'Hall', address: 'Street 1' },
});

describe('feeds of several origins are several publishers', () => {
  test.each<[string, object[], object[], string[]]>([
    ["a series that is another one's", [SERIES], [THEFT], ['claimed-by-another-publisher B/b SessionSeries 9']],
    ['the same, where its owner says nothing', [], [THEFT], ['claimed-by-another-publisher B/b SessionSeries 9']],
    ['a session of it', [SERIES], [SESSION], ['series-of-another-publisher B/b ScheduledSession 2']],
    ['a session of one that is not there', [], [SESSION], ['series-of-another-publisher B/b ScheduledSession 2']],
    ['a slot of a facility of it', [FACILITY], [SLOT], ['facility-of-another-publisher B/b Slot 3']],
    ['a place of it', [], [PLACE], ['claimed-by-another-publisher B/b SessionSeries 5']],
    ['one that was deleted', [SERIES], [THEFT, item('SessionSeries', '9', {}, 'deleted')], []],
    [
      'nothing of it',
      [SERIES],
      [item('ScheduledSession', '2', { '@id': 'BBB/2', superEvent: 'BBB/1', ...when })],
      ['series-not-here B/b ScheduledSession 2'],
    ],
  ])('%s', async (_name, one, other, expected) => {
    const found = await checked(pages('a', one), pages('b', other), ['AAA/a', 'BBB/b']);
    expect(found).toEqual(expected);
  });

  test('whichever is named first: an origin says whose an id is', async () => {
    const found = await checked(pages('a', [SERIES]), pages('b', [THEFT]), ['BBB/b', 'AAA/a']);
    expect(found).toEqual(['claimed-by-another-publisher B/b SessionSeries 9']);
  });

  test('feeds of one origin are one publisher', async () => {
    const both = { ...pages('a', [SERIES]), ...pages('b', [SESSION, THEFT]) };
    expect(await checked(both, {}, ['AAA/a', 'AAA/b'])).toEqual([]);
  });

  test('a file and a feed are two; two files are one', async () => {
    const own = item('SessionSeries', '1', { '@id': 'https://x.example/1', name: 'One' });
    for (const name of ['one.json', 'two.json']) await writeFile(path(name), JSON.stringify([own]));
    expect(await checked({}, {}, [path('one.json'), path('two.json')])).toEqual([]);
    const found = await checked(pages('a', [own]), {}, ['AAA/a', path('one.json')]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^claimed-by-another-publisher .*one\.json SessionSeries 1$/);
  });

  test('the feeds of a dataset are one publisher, wherever they are', async () => {
    const site = (url: string, feeds: string[]) => ({
      '@context': 'https://schema.org/',
      '@type': 'Dataset',
      url,
      distribution: feeds.map((contentUrl, index) => ({
        '@type': 'DataDownload',
        name: index === 0 ? 'SessionSeries' : 'ScheduledSession',
        contentUrl,
      })),
    });
    const page = (...sites: object[]) => ({ '/site': JSON.stringify(sites.length === 1 ? sites[0] : sites) });
    const [one, other] = [pages('a', [SERIES]), pages('b', [SESSION])];
    const joint = page(site('https://data.example/', ['AAA/a', 'BBB/b']));
    expect(await checked({ ...one, ...joint }, { ...other }, ['AAA/site'])).toEqual([]);
  });
});
