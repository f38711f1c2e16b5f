/** What the official RPDE validator fails on a page, we find on that page, or the ledger says why not. */

import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepAfter } from '../../../src/harvest/feed/next-page.ts';
import { typeFindings } from '../../../src/harvest/feed/order-findings.ts';
import { FINDINGS, type FindingCode } from '../../../src/opportunity/findings.ts';
import { type Page, PageError, parsePage, type RpdeItem } from '../../../src/opportunity/page/page.ts';
import { runs } from '../../runs.ts';
import { RPDE_RULES } from './ledger.ts';

interface Answer {
  url: string;
  json: unknown;
  contentType: string;
  cacheControl: string;
  status: number;
}

const local = createRequire(import.meta.url);
const { FeedPageChecker } = local('@openactive/rpde-validator') as {
  FeedPageChecker: new () => {
    validateRpdePage(page: Answer & { pageIndex: number; isInitialHarvestComplete: boolean }): { rule: string }[];
  };
};

const FEED = 'https://data.example.com/feeds/series';
const item = (id: string, modified: unknown, more: object = {}) => ({
  state: 'updated',
  kind: 'SessionSeries',
  id,
  modified,
  data: { '@type': 'SessionSeries' },
  ...more,
});
const PAGES: Answer[] = [
  {
    url: FEED,
    json: {
      items: [item('a', 10), item('b', 11), { state: 'deleted', kind: 'SessionSeries', id: 'c', modified: 12 }],
      next: `${FEED}?afterTimestamp=12&afterId=c`,
      license: 'https://creativecommons.org/licenses/by/4.0/',
    },
    contentType: 'application/json',
    cacheControl: 'max-age=3600',
    status: 200,
  },
  {
    url: `${FEED}?afterTimestamp=12&afterId=c`,
    json: {
      items: [item('d', 12), item('e', 30)],
      next: `${FEED}?afterTimestamp=30&afterId=e`,
      license: 'https://creativecommons.org/licenses/by/4.0/',
    },
    contentType: 'application/vnd.openactive.rpde+json; version=1',
    cacheControl: 'max-age=3600',
    status: 200,
  },
  {
    url: `${FEED}?afterChangeNumber=5`,
    json: {
      items: [item('d', 6), item('e', 7)],
      next: `${FEED}?afterChangeNumber=7`,
      license: 'https://creativecommons.org/licenses/by/4.0/',
    },
    contentType: 'application/json',
    cacheControl: 'max-age=3600',
    status: 200,
  },
  {
    url: `${FEED}?afterTimestamp=30&afterId=e`,
    json: {
      items: [],
      next: `${FEED}?afterTimestamp=30&afterId=e`,
      license: 'https://creativecommons.org/licenses/by/4.0/',
    },
    contentType: 'application/json',
    cacheControl: 'max-age=8',
    status: 200,
  },
];

