import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BugError } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import { type ChangeLog, databaseAt, type LogEntry, type LogObject, openStore } from '../../src/store/index.ts';
import { runs } from '../runs.ts';
import { type TestPlace, testPlace } from './place.ts';

/** The log behind published feeds: RPDE 1.0, "Ordering" and "Deleted items". */

const NOW = Date.UTC(2026, 10, 1);
const FEED = 'session-series';

let place: TestPlace;
let log: ChangeLog;

beforeEach(open);
afterEach(destroy);

async function open(): Promise<void> {
  place = await testPlace();
  await (await openStore(place)).close();
  log = await databaseAt(place).openRepublished();
}

async function destroy(): Promise<void> {
  await log.close();
  await place.destroy();
}

/** The same log, or one in a new place where the other is lost. */
async function reopen(): Promise<void> {
  await log.close();
  log = await databaseAt(place).openRepublished();
}

function object(id: string, value: unknown = 1): LogObject {
  return { id, kind: 'SessionSeries', data: JSON.stringify({ value }) };
}

const all = () => log.page(FEED, 0, 1000);
const ids = (entries: readonly LogEntry[]) => entries.map(({ id, data }) => (data === undefined ? `-${id}` : id));

describe('replace', () => {
  test('gives numbers in the order given, above the clock', async () => {
    expect(await log.replace({ [FEED]: [object('b'), object('a')] }, NOW)).toEqual({
      added: 2,
      updated: 0,
      deleted: 0,
      unchanged: 0,
    });
    expect((await all()).map(({ id, number }) => [id, number])).toEqual([
      ['b', NOW],
      ['a', NOW + 1],
    ]);
  });

  test('leaves what is the same where it is, moves what changed to the end, and buries what is missing there', async () => {
    await log.replace({ [FEED]: [object('a'), object('b'), object('c')] }, NOW);
    const before = await all();
    const outcome = await log.replace({ [FEED]: [object('a', 2), object('b')] }, NOW);
    expect(outcome).toEqual({ added: 0, updated: 1, deleted: 1, unchanged: 1 });
    const after = await all();
    expect(ids(after)).toEqual(['b', 'a', '-c']);
    expect(after[0]).toEqual(before[1]);
    expect(after[1]?.data).toBe('{"value":2}');
  });

  test('the same again changes nothing', async () => {
    await log.replace({ [FEED]: [object('a'), object('b')] }, NOW);
    const before = await all();
    await log.replace({ [FEED]: [object('b'), object('a')] }, NOW + 5000);
    expect(await all()).toEqual(before);
  });

  test('another kind of the same object is a change', async () => {
    await log.replace({ [FEED]: [object('a')] }, NOW);
    const outcome = await log.replace({ [FEED]: [{ ...object('a'), kind: 'Event' }] }, NOW);
    expect(outcome.updated).toBe(1);
  });

  test('what comes back after its deletion moves to the end as an update', async () => {
    await log.replace({ [FEED]: [object('a'), object('b')] }, NOW);
    await log.replace({ [FEED]: [object('b')] }, NOW);
    expect(await log.replace({ [FEED]: [object('a'), object('b')] }, NOW)).toMatchObject({ added: 1, deleted: 0 });
    expect(ids(await all())).toEqual(['b', 'a']);
  });

  test('a tombstone stays where it is while its object stays away', async () => {
    await log.replace({ [FEED]: [object('a'), object('b')] }, NOW);
    await log.replace({ [FEED]: [object('b')] }, NOW);
    const before = await all();
    expect(await log.replace({ [FEED]: [object('b')] }, NOW + 1000)).toMatchObject({ deleted: 0, unchanged: 1 });
    expect(await all()).toEqual(before);
  });

  test('feeds share the counter and nothing else', async () => {
    await log.replace({ [FEED]: [object('a')] }, NOW);
    await log.replace({ 'facility-uses': [object('a')] }, NOW);
    await log.replace({ [FEED]: [] }, NOW);
    expect(ids(await all())).toEqual(['-a']);
    expect(await log.page('facility-uses', 0, 10)).toEqual([{ ...object('a'), number: NOW + 1 }]);
  });

  test('feeds are replaced together or not at all', async () => {
    const bad = { [FEED]: [object('a')], 'facility-uses': [object('b'), object('b')] };
    await expect(log.replace(bad, NOW)).rejects.toThrow(/one id/);
    expect(await all()).toEqual([]);
  });

  test('a broken batch leaves everything as it was', async () => {
    await log.replace({ [FEED]: [object('a')] }, NOW);
    await expect(log.replace({ [FEED]: [object('b'), object('b')] }, NOW)).rejects.toThrow(/one id/);
    expect(ids(await all())).toEqual(['a']);
  });
});

