import { describe, expect, it, test } from 'vitest';
import type { FeedHealth } from '../../../../src/library/index.ts';
import {
  byPublisher,
  groupOf,
  inTrouble,
  readFeedsQuery,
  sumWords,
} from '../../../../src/server/pages/feeds/groups.ts';
import { setUp } from '../../fake.ts';
import { feed } from '../../made.ts';

/** Up to date, unless more is said. */
const fine = (more: Partial<FeedHealth> = {}): FeedHealth => {
  const { held: _, resync: __, ...rest } = feed({ state: 'ended', findings: 0, failures: 0, ...more });
  return more.held === undefined ? rest : { ...rest, held: more.held };
};
const { lastSuccess: _, ...never } = fine({ state: 'reading' });

test.each<[group: string, one: FeedHealth]>([
  ['failing', fine({ state: 'failing' })],
  ['failing', fine({ state: 'stalled' })],
  ['failing', fine({ state: 'gone' })],
  ['held', feed()],
  ['reading', never],
  ['paused', fine({ state: 'paused' })],
  ['findings', fine({ findings: 3 })],
  ['ok', fine()],
  ['ok', fine({ state: 'reading' })],
  ['retired', fine({ state: 'retired' })],
])('%s', (group, one) => {
  expect(groupOf(one)).toBe(group);
});

test('a feed without failures and deletions does not count them', async () => {
  const { library, app } = setUp();
  library.sources = [fine({ id: 7, deleted: 0, totalFailures: 0 })];
  const text = await (await app.request('/feeds/7')).text();
  expect(text).toContain('<dt>Failures</dt><dd>None</dd>');
  expect(text).not.toContain('remembered');
});

test('the worst come first', () => {
  const feeds = [
    fine({ id: 1 }),
    feed({ id: 2 }),
    fine({ id: 3, state: 'failing' }),
    fine({ id: 4, state: 'gone', failures: 9 }),
  ];
  expect(inTrouble(feeds).map(({ id }) => id)).toEqual([4, 3, 2]);
});

test('publishers stand in the order of their names, with a sum of how their feeds are', () => {
  const publisher = (name: string) => ({ publisher: { name } });
  const { publisher: _, ...nobody } = fine({ name: 'castle' });
  const feeds = [
    fine(publisher('Zoo')),
    nobody,
    fine({ ...publisher('Éclair'), state: 'failing' }),
    fine(publisher('Zoo')),
  ];
  expect(byPublisher(feeds).map(({ name, feeds: own }) => [name, sumWords(own)])).toEqual([
    ['castle', '1 feed'],
    ['Éclair', '1 feed, 1 failing'],
    ['Zoo', '2 feeds'],
  ]);
});

test('a query that makes no sense is left out', () => {
  expect(readFeedsQuery({ state: 'constructor', q: '  ' })).toEqual({ state: undefined, q: undefined });
  expect(readFeedsQuery({ state: 'held', q: ' Wex ' })).toEqual({ state: 'held', q: 'Wex' });
});

