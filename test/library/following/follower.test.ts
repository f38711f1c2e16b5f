import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Follower } from '../../../src/library/following/follower.ts';
import { LIMITS } from '../../../src/limits.ts';
import type { Reader, StoreVersions } from '../../../src/store/index.ts';

/** What other processes changed is announced within two seconds, whatever a cache says of it. */

/** A database that counts how often it is asked. */
class Written {
  day = '2026-11-23';
  seq = 0;
  lists = 0;
  visits = 0;
  asked = 0;
  readonly feeds: StoreVersions['feeds'] = { 1: { state: 'ended', modified: '100' } };

  moved(): StoreVersions {
    return { day: this.day, calendars: this.seq, lists: this.lists, feeds: structuredClone(this.feeds) };
  }

  /** Another page of the feed, and a calendar that it changes. */
  page(): void {
    this.seq += 1;
    this.feeds[1] = { state: 'reading', modified: String(100 + this.seq), changed: this.seq };
  }

  readonly #count = <T>(value: T): Promise<T> => {
    this.asked += 1;
    return Promise.resolve(value);
  };

  readonly read = {
    version: () => this.#count([this.day, this.seq, this.lists, this.visits].join()),
    meta: () => this.#count(this.day),
    lastSeq: () => this.#count(this.seq),
    lastKeptListSeq: () => this.#count(this.lists),
    changesSince: (after: number) => this.#count(range(after, this.seq).map((seq) => ({ key: `s${seq}`, seq }))),
    keptListsSince: (after: number) => this.#count(range(after, this.lists).map((seq) => ({ token: `l${seq}`, seq }))),
  } as unknown as Reader;
}

const range = (after: number, upTo: number) => Array.from({ length: upTo - after }, (_, at) => after + at + 1);

