import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore, type Store, storeFile } from '../../../src/store/index.ts';
import { calendar, documentOf, record } from '../rows.ts';

/** Many small transactions, as pages of a feed are. */
const PAGES = 60;
const PAGE = 40;

describe('segments of the search index', () => {
  let data: string;
  let store: Store;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
    store = await openStore({ data });
    await store.write(async (tx) => {
      await tx.openFeed('https://example.org/feed', {});
      await tx.saveRecords(Array.from({ length: PAGES * PAGE }, (_, at) => record(`${at}`, { kind: 'series' })));
    });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
    await rm(data, { recursive: true });
  });

  /** A transaction with the documents of one page. */
  async function page(at: number, name = (record: number) => `Class w${record % 700} of r${record}`): Promise<void> {
    await store.write(async (tx) => {
      const records = Array.from({ length: PAGE }, (_, index) => at * PAGE + index + 1);
      await tx.saveCalendars(records.map((row) => calendar(row, { document: documentOf({ name: name(row) }) })));
    });
  }

  function segments(): number[] {
    using db = new DatabaseSync(storeFile(data), { readOnly: true });
    const sql = 'SELECT count(*) AS pages FROM search_text_idx GROUP BY segid';
    return db
      .prepare(sql)
      .all()
      .map(({ pages }) => Number(pages));
  }

  const found = async (word: string): Promise<number[]> => {
    const hits = await store.read.search({ kind: 'series', words: [{ any: [[word]] }] }, 1000);
    return hits.map(({ record }) => record).sort((a, b) => a - b);
  };

  /** Until the store has been idle for so long. */
  const idle = async (ms = 60_000): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    await store.write(async () => {});
  };

  it('become one when nothing is written, and find what they found', async () => {
    for (let at = 0; at < PAGES; at++) await page(at);
    expect(segments().length).toBeGreaterThan(4);
    const before = [await found('w33'), await found('class'), await found('r7')];
    expect(before.map(({ length }) => length)).toEqual([4, 1000, 1]);
    await idle();
    expect(segments()).toHaveLength(1);
    expect([await found('w33'), await found('class'), await found('r7')]).toEqual(before);
  });

  it('are left alone while pages come one after the other', async () => {
    for (let at = 0; at < PAGES; at++) {
      await page(at);
      await vi.advanceTimersByTimeAsync(1_900);
    }
    expect(segments().length).toBeGreaterThan(4);
  });

  it('are left alone while a transaction takes long, and while another one waits for it', async () => {
    for (let at = 0; at < PAGES; at++) await page(at);
    const long = Promise.withResolvers<void>();
    const written = [store.write(() => long.promise), store.write(async () => {})];
    await vi.advanceTimersByTimeAsync(60_000);
    long.resolve();
    await Promise.all(written);
    await store.write(async () => {});
    expect(segments().length).toBeGreaterThan(4);
  });

  it('are left alone when little has changed', async () => {
    for (let at = 0; at < PAGES; at++) await page(at);
    await idle();
    await page(3, (row) => `Zumba w${row}`);
    const two = segments();
    expect(two).toHaveLength(2);
    await idle();
    expect(segments()).toEqual(two);
    expect(await found('zumba')).toHaveLength(PAGE);
    expect(await found('class')).toHaveLength(1000);
  });

  it('are brought together by a store that found another process writing, later', async () => {
    for (let at = 0; at < PAGES; at++) await page(at);
    const other = new DatabaseSync(storeFile(data));
    other.exec('BEGIN IMMEDIATE');
    await vi.advanceTimersByTimeAsync(2_100);
    expect(segments().length).toBeGreaterThan(4);
    other.exec('ROLLBACK');
    other.close();
    await idle();
    expect(segments()).toHaveLength(1);
  });

  it('are no matter of a store that is closed', async () => {
    for (let at = 0; at < PAGES; at++) await page(at);
    await store.close();
    await vi.advanceTimersByTimeAsync(60_000);
    const many = segments().length;
    expect(many).toBeGreaterThan(4);
    store = await openStore({ data });
    expect(await found('class')).toHaveLength(1000);
  });
});
