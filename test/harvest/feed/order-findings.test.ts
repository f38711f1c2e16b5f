import { describe, expect, test } from 'vitest';
import { cacheFindings, type LastItem, orderFindings, typeFindings } from '../../../src/harvest/feed/order-findings.ts';

const BASE = 'https://a.example/rpde';
const last = (modified: string, id: string): LastItem => ({ id, modified });

/** Name, parameters of `next`, those of the page itself, its last item, what is found. */
type Row = [name: string, next: string, asked: string, last: LastItem | undefined, found?: string[]];

const ROWS: Row[] = [
  ['no parameters', '', '', last('5', 'a')],
  ['others', '?page=2', '?page=1', last('5', 'a')],
  ['from the last item', '?afterTimestamp=5&afterId=a', '', last('5', 'a')],
  ['from an id that needs encoding', '?afterTimestamp=5&afterId=%7Ba%20b%7D', '', last('5', '{a b}')],
  ['from 2^60', '?afterTimestamp=1152921504606846977&afterId=1', '', last('1152921504606846977', '1')],
  [
    'from times',
    '?afterTimestamp=2026-01-02T00:00:00Z&afterId=1',
    '?afterTimestamp=2026-01-01T00:00:00Z&afterId=9',
    last('2026-01-02T00:00:00Z', '1'),
  ],
  ['of another item', '?afterTimestamp=5&afterId=b', '', last('5', 'a'), ['next-not-of-last-item']],
  ['of another time', '?afterTimestamp=4&afterId=a', '', last('5', 'a'), ['next-not-of-last-item']],
  [
    'a time for an integer',
    '?afterTimestamp=2026-01-01&afterId=a',
    '',
    last('5', 'a'),
    ['after-timestamp-not-integer'],
  ],
  ['no afterId', '?afterTimestamp=5', '', last('5', 'a'), ['after-id-missing']],
  ['afterID', '?afterTimestamp=5&afterID=a', '', last('5', 'a'), ['after-id-misspelled']],
  ['an empty page on the way', '?afterTimestamp=6&afterId=a', '?afterTimestamp=5&afterId=a', undefined],
  ['the next id of one time', '?afterTimestamp=5&afterId=10', '?afterTimestamp=5&afterId=9', last('5', '10')],
  ['ids that databases order', '?afterTimestamp=5&afterId=aa', '?afterTimestamp=5&afterId=bb', last('5', 'aa')],
  [
    'back in time',
    '?afterTimestamp=4&afterId=a',
    '?afterTimestamp=5&afterId=a',
    last('4', 'a'),
    ['next-not-increasing'],
  ],
  [
    'back in ids',
    '?afterTimestamp=5&afterId=9',
    '?afterTimestamp=5&afterId=10',
    last('5', '9'),
    ['next-not-increasing'],
  ],
  ['no step', '?afterTimestamp=5&afterId=a&x', '?afterTimestamp=5&afterId=a', last('5', 'a'), ['next-not-increasing']],
  ['a change number', '?afterChangeNumber=7', '?afterChangeNumber=5', last('7', 'a')],
  ['one that is none', '?afterChangeNumber=x', '', undefined, ['after-change-number-invalid']],
  ['one that is not modified', '?afterChangeNumber=7', '', last('2026-01-01', 'a'), ['change-number-not-modified']],
  ['one of another item', '?afterChangeNumber=7', '', last('8', 'a'), ['next-not-of-last-item']],
  ['another order', '?afterChangeNumber=7', '?afterTimestamp=5&afterId=a', last('7', 'a'), ['next-order-changed']],
  ['another order', '?afterTimestamp=5&afterId=a', '?afterChangeNumber=7', last('5', 'a'), ['next-order-changed']],
  ['one that goes back', '?afterChangeNumber=7', '?afterChangeNumber=8', last('7', 'a'), ['next-not-increasing']],
];

describe('the order that next tells', () => {
  test.each(ROWS)('%s', (_, next, asked, item, found = []) => {
    const findings = orderFindings(new URL(BASE + next), new URL(BASE + asked), item, item === undefined ? [] : [item]);
    expect(findings.map(({ code }) => code)).toEqual(found);
    expect(findings.every(({ path }) => path === '$.next')).toBe(true);
  });
});

describe('what an answer says of itself', () => {
  test.each([
    ['application/json', 0],
    ['application/json; charset=utf-8', 0],
    ['Application/JSON', 0],
    ['application/vnd.openactive.rpde+json; version=1', 0],
    ['application/jsonp', 1],
    ['text/html', 1],
    ['', 1],
  ])('type %s', (type, count) => {
    expect(typeFindings(type).map(({ code }) => code)).toEqual(Array(count).fill('content-type-unexpected'));
  });

  test.each([
    ['application/json; charset=iso-8859-1', ['charset-not-utf-8']],
    ['application/json;charset="klingon"', ['charset-not-utf-8']],
    ['text/plain; charset=UTF-16LE', ['charset-not-utf-8', 'content-type-unexpected']],
    ['application/json; charset=utf8', []],
    ['application/json; charset="UTF-8"', []],
  ])('charset of %s', (type, codes) => {
    expect(typeFindings(type).map(({ code }) => code)).toEqual(codes);
  });

  test.each([
    ['public, max-age=3600', 'before', []],
    ['max-age=7200,public', 'before', []],
    ['public, max-age=8', 'before', ['cache-too-short']],
    ['max-age=3600', 'before', ['cache-too-short']],
    [undefined, 'before', ['cache-too-short']],
    ['public, max-age=8', 'last', []],
    ['public, max-age=3600', 'last', ['cache-too-long']],
    ['private', 'last', ['cache-too-long']],
  ] as const)('caching %s of a page that is %s', (value, at, found) => {
    expect(cacheFindings(value, at).map(({ code }) => code)).toEqual(found);
  });
});