describe('numbers', () => {
  test('go on after a restart, also where the last ones are gone', async () => {
    await log.replace({ [FEED]: [object('a'), object('b')] }, NOW);
    await log.replace({ [FEED]: [object('a')] }, NOW);
    await reopen();
    await log.replace({ [FEED]: [object('a'), object('c')] }, NOW);
    expect((await all()).at(-1)).toMatchObject({ id: 'c', number: NOW + 3 });
  });

  test('never go back with the clock', async () => {
    await log.replace({ [FEED]: [object('a')] }, NOW);
    await log.replace({ [FEED]: [object('a', 2)] }, NOW - 86_400_000);
    expect((await all())[0]?.number).toBe(NOW + 1);
  });

  test('of a log made anew are above those of the one that was lost', async () => {
    await log.replace({ [FEED]: [object('a'), object('b')] }, NOW);
    const last = (await all()).at(-1)?.number as number;
    await destroy();
    await open();
    await log.replace({ [FEED]: [object('a')] }, NOW + 1000);
    expect((await all())[0]?.number).toBeGreaterThan(last);
  });
});

describe('expire', () => {
  test('keeps a tombstone for seven days, then lets it go', async () => {
    await log.replace({ [FEED]: [object('a'), object('b')] }, NOW);
    await log.replace({ [FEED]: [object('b')] }, NOW);
    await log.replace({ [FEED]: [object('b', 2)] }, NOW);
    expect(await log.expire(NOW + LIMITS.tombstoneMs)).toBe(0);
    expect(ids(await all())).toEqual(['-a', 'b']);
    expect(await log.expire(NOW + LIMITS.tombstoneMs + 1)).toBe(1);
    expect(ids(await all())).toEqual(['b']);
  });

  test('keeps the newest entry of a feed', async () => {
    await log.replace({ [FEED]: [object('a'), object('b')] }, NOW);
    await log.replace({ [FEED]: [] }, NOW);
    await log.expire(NOW + 2 * LIMITS.tombstoneMs);
    expect(ids(await all())).toEqual(['-b']);
  });
});

describe('reading', () => {
  test('a stamp changes exactly when its page does', async () => {
    await log.replace({ [FEED]: [object('a'), object('b'), object('c')] }, NOW);
    const page = () => log.page(FEED, 0, 2);
    const stamp = () => log.pageVersion(FEED, 0, 2);
    const before = await stamp();
    await log.replace({ [FEED]: [object('a'), object('b'), object('c', 2)] }, NOW);
    expect([await stamp(), ids(await page())]).toEqual([before, ['a', 'b']]);
    await log.replace({ [FEED]: [object('a'), object('b', 2), object('c', 2)] }, NOW);
    expect(ids(await page())).toEqual(['a', 'c']);
    expect(await stamp()).not.toEqual(before);
  });

  test('live objects come by id, without tombstones', async () => {
    await log.replace({ [FEED]: [object('b'), object('a'), object('c')] }, NOW);
    await log.replace({ [FEED]: [object('b'), object('c')] }, NOW);
    expect(await log.liveOf(FEED, '', 10)).toEqual([object('b'), object('c')]);
    expect(await log.liveOf(FEED, 'c', 10)).toEqual([object('c')]);
    expect(await log.count(FEED)).toEqual({ live: 2, deleted: 1 });
  });

  test('another process reads what was committed', async () => {
    const other = await databaseAt(place).openRepublished({ readOnly: true });
    await log.replace({ [FEED]: [object('a')] }, NOW);
    expect(ids(await other.page(FEED, 0, 10))).toEqual(['a']);
    await expect(other.setValue({ key: 'a', value: 'b' })).rejects.toThrow(BugError);
    await other.close();
  });

  test('what is under way is not read, and what fails leaves nothing', async () => {
    const written = log.merge([{ feed: FEED, ...object('a') }], NOW);
    expect(ids(await all())).toEqual([]);
    await written;
    expect(ids(await all())).toEqual(['a']);
    await expect(log.merge([{ feed: FEED, ...object('b') }, { feed: FEED } as never], NOW)).rejects.toThrow();
    expect(ids(await all())).toEqual(['a']);
  });

  test('ids may be as long as any, and have any characters', async () => {
    const odd = [`https://x.example/${'€'.repeat(2000)}`, 'a\0b', 'a\uFFFFb', "'", '"{},\\'];
    await log.replace({ [FEED]: odd.map((one) => object(one)) }, NOW);
    expect(ids(await all())).toEqual(odd);
    await log.merge([{ feed: FEED, id: 'a\0b', kind: '', data: undefined }], NOW);
    expect(ids(await all())).toEqual([odd[0], ...odd.slice(2), '-a\0b']);
    expect(await log.feedsOf(odd[0] as string)).toEqual([FEED]);
  });

  test('marks are kept, and go in with the changes they belong to', async () => {
    await log.merge([{ feed: FEED, ...object('a') }], NOW, { key: 'cursor', value: '7' });
    await reopen();
    expect(await log.value('cursor')).toBe('7');
    expect(await log.value('nothing')).toBeUndefined();
  });
});

