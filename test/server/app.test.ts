import { describe, expect, test } from 'vitest';
import type { ListingRow } from '../../src/library/library.ts';
import { setUp } from './fake.ts';

const rows = (count: number): ListingRow[] =>
  Array.from({ length: count }, (_, at) => ({
    key: `k${at}`,
    kind: 'series',
    name: `Yoga ${at}`,
    type: 'SessionSeries',
    activity: ['Yoga'],
    next: Date.UTC(2026, 6, 2, 17),
    zone: 'Europe/London',
    calendar: true,
  }));

async function json(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

describe('operations', () => {
  test('alive: always, with the version of the zone data', async () => {
    const { app, library } = setUp();
    library.broken = true;
    const response = await app.request('/healthz');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await json(response)).toEqual({ status: 'ok', timezones: process.versions.tz });
  });

  test('ready: as the library says', async () => {
    const { app, library } = setUp();
    const ready = await app.request('/readyz');
    expect([ready.status, await json(ready)]).toEqual([200, { status: 'ready', series: 0 }]);
    library.health = async () => ({ ready: false, reason: 'first pass is running' }) as never;
    const notYet = await app.request('/readyz');
    expect([notYet.status, await json(notYet)]).toEqual([
      503,
      { status: 'not ready', reason: 'first pass is running' },
    ]);
  });

  test('not ready, and not why in detail, when the store does not answer', async () => {
    const { app, library } = setUp();
    library.broken = true;
    const response = await app.request('/readyz');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toMatch(/locked|secret/);
  });

  test('robots may read the calendars (feed rule 33)', async () => {
    const response = await setUp().app.request('/robots.txt');
    expect([response.status, await response.text()]).toEqual([
      200,
      'User-agent: *\nAllow: /\nSitemap: https://calendars.example/open/sitemap.xml\n',
    ]);
  });

  test('there is no icon, and nobody need ask twice', async () => {
    const response = await setUp().app.request('/favicon.ico');
    expect([response.status, response.headers.get('cache-control')]).toEqual([204, 'public, max-age=86400']);
  });
});

describe('/api/series', () => {
  test('gives items with their addresses, page by page to the end', async () => {
    const { app, library } = setUp();
    library.rows = rows(5);
    const seen: unknown[] = [];
    let path: string | undefined = '/api/series?limit=2&q=yoga';
    while (path !== undefined) {
      const page: Record<string, unknown> = await json(await app.request(path));
      expect(page.total).toBe(5);
      seen.push(...(page.items as { calendar: string }[]).map((item) => item.calendar));
      path = (page.next as string | undefined)?.replace('https://calendars.example/open', '');
    }
    expect(seen).toEqual(rows(5).map(({ key }) => `https://calendars.example/open/series/${key}.ics`));
    expect(library.search.asked).toEqual(
      [{ limit: 2 }, { limit: 2, after: '2' }, { limit: 2, after: '4' }].map((query) => [
        'series',
        { q: 'yoga' },
        query,
      ]),
    );
  });

  test.each(['0', '501', '-1', '1.5', 'x', '1e9'])('limit %s is a problem', async (limit) => {
    const response = await setUp().app.request(`/api/series?limit=${limit}`);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await json(response)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: `"limit" must be a whole number from 1 to 500, not "${limit}".`,
      parameters: [{ name: 'limit', value: limit, allowed: 'a whole number from 1 to 500' }],
    });
  });

  test('one series: what its page shows', async () => {
    const { app, library } = setUp();
    library.commit('abc', 'Yoga');
    const head = library.heads.get('abc');
    if (head === undefined) throw new Error('not committed');
    library.pages.set('abc', {
      head,
      hasCalendar: true,
      id: 'https://id.example/1',
      type: 'SessionSeries',
      status: 'EventScheduled',
      details: { name: 'Yoga' },
      schedules: ['Thursdays'],
      upcoming: [{ start: Date.UTC(2026, 6, 2, 17), end: Date.UTC(2026, 6, 2, 18), status: 'EventScheduled' }],
      zone: 'Europe/London',
      findings: [],
    });
    expect(await json(await app.request('/api/series/abc'))).toEqual({
      key: 'abc',
      state: 'live',
      revision: 1,
      changed: '2026-11-21T09:29:01Z',
      id: 'https://id.example/1',
      type: 'SessionSeries',
      status: 'EventScheduled',
      details: { name: 'Yoga' },
      schedules: ['Thursdays'],
      findings: [],
      timezone: 'Europe/London',
      upcoming: [{ start: '2026-07-02T17:00:00Z', end: '2026-07-02T18:00:00Z', status: 'EventScheduled' }],
      page: 'https://calendars.example/open/series/abc',
      calendar: 'https://calendars.example/open/series/abc.ics',
    });
  });
});

