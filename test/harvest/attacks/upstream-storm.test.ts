import { describe, expect, test } from 'vitest';
import { userAgent } from '../../../src/cli/package.ts';
import { StatusError, StoppedError } from '../../../src/errors.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import { createDiscovery } from '../../../src/harvest/discovery/discover.ts';
import type { Feed } from '../../../src/harvest/feed/crawl.ts';
import { httpSource } from '../../../src/harvest/feed/http-source.ts';
import { harvestForever } from '../../../src/harvest/visit/forever.ts';
import { LIMITS } from '../../../src/limits.ts';
import { memoryIngest, pageText } from '../memory.ts';
import { naming, serve, stranger } from './rig.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** A publisher in trouble, and we the ones who keep it there: how often is it asked in a day? */
async function askedInADay(answer: (path: string) => [number, Record<string, string>], random = 0): Promise<number> {
  const server = await serve((request, response) => {
    const [status, headers] = answer(request.url ?? '');
    response.writeHead(status, headers).end(status === 200 ? pageText([], request.url ?? '') : '');
  });
  let now = 0;
  const stop = new AbortController();
  const sleep = async (ms: number) => {
    now += ms;
    if (now >= DAY) stop.abort(new StoppedError('SIGTERM'));
    await new Promise((done) => setImmediate(done));
  };
  const source = httpSource({
    url: `${server.url}/feed`,
    client: naming(server),
    queue: createHostQueue(),
    named: new Set(),
  });
  const feed: Feed = { source, meta: {} };
  const options = { ingest: memoryIngest(() => now), sleep, random: () => random, now: () => now, pollMs: () => 8000 };
  await harvestForever([feed], { ...options, signal: stop.signal });
  return server.asked.length;
}

describe('requests in a day to a feed that answers', () => {
  const rows: [string, [number, Record<string, string>], number][] = [
    ['503: every 60 to 120 minutes', [503, {}], 24],
    ['429', [429, {}], 24],
    ['503, and names six hours', [503, { 'retry-after': '21600' }], 4],
    ['429, and names a day by date', [429, { 'retry-after': 'Sat, 02 May 2026 12:00:00 GMT' }], 1],
    ['404: once', [404, {}], 1],
    ['410: once', [410, {}], 1],
    ['500: less and less often, at last once an hour', [500, {}], 60],
    ['403', [403, {}], 60],
  ];
  test.each(rows)('%s', async (_name, answer, most) => {
    for (const random of [0, 0.5, 0.99]) {
      const asked = await askedInADay(() => answer, random);
      expect(asked).toBeGreaterThan(0);
      expect(asked).toBeLessThanOrEqual(most);
    }
  });

  test('a redirect to itself', async () => {
    // Each try is the first request and five hops.
    expect(await askedInADay(() => [302, { location: '/feed' }])).toBeLessThanOrEqual(60 * 6);
  });
});

test('tries that many harvesters begin together spread', async () => {
  const { waitAfter } = await import('../../../src/fetch/back-off.ts');
  const waits = [0, 0.25, 0.5, 0.75].map((random) => waitAfter(new StatusError('http://a.example/', 503), 1, random));
  expect(new Set(waits).size).toBe(waits.length);
  expect(Math.min(...waits)).toBe(LIMITS.unavailableMinMs);
});

test('a day of a broken dataset site is no storm either', async () => {
  const server = await serve((_request, response) => response.writeHead(500).end());
  let now = 0;
  const options = {
    roots: [server.url],
    client: naming(server),
    queue: createHostQueue(),
    random: () => 0,
    sleep: async () => {},
  };
  const discovery = createDiscovery({ ...options, now: () => now, signal: new AbortController().signal });
  while (now < DAY) {
    await discovery.discover('due');
    now += Math.max(discovery.wait(), 1);
  }
  expect(server.asked.length).toBeLessThanOrEqual(60);
});

test('one request at a time to a host, whoever asks: ten feeds side by side', async () => {
  let [out, most] = [0, 0];
  const server = await serve((request, response) => {
    out += 1;
    most = Math.max(most, out);
    setTimeout(() => {
      out -= 1;
      response.end(pageText([], request.url ?? ''));
    }, 5);
  });
  const client = naming(server);
  const queue = createHostQueue();
  const sources = Array.from({ length: 10 }, (_, at) =>
    httpSource({ url: `${server.url}/${at}`, client, queue, named: new Set() }),
  );
  await Promise.all(sources.map((source) => source.page(null)));
  expect([most, server.asked.length]).toEqual([1, 10]);
});

test('who asks says honestly who it is, and where to write to', async () => {
  expect(userAgent()).toMatch(/^openactive-ical\/\d+\.\d+\.\d+\S* \(OpenActive to iCalendar\)$/);
  expect(userAgent('https://example.org/bot')).toMatch(/^openactive-ical\/\S+ \(\+https:\/\/example\.org\/bot\)$/);
  const server = await serve((_request, response) => response.end('{}'));
  await stranger({ named: [server.url], userAgent: userAgent('ops@example.org') }).get(server.url);
  expect(server.asked[0]?.headers).toMatchObject({
    'user-agent': userAgent('ops@example.org'),
    'accept-encoding': 'gzip, br',
  });
});