/** What happens to a feed, and when a consumer looks. */
type Step =
  | { step: 'replace'; values: Record<string, number> }
  | { step: 'merge'; id: string; value: number | undefined }
  | { step: 'poll'; pages: number }
  | { step: 'restart' }
  | { step: 'days'; days: number };

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ step: fc.constant('replace' as const), values: fc.dictionary(id, fc.nat(2)) }),
  fc.record({ step: fc.constant('merge' as const), id, value: fc.option(fc.nat(2), { nil: undefined }) }),
  fc.record({ step: fc.constant('poll' as const), pages: fc.integer({ min: 1, max: 4 }) }),
  fc.constant({ step: 'restart' as const }),
  fc.record({ step: fc.constant('days' as const), days: fc.integer({ min: 1, max: 5 }) }),
);

/** A consumer as RPDE describes it: goes on from the last number it saw, upserts and deletes. */
class Consumer {
  readonly held = new Map<string, string>();
  after = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** One page; whether it had anything on it. */
  async poll(): Promise<boolean> {
    const entries = await log.page(FEED, this.after, this.#limit);
    for (const { id: own, data, number } of entries) {
      expect(number).toBeGreaterThan(this.after);
      this.after = number;
      if (data === undefined) this.held.delete(own);
      else this.held.set(own, data);
    }
    return entries.length > 0;
  }

  async toEnd(): Promise<void> {
    while (await this.poll());
  }
}

async function apply(one: Step, model: Map<string, string>, now: number): Promise<void> {
  if (one.step === 'replace') {
    const objects = Object.entries(one.values).map(([own, value]) => object(own, value));
    model.clear();
    for (const { id: own, data } of objects) model.set(own, data);
    await log.replace({ [FEED]: objects }, now);
  } else if (one.step === 'merge') {
    const data = one.value === undefined ? undefined : object(one.id, one.value).data;
    if (data === undefined) model.delete(one.id);
    else model.set(one.id, data);
    await log.merge([{ feed: FEED, id: one.id, kind: 'SessionSeries', data }], now);
  } else if (one.step === 'restart') await reopen();
}

describe('a consumer that looks now and then', () => {
  test('always ends with what is there, at any page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), async (steps, limit) => {
        await destroy();
        await open();
        const model = new Map<string, string>();
        const consumer = new Consumer(limit);
        let [now, seen] = [NOW, NOW];
        for (const one of steps) {
          if (one.step === 'poll') for (let page = 0; page < one.pages; page++) await consumer.poll();
          if (one.step === 'days') {
            // RPDE promises nothing to who stays away for longer than tombstones are kept.
            if (now + one.days * 86_400_000 - seen >= LIMITS.tombstoneMs) await consumer.toEnd();
            if (now + one.days * 86_400_000 - seen >= LIMITS.tombstoneMs) seen = now;
            now += one.days * 86_400_000;
            await log.expire(now);
          }
          await apply(one, model, now);
        }
        await consumer.toEnd();
        expect(new Map([...consumer.held].sort())).toEqual(new Map([...model].sort()));
        const late = new Consumer(limit);
        await late.toEnd();
        expect(late.held).toEqual(consumer.held);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('feeds of several publishers', () => {
  beforeEach(() => log.merge([of('b', 'slots', '1'), of('a', 'slots', '2'), of('a', 'places', '1')], NOW));

  const of = (publisher: string, type: string, id: string, data: string | undefined = '{}') => ({
    feed: `${publisher}/${type}`,
    id,
    kind: type,
    data,
  });

  test('are read one by one, or all of a type in the order of their changes', async () => {
    expect(ids(await log.page('a/slots', 0, 10))).toEqual(['2']);
    expect(ids(await log.page('slots', 0, 10))).toEqual(['1', '2']);
    expect(ids(await log.page('slots', NOW, 10))).toEqual(['2']);
    expect(await log.pageVersion('slots', 0, 10)).toEqual({ count: 2, last: NOW + 1 });
    expect(await log.count('slots')).toEqual({ live: 2, deleted: 0 });
    expect((await log.liveOf('slots', '', 10)).map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('are known by name, and by what is live in them', async () => {
    expect(await log.feeds()).toEqual(['a/places', 'a/slots', 'b/slots']);
    expect(await log.feedsOf('1')).toEqual(['a/places', 'b/slots']);
    await log.merge([{ ...of('b', 'slots', '1'), data: undefined }], NOW);
    expect(await log.feedsOf('1')).toEqual(['a/places']);
    expect(await log.feeds()).toEqual(['a/places', 'a/slots', 'b/slots']);
  });

  test('changes of several feeds get numbers in their order', async () => {
    const gone = { ...of('a', 'slots', '2'), data: undefined };
    await log.merge([gone, of('b', 'places', '1'), of('a', 'slots', '3'), of('b', 'slots', '2')], NOW);
    expect(ids(await log.page('slots', 0, 10))).toEqual(['1', '-2', '3', '2']);
    expect((await log.page('b/places', 0, 10))[0]?.number).toBe(NOW + 4);
  });
});
