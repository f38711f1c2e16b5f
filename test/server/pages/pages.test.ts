import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListingRow, OccurrenceItem, SeriesPage, VenuePage } from '../../../src/library/index.ts';
import { NOW, setUp } from '../fake.ts';
import { facility, place, row, WEEK } from '../made.ts';
import { item } from './find/items.ts';

const START = Date.UTC(2026, 6, 2, 17, 0);
const HOUR = 3_600_000;

const page = (more: Partial<SeriesPage> = {}): SeriesPage => ({
  head: { key: 'abc', kind: 'series', state: 'live', revision: 1, changedAt: START },
  hasCalendar: true,
  id: 'https://id.example/1',
  type: 'SessionSeries',
  url: 'https://club.example/yoga',
  status: 'EventScheduled',
  details: {
    name: 'Gentle yoga',
    description: 'Bring a mat.\nAll welcome.',
    activity: ['Yoga'],
    offers: [
      { name: 'Adult', price: 6.5, currency: 'GBP' },
      { name: 'Child', price: 0, currency: 'GBP' },
    ],
    leader: ['Sam'],
    level: ['Beginner'],
    ageRange: { min: 16 },
    gender: 'FemaleOnly',
    organizer: { name: 'The Club', url: 'https://club.example' },
    location: { name: 'Town Hall', address: 'High Street', latitude: 51.5, longitude: -0.1 },
  },
  schedules: ['Thursdays 18:00–19:00'],
  upcoming: [
    { start: START, end: START + HOUR, status: 'EventScheduled' },
    {
      start: START + 7 * 24 * HOUR,
      end: START + 7 * 24 * HOUR + HOUR,
      status: 'EventCancelled',
      url: 'https://club.example/s/2',
    },
  ],
  zone: 'Europe/London',
  findings: [
    {
      code: 'item-without-id',
      severity: 'error',
      feed: 'f',
      item: 'i',
      path: '$.id',
      message: 'Give the item an "id".',
      rule: 'RPDE 1.0',
    },
  ],
  publisher: {
    name: 'Everyone Active',
    url: 'https://everyone.example',
    license: 'https://creativecommons.org/licenses/by/4.0/',
  },
  ...more,
});

interface Shown {
  items?: OccurrenceItem[];
  places?: ListingRow[];
  facilities?: ListingRow[];
  series?: SeriesPage;
  venue?: VenuePage;
}

async function get(
  path: string,
  { items = [item()], places = [], facilities = [], series = page(), venue }: Shown = {},
) {
  const { library, app } = setUp();
  library.facilities = facilities;
  if (venue) {
    const name = `${venue.collection}/${venue.key}`;
    library.commit(`${name}/all`, 'Hall');
    library.venues.set(name, venue);
    library.on = { entries: venue.upcoming, publishers: venue.publisher ? [venue.publisher] : [] };
    const times = [{ start: START, end: START + 3_600_000, free: 1, of: 4, offers: venue.offers ?? [] }];
    library.courts = [
      {
        key: 'f1',
        publishesTimes: true,
        times,
        offers: [],
        ...(venue.name && { name: venue.name }),
        ...(venue.url && { url: venue.url }),
      },
    ];
  }
  library.commit('abc', 'Gentle yoga', series.head);
  library.search.items = items;
  library.search.rows = places;
  library.pages.set('abc', series);
  const response = await app.request(path);
  return { response, library, text: await response.text() };
}

