import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openapi } from '../../../../src/server/api/openapi.ts';
import { exampleOf } from '../../../../src/server/pages/api/examples.ts';
import { setUp } from '../../fake.ts';
import { townApp } from '../../town-app.ts';

/** `/api` on the sample feeds: every address of the description is on it, and its examples answer. */

const BASE = 'https://c.example/open';
const { paths } = openapi(BASE);
const readable = Object.keys(paths).filter((path) => paths[path]?.get !== undefined);
/** Of an @id: of series alone. */
const WITHOUT_EXAMPLE = ['/places', '/facilities'];

let town: Awaited<ReturnType<typeof townApp>>;
let examples: string[];
let page: string;

beforeAll(async () => {
  town = await townApp(BASE);
  page = await (await town.app.request('/api')).text();
  examples = [...page.matchAll(/Example: <a href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&').replace('/open', ''),
  );
});

afterAll(() => town.close());

test.each(Object.keys(paths))('%s is on the page', (path) => {
  for (const method of Object.keys(paths[path] as object))
    expect(page).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
});

test('every address that can be read has an example', () => {
  expect(examples).toHaveLength(readable.length - WITHOUT_EXAMPLE.length);
});

test('each example answers, with the type that is described', async () => {
  const shown = readable.filter((path) => !WITHOUT_EXAMPLE.includes(path));
  const found: unknown[] = [];
  const wanted: unknown[] = [];
  for (const path of shown) {
    const example = examples.find((one) => patternOf(path).test(one.split('?')[0] as string)) as string;
    const response = await followed(example);
    wanted.push([path, 200, typeOf(path)]);
    found.push([path, response.status, response.headers.get('content-type')?.split(';')[0]]);
  }
  expect(found).toEqual(wanted);
});

/** Of an @id: what it leads to. */
function typeOf(path: string): string | undefined {
  const { 200: answer } = (paths[path]?.get?.responses ?? {}) as Record<number, { content: object }>;
  return Object.keys(answer?.content ?? { 'text/calendar': {} })[0];
}

async function followed(path: string): Promise<Response> {
  const response = await town.app.request(path);
  const to = response.headers.get('location');
  return to === null ? response : town.app.request(to.replace('/open', ''));
}

test('it has no script of its own, and says what the filters mean', () => {
  expect(page).toContain('<code>maxPrice</code>');
  expect(page).toContain('(1 to 500; usually 50)');
  expect(page).toContain('(light, dark)');
  expect(page).toContain('(mon, tue, wed, thu, fri, sat, sun; such as mon,tue)');
  expect(page).toContain('200: application/json. Otherwise 304, 400, 412, 429, 503.');
  expect(page).toContain('href="/open/openapi.json"');
  expect(page.match(/<script/g)).toHaveLength(1);
});

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[\\w-]+')}$`);
}

describe('with nothing in the store', () => {
  test('only what needs no key has an example', async () => {
    expect(exampleOf('/api/series/{key}', {})).toBeUndefined();
    expect(exampleOf('/series', {})).toBeUndefined();
    expect(exampleOf('/api/feeds', {})).toBe('/api/feeds');
    expect((await setUp().app.request('/api')).status).toBe(200);
  });
});
