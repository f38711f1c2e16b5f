import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cachedResponse } from '../../../src/server/calendars/calendars.ts';
import { BASE, setUp } from '../fake.ts';
import { item } from '../pages/find/items.ts';

const PATH = '/series/abc.ics';
const MODIFIED = 'Sat, 21 Nov 2026 09:29:01 GMT';
const OUTLOOK = 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17726; Pro)';

/** One calendar of each kind of address, with the name it is held by. */
const ADDRESSES: [path: string, name: string][] = [
  [PATH, 'abc'],
  ['/places/p1.ics', 'places/p1/all'],
  ['/places/p1/availability.ics', 'places/p1/availability'],
  ['/places/p1/freebusy.ics', 'places/p1/freebusy'],
  ['/places/p1/hours.ics', 'places/p1/hours'],
  ['/places/p1/sessions.ics', 'places/p1/sessions'],
  ['/facilities/f1.ics', 'facilities/f1/all'],
  ['/facilities/f1/hours.ics', 'facilities/f1/hours'],
];

async function served([path, name] = ADDRESSES[0] as [string, string]) {
  const { library, cache, app } = setUp();
  library.commit(name, 'Yoga – Tŷ Gwyn');
  const first = await app.request(path);
  const bytes = Buffer.from(await first.arrayBuffer());
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { library, cache, app, bytes, plain: `"${hash}"`, gzip: `"${hash}-gzip"` };
}

test.each(ADDRESSES)('%s comes with every header it needs', async (path, name) => {
  const { app, bytes, plain } = await served([path, name]);
  const response = await app.request(path);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/calendar; charset=utf-8',
    'content-length': String(bytes.length),
    etag: plain,
    'last-modified': MODIFIED,
    'cache-control': 'public, max-age=900, stale-while-revalidate=86400, stale-if-error=604800',
    vary: 'Accept-Encoding',
    'content-disposition': `inline; filename="yoga-ty-gwyn.ics"; filename*=UTF-8''yoga-ty-gwyn.ics`,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Last-Modified',
    'x-content-type-options': 'nosniff',
  });
  expect(bytes.toString()).toMatch(/^BEGIN:VCALENDAR\r\n/);
});

/** `$plain`, `$gzip`: the tags of the two codings. Sent as a request header or expected as the answer's tag. */
interface Case {
  title: string;
  send: Record<string, string>;
  status: 200 | 304;
  tag?: '$plain' | '$gzip';
}

const early = 'Sat, 21 Nov 2026 09:29:00 GMT';
const later = 'Sat, 21 Nov 2026 09:29:02 GMT';
const CASES: Case[] = [
  { title: 'nothing asked', send: {}, status: 200, tag: '$plain' },
  { title: 'any Accept', send: { accept: 'application/json' }, status: 200, tag: '$plain' },
  { title: 'an Accept that is no media type', send: { accept: '???' }, status: 200, tag: '$plain' },
  { title: 'the tag', send: { 'if-none-match': '$plain' }, status: 304, tag: '$plain' },
  { title: 'the weakened tag', send: { 'if-none-match': 'W/$plain' }, status: 304, tag: '$plain' },
  { title: 'the tag in a list', send: { 'if-none-match': '"x", $plain' }, status: 304, tag: '$plain' },
  { title: 'a star', send: { 'if-none-match': '*' }, status: 304, tag: '$plain' },
  { title: 'another tag', send: { 'if-none-match': '"x"' }, status: 200, tag: '$plain' },
  { title: 'a tag without quotes', send: { 'if-none-match': 'x' }, status: 200, tag: '$plain' },
  { title: 'the tag of the coding not asked for now', send: { 'if-none-match': '$gzip' }, status: 304, tag: '$gzip' },
  {
    title: 'the plain tag while asking for gzip',
    send: { 'if-none-match': '$plain', 'accept-encoding': 'gzip' },
    status: 304,
    tag: '$plain',
  },
  { title: 'the date', send: { 'if-modified-since': MODIFIED }, status: 304, tag: '$plain' },
  {
    title: 'the date, asking for gzip',
    send: { 'if-modified-since': MODIFIED, 'accept-encoding': 'gzip' },
    status: 304,
    tag: '$gzip',
  },
  { title: 'a later date', send: { 'if-modified-since': later }, status: 304, tag: '$plain' },
  { title: 'an earlier date', send: { 'if-modified-since': early }, status: 200, tag: '$plain' },
  {
    title: 'a date in the old form',
    send: { 'if-modified-since': 'Saturday, 21-Nov-26 09:29:01 GMT' },
    status: 304,
    tag: '$plain',
  },
  { title: 'a date that is none', send: { 'if-modified-since': 'tomorrow 2030' }, status: 200, tag: '$plain' },
  {
    title: 'another tag and a date that fits: the tag counts',
    send: { 'if-none-match': '"x"', 'if-modified-since': later },
    status: 200,
    tag: '$plain',
  },
  {
    title: 'the tag and a date that does not: the tag counts',
    send: { 'if-none-match': '$plain', 'if-modified-since': early },
    status: 304,
    tag: '$plain',
  },
  { title: 'gzip', send: { 'accept-encoding': 'gzip' }, status: 200, tag: '$gzip' },
  {
    title: 'gzip among others',
    send: { 'accept-encoding': 'br, deflate;q=0.5, gzip;q=0.3' },
    status: 200,
    tag: '$gzip',
  },
  { title: 'gzip refused', send: { 'accept-encoding': 'gzip;q=0, *' }, status: 200, tag: '$plain' },
  { title: 'a coding we do not have', send: { 'accept-encoding': 'br' }, status: 200, tag: '$plain' },
  {
    title: 'gzip asked by Outlook',
    send: { 'accept-encoding': 'gzip', 'user-agent': OUTLOOK },
    status: 200,
    tag: '$plain',
  },
  { title: 'a header that has the name of an option', send: { download: '1' }, status: 200, tag: '$plain' },
];

