import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VenuePart } from '../../../src/library/library.ts';
import { links, safeLink, subscribeLinks } from '../../../src/server/links.ts';

describe('the base address', () => {
  const table: [base: string, calendar: string, path: string][] = [
    ['https://c.example', 'https://c.example/series/abc.ics', '/series/abc.ics'],
    ['https://c.example/', 'https://c.example/series/abc.ics', '/series/abc.ics'],
    ['https://c.example/open/', 'https://c.example/open/series/abc.ics', '/open/series/abc.ics'],
    ['http://localhost:8080', 'http://localhost:8080/series/abc.ics', '/series/abc.ics'],
    ['https://c.example/open?x=1#y', 'https://c.example/open/series/abc.ics', '/open/series/abc.ics'],
  ];
  test.each(table)('%s', (base, calendar, path) => {
    expect(links(base).calendar('series', 'abc')).toBe(calendar);
    expect(links(base).calendarPath('series', 'abc')).toBe(path);
  });

  const parts: [part: VenuePart | undefined, path: string][] = [
    [undefined, '/open/places/p1.ics'],
    ['all', '/open/places/p1.ics'],
    ['availability', '/open/places/p1/availability.ics'],
    ['freebusy', '/open/places/p1/freebusy.ics'],
    ['hours', '/open/places/p1/hours.ics'],
    ['sessions', '/open/places/p1/sessions.ics'],
  ];
  test.each(parts)('part %s of a place: %s', (part, path) => {
    const to = links('https://c.example/open');
    expect(to.calendarPath('places', 'p1', part)).toBe(path);
    expect(to.calendar('places', 'p1', part)).toBe(`https://c.example${path}`);
  });

  test.each(['ftp://c.example', 'c.example', 'javascript:alert(1)', ''])('refuses %s', (base) => {
    expect(() => links(base)).toThrow(TypeError);
  });
});

test('ways to subscribe, in the form each client takes (feed rule 35)', () => {
  const ways = subscribeLinks('https://c.example/open/series/abc.ics', 'Yoga & more');
  expect(Object.fromEntries(ways.map(({ label, href }) => [label, href]))).toEqual({
    'Apple Calendar': 'webcal://c.example/open/series/abc.ics',
    'Google Calendar':
      'https://calendar.google.com/calendar/u/0/r?cid=webcal%3A%2F%2Fc.example%2Fopen%2Fseries%2Fabc.ics',
    'Outlook.com':
      'https://outlook.live.com/calendar/0/addfromweb/?url=https%3A%2F%2Fc.example%2Fopen%2Fseries%2Fabc.ics&name=Yoga%20%26%20more',
    'Microsoft 365':
      'https://outlook.office.com/calendar/0/addfromweb/?url=https%3A%2F%2Fc.example%2Fopen%2Fseries%2Fabc.ics&name=Yoga%20%26%20more',
    Download: 'https://c.example/open/series/abc.ics?download=1',
  });
});

test('any name makes addresses that can be parsed, and stays in its parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      for (const { href } of subscribeLinks('https://c.example/series/abc.ics', name)) {
        const url = new URL(href);
        for (const parameter of url.searchParams.keys())
          expect(['cid', 'url', 'name', 'download']).toContain(parameter);
      }
    }),
  );
});

describe('only http(s) addresses become links (SECURITY.md, "Links")', () => {
  const table: [address: string | undefined, link: string | undefined][] = [
    ['https://x.example/a?b=c', 'https://x.example/a?b=c'],
    ['HTTP://X.example', 'http://x.example/'],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    [' javascript:alert(1)', undefined],
    ['java\nscript:alert(1)', undefined],
    ['data:text/html,<script>alert(1)</script>', undefined],
    ['vbscript:x', undefined],
    ['file:///etc/passwd', undefined],
    ['//x.example', undefined],
    ['/path', undefined],
    ['x.example', undefined],
    ['https://', undefined],
    ['', undefined],
    [undefined, undefined],
    [`https://x.example/${'a'.repeat(3000)}`, undefined],
    ['https://x.example/"onmouseover="alert(1)', 'https://x.example/%22onmouseover=%22alert(1)'],
  ];
  test.each(table)('%s', (address, link) => expect(safeLink(address)).toBe(link));
});