describe('what is not there or not allowed', () => {
  const table: [method: string, path: string, status: number, type: string][] = [
    ['GET', '/nothing', 404, 'text/html'],
    ['GET', '/api/nothing', 404, 'application/problem+json'],
    ['GET', '/api/series/none', 404, 'application/problem+json'],
    ['GET', '/api/series/%00', 404, 'application/problem+json'],
    ['GET', '/series/a/b', 404, 'text/html'],
    ['GET', '/.git/config', 404, 'text/html'],
    ['GET', '/places/..%2f', 404, 'text/html'],
    ['GET', '/places/none', 404, 'text/html'],
    ['GET', '/facilities/none', 404, 'text/html'],
    ['GET', '/places/p1/hours', 404, 'text/html'],
    ['GET', '/api/places/none', 404, 'application/problem+json'],
    ['GET', '/api/places/none/hours', 404, 'application/problem+json'],
    ['GET', '/api/facilities/none/open', 404, 'application/problem+json'],
    ['POST', '/api/places/p1/open', 405, 'application/problem+json'],
    ['POST', '/places/p1', 405, 'application/problem+json'],
    ['POST', '/openapi.json', 405, 'application/problem+json'],
    ['POST', '/', 405, 'application/problem+json'],
    ['DELETE', '/series/abc', 405, 'application/problem+json'],
    ['PUT', '/readyz', 405, 'application/problem+json'],
  ];
  test.each(table)('%s %s → %i', async (method, path, status, type) => {
    const response = await setUp().app.request(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    if (status === 405) expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test.each(['/rpde', '/rpde/', '/rpde/sessions', '/rpde/sessions/'])('%s where nothing is published', async (path) => {
    const { status, headers } = await setUp().app.request(path);
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([404, null, 'no-store']);
  });

  test('a fault of ours in the JSON side is a problem without its cause', async () => {
    const { app, library } = setUp();
    library.broken = true;
    const response = await app.request('/api/series');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/locked|secret/);
  });

  test('HEAD of a page is its headers', async () => {
    const response = await setUp().app.request('/', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('the collection without an id leads to the list', async () => {
    expect((await setUp().app.request('/series')).headers.get('location')).toBe('/open/search');
  });
});

describe('a slash at the end', () => {
  test.each([
    ['/search/?q=yoga', '/open/search?q=yoga'],
    ['/search.ics/?day=mon', '/open/search.ics?day=mon'],
    ['/series/abc/', '/open/series/abc'],
    ['/series/abc.ics//', '/open/series/abc.ics'],
    ['/api/occurrences/?limit=5', '/open/api/occurrences?limit=5'],
    ['/api/', '/open/api'],
    ['/my/', '/open/my'],
    ['/a/', '/open/a'],
  ])('%s is the address without it', async (path, location) => {
    const response = await setUp().app.request(path);
    expect([response.status, response.headers.get('location')]).toEqual([308, location]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each(['//evil.example/', '/\\evil.example/', '///'])('%s leads nowhere else', async (path) => {
    const response = await setUp().app.request(`https://calendars.example${path}`);
    expect([response.status, response.headers.get('location')]).toEqual([404, null]);
  });

  test('the first page has one', async () => {
    expect((await setUp().app.request('/')).status).toBe(200);
  });
});