const WAYS = ['GET', 'HEAD', 'GET before the router'];
const EACH = WAYS.flatMap((way) => ADDRESSES.map(([path, name]) => ({ way, path, name })));
describe.each(EACH)('$way $path with', ({ way, path, name }) => {
  test.each(CASES)('$title → $status', async ({ send, status, tag = '$plain' }) => {
    const { app, cache, bytes, plain, gzip } = await served([path, name]);
    const fill = (text: string) => text.replace('$plain', plain).replace('$gzip', gzip);
    const headers = Object.fromEntries(Object.entries(send).map(([name, value]) => [name, fill(value)]));
    const response =
      way === 'GET before the router'
        ? cachedResponse({ method: 'GET', url: path, headers }, { cache, gzip: true })
        : await app.request(path, { method: way, headers });
    if (response === undefined) throw new Error('passed on to the router');
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe(fill(tag));
    expect(response.headers.get('last-modified')).toBe(MODIFIED);
    // Who else gets the octets: Outlook gets no gzip that a cache has for others.
    expect(response.headers.get('vary')).toBe(tag === '$gzip' ? 'Accept-Encoding, User-Agent' : 'Accept-Encoding');
    expect(response.headers.get('cache-control')).toContain('stale-if-error');
    expect(response.headers.get('content-disposition') ?? '').not.toContain('attachment');
    const body = Buffer.from(await response.arrayBuffer());
    if (status === 304 || way === 'HEAD') expect(body.length).toBe(0);
    if (status === 304) return;
    const coded = tag === '$gzip';
    expect(response.headers.get('content-encoding')).toBe(coded ? 'gzip' : null);
    if (way === 'HEAD') return;
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(coded ? gunzipSync(body) : body).toEqual(bytes);
  });
});

