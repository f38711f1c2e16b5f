import { describe, expect, test } from 'vitest';
import type { StoreTrouble } from '../../../src/errors.ts';
import { startAdmin } from '../../../src/server/operations/admin.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { Metrics } from '../../../src/server/operations/metrics.ts';
import { startServer } from '../../../src/server/start.ts';
import { FakeLibrary, NOW, render, setUp } from '../fake.ts';
import { feed } from '../made.ts';

/**
 * Samples of the text format of Prometheus, by name with labels; a line that is none fails. Numbers are what Go's
 * ParseFloat takes, which does not mind the case of NaN.
 */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>();
  const line =
    /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*\})?) ([-+]?(?:[\d.eE+-]+|Inf|Na[Nn]))$/;
  const comment = /^# (?:HELP [a-zA-Z_:][\w:]* [^\n]*|TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram|summary))$/;
  expect(text.endsWith('\n')).toBe(true);
  for (const one of text.split('\n').slice(0, -1)) {
    if (one === '' || comment.test(one)) continue;
    const match = line.exec(one);
    expect(match, one).not.toBeNull();
    const [, name = '', value] = match as RegExpExecArray;
    expect(found.has(name), `${name} twice`).toBe(false);
    found.set(name, Number(value));
  }
  return found;
}

const named = (name: string) => `openactive_ical_${name}`;

const ADMIN = { port: 0, host: '127.0.0.1', token: undefined, log: silent, now: () => NOW };

