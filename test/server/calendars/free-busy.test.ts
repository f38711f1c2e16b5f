import { describe, expect, test } from 'vitest';
import { setUp } from '../fake.ts';

const PATH = '/places/p1/freebusy.ics';
const DAY = 86_400_000;

async function ask(query: string, init: RequestInit = {}) {
  const { library, app, cache } = setUp();
  library.commit('places/p1/freebusy', 'Hall');
  const response = await app.request(PATH + query, init);
  return { response, library, app, cache, text: await response.text() };
}

describe('the window asked for', () => {
  const today = Date.UTC(2026, 10, 21);
  const table: [query: string, from: number, to: number][] = [
    ['?from=2026-12-01&to=2026-12-08', Date.UTC(2026, 11, 1), Date.UTC(2026, 11, 8)],
    ['?from=2026-12-01T08:30:00Z&to=2026-12-01T09:00Z', Date.UTC(2026, 11, 1, 8, 30), Date.UTC(2026, 11, 1, 9)],
    ['?from=2026-12-01T08%3A30%3A00Z&to=2026-12-02', Date.UTC(2026, 11, 1, 8, 30), Date.UTC(2026, 11, 2)],
    ['?from=2026-12-01', Date.UTC(2026, 11, 1), Date.UTC(2026, 11, 1) + 56 * DAY],
    ['?to=2026-12-01', today, Date.UTC(2026, 11, 1)],
    ['?from=2026-01-01&to=2027-02-05', Date.UTC(2026, 0, 1), Date.UTC(2027, 1, 5)],
    ['?from=1970-01-01&to=1970-01-02', 0, DAY],
    ['?from=2099-12-31&to=2100-01-01', Date.UTC(2099, 11, 31), Date.UTC(2100, 0, 1)],
    ['?from=2028-02-29&to=2028-03-01', Date.UTC(2028, 1, 29), Date.UTC(2028, 2, 1)],
  ];
  test.each(table)('%s', async (query, from, to) => {
    const { response, library } = await ask(query);
    expect(response.status).toBe(200);
    expect(library.windows).toEqual([{ from, to }]);
  });

  test('none: the usual one, which is held', async () => {
    const { library, cache } = await ask('');
    expect(library.windows).toEqual([]);
    expect(cache.peek('places/p1/freebusy')).toBeDefined();
  });

  const bad: [query: string, named: string][] = [
    ['?from=', 'from'],
    ['?from=yesterday', 'from'],
    ['?from=2026-13-01', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?from=2026-12-01T24:00:00Z', 'from'],
    ['?from=2026-12-01T10:60Z', 'from'],
    ['?from=2026-12-01T10:00:61Z', 'from'],
    ['?from=2026-12-01T10:00:00', 'from'],
    ['?from=2026-12-01T10:00:00%2B01:00', 'from'],
    ['?from=20261201', 'from'],
    ['?from=1969-12-31', 'from'],
    ['?from=0026-12-01', 'from'],
    ['?from=2026-12-01&to=2100-01-02', 'to'],
    ['?from=2026-12-01&to=%00', 'to'],
    ['?to=2026-12-01x', 'to'],
    ['?from=2026-12-02&to=2026-12-01', 'from'],
    ['?from=2026-12-01&to=2026-12-01', 'from'],
    ['?to=2026-11-21', 'from'],
    ['?from=2026-01-01&to=2027-02-05T00:00:01Z', 'to'],
    [`?from=${'9'.repeat(5000)}`, 'from'],
  ];
  test.each(bad)('%s is refused in one line that names it', async (query, named) => {
    const { response, text, library } = await ask(query);
    expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(new RegExp(`^"${named}" must be [^\\r\\n]{10,200}\\.\\n$`));
    expect(library.windows).toEqual([]);
  });
});

describe('its answer is that of any calendar', () => {
  const query = '?from=2026-12-01&to=2026-12-08';

  test('same headers, but it is not held', async () => {
    const { response, cache, app } = await ask(query);
    const held = await app.request(PATH);
    const own = (answer: Response) => Object.fromEntries(answer.headers);
    expect(own(response)).toEqual(own(held));
    expect(cache.peek('places/p1/freebusy')).toBeDefined();
    const { cache: other } = await ask(query);
    expect(other.peek('places/p1/freebusy')).toBeUndefined();
  });

  test('304 for its tag and its date, gzip, HEAD, download, OPTIONS', async () => {
    const { response, app, text } = await ask(query);
    const tag = response.headers.get('etag') ?? '';
    const date = response.headers.get('last-modified') ?? '';
    const again = (init: RequestInit, more = '') => app.request(PATH + query + more, init);
    expect((await again({ headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await again({ headers: { 'if-modified-since': date } })).status).toBe(304);
    expect((await again({ headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    expect((await again({ headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding')).toBe('gzip');
    const head = await again({ method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(text.length), '']);
    expect((await again({}, '&download=1')).headers.get('content-disposition')).toMatch(/^attachment/);
    expect((await again({ method: 'OPTIONS' })).headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect((await again({ method: 'POST' })).status).toBe(405);
  });

  test('unknown, gone, broken', async () => {
    const { app, library } = await ask(query);
    expect((await app.request(`/facilities/p1/freebusy.ics${query}`)).status).toBe(404);
    expect((await app.request(`/places/p2/freebusy.ics${query}`)).status).toBe(404);
    library.commit('places/p1/freebusy', 'Hall', { state: 'gone' });
    expect((await app.request(PATH + query)).status).toBe(410);
    library.broken = true;
    const broken = await app.request(PATH + query);
    expect([broken.status, broken.headers.get('retry-after')]).toEqual([503, '300']);
    expect(await broken.text()).not.toContain('locked');
  });

  test('what cannot be written is unavailable', async () => {
    const { app, library } = setUp({
      render: () => {
        throw new Error('secret');
      },
    });
    library.commit('places/p1/freebusy', 'Hall');
    const response = await app.request(PATH + query);
    expect([response.status, (await response.text()).includes('secret')]).toEqual([503, false]);
  });
});

test('a window on another calendar means nothing', async () => {
  const { app, library } = setUp();
  library.commit('places/p1/hours', 'Hall');
  expect((await app.request('/places/p1/hours.ics?from=x')).status).toBe(200);
  expect(library.windows).toEqual([]);
});
