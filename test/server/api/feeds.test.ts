import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { feedsOf } from '../../../src/library/feeds.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { Metrics } from '../../../src/server/operations/metrics.ts';
import { stateOf } from '../../../src/store/contract/feeds.ts';
import { setUp } from '../fake.ts';
import { FINDING, feed } from '../made.ts';
import { item, type Served, served } from '../stored-rig.ts';

function metricsOf({ rig }: Served): Promise<string> {
  return new Metrics({ feeds: () => feedsOf(rig.store.read), now: () => 0, log: silent }).text();
}

describe('what is stored of feeds', () => {
  let one: Served;
  beforeEach(async () => {
    one = await served();
  });
  afterEach(() => one.close());

  test('is reported without keys, with counts that are true', async () => {
    await one.rig.ingest.open('https://k:v@x.example/feed?apikey=hush', { publisher: 'Town & Co' });
    await one.feed(
      item('SessionSeries', 's1', { '@id': 'https://x.example/s1', name: 'Yoga' }),
      item('SessionSeries', 's2', { '@id': 'https://x.example/s2' }),
    );
    await one.feed(item('SessionSeries', 's2'));
    const text = await one.text('/api/feeds');
    expect(text).not.toMatch(/hush|k:v/);
    const { items } = JSON.parse(text) as { items: { id: number; items: number; deleted: number; name: string }[] };
    const full = items.find((feed) => feed.items > 0);
    expect(full).toMatchObject({ items: 1, deleted: 1 });
    for (const path of ['/feeds', `/feeds/${items[0]?.id}`]) expect(await one.text(path)).not.toMatch(/hush|k:v/);
    expect(await metricsOf(one)).not.toMatch(/hush|k:v/);
  });

  test('is reported without paths, unless a dataset site names them', async () => {
    const { rig } = one;
    const hidden = await rig.ingest.open('https://x.example/k3y/feed', {});
    await rig.ingest.open('https://y.example/whole/feed?type=Session', { listed: true });
    await rig.store.write(async (tx) => {
      for (const feed of await tx.feedStates()) {
        const lastError = `${feed.url}: the server answered 500 (asked for https://x.example/k3y/feed?page=2)`;
        await tx.saveFeedState(feed.id, { ...stateOf(feed), state: 'failing', failures: 2, lastError });
      }
      await tx.savePageFindings(hidden.id, 'c', [
        {
          item: '',
          finding: { code: 'next-invalid', path: '$.next', facts: { value: 'https://x.example/k3y/feed?2' } },
        },
      ] as never);
    });
    const own = (await rig.store.read.feedStates()).filter(({ id }) => id === hidden.id);
    expect(own).toMatchObject([{ url: 'https://x.example/k3y/feed', listed: false }]);
    const paths = ['/feeds', '/api/feeds', `/feeds/${hidden.id}`, `/api/feeds/${hidden.id}/findings`];
    for (const path of paths) {
      const text = await one.text(path);
      expect([path, text.includes('k3y')]).toEqual([path, path.endsWith('feeds') && text.includes('whole')]);
    }
  });

  test('one that is not read any more has no next visit', async () => {
    const url = 'https://x.example/left-out';
    const { id } = await one.rig.ingest.open(url, {});
    await one.rig.store.write(async (tx) => {
      const known = (await tx.feedStates()).filter((feed) => feed.id === id);
      for (const feed of known) await tx.saveFeedState(id, { ...stateOf(feed), state: 'retired', nextVisit: 1 });
    });
    const { items } = JSON.parse(await one.text('/api/feeds')) as { items: { id: number; nextVisit?: string }[] };
    expect(items.find((feed) => feed.id === id)).not.toHaveProperty('nextVisit');
    expect(await metricsOf(one)).not.toMatch(/next_visit_seconds\{feed="https:..x.example \(feed/);
  });

  test('findings come in pages that join without a gap', async () => {
    await one.feed(...[1, 2, 3, 4, 5].map((n) => item('SessionSeries', `s${n}`, { '@id': `https://x.example/${n}` })));
    const { items: feeds } = JSON.parse(await one.text('/api/feeds')) as { items: { id: number; findings: number }[] };
    const [first] = feeds;
    const seen: unknown[] = [];
    let address: string | undefined = `/api/feeds/${first?.id}/findings?limit=2`;
    for (let pages = 0; address !== undefined && pages < 9; pages++) {
      const answer = JSON.parse(await one.text(address)) as { items: { item: string }[]; next?: string };
      seen.push(...answer.items.map((finding) => JSON.stringify(finding)));
      address = answer.next === undefined ? undefined : answer.next.replace('https://c.example', '');
    }
    expect(seen).toHaveLength(first?.findings ?? 0);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(5);
  });
});

test('a publisher who fails makes nobody unready; how many do is reported', async () => {
  const one = await served();
  await one.feed(item('SessionSeries', 's1', { '@id': 'https://x.example/1' }));
  await one.rig.store.write(async (tx) => {
    for (const feed of await tx.feedStates()) {
      await tx.saveFeedState(feed.id, { ...stateOf(feed), state: 'failing', failures: 99 });
    }
  });
  const response = await one.app.request('/readyz');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    status: 'ready',
    calendars: 1,
    feeds: 1,
    failing: 1,
    stalled: 0,
    gone: 0,
    held: 0,
    paused: 0,
  });
  await one.close();
});

describe('the pages', () => {
  test('say in words how a feed is, and how to let deletions through', async () => {
    const { library, app } = setUp();
    library.sources = [
      feed({ name: '<b>x</b>' }),
      feed({ id: 8, state: 'failing', lastError: 'https://x.example/feed: answered <503>' }),
    ];
    const text = await (await app.request('/feeds')).text();
    expect(text).toContain('&lt;b&gt;x&lt;/b&gt;');
    expect(text).toContain(
      '4,000 of 5,000 calendars and 670,000 of 700,000 sessions would be gone by what the feed says now.',
    );
    expect(text).toContain('openactive-ical feeds --confirm 7');
    expect(text).toContain('Failing: 3 passes in a row');
    expect(text).toContain('answered &lt;503&gt;');
    expect(text).toContain('2 h ago');
    expect(text).toContain('come from open data');
  });

  test('one feed: its findings, and the way to the next ones', async () => {
    const { library, app } = setUp();
    library.sources = [feed({ state: 'ended', held: undefined as never, resync: undefined as never })];
    library.odd = Array.from({ length: 60 }, () => FINDING);
    const text = await (await app.request('/feeds/7')).text();
    expect(text).toContain('Up to date');
    expect(text.match(/<strong class="flag bad">error<\/strong>/g)).toHaveLength(50);
    expect(text).toContain('href="/open/feeds/7?after=50"');
    expect((await app.request('/feeds/99')).status).toBe(404);
    expect((await app.request('/feeds/x')).status).toBe(404);
  });

  test('every page leads to the feeds', async () => {
    const { app } = setUp();
    expect(await (await app.request('/')).text()).toContain('href="/open/feeds"');
  });
});

test.each(['limit=0', 'limit=201', 'limit=x', 'after=-1', 'after=a'])('%s is a problem', async (query) => {
  const { library, app } = setUp();
  library.sources = [feed()];
  const response = await app.request(`/api/feeds/7/findings?${query}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    400,
    'application/problem+json; charset=utf-8',
  ]);
});
