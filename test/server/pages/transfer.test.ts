import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { townApp } from '../town-app.ts';

/** Pages and JSON on their way: compressed where that is asked for, and not sent again to who has them. */

let town: Awaited<ReturnType<typeof townApp>>;
let app: Hono;

beforeAll(async () => {
  town = await townApp('https://calendars.example');
  app = town.app;
});

afterAll(() => town.close());

const PATHS = ['/', '/search?q=yoga', '/feeds', '/api', '/api/occurrences?q=yoga', '/openapi.json', '/sitemap.xml'];

async function unzipped(response: Response): Promise<string> {
  return new Response(response.body?.pipeThrough(new DecompressionStream('gzip'))).text();
}

test.each(PATHS)('%s is compressed for who asks for gzip, and the same for all others', async (path) => {
  const plain = await app.request(path);
  expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
  const small = await app.request(path, { headers: { 'Accept-Encoding': 'br, gzip' } });
  expect(small.headers.get('content-encoding')).toBe('gzip');
  expect(small.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
  expect(await unzipped(small)).toBe(await plain.text());
});

test.each(PATHS.filter((path) => path !== '/sitemap.xml'))('%s answers 304 to who has it', async (path) => {
  const tags = await Promise.all(
    [{}, { 'Accept-Encoding': 'gzip' }].map(async (headers) =>
      (await app.request(path, { headers })).headers.get('etag'),
    ),
  );
  for (const tag of tags) {
    const again = await app.request(path, { headers: { 'If-None-Match': tag as string, 'Accept-Encoding': 'gzip' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
  expect((await app.request(path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
});

/** Headers of a 200 that a 304 and an answer to HEAD have too (RFC 9110 9.3.2, 15.4.5). */
const REPEATED = ['etag', 'vary', 'cache-control'];

test('a 304 and HEAD say what the 200 says, with and without gzip', async () => {
  const { items: places } = (await (await app.request('/api/places')).json()) as { items: { key: string }[] };
  const { items: all } = (await (await app.request('/api/series')).json()) as { items: { key: string }[] };
  const [series, place] = [all[0]?.key, places[0]?.key];
  const own = [
    `/series/${series}`,
    `/places/${place}`,
    '/my',
    `/api/series/${series}`,
    `/changes/places/${place}.atom`,
  ];
  for (const path of [...PATHS, ...own]) {
    for (const coding of ['identity', 'gzip', 'br, *;q=0.5']) {
      const headers = { 'Accept-Encoding': coding };
      const whole = await app.request(path, { headers });
      const said = (answer: Response) => [path, coding, ...REPEATED.map((name) => answer.headers.get(name))];
      // An Atom document of less than 1 KB is not compressed for anybody.
      const vary = path.endsWith('.atom') ? null : 'Accept-Encoding';
      expect([path, whole.status, whole.headers.get('vary')]).toEqual([path, 200, vary]);
      const head = await app.request(path, { method: 'HEAD', headers });
      expect([head.status, await head.text(), ...said(head)]).toEqual([200, '', ...said(whole)]);
      const tag = whole.headers.get('etag');
      if (tag === null) continue;
      for (const method of ['GET', 'HEAD']) {
        const again = await app.request(path, { method, headers: { ...headers, 'If-None-Match': tag } });
        expect([again.status, await again.text(), ...said(again)]).toEqual([304, '', ...said(whole)]);
      }
    }
  }
});

test.each(['/series/KEY', '/my', '/api/series/KEY', '/api/series', '/openapi.json', '/search'])(
  '%s is 412 for who wants another one',
  async (form) => {
    const { items } = (await (await app.request('/api/series')).json()) as { items: { key: string }[] };
    const path = form.replace('KEY', items[0]?.key ?? '');
    const tag = (await app.request(path)).headers.get('etag') ?? '';
    const status = async (wanted: string) =>
      (
        await app.request(path, {
          headers: { 'If-Match': wanted, 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' },
        })
      ).status;
    expect([await status('"x"'), await status(`"x", ${tag}`), await status('*')]).toEqual([412, 200, 200]);
  },
);

test('a page of an error has no tag', async () => {
  const missing = await app.request('/series/nothing');
  expect([missing.status, missing.headers.get('etag')]).toEqual([404, null]);
});

/** Octets before they are compressed. */
const MOST_OCTETS = 100_000;

test('every page of the sample town is under 100 KB, however many rows are asked for', async () => {
  const things = await Promise.all(
    (['series', 'places', 'facilities'] as const).map(async (kind) => {
      const { items } = (await (await app.request(`/api/${kind}?limit=500`)).json()) as { items: { key: string }[] };
      return items.map(({ key }) => `/${kind}/${key}`);
    }),
  );
  const own = things.flat();
  const explained = own.filter((path) => path.startsWith('/series/')).map((path) => `${path}/explain`);
  const embeds = own.filter((path) => !path.startsWith('/facilities/')).map((path) => `/embed${path}`);
  const paths = [...PATHS.filter((path) => !/json|xml|\/api\//.test(path)), ...own, ...embeds, ...explained];
  const asked = [...paths, ...explained.map((path) => `${path}?limit=1000`), '/search', '/search?view=week'];
  expect(asked.length).toBeGreaterThan(200);
  const large: string[] = [];
  for (const path of asked) {
    const answer = await app.request(path);
    expect([path, answer.status]).toEqual([path, 200]);
    const { byteLength } = await answer.arrayBuffer();
    if (byteLength >= MOST_OCTETS) large.push(`${path}: ${byteLength}`);
  }
  expect(large).toEqual([]);
});
