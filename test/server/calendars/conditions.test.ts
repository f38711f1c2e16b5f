import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchingTag } from '../../../src/entity-tags.ts';
import { isMicrosoft, unmodifiedSince, wantsGzip } from '../../../src/server/calendars/conditions.ts';
import { httpDate } from '../../../src/time/http-date.ts';

describe('If-None-Match names a tag (RFC 9110 13.1.2)', () => {
  const tags = ['"abc"', '"abc-gzip"'];
  const table: [title: string, header: string, tag: string | undefined][] = [
    ['the plain tag', '"abc"', '"abc"'],
    ['the tag of the gzip coding', '"abc-gzip"', '"abc-gzip"'],
    ['a weakened tag', 'W/"abc"', '"abc"'],
    ['last of a list', '"x", "y", "abc"', '"abc"'],
    ['weakened, in a list without spaces', '"x",W/"abc-gzip"', '"abc-gzip"'],
    ['a star', '*', '"abc"'],
    ['a star with space around', ' * ', '"abc"'],
    ['a neighbour that holds a comma', '"a,b", "abc"', '"abc"'],
    ['another tag', '"abd"', undefined],
    ['a tag that only begins the same', '"abc', undefined],
    ['a tag without quotes', 'abc', undefined],
    ['a star among tags is a star in quotes only', '"*"', undefined],
    ['nothing', '', undefined],
  ];
  test.each(table)('%s', (_, header, tag) => expect(matchingTag(header, tags)).toBe(tag));

  test('takes linear time over a hostile list', () => {
    expect(matchingTag(`${'"'.repeat(7)}${'W/'.repeat(8000)}${'",'.repeat(8000)}`, tags)).toBeUndefined();
  });
});

describe('HTTP dates (RFC 9110 5.6.7)', () => {
  const stamp = Date.UTC(1994, 10, 6, 8, 49, 37);
  const table: [title: string, text: string, instant: number | undefined][] = [
    ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT', stamp],
    ['RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', stamp],
    ['asctime', 'Sun Nov  6 08:49:37 1994', stamp],
    ['space around', ' Sun, 06 Nov 1994 08:49:37 GMT ', stamp],
    ['a leap second', 'Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
    ['a two-digit year of this century', 'Saturday, 21-Nov-26 09:30:01 GMT', Date.UTC(2026, 10, 21, 9, 30, 1)],
    ['ISO 8601', '1994-11-06T08:49:37Z', undefined],
    ['another zone', 'Sun, 06 Nov 1994 08:49:37 CET', undefined],
    ['an offset', 'Sun, 06 Nov 1994 08:49:37 +0000', undefined],
    ['words with a year in them', 'never 2030', undefined],
    ['a number', '784111777', undefined],
    ['an hour that is none', 'Sun, 06 Nov 1994 25:49:37 GMT', undefined],
    ['a month that is none', 'Sun, 06 Foo 1994 08:49:37 GMT', undefined],
    ['day nought', 'Sun, 00 Nov 1994 08:49:37 GMT', undefined],
    ['two dates', 'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT', undefined],
    ['nothing', '', undefined],
  ];
  test.each(table)('%s', (_, text, instant) => expect(httpDate(text)).toBe(instant));

  test('reads back what toUTCString writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), (seconds) => {
        expect(httpDate(new Date(seconds * 1000).toUTCString())).toBe(seconds * 1000);
      }),
    );
  });

  test('If-Modified-Since covers the same second and later ones, and garbage covers nothing', () => {
    const modified = Date.UTC(2026, 10, 21, 9, 30, 1);
    expect(unmodifiedSince(new Date(modified).toUTCString(), modified)).toBe(true);
    expect(unmodifiedSince(new Date(modified + 1000).toUTCString(), modified)).toBe(true);
    expect(unmodifiedSince(new Date(modified - 1000).toUTCString(), modified)).toBe(false);
    expect(unmodifiedSince('2030', modified)).toBe(false);
  });
});

describe('Accept-Encoding asks for gzip (RFC 9110 12.5.3)', () => {
  const table: [header: string, gzip: boolean][] = [
    ['gzip', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
    ['gzip;q=1.0, identity; q=0.5, *;q=0', true],
    ['identity;q=0.5, gzip;q=0.5', true],
    ['gzip ; q=0.001', true],
    ['gzip;q=0', false],
    ['gzip;q=0.0, br', false],
    ['gzip;q=nonsense', false],
    ['gzip;q=2', false],
    ['gzip;q=0.5, identity', false],
    ['identity, gzip;q=0.9', false],
    ['br', false],
    ['identity', false],
    ['*', false],
    ['notgzip', false],
    ['', false],
  ];
  test.each(table)('%s', (header, gzip) => expect(wantsGzip(header)).toBe(gzip));
});

describe('Microsoft agents', () => {
  const table: [agent: string, microsoft: boolean][] = [
    ['Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17726; Pro)', true],
    ['Microsoft.Exchange/15.20 (OWA)', true],
    ['Outlook-iOS/2.0', true],
    ['Google-Calendar-Importer', false],
    ['iOS/18.1 (22B83) dataaccessd/1.0', false],
    ['', false],
  ];
  test.each(table)('%s', (agent, microsoft) => expect(isMicrosoft(agent)).toBe(microsoft));
});