/** A follower of it, and a cache that keeps one value for its time. */
function following(db: Written) {
  const heard: string[] = [];
  let kept: { moved: StoreVersions; until: number } | undefined;
  const follower = new Follower({
    read: db.read,
    versions: async () => (kept !== undefined && performance.now() < kept.until ? kept.moved : undefined),
    emit: (names) => heard.push(...(names === 'all' ? ['all'] : names.filter((name) => !name.includes('/')))),
    emitFeeds: () => heard.push('feeds'),
  });
  return {
    poll: () => follower.poll(),
    /** What was announced since the last time. */
    heard: () => heard.splice(0),
    put: (moved: StoreVersions | undefined, ms: number = LIMITS.versionsKeepMs) => {
      kept = moved && { moved, until: performance.now() + ms };
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('with a cache', () => {
  test('nothing is asked of the database while nothing moves', async () => {
    const db = new Written();
    const { poll, heard, put } = following(db);
    put(db.moved(), 60_000);
    await poll();
    expect(heard()).toEqual(['all', 'feeds']);
    const { asked } = db;
    for (let polls = 0; polls < 9; polls++) {
      vi.advanceTimersByTime(LIMITS.followMs);
      await poll();
    }
    expect([db.asked - asked, heard()]).toEqual([0, []]);
  });

  test('what moved is read, and named', async () => {
    const db = new Written();
    const { poll, heard, put } = following(db);
    await poll();
    heard();
    db.page();
    put(db.moved());
    await poll();
    expect(heard()).toEqual(['s1', 'feeds']);
    await poll();
    expect(heard()).toEqual([]);
  });

  test('a feed that is read, and changes no calendar, ends what is shown of feeds without a question', async () => {
    const db = new Written();
    const { poll, heard, put } = following(db);
    put(db.moved());
    await poll();
    heard();
    db.feeds[1] = { state: 'ended', modified: '200' };
    put(db.moved());
    const { asked } = db;
    await poll();
    expect([heard(), db.asked - asked]).toEqual([['feeds'], 0]);
  });

  test('one that says for ever that nothing moved is believed for some seconds', async () => {
    const db = new Written();
    const { poll, heard, put } = following(db);
    await poll();
    put(db.moved(), Number.POSITIVE_INFINITY);
    db.page();
    await poll();
    heard();
    vi.advanceTimersByTime(LIMITS.versionsBelievedMs);
    await poll();
    expect(heard()).toContain('s1');
  });

  test('a database that is behind the cache is asked until it is there', async () => {
    const [primary, standby] = [new Written(), new Written()];
    const { poll, heard, put } = following(standby);
    await poll();
    primary.page();
    put(primary.moved(), 60_000);
    await poll();
    standby.page();
    heard();
    await poll();
    expect(heard()).toContain('s1');
  });
});

test('without a cache one question tells that nothing moved', async () => {
  const db = new Written();
  const { poll, heard } = following(db);
  await poll();
  heard();
  const { asked } = db;
  await poll();
  expect([db.asked - asked, heard()]).toEqual([1, []]);
  db.visits += 1;
  await poll();
  expect(heard()).toEqual(['feeds']);
});

describe('a database that was restored from a copy', () => {
  test.each<[what: string, restore: (db: Written) => void]>([
    ['calendars', (db) => Object.assign(db, { seq: 2 })],
    ['lists', (db) => Object.assign(db, { lists: 1 })],
    ['calendars, and was harvested since', (db) => Object.assign(db, { seq: 3, lists: 4 })],
  ])('has lower numbers of %s: everything is announced anew, and what comes by its name', async (_, restore) => {
    const db = Object.assign(new Written(), { seq: 4, lists: 3 });
    const { poll, heard } = following(db);
    await poll();
    heard();
    restore(db);
    await poll();
    expect(heard()).toEqual(['all', 'feeds']);
    db.page();
    db.lists += 1;
    await poll();
    expect(heard()).toEqual([`s${db.seq}`, 'feeds']);
    await poll();
    expect(heard()).toEqual([]);
  });
});

test('what failed is read again', async () => {
  const db = new Written();
  const { poll, heard } = following(db);
  await poll();
  heard();
  db.page();
  const { changesSince } = db.read;
  db.read.changesSince = () => Promise.reject(new Error('away'));
  await expect(poll()).rejects.toThrow('away');
  db.read.changesSince = changesSince;
  await poll();
  expect(heard()).toContain('s1');
});

/** What becomes of the cache, and of the database, between two polls. */
type Step = 'page' | 'list' | 'visit' | 'announce' | 'announce late' | 'empty' | 'older' | 'wait';
const steps = fc.array(
  fc.constantFrom<Step>('page', 'list', 'visit', 'announce', 'announce late', 'empty', 'older', 'wait'),
  { minLength: 1, maxLength: 30 },
);

test('whatever happens to the cache, each change is announced once, and within two seconds', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const db = new Written();
      const { poll, heard, put } = following(db);
      await poll();
      heard();
      const announced: string[] = [];
      let [before, late] = [db.moved(), db.moved()];
      for (const step of taken) {
        if (step === 'page') db.page();
        if (step === 'list') db.lists += 1;
        if (step === 'visit') db.visits += 1;
        if (step === 'announce') put(db.moved());
        if (step === 'empty') put(undefined);
        // What was read before the last step, as it may arrive from a process that was held up.
        if (step === 'announce late') put(late, LIMITS.versionsKeepMs);
        if (step === 'older') put(before);
        if (step === 'wait') {
          vi.advanceTimersByTime(LIMITS.followMs);
          await poll();
          announced.push(...heard());
        }
        [before, late] = [late, db.moved()];
      }
      for (let waited = 0; waited + LIMITS.followMs < 2000; waited += LIMITS.followMs) {
        vi.advanceTimersByTime(LIMITS.followMs);
        await poll();
        announced.push(...heard());
      }
      // The last value that was put in has no more than its own time, and the next poll comes within two seconds.
      const changed = announced.filter((name) => name !== 'feeds' && name !== 'all');
      expect(changed).toEqual([...new Set(changed)]);
      expect(changed.filter((name) => name.startsWith('s'))).toEqual(range(0, db.seq).map((seq) => `s${seq}`));
    }),
    { numRuns: 300 },
  );
});
