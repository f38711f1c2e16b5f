import { describe, expect, test } from 'vitest';
import { chooseFeeds, feedKey } from '../../../src/harvest/discovery/choose.ts';
import type { Dataset, DatasetFeed } from '../../../src/harvest/discovery/site.ts';
import { LIMITS } from '../../../src/limits.ts';
import { FEED_TYPES, USUAL_FEED_TYPES } from '../../../src/opportunity/feed-types.ts';

const dataset = (name: string, feeds: DatasetFeed[], more: Partial<Dataset> = {}): Dataset => ({
  name,
  url: `https://${name}.example/`,
  publisher: `${name} Ltd`,
  license: 'https://creativecommons.org/licenses/by/4.0/',
  feeds,
  others: [],
  ...more,
});
const feed = (url: string, type?: DatasetFeed['type']): DatasetFeed => ({ url, type, name: type });
const USUAL = new Set(USUAL_FEED_TYPES);

describe('which feeds are read', () => {
  test('those of the types asked for, and those of no known type; the others are named', () => {
    const one = dataset(
      'one',
      [
        ...FEED_TYPES.map((type) => feed(`https://f.example/${type}`, type)),
        { url: 'https://f.example/new', name: 'Something new' },
      ],
      { others: ['As CSV'] },
    );
    const { feeds, leftOut } = chooseFeeds([one], USUAL);
    expect(feeds.map(({ url }) => url.slice(18))).toEqual([...USUAL_FEED_TYPES, 'new']);
    expect([...leftOut]).toEqual([
      ['Slot', ['one: Slot']],
      ['OnDemandEvent', ['one: OnDemandEvent']],
      ['not an RPDE feed', ['one: As CSV']],
    ]);
    expect(chooseFeeds([one], new Set(['Slot'])).feeds.map(({ meta }) => meta.name)).toEqual([
      'one: Slot',
      'one: Something new',
    ]);
  });

  test('name, publisher, whose it is and where attribution leads come from the dataset', () => {
    expect(chooseFeeds([dataset('one', [feed('https://f.example/1', 'Event')])], USUAL).feeds).toEqual([
      {
        url: 'https://f.example/1',
        license: 'https://creativecommons.org/licenses/by/4.0/',
        meta: {
          name: 'one: Event',
          publisherKey: 'https://one.example/',
          publisher: 'one Ltd',
          publisherUrl: 'https://one.example/',
        },
      },
    ]);
    const bare = dataset('one', [{ url: 'https://f.example/1' }], { name: undefined, publisher: undefined });
    expect(chooseFeeds([bare], USUAL).feeds[0]?.meta).toEqual({
      name: 'https://one.example/',
      publisherKey: 'https://one.example/',
    });
  });

  test('a feed that two datasets name is read once, for the first', () => {
    const { feeds } = chooseFeeds(
      [
        dataset('one', [feed('https://f.example/1', 'Event')]),
        dataset('two', [feed('http://f.example/1', 'Event'), feed('https://f.example/2', 'Event')]),
      ],
      USUAL,
    );
    expect(feeds.map(({ meta }) => meta.name)).toEqual(['one: Event', 'two: Event']);
  });

  test('more feeds than there are in the world are too many', () => {
    const many = Array.from({ length: LIMITS.discoveredFeeds + 2 }, (_, at) =>
      feed(`https://f.example/${at}`, 'Event'),
    );
    const { feeds, leftOut } = chooseFeeds([dataset('one', many)], USUAL);
    expect(feeds).toHaveLength(LIMITS.discoveredFeeds);
    expect(leftOut.get(`more than ${LIMITS.discoveredFeeds} feeds`)).toHaveLength(2);
  });
});

test('feeds of test systems are read, and named', () => {
  const rows: [string, string, boolean][] = [
    ['EveryoneActiveUAT', 'https://f.example/1', true],
    ['x', 'https://opendata.leisurecloud.live/api/feeds/EveryoneActiveUAT-session-series', true],
    ['x', 'https://pentest-openactive.legendonlineservices.co.uk/api/sessions', true],
    ['Preview data', 'https://f.example/1', true],
    ['x', 'https://staging.f.example/1', true],
    ['x', 'https://opendata.leisurecloud.live/api/feeds/1Life-live-session-series', false],
    ['Equator Leisure', 'https://f.example/latest/contest', false],
    ['Attested demographics', 'https://f.example/SQUATS', false],
  ];
  for (const [name, url, expected] of rows) {
    const { feeds, tests } = chooseFeeds([dataset(name, [feed(url, 'Event')])], USUAL);
    expect([feeds.length, tests.length], `${name} ${url}`).toEqual([1, expected ? 1 : 0]);
  }
});

test('one feed, two schemes', () => {
  expect(feedKey('http://f.example/1')).toBe(feedKey('https://f.example/1'));
  expect(feedKey('http://f.example:8080/1')).not.toBe(feedKey('https://f.example:8080/1'));
});
