import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../../src/cli/package.ts';
import { crawlOnce } from '../../../src/harvest/feed/crawl.ts';
import { type SampleFeed, sampleFeeds } from '../../../src/harvest/feed/samples.ts';
import { cleanItem } from '../../../src/opportunity/clean.ts';
import { FINDINGS } from '../../../src/opportunity/findings.ts';
import { compareModified, type RpdeItem } from '../../../src/opportunity/page/page.ts';
import { codesOf, memoryIngest, sleeper } from '../memory.ts';

const folder = join(packageFolder, 'fixtures', 'feeds');
const WEEK = 7 * 86_400_000;
const NOW = Date.UTC(2026, 4, 13, 12);
/** The one whose publisher does everything that publishers do. */
const UNTIDY = 'sample:fit-barn-untidy';

async function itemsOf(feed: SampleFeed): Promise<RpdeItem[]> {
  const ingest = memoryIngest();
  await crawlOnce(feed, { ingest, sleep: sleeper().sleep, random: () => 0 });
  return ingest.commits.flatMap(({ page }) => page.items);
}

const feeds = await sampleFeeds(folder, () => NOW);
const named = feeds.map((feed) => [feed.source.url, feed] as const);

describe('the sample feeds', () => {
  test.each(named)('%s: whole, in order, ids once, no placeholder left', async (url, feed) => {
    const items = await itemsOf(feed);
    expect(items.length).toBeGreaterThan(4);
    expect(new Set(items.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(items.length);
    expect(JSON.stringify(items)).not.toContain('{{');
    if (url === UNTIDY) return;
    for (const [index, item] of items.slice(1).entries()) {
      expect(compareModified(item.modified, (items[index] as RpdeItem).modified), item.id).toBeGreaterThan(0);
    }
  });

  test.each(named.filter(([url]) => url !== UNTIDY))('%s: without errors or warnings', async (url, feed) => {
    const ingest = memoryIngest();
    await crawlOnce(feed, { ingest, sleep: sleeper().sleep, random: () => 0 });
    expect(codesOf(ingest)).toEqual([]);
    const items = ingest.commits.flatMap(({ page }) => page.items).filter(({ state }) => state === 'updated');
    const serious = items.flatMap((item) =>
      cleanItem(item, { zone: 'Europe/London', feed: url, slots: true })
        .findings.filter(({ code }) => FINDINGS[code].severity !== 'info')
        .map(({ code, path }) => `${item.id} ${code} ${path}`),
    );
    expect(serious).toEqual([]);
  });

  test('the untidy one shows many findings, and yields records all the same', async () => {
    const feed = feeds.find(({ source }) => source.url === UNTIDY) as SampleFeed;
    const cleaned = (await itemsOf(feed))
      .filter(({ state }) => state === 'updated')
      .map((item) => cleanItem(item, { zone: 'Europe/London', feed: UNTIDY }));
    const codes = new Set(cleaned.flatMap(({ findings }) => findings.map(({ code }) => code)));
    expect(codes.size).toBeGreaterThan(12);
    expect(new Set(cleaned.flatMap(({ records }) => records.map(({ record }) => record.kind)))).toEqual(
      new Set(['series', 'session', 'facility', 'place']),
    );
  });

  test('next week they say next week, newer than before, of the same items', async () => {
    const later = await sampleFeeds(folder, () => NOW + WEEK);
    for (const [index, feed] of feeds.entries()) {
      const [before, after] = [await itemsOf(feed), await itemsOf(later[index] as SampleFeed)];
      expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    }
    const sessions = feeds.findIndex(({ source }) => source.url === 'sample:marlowe-scheduled-sessions');
    const [before] = await itemsOf(feeds[sessions] as SampleFeed);
    const [after] = await itemsOf(later[sessions] as SampleFeed);
    expect(before?.data).toMatchObject({ startDate: '2026-05-11T06:00:00Z' });
    expect(after?.data).toMatchObject({ startDate: '2026-05-18T06:00:00Z' });
    expect(compareModified(after?.modified ?? '', before?.modified ?? '')).toBeGreaterThan(0);
  });

  test('are read again when the week ends, while they are being served', async () => {
    let now = NOW;
    const [, feed] = await sampleFeeds(folder, () => now);
    const ingest = memoryIngest();
    const pass = () => crawlOnce(feed as SampleFeed, { ingest, sleep: sleeper().sleep, random: () => 0 });
    expect(await pass()).toMatchObject({ end: true, pages: 4 });
    now += 3 * 86_400_000;
    expect(await pass()).toMatchObject({ end: true, pages: 0 });
    now += 2 * 86_400_000;
    expect(await pass()).toMatchObject({ end: true, pages: 4 });
  });

  test('name their publishers, whose licence demands it', async () => {
    const listed = JSON.parse(await readFile(join(folder, 'feeds.json'), 'utf8'));
    for (const feed of listed)
      expect(feed).toMatchObject({ publisher: expect.any(String), publisherUrl: expect.stringMatching(/^https:/) });
  });
});
