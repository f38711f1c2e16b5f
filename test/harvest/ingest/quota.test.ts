import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { QuotaError } from '../../../src/errors.ts';
import { createIngest } from '../../../src/harvest/ingest/ingest.ts';
import type { Quota } from '../../../src/harvest/ingest/quota.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { FEED, type Rig, rig, servedBy } from '../rig.ts';

/** A feed that sends without end must not fill the disk of all. */

let one: Rig;
beforeEach(async () => {
  one = await rig();
});
afterEach(() => one.close());

const data = (id: number, name: string) => ({
  '@type': 'SessionSeries',
  '@id': `https://a.example/${id}`,
  name,
  eventSchedule: [{ '@type': 'PartialSchedule', startTime: '18:00', byDay: ['https://schema.org/Monday'] }],
});

type Sent = [id: number, name: string | undefined];

/** One page more of the feed, under a quota. */
async function send(quota: Partial<Quota>, modified: number, ...sent: Sent[]): Promise<void> {
  const ingest = createIngest(one.store, { ...one.options, quota: { feedItems: 1000, feedBytes: 1e9, ...quota } });
  const items = sent.map(([id, name]) => ({
    state: name === undefined ? 'deleted' : 'updated',
    kind: 'SessionSeries',
    id,
    modified,
    ...(name !== undefined && { data: data(id, name) }),
  }));
  const page = parsePage(JSON.stringify({ next: `${FEED}?${modified}`, license: 'https://a.example/l', items }));
  await ingest.commit(await ingest.open(FEED, {}), page, `${FEED}?${modified}`);
}

const counts = () => one.store.read.feedCounts(1);
const named = (count: number, from = 0): Sent[] => Array.from({ length: count }, (_, id) => [id + from, `n ${id}`]);

describe('a feed over its quota', () => {
  test('of items: what is stored stays and is served, and the page comes again when the setting is raised', async () => {
    await send({ feedItems: 5 }, 1, ...named(5));
    const served = await servedBy(one.store, one.options);
    const refused = send({ feedItems: 5 }, 2, ...named(1, 5));
    await expect(refused).rejects.toBeInstanceOf(QuotaError);
    await expect(refused).rejects.toThrow(
      'it holds 5 items and sends more than the 5 that one feed may hold: what is stored stays and is served, and the page is taken in when the setting is raised (feedItems)',
    );
    expect(await servedBy(one.store, one.options)).toEqual(served);
    expect((await one.store.read.feedState(FEED))?.cursor).toBe(`${FEED}?1`);
    await send({ feedItems: 6 }, 2, ...named(1, 5));
    expect((await counts()).items).toBe(6);
  });

  test('changes and deletes what it has', async () => {
    await send({}, 1, ...named(5));
    await send({ feedItems: 3 }, 2, [0, 'other']);
    await send({ feedItems: 3 }, 3, [1, undefined]);
    expect(await counts()).toMatchObject({ items: 4, deleted: 1 });
  });

  test('of deleted items, of which there may be ten times as many', async () => {
    const deleted = (count: number, from: number): Sent[] => named(count, from).map(([id]) => [id, undefined]);
    await send({ feedItems: 2 }, 1, ...deleted(20, 0));
    await expect(send({ feedItems: 2 }, 2, ...deleted(1, 20))).rejects.toThrow('20 deleted items');
  });

  test('of bytes, whether they are data or what is odd about pages', async () => {
    await send({}, 1, ...named(3));
    const { bytes } = await counts();
    expect(bytes).toBeGreaterThan(100);
    await expect(send({ feedBytes: bytes + 50 }, 2, ...named(20, 3))).rejects.toThrow(
      /^it holds \d+ bytes and .*\(feedBytes\)$/,
    );
    expect((await counts()).bytes).toBe(bytes);
  });
});

test('bytes are counted as they come and go', async () => {
  await send({}, 1, ...named(10));
  const { bytes } = await counts();
  await send({}, 2, ...named(10));
  expect((await counts()).bytes).toBe(bytes);
  await send({}, 3, ...named(10).map(([id]): Sent => [id, 'another name']));
  await send({}, 4, ...named(10).map(([id]): Sent => [id, undefined]));
  expect((await counts()).bytes).toBe(0);
});