describe.each(WAYS)('%s of octets that the caller names', (way) => {
  test.each<[title: string, send: Record<string, string>, status: number]>([
    ['the tag', { 'if-match': '$plain' }, 200],
    ['the tag of the other coding', { 'if-match': '"x", $gzip' }, 200],
    ['a star', { 'if-match': '*' }, 200],
    ['another tag', { 'if-match': '"x"' }, 412],
    ['the weakened tag, which is none here', { 'if-match': 'W/$plain' }, 412],
    ['another tag, and one that the caller has', { 'if-match': '"x"', 'if-none-match': '$plain' }, 412],
    ['the tag, which the caller has', { 'if-match': '$plain', 'if-none-match': '$plain' }, 304],
    ['the date', { 'if-unmodified-since': MODIFIED }, 200],
    ['a later date', { 'if-unmodified-since': later }, 200],
    ['an earlier date', { 'if-unmodified-since': early }, 412],
    ['a date that is none', { 'if-unmodified-since': 'tomorrow 2020' }, 200],
    ['the tag and an earlier date: the tag counts', { 'if-match': '$plain', 'if-unmodified-since': early }, 200],
  ])('by %s', async (_, send, status) => {
    const { app, cache, plain, gzip } = await served();
    const fill = (text: string) => text.replace('$plain', plain).replace('$gzip', gzip);
    const headers = Object.fromEntries(Object.entries(send).map(([name, value]) => [name, fill(value)]));
    const response =
      way === 'GET before the router'
        ? cachedResponse({ method: 'GET', url: PATH, headers }, { cache, gzip: true })
        : await app.request(PATH, { method: way, headers });
    expect(response?.status).toBe(status);
    if (status !== 412) return;
    expect([response?.headers.get('cache-control'), response?.headers.get('etag')]).toEqual(['no-store', null]);
    if (way !== 'HEAD') expect(await response?.text()).toMatch(/^[^\r\n]+\n$/);
  });
});

describe('before the router', () => {
  const passed: [title: string, incoming: { method?: string; url?: string }][] = [
    ['another method', { method: 'HEAD', url: PATH }],
    ['a query', { method: 'GET', url: `${PATH}?download=1` }],
    ['a page', { method: 'GET', url: '/series/abc' }],
    ['another ending', { method: 'GET', url: '/series/abc.xyz' }],
    ['a calendar that is not held', { method: 'GET', url: '/series/xyz.ics' }],
    ['an absolute address', { method: 'GET', url: `http://x${PATH}` }],
    ['no address', {}],
    ['a part under another spelling', { method: 'GET', url: '/places/p1/all.ics' }],
    ['the name of a held calendar as a key', { method: 'GET', url: '/series/places/p1/all.ics' }],
    ['a place that is held, as a facility', { method: 'GET', url: '/facilities/p1.ics' }],
    ['free/busy of a window', { method: 'GET', url: '/places/p1/freebusy.ics?from=2026-12-01' }],
  ];
  test.each(passed)('%s is passed on', async (_, incoming) => {
    const { cache, library, app } = await served();
    for (const part of ['all', 'freebusy']) library.commit(`places/p1/${part}`, 'Hall');
    for (const path of ['/places/p1.ics', '/places/p1/freebusy.ics'])
      expect((await app.request(path)).status).toBe(200);
    expect(cachedResponse({ ...incoming, headers: {} }, { cache, gzip: true })).toBeUndefined();
  });

  test('a calendar that has changed is passed on', async () => {
    const { cache, library } = await served();
    library.commit('abc', 'Yoga for all');
    expect(cachedResponse({ method: 'GET', url: PATH, headers: {} }, { cache, gzip: true })).toBeUndefined();
  });
});

test('a change gives new bytes, a new tag and a later date', async () => {
  const { app, library, plain } = await served();
  library.commit('abc', 'Yoga for all');
  const response = await app.request(PATH, { headers: { 'if-none-match': plain } });
  expect(response.status).toBe(200);
  expect(response.headers.get('last-modified')).toBe('Sat, 21 Nov 2026 09:29:02 GMT');
  const byDate = await app.request(PATH, { headers: { 'if-modified-since': MODIFIED } });
  expect(byDate.status).toBe(200);
});

