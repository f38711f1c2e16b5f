import { describe, expect, test } from 'vitest';
import { stepAfter } from '../../../src/harvest/feed/next-page.ts';
import type { Page } from '../../../src/opportunity/page/page.ts';

const ITEM = { state: 'deleted', kind: 'k', id: '1', modified: '1' } as const;
const HERE = 'https://a.example/rpde?afterId=7%7C8';

/** Name, `next`, whether the page has items, where it leads, `end`, finding. */
type Row = [string, string | undefined, boolean, string | 'stuck' | 'end', string?];

const ROWS: Row[] = [
  ['a page and the next', 'https://a.example/rpde?afterId=9', true, 'https://a.example/rpde?afterId=9'],
  [
    'an empty page with another next is not the end',
    'https://a.example/rpde?afterId=9',
    false,
    'https://a.example/rpde?afterId=9',
    'empty-page-not-last',
  ],
  ['another path', 'https://a.example/feed?afterId=9', true, 'https://a.example/feed?afterId=9', 'next-path-changed'],
  ['blanks in it', 'https://a.example/rpde?x=a b', true, 'https://a.example/rpde?x=a%20b', 'next-not-encoded'],
  ['braces in it', 'https://a.example/rpde?x={a}', true, 'https://a.example/rpde?x={a}', 'next-not-encoded'],
  ['an empty page that names itself is the end', HERE, false, 'end'],
  ['the same, its address encoded otherwise', 'https://a.example/rpde?afterId=7|8', false, 'end'],
  ['the same, with a fragment', `${HERE}#x`, false, 'end', 'next-not-encoded'],
  [
    'an id cut short at its #',
    'https://a.example/rpde?afterId=9#2',
    true,
    'https://a.example/rpde?afterId=9',
    'next-not-encoded',
  ],
  ['the same, relative', '?afterId=7%7C8', false, 'end', 'next-relative'],
  ['the same, as http', HERE.replace('https', 'http'), false, 'end', 'next-scheme-changed'],
  ['too long to be asked', `https://a.example/rpde?${'x'.repeat(9000)}`, true, 'stuck', 'next-invalid'],
  ['items, and itself: an endless loop', HERE, true, 'stuck', 'next-page-not-current-page'],
  ['no next', undefined, true, 'stuck'],
  ['no next and no items', undefined, false, 'stuck'],
  ['relative to the page', 'rpde?afterId=9', true, 'https://a.example/rpde?afterId=9', 'next-relative'],
  ['without scheme', '//a.example/rpde?afterId=9', true, 'https://a.example/rpde?afterId=9', 'next-relative'],
  [
    'from https down to http: followed as https',
    'http://a.example/rpde?afterId=9',
    true,
    'https://a.example/rpde?afterId=9',
    'next-scheme-changed',
  ],
  ['another server', 'https://b.example/rpde', true, 'stuck', 'next-other-origin'],
  ['another port', 'https://a.example:8443/rpde', true, 'stuck', 'next-other-origin'],
  ['another port and scheme', 'http://a.example:8080/rpde', true, 'stuck', 'next-other-origin'],
  ['a server the operator named', 'https://named.example/rpde', true, 'https://named.example/rpde'],
  ['the server the page was redirected to', 'https://cdn.example/rpde?x', true, 'https://cdn.example/rpde?x'],
  ['a password on the way', 'https://me:pw@a.example/rpde?x', true, 'https://a.example/rpde?x'],
  ['a file', 'file:///etc/passwd', true, 'stuck', 'next-invalid'],
  ['script', 'javascript:alert(1)', true, 'stuck', 'next-invalid'],
  ['no address', 'https://[', true, 'stuck', 'next-invalid'],
  ['a broken escape in the address', 'https://a.example/rpde?%E0%A4', true, 'https://a.example/rpde?%E0%A4'],
];

describe('where a page leads', () => {
  test.each(ROWS)('%s', (_name, next, items, expected, code) => {
    const page: Page = { items: items ? [ITEM] : [], findings: [], ...(next !== undefined && { next }) };
    const named = new Set(['https://named.example']);
    const responseUrl = next?.includes('cdn') ? 'https://cdn.example/rpde' : HERE;
    const step = stepAfter(page, { requestUrl: HERE, responseUrl, named });
    expect(step.findings.map((finding) => finding.code)).toEqual(code === undefined ? [] : [code]);
    expect(step.end).toBe(expected === 'end');
    expect(step.stuck !== undefined).toBe(expected === 'stuck');
    expect(step.next).toBe(expected === 'end' || expected === 'stuck' ? HERE : expected);
  });

  test('up from http to https is followed as given', () => {
    const page: Page = { items: [ITEM], findings: [], next: 'https://a.example/2' };
    const step = stepAfter(page, {
      requestUrl: 'http://a.example/1',
      responseUrl: 'http://a.example/1',
      named: new Set(),
    });
    expect(step).toMatchObject({ next: 'https://a.example/2', end: false });
  });
});
