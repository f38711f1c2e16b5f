import type { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { tokenOf } from '../../../src/library/index.ts';
import { explainCursor } from '../../../src/server/api/explain.ts';
import { setUp } from '../fake.ts';
import { AT, explanation, FINDING, facility, feed, found, HOUR, place, row, series } from '../made.ts';

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: unknown }[];
  responses: Record<string, { content?: Record<string, { schema: { $ref: string } }> }>;
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, { get: Operation }>;
  components: { schemas: Record<string, object> };
}

function withSamples() {
  const { library, app } = setUp();
  library.commit('abc', 'Yoga');
  library.rows = [row(), row({ key: 'def' })];
  library.places = [row({ key: 'p1', kind: 'places', activity: [] }), row({ key: 'p2', kind: 'places' })];
  library.facilities = [row({ key: 'f1', kind: 'facilities' }), row({ key: 'f2', kind: 'facilities' })];
  library.pages.set('abc', series());
  library.search.items = [found(), found({ start: AT, end: AT + 24 * HOUR, allDay: true })];
  library.search.replaced = [{ word: 'yogga', by: 'yoga' }];
  library.explanations.set('abc', explanation());
  library.sources = [feed(), feed({ id: 8 })];
  library.odd = [FINDING, FINDING];
  library.venues.set('places/p1', place());
  library.venues.set('facilities/f1', facility());
  library.open = [{ start: AT, end: AT + HOUR, because: ['x'] }];
  return { library, app };
}

async function documentOf(app: Hono): Promise<Document> {
  return (await (await app.request('/openapi.json')).json()) as Document;
}

const { app } = withSamples();
const described = await documentOf(app);
const JSON_PATH = /^\/(?:api\/|openapi\.json|healthz|readyz)/;
const operations = Object.entries(described.paths)
  .filter(([path]) => JSON_PATH.test(path))
  .map(([path, { get }]) => ({ path, get }));

/** A validator of one of the document's schemas, made by somebody else's reading of JSON Schema. */
function validator(name: string): z.ZodType {
  const { schemas } = described.components;
  const text = JSON.stringify({ ...schemas[name], $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text));
}

const KEYS: Record<string, string> = { series: 'abc', places: 'p1', facilities: 'f1' };
const SAMPLES: Record<string, string> = {
  q: 'yoga',
  limit: '1',
  after: '0',
  place: 'p1',
  at: '2026-12-25T12:00:00Z',
  from: '2026-12-01',
  to: '2026-12-08T00:00:00Z',
  activity: 'Yoga',
  series: 'abc',
  organizer: 'Active Wexcombe',
  near: 'EX99',
  within: '3',
  day: 'mon',
  before: '21:00',
  age: '8',
  level: 'Beginner',
  gender: 'female',
  free: '1',
  maxPrice: '8',
  online: '1',
  accessible: 'any',
  cancelled: '1',
  facets: '1',
};
/** Of filters, where they have another form than elsewhere. */
const DATES = { from: '2026-12-01', to: '2026-12-08' };
const EXPLAINED = { from: Date.UTC(2026, 11, 1), to: Date.UTC(2026, 11, 8) };
const BAD: Record<string, string> = { facets: 'x', age: 'x', day: 'x', limit: '0', at: 'x', from: 'x', to: 'x' };

function addressOf(path: string): string {
  return path.replace('{key}', KEYS[path.split('/')[2] ?? ''] ?? '').replace('{id}', '7');
}

async function expectShape(response: Response, operation: Operation): Promise<void> {
  const content = operation.responses[String(response.status)]?.content ?? {};
  const [[type, { schema }] = ['', { schema: { $ref: '' } }]] = Object.entries(content);
  expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  const body: unknown = await response.json();
  expect(validator(schema.$ref.split('/').at(-1) as string).safeParse(body).error).toBeUndefined();
}