/** The rules that fail; those that throw on what they did not expect say nothing. */
function theirs(answer: Answer, pageIndex: number): string[] {
  const checker = new FeedPageChecker();
  try {
    const found = checker.validateRpdePage({ ...structuredClone(answer), pageIndex, isInitialHarvestComplete: false });
    return [...new Set(found.map(({ rule }) => rule))];
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

function ours({ url, json, contentType, status }: Answer): FindingCode[] {
  if (status !== 200) return ['page-not-fetched'];
  try {
    const page: Page = parsePage(JSON.stringify(json));
    const step = stepAfter(page, { requestUrl: url, responseUrl: url, named: new Set() });
    const items = page.items.flatMap(({ findings = [], ...one }: RpdeItem) => [...findings, ...withoutData(one)]);
    const all = [
      ...page.findings.map(({ finding }) => finding),
      ...items,
      ...step.findings,
      ...typeFindings(contentType),
    ];
    return all.map(({ code }) => code).filter((code) => FINDINGS[code].severity !== 'info');
  } catch (error) {
    if (error instanceof PageError) return ['page-unreadable'];
    throw error;
  }
}

/** What cleaning says of an item without data. */
function withoutData({ state, data }: RpdeItem): { code: FindingCode }[] {
  const isMissing = state === 'updated' && (typeof data !== 'object' || data === null || Array.isArray(data));
  return isMissing ? [{ code: 'item-without-data' }] : [];
}

const seen = new Map<string, Set<FindingCode>>();

function unfound(answer: Answer, pageIndex: number): string[] {
  const found = ours(answer);
  // Nothing else is said of what is no page at all.
  if (found.includes('page-unreadable')) return [];
  return theirs(answer, pageIndex).filter((rule) => {
    const codes = RPDE_RULES[rule]?.codes ?? [];
    seen.set(rule, new Set([...(seen.get(rule) ?? []), ...found]));
    return !codes.some((code) => found.includes(code));
  });
}

test.each(PAGES.map((page, index) => [page.url, page, index] as const))(
  'nothing is wrong with %s',
  (_, page, index) => {
    expect(theirs(page, index)).toEqual([]);
    expect(ours(page)).toEqual([]);
  },
);

const VALUES: Record<string, unknown> = {
  nothing: undefined,
  null: null,
  'an empty text': '',
  'a text': 'something',
  'a number': 17,
  'a number as text': '17',
  'an object': { a: 1 },
  'an array': [1],
  true: true,
  deleted: 'deleted',
  updated: 'updated',
  'a relative address': '/feeds/series?afterTimestamp=12&afterId=c',
  'another path': 'https://data.example.com/other?afterTimestamp=40&afterId=z',
  'the http address': 'http://data.example.com/feeds/series?afterTimestamp=40&afterId=z',
  'another server': 'https://elsewhere.example.com/feeds/series?afterTimestamp=40&afterId=z',
  'an address with blanks': `${FEED}?afterTimestamp=40&afterId=z z`,
  'an earlier page': `${FEED}?afterTimestamp=1&afterId=a`,
  'a page without afterId': `${FEED}?afterTimestamp=40`,
  'a page with afterID': `${FEED}?afterTimestamp=40&afterID=e`,
  'a time for a number': `${FEED}?afterTimestamp=2026-01-01T00:00:00Z&afterId=e`,
  'a change number that is none': `${FEED}?afterChangeNumber=x`,
  'an earlier change number': `${FEED}?afterChangeNumber=3`,
  'an id of another item': 'a',
};

const KEYS = `items next license items.0 items.0.state items.0.kind items.0.id items.0.modified items.0.data items.1.id
  items.1.modified items.2.data items.2.state`.split(/\s+/);

function changed(answer: Answer, key: string, value: unknown): Answer {
  const copy = structuredClone(answer);
  const steps = key.split('.');
  const last = steps.pop() as string;
  let holder = copy.json as Record<string, unknown>;
  for (const step of steps) {
    const inner = holder[step];
    if (typeof inner !== 'object' || inner === null) return copy;
    holder = inner as Record<string, unknown>;
  }
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  // What is undefined is not there once it is text.
  return { ...copy, json: JSON.parse(JSON.stringify(copy.json)) };
}

test('one thing wrong on a page is found where the official validator fails', () => {
  const one = fc.record({
    at: fc.nat({ max: PAGES.length - 1 }),
    key: fc.constantFrom(...KEYS),
    how: fc.constantFrom(...Object.keys(VALUES)),
  });
  fc.assert(
    fc.property(one, ({ at, key, how }) => {
      expect(unfound(changed(PAGES[at] as Answer, key, VALUES[how]), at), `page ${at}: ${key} is ${how}`).toEqual([]);
    }),
    { numRuns: runs(600) },
  );
});

test.each([
  ['text that is no page', { json: 'Just a moment' }],
  ['null', { json: null }],
  ['an array', { json: [] }],
] as const)('%s is no page', (_, more) => {
  expect(ours({ ...(PAGES[0] as Answer), ...more })).toEqual(['page-unreadable']);
});

test.each([
  ['another status', { status: 500 }],
  ['another type', { contentType: 'text/html' }],
] as const)('%s', (_, more) => {
  expect(unfound({ ...(PAGES[0] as Answer), ...more }, 0)).toEqual([]);
});

describe('the ledger', () => {
  const rules = local('@openactive/rpde-validator/src/rules') as Record<
    string,
    (new () => { meta: { name: string } })[]
  >;

  test('has every rule of the validator, and no other', () => {
    const names = Object.values(rules).flatMap((list) => list.map((Rule) => new Rule().meta.name));
    expect(Object.keys(RPDE_RULES).sort()).toEqual([...new Set(names)].sort());
  });

  test('was tried', () => {
    expect([...seen.keys()].length).toBeGreaterThan(8);
  });
});
