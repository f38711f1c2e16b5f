import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publishedSite } from '../../../src/publish/feed/site.ts';
import { datasetPage } from '../../../src/server/pages/dataset.ts';
import { mountRpde } from '../../../src/server/rpde/rpde.ts';
import { type ChangeLog, openPublishedLog } from '../../../src/store/index.ts';

/** `/rpde/…` as HTTP: paging, validators, caching, refusals (RPDE 1.0; README.md, "What is served"). */

const NOW = 1000;
const BASE = 'https://club.example/data';
const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';
const FEED = '/rpde/session-series';

let folder: string;
let log: ChangeLog;
let app: Hono;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rpde-'));
  log = await openPublishedLog(folder);
  const about = {
    name: 'Club </script><b>"x"',
    description: 'What is on',
    license: LICENSE,
    publisher: { name: 'The Club', url: 'https://club.example/' },
  };
  const names = ['session-series', 'facility-uses'];
  const rpde = publishedSite({ log, names, base: BASE, about: async () => about });
  app = new Hono();
  mountRpde(app, { rpde, gzip: true });
});

afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true });
});

/** Objects `0` … `count - 1`, of which some say something new. */
async function publish(count: number, news: Record<number, string> = {}, now = NOW): Promise<void> {
  const objects = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    kind: 'SessionSeries',
    data: JSON.stringify({ '@type': 'SessionSeries', name: news[index] ?? 'as ever' }),
  }));
  await log.replace({ 'session-series': objects }, now);
}

interface Page {
  next: string;
  items: { state: string; kind: string; id: string; modified: number; data?: { name: string } }[];
  license: string;
}

