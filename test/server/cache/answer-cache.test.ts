import { beforeEach, expect, test } from 'vitest';
import { AnswerCache } from '../../../src/server/cache/answer-cache.ts';

/** Answers that all who ask share, until something changes or the minute ends. */

const BASE = 'https://c.example';
let made: Request[];
let clock: number;
let change: () => void;
let moveFeeds: () => void;
let answer: (request: Request) => Response | Promise<Response>;
let cache: AnswerCache;

beforeEach(() => {
  made = [];
  clock = Date.UTC(2026, 2, 2, 12);
  answer = () =>
    new Response(`answer ${made.length}`, { headers: { ETag: `W/"${made.length}"`, Vary: 'Accept-Encoding' } });
  const library = {
    onFeeds: (listener: () => void) => {
      moveFeeds = listener;
      return () => {};
    },
    onChange: (listener: (keys: 'all') => void) => {
      change = () => listener('all');
      return () => {};
    },
  };
  const asked = (request: Request) => {
    made.push(request);
    return answer(request);
  };
  cache = new AnswerCache({ library, answer: asked, limitBytes: 10_000, now: () => clock });
});

const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Request(`${BASE}${path}`, { method, headers });
const ask = async (path: string, headers?: Record<string, string>, base?: string) =>
  cache.answer(request(path, headers), base);
const text = async (path: string, headers?: Record<string, string>) => (await ask(path, headers)).text();

test.each(['/', '/search?q=yoga', '/api', '/openapi.json', '/api/occurrences?q=yoga', '/api/series', '/embed/search'])(
  '%s is made once for all who ask',
  async (path) => {
    const both = [text(path), text(path)];
    expect(await Promise.all(both)).toEqual(['answer 1', 'answer 1']);
    expect(await text(path)).toBe('answer 1');
    expect(made).toHaveLength(1);
  },
);

test.each([
  '/my',
  '/my/token',
  '/series/abc',
  '/places/abc',
  '/feeds/1',
  '/api/feeds/1/findings',
  '/api/series/abc',
  '/searches',
])('%s is made for each request', async (path) => {
  expect([await text(path), await text(path)]).toEqual(['answer 1', 'answer 2']);
  expect(cache.size().entries).toBe(0);
});

test('another query, coding, host or base is another answer, and so is another method', async () => {
  await text('/search?q=yoga');
  expect(await text('/search?q=judo')).toBe('answer 2');
  expect(await text('/search?q=yoga', { 'Accept-Encoding': 'gzip' })).toBe('answer 3');
  expect(await (await ask('/search?q=yoga', {}, 'https://d.example')).text()).toBe('answer 4');
  expect(await (await cache.answer(new Request('https://d.example/search?q=yoga'))).text()).toBe('answer 5');
  expect(await (await cache.answer(request('/search?q=yoga', {}, 'HEAD'))).text()).toBe('answer 6');
  expect(await text('/search?q=yoga')).toBe('answer 1');
});

test('a change ends all of them', async () => {
  await text('/');
  change();
  expect(await text('/')).toBe('answer 2');
});

test.each(['/feeds', '/feeds?state=failing', '/api/feeds'])('%s is made once, until a feed moves', async (path) => {
  expect([await text(path), await text(path)]).toEqual(['answer 1', 'answer 1']);
  await text('/');
  moveFeeds();
  expect([await text(path), await text('/'), await text(path)]).toEqual(['answer 3', 'answer 2', 'answer 3']);
  change();
  expect(await text(path)).toBe('answer 4');
  clock += 60_000;
  expect(await text(path)).toBe('answer 5');
});

test('what was changed while it was made is answered and not held', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  const first = text('/');
  change();
  answer = () => new Response('newer');
  expect(await text('/')).toBe('newer');
  resolve(new Response('older'));
  expect(await first).toBe('older');
  expect(await text('/')).toBe('newer');
});

test('the end of the minute ends it', async () => {
  await text('/');
  clock += 59_999;
  expect(await text('/')).toBe('answer 1');
  clock += 1;
  expect(await text('/')).toBe('answer 2');
});

test('who holds it is told so, whoever asked first', async () => {
  const first = await ask('/', { 'If-None-Match': '"1"' });
  expect(first.status).toBe(304);
  expect(made[0]?.headers.get('If-None-Match')).toBeNull();
  for (const held of ['"1"', 'W/"1"', '"0", "1"', '*']) {
    const response = await ask('/', { 'If-None-Match': held });
    expect([response.status, response.headers.get('ETag'), await response.text()]).toEqual([304, 'W/"1"', '']);
    expect(response.headers.get('Vary')).toBe('Accept-Encoding');
  }
  expect(await text('/', { 'If-None-Match': '"2"' })).toBe('answer 1');
  expect(made).toHaveLength(1);
});

test('what is no answer is not held, nor what fails', async () => {
  answer = () => new Response('no', { status: 503 });
  expect([(await ask('/')).status, (await ask('/')).status, made.length]).toEqual([503, 503, 2]);
  answer = () => Promise.reject(new Error('broken'));
  await expect(ask('/')).rejects.toThrow('broken');
  answer = () => new Response('again');
  expect(await text('/')).toBe('again');
});

test('memory is bounded', async () => {
  answer = () => new Response('x'.repeat(3000));
  for (const q of ['a', 'b', 'c', 'd']) await text(`/search?q=${q}`);
  expect(cache.size()).toEqual({ entries: 2, bytes: 8000 });
  answer = () => new Response('x'.repeat(20_000));
  await text('/search?q=large');
  expect(cache.size().entries).toBe(2);
});