describe('the page of all feeds', () => {
  async function page(query: string, ...feeds: FeedHealth[]): Promise<string> {
    const { app, library } = setUp();
    library.sources = feeds;
    library.kinds = ['a', 'b', 'c', 'd'].map((words, index) => ({
      code: 'zone-assumed',
      severity: 'warning',
      words: `${words} <b>`,
      count: 1000 - index,
      isMore: index === 0,
      feeds:
        index === 1
          ? [{ id: 7, name: 'One' }]
          : [
              { id: 7, name: 'One' },
              { id: 8, name: 'Two' },
            ],
    }));
    return (await app.request(`/feeds${query}`)).text();
  }

  it('counts feeds by state, and leaves out what there is none of', async () => {
    const text = await page('', fine(), fine({ id: 8, state: 'failing' }), fine({ id: 9, findings: 2 }));
    expect(text).toContain('3 feeds of 1 publisher, 2,100,000 items.');
    const chips = [...text.matchAll(/<a class="chip[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)];
    expect(chips.map(([, href, label = '']) => [href, label.replaceAll(/<[^>]*>/g, '')])).toEqual([
      ['/open/feeds', 'All 3'],
      ['/open/feeds?state=failing', 'Failing 1'],
      ['/open/feeds?state=findings', 'With findings 1'],
      ['/open/feeds?state=ok', 'Up to date 1'],
    ]);
  });

  it('filters by state and by name', async () => {
    const feeds = [
      fine({ name: 'Alpha' }),
      fine({ id: 8, name: 'Beta', state: 'failing' }),
      fine({ id: 9, name: 'Gamma' }),
    ];
    const failing = await page('?state=failing&q=a', ...feeds);
    expect(failing).toContain('aria-current="true"');
    expect(failing).toContain('/feeds/8"');
    expect(failing).not.toContain('/feeds/9"');
    expect(failing).toContain('href="/open/feeds?q=a"');
    const none = await page('?q=%3Cscript%3E', ...feeds);
    expect(none).toContain('No feed is like that.');
    expect(none).toContain('value="&lt;script&gt;"');
  });

  it('shows the most frequent findings, and folds the others', async () => {
    const text = await page('', fine());
    expect(text).toContain('a &lt;b&gt;');
    expect(text).toMatch(/1,000\s+or more/);
    expect(text).toContain('1 more kind');
  });

  it('is followed by a page for each feed, with its findings by code', async () => {
    const { app, library } = setUp();
    library.sources = [fine({ id: 8, name: 'Beta' })];
    const kind = { severity: 'warning' as const, isMore: false, words: 'Give the time zone.', count: 12 };
    library.kinds = [
      { ...kind, code: 'zone-assumed', feeds: [{ id: 8, name: 'Beta' }] },
      { ...kind, code: 'duplicate-id', words: 'Not of this one.', feeds: [{ id: 9, name: 'Gamma' }] },
    ] as typeof library.kinds;
    const text = await (await app.request('/feeds/8')).text();
    const [table = ''] = /<table class="kinds">.*?<\/table>/s.exec(text) ?? [];
    const words = table.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('Give the time zone. zone-assumed 12');
    expect(words).not.toContain('Not of this one.');
  });

  it('shows an example of a kind whose findings differ, and leads to the feeds that have it', async () => {
    const { app, library } = setUp();
    library.sources = [fine({ name: 'Alpha' }), fine({ id: 8, name: 'Beta' }), fine({ id: 9, name: 'Gamma' })];
    const feeds = [
      { id: 8, name: 'Beta' },
      { id: 9, name: 'Gamma' },
    ];
    const words = 'Write "…" instead of "…".';
    const example = 'Write "Leader" instead of "<leader>".';
    library.kinds = [
      { code: 'vocabulary-spelling', severity: 'warning', words, example, count: 9, isMore: false, feeds },
    ];
    const text = await (await app.request('/feeds')).text();
    expect(text).toContain('For example: <bdi>Write &quot;Leader&quot; instead of &quot;&lt;leader&gt;&quot;.</bdi>');
    expect(text).toMatch(/<a href="\/open\/feeds\?found=vocabulary-spelling"[^>]*>2 feeds/);
    const those = await (await app.request('/feeds?found=vocabulary-spelling')).text();
    expect(those).not.toContain('Alpha');
    expect(those).toContain('Beta');
    expect(those).toContain('Gamma');
    expect(those).toContain('href="/open/feeds?state=ok&amp;found=vocabulary-spelling"');
    expect(await (await app.request('/feeds?found=%3Cb%3E')).text()).toContain('Alpha');
  });

  it('shows five hundred feeds on a page under 100 KB', async () => {
    const feeds = Array.from({ length: 500 }, (_value, index) =>
      fine({
        id: index,
        name: `Sessions of the town ${index}`,
        publisher: { name: `Publisher number ${index % 150}` },
      }),
    );
    expect((await page('', ...feeds)).length).toBeLessThan(100_000);
  });
});