test.each(operations)('$path answers as described, with and without its parameters', async ({ path, get }) => {
  const query = (get.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const samples: Record<string, string> = { ...SAMPLES, ...(query.some(({ name }) => name === 'facets') && DATES) };
  if (path.endsWith('/explain')) samples.after = explainCursor('abc', EXPLAINED, 0);
  const full = new URLSearchParams(Object.fromEntries(query.map(({ name }) => [name, samples[name] as string])));
  for (const address of [addressOf(path), `${addressOf(path)}?${full}`]) {
    const response = await app.request(address);
    expect(response.status).toBe(200);
    if (path !== '/openapi.json') await expectShape(response, get);
  }
});

test.each(operations)('$path fails as described', async ({ path, get }) => {
  const { parameters = [], responses } = get;
  if (responses['404']) {
    const response = await app.request(path.replace(/\{\w+\}/, 'none'));
    expect(response.status).toBe(404);
    await expectShape(response, get);
  }
  for (const { name } of parameters.filter((parameter) => BAD[parameter.name] !== undefined)) {
    const response = await app.request(`${addressOf(path)}?${name}=${BAD[name]}`);
    expect(response.status).toBe(400);
    await expectShape(response, get);
  }
});

const READ = Object.entries(described.paths).flatMap(([path, { get }]) => (get?.responses[200] ? [{ path, get }] : []));
test.each(READ)('$path has the answers to conditions described', async ({ path, get }) => {
  const address = addressOf(path.replace('{token}', tokenOf([{ kind: 'series', key: 'abc' }])));
  const ask = async (headers: Record<string, string>) => {
    const response = await app.request(address, { headers: { accept: 'application/json', ...headers } });
    return { status: response.status, response };
  };
  const { response, status } = await ask({});
  if (status !== 200 || !response.headers.has('etag')) return;
  const tag = response.headers.get('etag') ?? '';
  expect([(await ask({ 'if-none-match': tag })).status, get.responses['304']]).toEqual([304, expect.anything()]);
  const refused = await ask({ 'if-match': '"nope"' });
  expect(refused.status).toBe(412);
  const types = Object.keys(get.responses['412']?.content ?? { 'text/plain': {} });
  expect(types).toContain(refused.response.headers.get('content-type')?.split(';')[0]);
});

test('readiness has its 503 described', async () => {
  const { app, library } = withSamples();
  library.broken = true;
  const response = await app.request('/readyz');
  expect(response.status).toBe(503);
  await expectShape(response, (described.paths['/readyz'] as { get: Operation }).get);
});

test('what says little has the same shape', async () => {
  const { app, library } = withSamples();
  library.venues.set('places/p1', {
    collection: 'places',
    key: 'p1',
    id: 'x',
    type: 'Place',
    zone: 'UTC',
    upcoming: [],
    series: 0,
    facilities: 0,
  });
  library.pages.set('abc', series({ details: {}, upcoming: [] }));
  for (const path of ['/api/places/{key}', '/api/places/{key}/open', '/api/series/{key}']) {
    await expectShape(await app.request(addressOf(path)), (described.paths[path] as { get: Operation }).get);
  }
});

/** Not for callers: what pages load, and what other addresses answer. */
const LOADED = ['*', '/favicon.ico', '/favicon.svg', '/metrics'];
/** CalDAV describes itself, by OPTIONS and PROPFIND: OpenAPI knows none of its methods. */
const OF_DAV = ['/dav', '/dav/*', '/.well-known/caldav', '/.well-known/caldav/', '/principals', '/principals/*'];

test('every address is described', () => {
  const routes = [...new Set(setUp().paths)].filter((path) => ![...LOADED, ...OF_DAV].includes(path));
  const paths = Object.keys(described.paths).map((path) => path.replaceAll(/[{}]/g, ''));
  const undescribed = routes.filter((route) => {
    const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
    return !paths.some((path) => pattern.test(path));
  });
  expect(undescribed).toEqual([]);
});

test('what is described exists: it answers in another way than an address that nothing is at', async () => {
  const routes = [...new Set(setUp().paths)]
    .map((path) => path.replaceAll(/:\w+/g, '{}'))
    .filter((path) => path !== '*');
  const known = new RegExp(`^(?:${routes.map((path) => path.replaceAll('{}', '[^/]+')).join('|')})$`);
  const calendar = /^\/(?:search|(?:series|my|places|facilities)\/\{\w+\}(?:\/\w+)?)\.ics$/;
  const made = Object.keys(described.paths).filter((path) => !known.test(path) && !calendar.test(path));
  expect(made).toEqual([]);
});

test('every answer of the library may be refused, and says when to come back', () => {
  const refused = Object.entries(described.paths).flatMap(([path, { get }]) =>
    get?.responses[200]?.content && !/^\/(?:openapi\.json|healthz|readyz)$/.test(path)
      ? [Object.keys(get.responses)]
      : [],
  );
  expect(refused.length).toBeGreaterThan(30);
  for (const statuses of refused) expect(statuses).toEqual(expect.arrayContaining(['200', '429', '503']));
});

test('a list that is sent has the described form', () => {
  const schema = validator('SentList');
  expect(schema.safeParse({ things: ['series/abc', 'search?q=yoga'], name: 'Mine', prefix: 'place' }).success).toBe(
    true,
  );
  expect(schema.safeParse({ things: 'series/abc' }).success).toBe(false);
});

test('the shapes are closed: something undescribed does not fit', () => {
  const good = { type: 'about:blank', title: 'x', status: 400, detail: 'x' };
  expect(validator('Problem').safeParse(good).success).toBe(true);
  expect(validator('Problem').safeParse({ ...good, stack: 'x' }).success).toBe(false);
  expect(validator('Problem').safeParse({ ...good, status: '400' }).success).toBe(false);
  expect(validator('Listing').safeParse({ items: [{}], total: 1 }).success).toBe(false);
});

test('it names its own address, and every schema it speaks of', () => {
  expect([described.openapi, described.servers]).toEqual(['3.1.1', [{ url: 'https://calendars.example/open' }]]);
  const named = [...JSON.stringify(described).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect([...new Set(named)].sort()).toEqual(Object.keys(described.components.schemas).sort());
});
