import { describe, expect, test } from 'vitest';
import { setUp } from '../fake.ts';
import { found, row } from '../made.ts';

const BASE = 'https://calendars.example/open';

async function answered(path: string, prepare: (library: ReturnType<typeof setUp>['library']) => void = () => {}) {
  const { app, library } = setUp();
  prepare(library);
  const response = await app.request(path);
  return { response, body: (await response.json()) as Record<string, unknown>, library };
}

describe('/api/occurrences', () => {
  test('lists occurrences, with times as text and nothing of the store', async () => {
    const { body } = await answered('/api/occurrences', (library) => {
      library.search.items = [found()];
    });
    const { was: _, details: _details, rows: _rows, zone: timezone, ...shown } = found();
    const times = { start: '2026-11-21T10:30:00Z', end: '2026-11-21T11:30:00Z', timezone };
    expect(body).toEqual({ items: [{ ...shown, ...times }], total: 1 });
  });

  test('those who lead it are named, as on pages', async () => {
    const { body } = await answered('/api/occurrences', ({ search }) => {
      search.items = [found({ details: { leader: ['Priya', 'Bo'] } })];
    });
    expect(body.items).toMatchObject([{ leader: ['Priya', 'Bo'] }]);
  });

  test('an occurrence that nobody named has no id, one of whole days has dates', async () => {
    const start = Date.UTC(2026, 10, 24);
    const { id: _, ...nameless } = found({ start, end: start + 86_400_000, allDay: true });
    const { body } = await answered('/api/occurrences', (library) => {
      library.search.items = [nameless];
    });
    expect(body.items).toMatchObject([{ id: null, start: '2026-11-24', end: '2026-11-25', allDay: true }]);
  });

  test('next is a whole address with the same filters, also with a time and a cursor in after', async () => {
    const { body, library } = await answered('/api/occurrences?day=tue,mon&after=18:00&limit=1', ({ search }) => {
      search.items = [found(), found()];
    });
    expect(body.next).toBe(`${BASE}/api/occurrences?after=18:00&day=mon,tue&limit=1&after=1`);
    const { app } = setUp();
    expect((await app.request((body.next as string).slice(BASE.length))).status).toBe(200);
    expect(library.search.asked).toEqual([['occurrences', { after: 64_800, day: [0, 1] }, { limit: 1 }]]);
  });

  test('facets come when asked for, and the total where they counted all', async () => {
    const { body } = await answered('/api/occurrences?facets=1&limit=1', ({ search }) => {
      search.items = [found(), found()];
    });
    expect(body.facets).toEqual({
      day: { mon: 1, tue: 0, wed: 0, thu: 0, fri: 0, sat: 0, sun: 0 },
      activity: [{ name: 'Yoga', count: 1 }],
      place: [{ key: 'p1', name: 'Town Hall', count: 1 }],
    });
    expect(body.next).toBe(`${BASE}/api/occurrences?facets=1&limit=1&after=1`);
    expect((await answered('/api/occurrences')).body).not.toHaveProperty('facets');
  });

  test('says which word was replaced', async () => {
    const { body } = await answered('/api/occurrences?q=yogga', ({ search }) => {
      search.replaced = [{ word: 'yogga', by: 'yoga' }];
    });
    expect(body.replaced).toEqual([{ word: 'yogga', by: 'yoga' }]);
    expect(body).not.toHaveProperty('leftOut');
  });

  test('says which parts of the words are filters', async () => {
    const understood = [{ text: 'not yoga', rest: 'fitness' }];
    const { body } = await answered('/api/occurrences?q=fitness+not+yoga', ({ search }) => {
      const { occurrences } = search;
      search.occurrences = async (...asked) => ({ ...(await occurrences.apply(search, asked)), understood });
    });
    expect(body.understood).toEqual(understood);
    expect((await answered('/api/occurrences')).body).not.toHaveProperty('understood');
  });

  test('says what cannot be asked for', async () => {
    const { body } = await answered('/api/occurrences?q=yoga+not+free', ({ search }) => {
      const { occurrences } = search;
      search.occurrences = async (...asked) => ({ ...(await occurrences.apply(search, asked)), leftOut: ['not free'] });
    });
    expect(body.leftOut).toEqual(['not free']);
  });
});

describe('what cannot be read is a problem that names it, and the nearest known name', () => {
  const table: [path: string, name: string, detail: RegExp][] = [
    ['/api/occurrences?dya=mon', 'dya', /^"dya" is no parameter of this address\. Did you mean "day"\? /],
    ['/api/occurrences?day=mno', 'day', /^"day" must be mon, .*, not "mno"\. Did you mean "mon"\?$/],
    ['/api/occurrences?limit=0', 'limit', /from 1 to 500, not "0"\.$/],
    ['/api/occurrences?limit=', 'limit', /from 1 to 500/],
    ['/api/occurrences?limit=5&limit=6', 'limit', /from 1 to 500/],
    ['/api/occurrences?after=', 'after', /^"after" must be one cursor/],
    ['/api/occurrences?facets=yes', 'facets', /^"facets" must be 1, not "yes"\.$/],
    ['/api/occurrences?from=2026-02-30', 'from', /^"from" must be a date such as /],
    ['/api/series?activty=Yoga', 'activty', /Did you mean "activity"\?/],
    ['/api/places?free=1', 'free', /^"free" is no parameter/],
    ['/api/places?facets=1', 'facets', /^"facets" is no parameter/],
    ['/api/facilities?day=mon', 'day', /^"day" is no parameter/],
  ];
  test.each(table)('%s', async (path, name, detail) => {
    const { response, body } = await answered(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json; charset=utf-8',
    ]);
    expect(body).toMatchObject({ status: 400, parameters: [{ name }] });
    expect(body.detail).toMatch(detail);
  });

  test('a place that nothing knows, as the library says', async () => {
    const { response, body } = await answered('/api/occurrences?near=Atlantis', ({ search }) => {
      search.problems = [{ name: 'near', value: 'Atlantis', allowed: 'a town', nearest: 'Atlanta' }];
    });
    expect(response.status).toBe(400);
    expect(body.detail).toBe('"near" must be a town, not "Atlantis". Did you mean "Atlanta"?');
  });

  test.each(['utm_source=x', 'fbclid=y', 'q=', 'day=&free='])('%s is none', async (query) => {
    expect((await answered(`/api/occurrences?${query}`)).response.status).toBe(200);
  });
});

describe('every JSON answer has a validator', () => {
  const paths = [
    '/api/occurrences',
    '/api/series?q=yoga',
    '/api/places',
    '/api/facilities',
    '/api/feeds',
    '/openapi.json',
  ];

  test.each(paths)('%s', async (path) => {
    const { app, library } = setUp();
    library.rows = [row()];
    const first = await app.request(path);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers.get('access-control-expose-headers')).toBe('ETag');
    const second = await app.request(path, { headers: { 'If-None-Match': `"other", W/${tag}` } });
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', tag]);
    expect(second.headers.get('access-control-allow-origin')).toBe('*');
    const head = await app.request(path, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', tag]);
    const other = await app.request(path, { headers: { 'If-None-Match': '"other"' } });
    expect(other.status).toBe(200);
  });

  test('a problem is never "not modified"', async () => {
    const response = await setUp().app.request('/api/series?limit=0', { headers: { 'If-None-Match': '*' } });
    expect(response.status).toBe(400);
  });

  test('a browser may send what revalidates', async () => {
    const response = await setUp().app.request('/api/occurrences', { method: 'OPTIONS' });
    expect(response.headers.get('access-control-allow-headers')).toBe('If-None-Match');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
  });
});
