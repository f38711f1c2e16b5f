import { expect, test } from 'vitest';
import { NOW, setUp } from '../fake.ts';
import { row } from '../made.ts';

const many = (count: number) => Array.from({ length: count }, (_, at) => row({ key: `k${at}` }));

async function sitemap(series: number, places = 0) {
  const { library, app } = setUp();
  library.rows = many(series);
  library.places = many(places);
  const response = await app.request('/sitemap.xml');
  const text = await response.text();
  return { response, text, addresses: [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address) };
}

test('names each page once, with when it changed', async () => {
  const { response, text, addresses } = await sitemap(2001, 1);
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(addresses.slice(0, 4)).toEqual([
    'https://calendars.example/open/',
    'https://calendars.example/open/search',
    'https://calendars.example/open/places/k0',
    'https://calendars.example/open/series/k0',
  ]);
  expect(new Set(addresses).size).toBe(2004);
  expect(text).toContain(`<lastmod>${new Date(NOW).toISOString().slice(0, 19)}Z</lastmod>`);
  expect(text.endsWith('</urlset>\n')).toBe(true);
});

test('has no more addresses than one file may have', async () => {
  const { addresses, text } = await sitemap(60_000, 10);
  expect(addresses).toHaveLength(50_000);
  expect(text.endsWith('</urlset>\n')).toBe(true);
});
