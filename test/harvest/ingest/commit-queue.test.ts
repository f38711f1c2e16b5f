import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BugError, OvertakenError } from '../../../src/errors.ts';
import { LIMITS } from '../../../src/limits.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { FEED, type Rig, rig } from '../rig.ts';

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

describe('a page that others are to follow', () => {
  /** Resolves when all that can be done without time passing is done. */
  const settled = () => new Promise<void>((done) => setImmediate(() => setImmediate(done)));

  async function given(count: number): Promise<Promise<unknown>[]> {
    const handle = await one.ingest.open(FEED, {});
    transactions = 0;
    return Array.from({ length: count }, (_, n) =>
      one.ingest.commit(handle, page(FEED, [event(n)]), `${FEED}?after=${n}`, true),
    );
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits for them a moment', async () => {
    const all = await given(LIMITS.pagesTogether - 1);
    vi.advanceTimersByTime(LIMITS.lingerMs - 1);
    await settled();
    expect(transactions).toBe(0);
    vi.advanceTimersByTime(1);
    await Promise.all(all);
    expect(transactions).toBe(1);
  });

  it('waits no longer when enough of them are there', async () => {
    await Promise.all(await given(LIMITS.pagesTogether));
    expect(transactions).toBe(1);
  });

  it('waits no longer when somebody waits for it', async () => {
    const all = await given(1);
    await settled();
    expect(transactions).toBe(0);
    one.ingest.flush();
    await Promise.all(all);
    expect(transactions).toBe(1);
  });

  it('goes in with the one that nothing is to follow', async () => {
    const all = await given(1);
    const alone = await one.ingest.open(OTHER, {});
    transactions = 0;
    await one.ingest.commit(alone, page(OTHER, [event(1000)]), `${OTHER}?after=0`);
    await Promise.all(all);
    expect(transactions).toBe(1);
  });
});

describe('a page among them that cannot be taken in', () => {
  it('fails alone, with those of its feed after it', async () => {
    const [good, bad] = [await one.ingest.open(FEED, {}), await one.ingest.open(OTHER, {})];
    await one.ingest.commit(bad, page(OTHER, [event(1000)]), `${OTHER}?after=0`);
    const { cleanOptions } = one.options;
    one.options.cleanOptions = (feed) => {
      if (feed.url === OTHER) throw new BugError('cannot be read');
      return cleanOptions(feed);
    };
    const [first, failed, after, last] = await Promise.allSettled([
      one.ingest.commit(good, page(FEED, [event(1)]), `${FEED}?after=0`),
      one.ingest.commit(bad, page(OTHER, [event(1001)]), `${OTHER}?after=1`),
      one.ingest.commit(bad, page(OTHER, [event(2000)]), `${OTHER}?after=2`),
      one.ingest.commit(good, page(FEED, [event(2)]), `${FEED}?after=1`),
    ]);
    expect([first.status, last.status]).toEqual(['fulfilled', 'fulfilled']);
    expect((failed as PromiseRejectedResult).reason).toBeInstanceOf(BugError);
    expect((after as PromiseRejectedResult).reason).toBeInstanceOf(OvertakenError);
    expect((await one.store.read.feedCounts(good.id)).items).toBe(2);
    expect((await one.store.read.feedCounts(bad.id)).items).toBe(1);
    expect([good.cursor, bad.cursor]).toEqual([`${FEED}?after=1`, `${OTHER}?after=0`]);
    one.options.cleanOptions = cleanOptions;
    await one.ingest.commit(bad, page(OTHER, [event(2000)]), `${OTHER}?after=2`);
    expect((await one.store.read.feedState(OTHER))?.cursor).toBe(`${OTHER}?after=2`);
  });

  it('takes those along that wait for others: who reads the feed begins anew, and is not taken for them', async () => {
    const handle = await one.ingest.open(FEED, {});
    const elsewhere = await one.ingest.open(FEED, {});
    await one.ingest.commit(elsewhere, page(FEED, [event(1)]), `${FEED}?after=0`);
    const { write } = one.store;
    let open = () => {};
    const begun = new Promise<void>((done) => {
      one.store.write = async (work) => {
        done();
        await new Promise<void>((go) => {
          open = go;
        });
        one.store.write = write;
        return write.call(one.store, work) as ReturnType<typeof work>;
      };
    });
    const overtaken = one.ingest.commit(handle, page(FEED, [event(1)]), `${FEED}?after=0`);
    await begun;
    const rest = Promise.allSettled(
      Array.from({ length: LIMITS.commitPages }, (_, n) =>
        one.ingest.commit(handle, page(FEED, [event(2)]), `${FEED}?after=${n + 1}`, true),
      ),
    );
    open();
    await expect(overtaken).rejects.toThrow(OvertakenError);
    handle.cursor = (await one.ingest.open(FEED, {})).cursor;
    const anew = one.ingest.commit(handle, page(FEED, [event(3)]), `${FEED}?after=1`);
    expect((await rest).map(({ status }) => status)).toEqual(Array(LIMITS.commitPages).fill('rejected'));
    expect(await anew).toMatchObject({ kept: 1 });
    expect((await one.store.read.feedState(FEED))?.cursor).toBe(`${FEED}?after=1`);
  });
});