const get = async (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
const page = async (path: string) => (await (await get(path)).json()) as Page;
const local = (address: string) => address.replace(BASE, '');

describe('paging', () => {
  test('a page leads from its last item, and the last page to itself', async () => {
    await publish(3);
    const first = await page(FEED);
    expect(first).toEqual({
      next: `${BASE}/rpde/session-series?afterChangeNumber=1002`,
      items: [0, 1, 2].map((index) => ({
        state: 'updated',
        kind: 'SessionSeries',
        id: String(index),
        modified: 1000 + index,
        data: { '@type': 'SessionSeries', name: 'as ever' },
      })),
      license: LICENSE,
    });
    expect(await page(local(first.next))).toEqual({ next: first.next, items: [], license: LICENSE });
  });

  test('pages have 500 items, or as many as asked for, and go on so', async () => {
    await publish(501);
    const first = await page(FEED);
    expect(first.items).toHaveLength(500);
    expect((await page(local(first.next))).items).toHaveLength(1);
    const two = await page(`${FEED}?limit=2`);
    expect(two.next).toBe(`${BASE}/rpde/session-series?afterChangeNumber=1001&limit=2`);
    expect((await page(local(two.next))).items.map((item) => item.id)).toEqual(['2', '3']);
  });

  test('a feed that has not begun ends at its own address', async () => {
    expect(await page('/rpde/facility-uses')).toEqual({
      next: `${BASE}/rpde/facility-uses`,
      items: [],
      license: LICENSE,
    });
  });

  test('what lies beyond the end is the end', async () => {
    await publish(1);
    const far = `${FEED}?afterChangeNumber=${Number.MAX_SAFE_INTEGER}`;
    expect(await page(far)).toMatchObject({ items: [], next: `${BASE}${far}` });
  });

  test('an update stands at the end, a deletion after it without data', async () => {
    await publish(3);
    await publish(2, { 0: 'new' }, NOW + 10);
    const { items } = await page(FEED);
    expect(items.map(({ id, state, data }) => [id, state, data?.name])).toEqual([
      ['1', 'updated', 'as ever'],
      ['0', 'updated', 'new'],
      ['2', 'deleted', undefined],
    ]);
    expect(items[2] && 'data' in items[2]).toBe(false);
  });
});

describe('what may be asked', () => {
  test.each([
    ['?afterChangeNumber=-1', /afterChangeNumber/],
    ['?afterChangeNumber=1.5', /afterChangeNumber/],
    ['?afterChangeNumber=', /afterChangeNumber/],
    ['?afterChangeNumber=9007199254740992', /afterChangeNumber/],
    ['?afterChangeNumber=1&afterChangeNumber=2', /afterChangeNumber/],
    ['?limit=0', /limit/],
    ['?limit=501', /limit/],
    ['?limit=many', /limit/],
    ['?afterTimestamp=1&afterId=1', /afterTimestamp/],
  ])('%s is refused with problem details', async (query, words) => {
    const answer = await get(FEED + query);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(((await answer.json()) as { detail: string }).detail).toMatch(words);
  });

  test('an unknown feed is not found', async () => {
    expect((await get('/rpde/slots')).status).toBe(404);
  });

  test('GET, HEAD and OPTIONS; nothing else', async () => {
    await publish(1);
    const head = await app.request(FEED, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, (await get(FEED)).headers.get('etag')]);
    expect((await app.request(FEED, { method: 'OPTIONS' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const refused = await app.request(FEED, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('caching', () => {
  test('an hour for what lies behind, eight seconds for the end', async () => {
    await publish(1);
    const first = await get(FEED);
    expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
    const { next } = (await first.json()) as Page;
    expect((await get(local(next))).headers.get('cache-control')).toBe('public, max-age=8');
  });

  test('JSON, readable from any page', async () => {
    const { headers } = await get(FEED);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('304 while it is the same, 200 once something on it has moved', async () => {
    await publish(3);
    const etag = (await get(FEED)).headers.get('etag') as string;
    const again = await get(FEED, { 'If-None-Match': etag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    await publish(3, { 1: 'new' });
    expect((await get(FEED, { 'If-None-Match': etag })).status).toBe(200);
  });

  test('a full page is the same bytes whatever happens after it', async () => {
    await publish(4);
    const before = await (await get(`${FEED}?limit=2`)).text();
    await publish(4, { 3: 'new' });
    expect(await (await get(`${FEED}?limit=2`)).text()).toBe(before);
  });

  test('gzip for those who ask, under a tag of its own', async () => {
    await publish(3);
    const plain = await get(FEED);
    const zipped = await get(FEED, { 'Accept-Encoding': 'gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('vary')).toBe('Accept-Encoding');
    expect(zipped.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(await plain.text());
    const etag = zipped.headers.get('etag') as string;
    expect((await get(FEED, { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' })).status).toBe(304);
    // The same for every agent, as Vary says.
    const agent = { 'Accept-Encoding': 'gzip', 'User-Agent': 'Microsoft.Exchange/15.20' };
    expect((await get(FEED, agent)).headers.get('etag')).toBe(etag);
  });
});

describe('the dataset page', () => {
  async function jsonLd(): Promise<Record<string, unknown>> {
    const html = await (await get('/rpde/')).text();
    const [, text = ''] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html) ?? [];
    return JSON.parse(text) as Record<string, unknown>;
  }

  test('names publisher, licence and the feeds that have begun', async () => {
    await publish(1);
    expect(await jsonLd()).toMatchObject({
      '@type': 'Dataset',
      '@id': `${BASE}/rpde/`,
      license: LICENSE,
      publisher: { '@type': 'Organization', name: 'The Club', url: 'https://club.example/' },
      distribution: [
        {
          '@type': 'DataDownload',
          additionalType: 'https://openactive.io/SessionSeries',
          encodingFormat: 'application/vnd.openactive.rpde+json; version=1',
          contentUrl: `${BASE}/rpde/session-series`,
        },
      ],
    });
  });

  test('a publisher of several feeds is named once', async () => {
    const source = { publisher: { name: 'Marlowe', url: 'https://marlowe.example/' }, license: LICENSE };
    const others = [{ ...source, publisher: { name: 'Wexcombe' } }];
    const text = await datasetPage({ name: 'All', isBasedOn: [source, source, ...others] });
    expect(text.split('<h2>Made from')[1]?.match(/licensed under/g)).toHaveLength(2);
  });

  test('a name cannot break out of it', async () => {
    expect((await jsonLd()).name).toBe('Club </script><b>"x"');
    expect(await (await get('/rpde/')).text()).not.toContain('<b>"x"');
  });

  test('the catalogue lists it', async () => {
    expect(await (await get('/rpde/catalog.jsonld')).json()).toMatchObject({
      '@type': 'DataCatalog',
      dataset: [`${BASE}/rpde/`],
    });
  });
});