/** The words of a page, without its style and script. */
function words(text: string): string {
  return text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

describe('the page of a series', () => {
  test('says what, where, when, for how much and how to subscribe', async () => {
    const { response, text } = await get('/series/abc');
    expect(response.status).toBe(200);
    for (const said of [
      'Gentle yoga',
      'Thursdays 18:00–19:00',
      '18:00 – to 19:00',
      'Cancelled',
      '£6.50 adult',
      'Free child',
      '16 and over',
      'Women and girls only',
      'Sam',
      'Beginner',
      'The Club',
      'Town Hall',
      'High Street',
      'Bring a mat.',
      'Everyone Active',
    ]) {
      expect(words(text)).toContain(said);
    }
    expect(text).toContain('webcal://calendars.example/open/series/abc.ics');
    expect(text).toContain('<time datetime="2026-07-02T17:00:00Z">');
  });

  test('one that says next to nothing is a page all the same', async () => {
    const bare = page({ details: {}, schedules: [], upcoming: [], findings: [] });
    delete bare.url;
    delete bare.publisher;
    const { response, text } = await get('/series/abc', { series: bare });
    expect(response.status).toBe(200);
    expect(words(text)).toContain('Without a name');
    expect(words(text)).toContain('No dates are known');
    expect(text).not.toMatch(/undefined|null|NaN|\[object/);
  });

  test('states: withdrawn, gone, moved, unknown', async () => {
    const at = (head: object) => get('/series/abc', { series: page({ head: { ...page().head, ...head } }) });
    expect(words((await at({ state: 'deleted' })).text)).toContain('withdrawn');
    expect((await at({ state: 'gone' })).response.status).toBe(410);
    const moved = await at({ movedTo: 'xyz' });
    expect([moved.response.status, moved.response.headers.get('location')]).toEqual([308, '/open/series/xyz']);
    for (const key of ['none', 'A', '%2e%2e%2f', 'x'.repeat(3000)])
      expect((await get(`/series/${key}`)).response.status).toBe(404);
  });

  test.each(['', 'Nowhere/None', '<b>'])('a zone that is none (%s) falls back to UTC', async (zone) => {
    const { text } = await get('/series/abc', { series: page({ zone }) });
    expect(words(text)).toContain('17:00 – to 18:00');
  });
});

/** The elements of a page with the names of their attributes: what markup it is made of, whatever the texts. */
function structure(text: string): string[] {
  return [...text.matchAll(/<(\/?[a-z0-9!]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    ([, tag, attributes = '']) =>
      `${tag} ${[...attributes.matchAll(/([\w:-]+)="[^"]*"/g)].map(([, name]) => name).join(' ')}`,
  );
}

/** Puts one text in every place a publisher can write to. */
function everywhere(text: string, collection: 'places' | 'facilities' = 'places'): Required<Shown> {
  const url = 'https://x.example/';
  const details = {
    name: text,
    description: text,
    activity: [text],
    category: [text],
    organizer: { name: text, url },
    leader: [text],
    level: [text],
    location: { name: text, address: text, url },
    meetingPoint: text,
    schedulingNote: text,
    virtualLocation: { name: text, url },
    offers: [{ name: text, price: 1, currency: text }],
  };
  const upcoming = [{ start: START, status: 'EventScheduled' as const, name: text, url }];
  const finding = {
    code: 'item-without-id' as const,
    severity: 'error' as const,
    feed: text,
    item: text,
    path: text,
    message: text,
    rule: text,
  };
  const series = page({
    details,
    upcoming,
    schedules: [text],
    type: text,
    findings: [finding],
    publisher: { name: text, url },
  });
  return {
    items: [
      item({
        name: text,
        place: { key: 'p1', name: text, distanceKm: 1 },
        activity: [{ name: text }],
        level: [text],
        price: { currency: text, min: 1, max: 2, free: false },
        start: NOW + HOUR,
      }),
    ],
    places: [row({ kind: 'places', name: text })],
    facilities: [row({ kind: 'facilities', name: text })],
    series,
    venue: (collection === 'places' ? place : facility)({
      name: text,
      description: text,
      address: text,
      telephone: text,
      holidays: text,
      type: text,
      zone: text,
      url,
      publisher: {
        name: text,
        url,
      },
      upcoming: upcoming.map((one) => ({
        ...one,
        seriesKey: 'abc',
        room: text,
      })),
      hours: {
        ...(place().hours as NonNullable<VenuePage['hours']>),
        week: WEEK.map((day) => ({
          ...day,
          holiday: text,
        })),
      },
    }),
  };
}

describe('hostile texts (SECURITY.md, "Texts")', () => {
  const nasty = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</title><script>alert(1)</script>',
    '</style><script>alert(1)</script>',
    '<!-- ',
    ']]>',
    '&lt;b&gt;',
    '{{alert(1)}}',
    '\u0000\u0008\u202e',
    '\ud800',
    '🧘'.repeat(100),
  ];
  const text = fc.oneof(
    fc.constantFrom(...nasty),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    fc
      .array(fc.constantFrom('<', '>', '"', "'", '&', '/', 'a', ' ', '='), { minLength: 1, maxLength: 30 })
      .map((pieces) => pieces.join('')),
  );

  test.each(['/', '/search?q=yoga', '/search?kind=places', '/series/abc', '/places/p1', '/facilities/f1'])(
    'never become markup on %s',
    async (path) => {
      const kind = path.startsWith('/facilities') ? 'facilities' : 'places';
      const plain = structure((await get(path, everywhere('plain', kind))).text);
      expect(plain.length).toBeGreaterThan(40);
      await fc.assert(
        fc.asyncProperty(text, async (hostile) => {
          const { response, text } = await get(path, everywhere(hostile, kind));
          expect(response.status).toBe(200);
          expect(structure(text)).toEqual(plain);
          // Every "<" that is left opens one of those elements.
          expect(text.replace(/<style>[\s\S]*?<\/style>|<script[\s\S]*?<\/script>/g, '').split('<').length).toBe(
            text.replace(/<style>[\s\S]*?<\/style>|<script[\s\S]*?<\/script>/g, '').split(/<(?=\/?[a-z!])/).length,
          );
        }),
        { numRuns: 60 },
      );
    },
  );

  test('addresses that are not http(s) are texts without a link', async () => {
    const bad = 'javascript:alert(1)';
    const series = page({
      url: bad,
      details: {
        name: 'x',
        organizer: { name: 'Org', url: bad },
        location: { name: 'Hall', url: bad },
        virtualLocation: { url: bad },
        attendance: 'online',
      },
      upcoming: [{ start: START, status: 'EventScheduled', url: bad }],
      publisher: { name: 'Pub', url: bad, license: bad },
    });
    const { text } = await get('/series/abc', { series });
    expect(text).not.toContain('javascript:');
    expect(words(text)).not.toContain('Details');
    expect(words(text)).toContain('Org');
  });
});

describe('headers of pages', () => {
  test('the policy allows exactly our own style and script', async () => {
    const { response, text } = await get('/');
    const policy = response.headers.get('content-security-policy') ?? '';
    const hash = (of: string) => `'sha256-${createHash('sha256').update(of).digest('base64')}'`;
    const inside = (tag: string) =>
      [...text.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, inner = '']) => hash(inner));
    expect(inside('style')).toHaveLength(1);
    expect(policy).toContain(`style-src ${inside('style')[0]}`);
    // The first, of JSON-LD, is data.
    expect(inside('script')).toHaveLength(2);
    expect(policy).toContain(`script-src ${inside('script')[1]};`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/ (?:on[a-z]+|style)="/);
  });

  test('nothing is loaded from anywhere', async () => {
    for (const path of ['/', '/search', '/series/abc', '/places/p1']) {
      const { text } = await get(path, { venue: place() });
      // The line for other sites is the value of a field.
      expect(text.replace(/value="&lt;iframe [^"]*"/, '')).not.toMatch(
        / src=|<link rel="(?!alternate|next|canonical|icon)|<iframe|@import|url\(/,
      );
    }
  });

  test('names are on the page in every language, pages are in UK English', async () => {
    const { response, text } = await get('/search', { items: [item({ name: 'Ioga – Tŷ Gwyn 瑜伽' })] });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('<html lang="en-GB">');
    expect(text).toContain('<bdi>Ioga – Tŷ Gwyn 瑜伽</bdi>');
  });
});

test('many publishers fold into one line, and all of them are named', async () => {
  const { library, app } = setUp();
  library.publishers = async () => Array.from({ length: 40 }, (_, at) => ({ name: `Publisher ${at}` }) as never);
  const text = await (await app.request('/')).text();
  expect(words(text)).toContain('and 35 more');
  for (let at = 0; at < 40; at++) expect(text).toContain(`<bdi>Publisher ${at}</bdi>`);
});

test('a fault of ours is a page without its cause', async () => {
  const { library, app } = setUp();
  library.broken = true;
  library.publishers = () => Promise.reject(new Error('database is locked at /secret/path'));
  for (const path of ['/', '/search', '/series/abc', '/places/p1', '/facilities/f1']) {
    const response = await app.request(path);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/locked|secret|at .*\.ts/);
  }
});
