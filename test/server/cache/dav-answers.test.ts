import { beforeEach, describe, expect, it, test } from 'vitest';
import { calendarsOf } from '../../../src/dav/index.ts';
import { type CalendarName, tokenOf } from '../../../src/library/index.ts';
import { AnswerCache } from '../../../src/server/cache/answer-cache.ts';

/** Answers of CalDAV that all who ask share, until a calendar that they are of changes or the minute ends. */

const BASE = 'https://c.example';
const TOKEN = tokenOf([{ kind: 'series', key: 'abc' }]);
let made: string[];
let clock: number;
let tell: (names: readonly CalendarName[] | 'all') => void;
let answer: (body: string) => Response | Promise<Response>;
let cache: AnswerCache;

beforeEach(() => {
  made = [];
  clock = Date.UTC(2026, 2, 2, 12);
  answer = () => new Response(`answer ${made.length}`, { status: 207 });
  const library = {
    onFeeds: () => () => {},
    onChange: (listener: typeof tell) => {
      tell = listener;
      return () => {};
    },
  };
  const asked = async (request: Request) => {
    const body = await request.text();
    made.push(body);
    return answer(body);
  };
  cache = new AnswerCache({ library, answer: asked, limitBytes: 20_000, now: () => clock });
});

const ask = async (path: string, body = 'x', headers: Record<string, string> = {}, method = 'REPORT', base?: string) =>
  (await cache.answer(new Request(`${BASE}${path}`, { method, headers, body }), base)).text();

test.each(['/dav/', '/dav/series/abc/', '/dav/search/q%3Dyoga/', `/dav/my/${TOKEN}/`, `/dav/my/${TOKEN}/series-abc/`])(
  '%s is answered once for all who ask the same',
  async (path) => {
    expect(await Promise.all([ask(path), ask(path)])).toEqual(['answer 1', 'answer 1']);
    expect(await ask(path)).toBe('answer 1');
    expect(made).toEqual(['x']);
  },
);

test('another body, method, address, base or header that CalDAV reads is another answer', async () => {
  const path = '/dav/series/abc/';
  const all = [
    await ask(path),
    await ask(path, 'y'),
    await ask(path, 'x', {}, 'PROPFIND'),
    await ask('/dav/series/abcd/'),
    await ask(path, 'x', {}, 'REPORT', 'https://d.example'),
    await ask(path, 'x', { depth: '1' }),
    await ask(path, 'x', { prefer: 'return=minimal' }),
    await ask(path, 'x', { brief: 't' }),
    await ask(path, 'x', { 'accept-encoding': 'gzip' }),
    // Neither of the two is taken for the other.
    await ask(path, 'x', { depth: '1', prefer: '' }),
    await ask(path, 'x', { prefer: '1' }),
  ];
  expect(new Set(all).size).toBe(10);
  expect(await ask(path, 'x', { 'user-agent': 'somebody', authorization: 'Basic eA==' })).toBe('answer 1');
});

test.each(['OPTIONS', 'PROPPATCH', 'PUT'])('%s is answered each time', async (method) => {
  await ask('/dav/series/abc/', 'x', {}, method);
  expect(await ask('/dav/series/abc/', 'x', {}, method)).toBe('answer 2');
});

test.each(['if', 'if-match'])('a request with %s is answered by itself', async (name) => {
  const path = '/dav/series/abc/';
  const conditional = { [name]: '(["nope"])' };
  expect(await ask(path, 'x', conditional)).toBe('answer 1');
  expect(await ask(path)).toBe('answer 2');
  expect(await ask(path, 'x', conditional)).toBe('answer 3');
  expect(await Promise.all([ask(path, 'y', conditional), ask(path, 'y')])).toEqual(['answer 4', 'answer 5']);
  expect(await ask(path)).toBe('answer 2');
});

test('what is no 207 is not held', async () => {
  answer = () => new Response('no', { status: 403 });
  await ask('/dav/series/abc/');
  await ask('/dav/series/abc/');
  expect([made.length, cache.size().entries]).toEqual([2, 0]);
});

describe('ends', () => {
  it.each<[path: string, names: CalendarName[] | 'all']>([
    ['/dav/series/abc/', ['abc']],
    ['/dav/series/abc/', ['other', 'abc']],
    ['/dav/series/abc/', 'all'],
    ['/dav/places/abc/', ['places/abc/all']],
    ['/dav/search/q%3Dyoga/', ['other']],
    [`/dav/my/${TOKEN}/`, ['other']],
    [`/dav/my/${TOKEN}/series-abc/`, ['abc']],
    [`/dav/my/${TOKEN}/series-abc/`, [`my/${TOKEN}`]],
    [`/dav/my/${TOKEN}/search-0123456789abcdef/`, ['other']],
  ])('what %s was answered with a change of %s', async (path, names) => {
    await ask(path);
    tell(names);
    expect(await ask(path)).toBe('answer 2');
  });

  it.each(['/dav/', '/dav/series/abc/', '/dav/places/abc/', `/dav/my/${TOKEN}/series-abc/`])(
    'not what %s was answered with a change of other calendars',
    async (path) => {
      await ask(path);
      tell(['other', 'places/other/all', 'my/other']);
      expect(await ask(path)).toBe('answer 1');
    },
  );

  it('with the minute', async () => {
    await ask('/dav/series/abc/');
    clock += 60_000;
    expect(await ask('/dav/series/abc/')).toBe('answer 2');
  });
});

test.each<[names: CalendarName[] | 'all']>([[['abc']], ['all']])(
  'what was made while %s changed is answered and not held',
  async (names) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    const first = ask('/dav/series/abc/');
    await expect.poll(() => made.length).toBe(1);
    tell(names);
    answer = () => new Response('newer', { status: 207 });
    expect(await ask('/dav/series/abc/')).toBe('newer');
    resolve(new Response('older', { status: 207 }));
    expect(await first).toBe('older');
    expect(await ask('/dav/series/abc/')).toBe('newer');
  },
);

test('an answer that is not held again after a change is let go with what it depends on', async () => {
  for (let n = 0; n < 30; n += 1) await ask('/dav/series/abc/', `${n}${'y'.repeat(10)}`);
  expect(cache.size().entries).toBeLessThan(20);
  tell(['abc']);
  expect(cache.size()).toEqual({ entries: 0, bytes: 0 });
});

test.each(['/dav/series/abc/x.ics', '/dav/nothing/', '/dav/series/%00/', '/search'])('%s is no collection', (path) => {
  expect(calendarsOf(path)).toBeUndefined();
});