describe('over HTTP', () => {
  async function withServer(work: (ask: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>) {
    const library = new FakeLibrary();
    library.commit('abc', 'Yoga');
    library.sources = [feed()];
    const server = await startServer({ library, render, port: 0, host: '127.0.0.1' });
    const { serving } = server;
    const metrics = new Metrics({
      serving,
      feeds: () => library.feeds(),
      writes: () => 42,
      retries: () => 3,
      now: () => NOW,
      log: silent,
    });
    const admin = await startAdmin({ ...ADMIN, library, feeds: () => library.feeds(), metrics });
    try {
      await work((path, init) => fetch((path === '/metrics' ? admin.url : server.url) + path, init));
    } finally {
      await admin.close();
      await server.close();
    }
  }

  test('each answer is counted once, where it belongs', async () => {
    await withServer(async (ask) => {
      const read = async () => samples(await (await ask('/metrics')).text());
      const before = await read();
      const first = await ask('/series/abc.ics', { headers: { 'accept-encoding': 'identity' } });
      const size = (await first.arrayBuffer()).byteLength;
      const again = await ask('/series/abc.ics', { headers: { 'accept-encoding': 'identity' } });
      await again.arrayBuffer();
      const etag = first.headers.get('etag') ?? '';
      expect((await ask('/series/abc.ics', { headers: { 'if-none-match': etag } })).status).toBe(304);
      expect((await ask('/series/abc.ics?x=1', { headers: { 'if-none-match': etag } })).status).toBe(304);
      await ask('/series/abc.ics', { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
      for (const path of ['/series/none.ics', '/api/series?limit=0', '/api/series', '/', '/none', '/healthz']) {
        await (await ask(path)).arrayBuffer();
      }
      const after = await read();
      const moved = (name: string) => (after.get(named(name)) ?? 0) - (before.get(named(name)) ?? 0);
      expect({
        full: moved('calendar_answers_total{calendar="series",outcome="full"}'),
        same: moved('calendar_answers_total{calendar="series",outcome="not_modified"}'),
        bytes: moved('calendar_bytes_total{calendar="series"}'),
        hits: moved('cache_lookups_total{calendar="series",result="hit"}'),
        misses: moved('cache_lookups_total{calendar="series",result="miss"}'),
        renders: moved('renders_total{calendar="series"}'),
        places: moved('calendar_answers_total{calendar="places",outcome="full"}'),
      }).toEqual({ full: 3, same: 2, bytes: 2 * size, hits: 4, misses: 2, renders: 1, places: 0 });
      const answers = (route: string, status: string) =>
        moved(`http_answers_total{route="${route}",status="${status}"}`);
      expect([answers('calendar', '2xx'), answers('calendar', '3xx'), answers('calendar', '4xx')]).toEqual([3, 2, 1]);
      expect([answers('api', '2xx'), answers('api', '4xx')]).toEqual([1, 1]);
      expect([answers('page', '2xx'), answers('page', '4xx')]).toEqual([1, 1]);
      // /healthz; what is asked of the admin address is not counted.
      expect(answers('operations', '2xx')).toBe(1);
      expect(moved('render_seconds_total{calendar="series"}')).toBeGreaterThan(0);
      expect(after.get(named('cache_entries'))).toBe(1);
      expect(after.get(named('cache_bytes'))).toBeGreaterThan(size);
      expect(after.get(named('store_writes_total'))).toBe(42);
      expect(after.get(named('store_retries_total'))).toBe(3);
    });
  });

  test('HEAD answers without a body, others are refused', async () => {
    await withServer(async (ask) => {
      const head = await ask('/metrics', { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect((await ask('/metrics', { method: 'POST' })).status).toBe(405);
    });
  });
});

describe('feeds', () => {
  async function scraped(library: FakeLibrary, admin: ReturnType<typeof setUp>['app']) {
    expect(library).toBeDefined();
    return samples(await (await admin.request('/metrics')).text());
  }

  test('have a number for each thing that is known', async () => {
    const { library, admin } = setUp();
    library.sources = [feed({ held: undefined as never, name: 'A "b"\\c' })];
    const found = await scraped(library, admin);
    const of = (name: string) => found.get(`${named(name)}{feed="A \\"b\\"\\\\c"}`);
    expect([of('feed_items'), of('feed_tombstones'), of('feed_findings'), of('feed_pages_total')]).toEqual([
      700_000, 12, 2, 1234,
    ]);
    expect([of('feed_failures_total'), of('feed_failures_in_a_row'), of('feed_held_items')]).toEqual([12, 3, 0]);
    expect([of('feed_lag_seconds'), of('feed_next_visit_seconds')]).toEqual([7200, 3600]);
    expect(found.get(`${named('feed_state')}{feed="A \\"b\\"\\\\c",state="held"}`)).toBe(1);
    expect(found.get(named('store_up'))).toBe(1);
  });

  test('that are held: how many items, calendars and sessions wait', async () => {
    const { library, admin } = setUp();
    library.sources = [feed({ name: 'A' })];
    const found = await scraped(library, admin);
    const of = (name: string) => found.get(`${named(name)}{feed="A"}`);
    expect(['items', 'calendars', 'sessions'].map((what) => of(`feed_held_${what}`))).toEqual([
      671_000, 4_000, 670_000,
    ]);
  });

  test('of one name are reported apart; one that is new says nothing it does not know', async () => {
    const { library, admin } = setUp();
    const { lastSuccess: _, nextVisit: __, ...fresh } = feed({ id: 9, items: 1 });
    library.sources = [feed(), fresh];
    const found = await scraped(library, admin);
    expect(found.get(`${named('feed_items')}{feed="Wexcombe sessions #7"}`)).toBe(700_000);
    expect(found.get(`${named('feed_items')}{feed="Wexcombe sessions #9"}`)).toBe(1);
    expect([...found.keys()].filter((key) => /feed_(lag|next).*#9/.test(key))).toEqual([]);
  });

  test('leave with the state they were in', async () => {
    const { library, admin } = setUp();
    library.sources = [feed()];
    await scraped(library, admin);
    library.sources = [feed({ state: 'ended' })];
    const found = await scraped(library, admin);
    expect([...found.keys()].filter((key) => key.includes('feed_state'))).toEqual([
      `${named('feed_state')}{feed="Wexcombe sessions",state="ended"}`,
    ]);
  });

  test('a store that does not answer leaves the rest readable, and says nothing of why', async () => {
    const { library, admin } = setUp();
    library.broken = true;
    const response = await admin.request('/metrics');
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(samples(text).get(named('store_up'))).toBe(0);
    expect(samples(text).get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(text).not.toContain('secret');
  });
});

test('the trouble of the store is 1 while it lasts, though the store answers', async () => {
  let trouble: StoreTrouble | undefined = 'full';
  const metrics = new Metrics({ feeds: async () => [], trouble: () => trouble, now: () => NOW, log: silent });
  const read = async () => {
    const found = samples(await metrics.text());
    const of = (name: string) => found.get(`${named('store_trouble')}{trouble="${name}"}`);
    return [found.get(named('store_up')), ...['damaged', 'unreadable', 'full', 'read-only'].map(of)];
  };
  expect(await read()).toEqual([1, 0, 0, 1, 0]);
  trouble = undefined;
  expect(await read()).toEqual([1, 0, 0, 0, 0]);
});

test('the clock of lag is the server’s own', async () => {
  const { library, admin } = setUp();
  library.sources = [feed({ lastSuccess: NOW - 90_000 })];
  const found = samples(await (await admin.request('/metrics')).text());
  expect(found.get(`${named('feed_lag_seconds')}{feed="Wexcombe sessions"}`)).toBe(90);
});

test('the first answer has measured delays of the event loop', async () => {
  const found = samples(await (await setUp().admin.request('/metrics')).text());
  const delays = [...found].filter(([name]) => name.startsWith('nodejs_eventloop_lag_'));
  expect(delays.length).toBeGreaterThan(7);
  for (const [name, seconds] of delays) expect([name, seconds >= 0 && seconds < 60]).toEqual([name, true]);
  expect(found.get('nodejs_eventloop_lag_mean_seconds')).toBeGreaterThan(0);
});