describe('a change that is stored a moment ahead', () => {
  const SOON = Date.UTC(2026, 10, 21, 9, 30, 5);
  const date = (at: number) => new Date(at).toUTCString();
  const ahead = async () => {
    const clock = { now: SOON - 2000 };
    const { app, cache, library } = setUp({ now: () => clock.now });
    library.commit('abc', 'Yoga', { changedAt: SOON });
    expect((await app.request(PATH)).headers.get('last-modified')).toBe(date(clock.now));
    return { app, cache, library, clock };
  };

  const forms: [title: string, path: string, headers: Record<string, string>][] = [
    ['plain', PATH, {}],
    ['gzip', PATH, { 'accept-encoding': 'gzip' }],
    ['as a file', `${PATH}?download=1`, {}],
  ];
  test.each(forms)('has its own date as soon as that has come: %s', async (_, path, headers) => {
    const { app, clock } = await ahead();
    clock.now = SOON - 1;
    expect((await app.request(path, { headers })).headers.get('last-modified')).toBe(date(SOON - 2000));
    clock.now = SOON;
    const answer = await app.request(path, { headers });
    const given = answer.headers.get('last-modified') ?? '';
    expect(given).toBe(date(SOON));
    const again = await app.request(path, { headers: { ...headers, 'if-modified-since': given } });
    expect([again.status, again.headers.get('last-modified')]).toEqual([304, given]);
    const tag = answer.headers.get('etag') ?? '';
    const byTag = await app.request(path, { headers: { ...headers, 'if-none-match': tag } });
    expect([byTag.status, byTag.headers.get('last-modified')]).toEqual([304, given]);
  });

  test('has it before the router, and where its next revision cannot be made', async () => {
    const { app, cache, library, clock } = await ahead();
    clock.now = SOON;
    const incoming = { method: 'GET', url: PATH, headers: {} };
    expect(cachedResponse(incoming, { cache, gzip: true })?.headers.get('last-modified')).toBe(date(SOON));
    library.commit('abc', 'Yoga', { changedAt: SOON + 5000 });
    library.broken = true;
    clock.now = SOON + 9000;
    expect((await app.request(PATH)).headers.get('last-modified')).toBe(date(SOON));
  });

  test('is not taken for another that was answered within the same second', async () => {
    const { app, library, clock } = await ahead();
    const within = date(clock.now);
    library.commit('abc', 'Yoga for all', { changedAt: SOON + 1000 });
    const next = await app.request(PATH);
    expect([next.status, next.headers.get('last-modified')]).toEqual([200, within]);
    for (const now of [clock.now, SOON, SOON + 1000]) {
      clock.now = now;
      for (const since of [within, date(SOON)])
        expect((await app.request(PATH, { headers: { 'if-modified-since': since } })).status).toBe(200);
    }
    const since = date(SOON + 1000);
    expect((await app.request(PATH, { headers: { 'if-modified-since': since } })).status).toBe(304);
  });
});

