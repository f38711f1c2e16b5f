import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldError, OvertakenError } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import { parsePage } from '../../src/opportunity/page.ts';
import { FEED, type Rig, rig } from './rig.ts';

const OTHER = 'https://feeds.example.org/others';

let one: Rig;
let transactions: number;

beforeEach(async () => {
  one = await rig();
  const { store } = one;
  const { write } = store;
  store.write = (work) => {
    transactions += 1;
    return write.call(store, work) as ReturnType<typeof work>;
  };
  transactions = 0;
});

afterEach(() => one.close());

type State = 'updated' | 'deleted';

const event = (id: number, modified = 1, state: State = 'updated') => ({
  state,
  kind: 'Event',
  id,
  modified,
  ...(state === 'updated' && {
    data: {
      '@type': 'Event',
      '@id': `https://example.org/${id}`,
      name: `Run ${modified}`,
      startDate: '2026-12-01T10:00:00Z',
      duration: 'PT1H',
    },
  }),
});

const page = (url: string, items: object[]) => parsePage(JSON.stringify({ next: url, license: 'x', items }));

describe('pages that are given without waiting for those before them', () => {
  it('go into the store together, and leave what they leave one by one', async () => {
    const pages = Array.from({ length: 6 }, (_, n) => [event(n), event(n + 1, n + 2), event(100 + n)]);
    const handle = await one.ingest.open(FEED, {});
    transactions = 0;
    const outcomes = await Promise.all(
      pages.map((items, n) => one.ingest.commit(handle, page(FEED, items), `${FEED}?after=${n}`)),
    );
    expect(transactions).toBe(1);
    expect(handle.cursor).toBe(`${FEED}?after=5`);
    const together = await one.served();
    const other = await rig();
    try {
      const alone = await other.ingest.open(FEED, {});
      for (const [n, items] of pages.entries()) {
        expect(await other.ingest.commit(alone, page(FEED, items), `${FEED}?after=${n}`)).toEqual(outcomes[n]);
      }
      expect([...together.keys()].sort()).toEqual([...(await other.served()).keys()].sort());
      expect(together.size).toBe(13);
    } finally {
      await other.close();
    }
  });

  it('are no more in one transaction than a reader may wait for', async () => {
    const handle = await one.ingest.open(FEED, {});
    transactions = 0;
    const count = LIMITS.commitPages + 1;
    await Promise.all(
      Array.from({ length: count }, (_, n) => one.ingest.commit(handle, page(FEED, [event(n)]), `${FEED}?after=${n}`)),
    );
    expect(transactions).toBe(2);
    expect((await one.store.read.feedCounts(handle.id)).items).toBe(count);
  });

  it('tell their readers when enough of them wait', async () => {
    const handle = await one.ingest.open(FEED, {});
    expect(one.ingest.full()).toBe(false);
    const all = Array.from({ length: LIMITS.pagesWaiting + 1 }, (_, n) =>
      one.ingest.commit(handle, page(FEED, [event(n)]), `${FEED}?after=${n}`),
    );
    expect(one.ingest.full()).toBe(true);
    await Promise.all(all);
    expect(one.ingest.full()).toBe(false);
  });
});

describe('a page among them that cannot be taken in', () => {
  it('fails alone, with those of its feed after it', async () => {
    const [good, bad] = [await one.ingest.open(FEED, {}), await one.ingest.open(OTHER, {})];
    const many = Array.from({ length: LIMITS.burstDeletes + 10 }, (_, n) => event(1000 + n));
    await one.ingest.commit(bad, page(OTHER, many), `${OTHER}?after=0`);
    const gone = many.map(({ id }) => event(id, 2, 'deleted'));
    const [first, held, after, last] = await Promise.allSettled([
      one.ingest.commit(good, page(FEED, [event(1)]), `${FEED}?after=0`),
      one.ingest.commit(bad, page(OTHER, gone), `${OTHER}?after=1`),
      one.ingest.commit(bad, page(OTHER, [event(2000)]), `${OTHER}?after=2`),
      one.ingest.commit(good, page(FEED, [event(2)]), `${FEED}?after=1`),
    ]);
    expect([first.status, last.status]).toEqual(['fulfilled', 'fulfilled']);
    expect((held as PromiseRejectedResult).reason).toBeInstanceOf(HeldError);
    expect((after as PromiseRejectedResult).reason).toBeInstanceOf(OvertakenError);
    expect((await one.store.read.feedCounts(good.id)).items).toBe(2);
    expect((await one.store.read.feedCounts(bad.id)).items).toBe(many.length);
    expect([good.cursor, bad.cursor]).toEqual([`${FEED}?after=1`, `${OTHER}?after=0`]);
    await one.ingest.commit(bad, page(OTHER, [event(2000)]), `${OTHER}?after=2`);
    expect((await one.store.read.feedState(OTHER))?.cursor).toBe(`${OTHER}?after=2`);
  });
});