test('?download=1 makes it a file, and nothing else changes', async () => {
  const { app, bytes, plain } = await served();
  const response = await app.request(`${PATH}?download=1`);
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="yoga-ty-gwyn.ics"; filename*=UTF-8''yoga-ty-gwyn.ics`,
  );
  expect(response.headers.get('etag')).toBe(plain);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  expect((await app.request(PATH)).headers.get('content-disposition')).toMatch(/^inline/);
});

test('a file name is harmless whatever the name', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (name) => {
      const { library, app } = setUp();
      library.commit('abc', name);
      const response = await app.request(PATH);
      expect(response.headers.get('content-disposition')).toMatch(
        /^inline; filename="([a-z0-9-]{1,80})\.ics"; filename\*=UTF-8''\1\.ics$/,
      );
    }),
    { numRuns: 50 },
  ));

describe('other methods', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'REPORT', 'MKCALENDAR'])('%s is refused', async (method) => {
    const { app } = await served();
    const response = await app.request(PATH, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('OPTIONS lets any page read it', async () => {
    const { app } = await served();
    const response = await app.request(PATH, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toBe('*');
  });
});

describe('calendars that are not there', () => {
  const one = (text: string) => expect(text).toMatch(/^[^\r\n]+\n$/);

  test.each([
    '/places/p1.ics',
    '/places/p1/hours.ics',
    '/facilities/none.ics',
    '/facilities/abc.ics',
    '/places/abc.ics',
    '/series/p1.ics',
    '/series/abc/hours.ics',
    '/series/places/p2/all.ics',
    '/places/p2/all.ics',
    '/none.ics',
    '/places/p2/.ics',
    '/places/p2/hours.ics',
    '/places/p2/none.ics',
    '/places/P2.ics',
    '/places/p2/hours/x.ics',
    '/facilities/p2.ics',
    '/facilities/p2/hours.ics',
    '/places/p2/series.ics',
  ])('%s is no calendar', async (path) => {
    const { app, library } = await served();
    library.commit('places/p2/all', 'Hall');
    const response = await app.request(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    one(await response.text());
  });

  test.each(['none', 'ABC', 'a-b', '%2e%2e%2fetc', 'a'.repeat(5000), '', 'abc%00', 'ab%2fc'])(
    'unknown: %s',
    async (key) => {
      const { app, library } = await served();
      const asked = library.asked.head;
      const response = await app.request(`/series/${key}.ics`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      one(await response.text());
      if (key !== 'none') expect(library.asked.head).toBe(asked);
    },
  );

  test.each(ADDRESSES)('%s is gone for good after its tail, served during it', async (path, name) => {
    const { app, library } = await served([path, name]);
    library.commit(name, 'Yoga', { state: 'deleted' });
    expect((await app.request(path)).status).toBe(200);
    library.commit(name, 'Yoga', { state: 'gone' });
    const response = await app.request(path, { headers: { 'if-none-match': '*' } });
    expect(response.status).toBe(410);
    one(await response.text());
  });

  test('moved: 308 to the new address, query kept', async () => {
    const { app, library } = await served();
    for (const name of ['old', 'places/old/hours', 'places/old/freebusy'])
      library.commit(name, 'Yoga', { movedTo: 'abc' });
    const table = [
      ['/series/old.ics?download=1', '/open/series/abc.ics?download=1'],
      ['/places/old/hours.ics', '/open/places/abc/hours.ics'],
      ['/places/old/freebusy.ics?from=2026-12-01', '/open/places/abc/freebusy.ics?from=2026-12-01'],
    ] as const;
    for (const [path, location] of table) {
      const response = await app.request(path);
      expect([response.status, response.headers.get('location')]).toEqual([308, location]);
    }
  });

  test('nothing to serve at all: 503 that is not to be kept', async () => {
    const { app, library } = setUp();
    library.broken = true;
    const response = await app.request(PATH);
    expect(response.status).toBe(503);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('retry-after')).toBe('300');
    const text = await response.text();
    one(text);
    expect(text).not.toContain('locked');
  });

  test('the store is down: a calendar that was served once goes on being served', async () => {
    const { app, library, plain } = await served();
    library.broken = true;
    library.tell('all');
    const response = await app.request(PATH);
    expect([response.status, response.headers.get('etag')]).toEqual([200, plain]);
  });
});

describe('/series?id=', () => {
  const id = 'https://id.example/series/1?a=b';
  const table: [title: string, query: string, status: number, location: string | null][] = [
    ['as given', encodeURIComponent(id), 308, '/open/series/abc.ics'],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(id)), 308, '/open/series/abc.ics'],
    ['unknown', 'https://id.example/none', 404, null],
    ['not decodable', '%25zz', 404, null],
  ];
  test.each(table)('%s', async (_, query, status, location) => {
    const { app, library } = await served();
    library.ids.set(id, 'abc');
    const response = await app.request(`/series?id=${query}`);
    expect([response.status, response.headers.get('location')]).toEqual([status, location]);
  });
});

describe.each(['places', 'facilities'] as const)('/%s?id=', (kind) => {
  const other = kind === 'places' ? 'facilities' : 'places';
  const id = 'https://id.example/venue/1';
  const table: [title: string, query: string, status: number, location: string | null][] = [
    ['to the calendar', `?id=${encodeURIComponent(id)}`, 308, `/open/${kind}/v1.ics`],
    ['unknown', '?id=https://id.example/none', 404, null],
    ['of the other kind', '?id=other', 404, null],
    ['without an id: to the list', '', 302, `/open/search?kind=${kind}`],
  ];
  test.each(table)('%s', async (_, query, status, location) => {
    const { app, library } = setUp();
    library.ids.set(id, `${kind}/v1`);
    library.ids.set('other', `${other}/v2`);
    const response = await app.request(`/${kind}${query}`);
    expect([response.status, response.headers.get('location')]).toEqual([status, location]);
  });
});

test('no answer names the host that a caller made up', async () => {
  const { app, library } = await served();
  library.ids.set('x', 'abc');
  library.search.items = [item()];
  for (const path of [PATH, '/', '/search', '/series?id=x', '/api/series', '/series/none']) {
    const response = await app.request(path, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
    const all = `${JSON.stringify([...response.headers])}${await response.text()}`;
    expect(all).not.toContain('evil.example');
  }
  expect(await (await app.request('/search')).text()).toContain(`${BASE}/search.ics`);
});
