import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publicUrl, UsageError } from '../../../src/errors.ts';
import { rebuild } from '../../../src/harvest/ingest/rebuild.ts';
import { appliesDeletes } from '../../../src/harvest/visit/deletion-guard.ts';
import { harvestForever } from '../../../src/harvest/visit/forever.ts';
import { confirmDeletes } from '../../../src/harvest/visit/operator.ts';
import { type VisitOptions, visit } from '../../../src/harvest/visit/visit.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { type ModelFeed, modelFeed, sessions } from '../model-feed.ts';
import { FEED, type Rig, rig } from '../rig.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';

const HOUR = 3_600_000;
const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => `s${from + index}`);

let one: Rig;
let feed: ModelFeed;
beforeEach(async () => {
  one = await rig();
  feed = modelFeed(FEED, 50);
  feed.put(...sessions(1, 400));
  await go();
});
afterEach(() => one.close());

const options = (): VisitOptions => ({
  ingest: one.ingest,
  now: () => one.clock.now,
  sleep: async () => {},
  random: () => 0.5,
  failures: 0,
  waitMs: () => 8000,
});
const go = (which = feed) => visit(which, options());
const report = async () => (await one.store.read.feedStates())[0];
const live = async () => (await one.served()).size;

const OF = { calendars: 400, sessions: 400 };
const SENTENCE = `${FEED} would take away 200 of 400 calendars and 200 of 400 sessions: they are kept until its publisher sends them again or you confirm it with: openactive-ical feeds --confirm "${FEED}"`;

/** The same items with something else in their data. */
function changed(from: number, count: number, change: (data: Record<string, unknown>, id: number) => object) {
  return sessions(from, count).map(
    (item, index): RpdeJson => ({
      ...item,
      data: change(item.data as Record<string, unknown>, from + index) as Record<string, unknown>,
    }),
  );
}

const emptied = (from: number, count: number) => changed(from, count, () => ({}));
const renamed = (from: number, count: number) =>
  changed(from, count, (data, id) => ({ ...data, '@id': `https://else.example.org/${id}`, subEvent: [] }));

describe('more than a twentieth of a feed is not taken away unasked', () => {
  test.each<[string, () => void]>([
    ['by deleted items', () => feed.remove(...ids(1, 200))],
    ['by items of another @id', () => feed.put(...renamed(1, 200))],
    [
      'by items of another type',
      () => feed.put(...changed(1, 200, (_data, id) => ({ '@type': 'Place', '@id': `https://p.example/${id}` }))),
    ],
  ])('%s: what goes beyond it is held back, and everything stays served', async (_name, take) => {
    take();
    expect(await go()).toMatchObject({ state: 'held', failures: 0, wait: 8000 });
    expect(await report()).toMatchObject({
      state: 'held',
      held: { calendars: 200, sessions: 200, of: OF, since: one.clock.now },
      lastSuccess: one.clock.now,
    });
    expect(await live()).toBe(400);
  });

  test('by items whose sessions are all gone', async () => {
    feed.put(...changed(1, 30, (data) => ({ ...data, subEvent: [] })));
    expect(await go()).toMatchObject({ state: 'held' });
    expect(await report()).toMatchObject({ held: { items: 30, calendars: 0, sessions: 30 } });
    expect(
      (await one.served())
        .values()
        .filter((text) => text.includes('BEGIN:VEVENT'))
        .toArray(),
    ).toHaveLength(400);
  });

  describe('sessions go with their series', () => {
    const SERIES = 'https://x.example/series/1';
    const series = (id = SERIES) => ({ '@type': 'SessionSeries', '@id': id, name: 'Sixty Dates' });
    const named = (superEvent: unknown): RpdeJson[] =>
      ids(500, 60).map((id, at) => ({
        state: 'updated',
        kind: 'ScheduledSession',
        id,
        modified: 0,
        data: {
          '@type': 'ScheduledSession',
          '@id': `https://x.example/sessions/${id}`,
          superEvent,
          startDate: `2027-01-${String((at % 28) + 1).padStart(2, '0')}T${at < 28 ? '10' : at < 56 ? '12' : '14'}:00:00Z`,
          duration: 'PT1H',
        },
      }));
    const item = (data: Record<string, unknown>): RpdeJson => ({
      state: 'updated',
      kind: 'SessionSeries',
      id: 'one',
      modified: 0,
      data,
    });

    test.each<[string, boolean, (which: ModelFeed) => void, RpdeJson[]]>([
      ['which is deleted', true, (which) => which.remove('one'), named(SERIES)],
      ['which has another @id', true, (which) => which.put(item(series(`${SERIES}0`))), named(SERIES)],
      ['which nothing embeds any more', false, (which) => which.put(...named(SERIES)), named(series())],
    ])('%s', async (_name, isItem, take, first) => {
      const other = modelFeed('https://other.example/feed', 200);
      other.put(...first, ...(isItem ? [item(series())] : []));
      expect(await go(other)).toMatchObject({ state: 'ended' });
      take(other);
      expect(await go(other)).toMatchObject({ state: 'held' });
      const [, of] = await one.store.read.feedStates();
      expect(of?.held).toMatchObject({ calendars: 1, sessions: 60, of: { calendars: 1, sessions: 60 } });
      const text = [...(await one.served()).values()].find((one) => one.includes('SUMMARY:Sixty Dates'));
      expect(text?.match(/BEGIN:VEVENT/g)).toHaveLength(60);
      expect(text).not.toContain('STATUS:CANCELLED');
    });

    test('of another feed, which counts them', async () => {
      const [of, sessionsFeed] = [modelFeed('https://x.example/a', 200), modelFeed('https://x.example/b', 200)];
      of.put(item(series()));
      sessionsFeed.put(...named(SERIES));
      await go(of);
      await go(sessionsFeed);
      of.remove('one');
      expect(await go(of)).toMatchObject({ state: 'held' });
      expect((await one.store.read.feedStates())[1]?.held).toMatchObject({ sessions: 60, of: { sessions: 60 } });
    });
  });

  test('the status states what waits and what to do', async () => {
    feed.remove(...ids(1, 200));
    expect(await go()).toMatchObject({ state: 'held', error: SENTENCE });
  });

  test('what else is on the same pages is applied, and the cursor moves on', async () => {
    feed.remove(...ids(1, 200));
    feed.put(...sessions(201, 3, 'Renamed'), ...sessions(401, 2));
    expect(await go()).toMatchObject({ state: 'held' });
    const names = [...(await one.served()).values()].filter((text) => text.includes('SUMMARY:Renamed'));
    expect([names.length, await live()]).toEqual([3, 402]);
    feed.asked.length = 0;
    await go();
    expect(feed.asked).toHaveLength(1);
    expect((await report())?.held).toMatchObject({ items: 200 });
  });

  test('no more than a twentieth, and up to twenty of a small feed, go at once', async () => {
    feed.remove(...ids(1, 20));
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 20 } });
    const small = modelFeed('https://small.example/feed', 50);
    small.put(...sessions(500, 20));
    await go(small);
    small.remove(...ids(500, 20));
    expect(await go(small)).toMatchObject({ state: 'ended', pass: { deleted: 20 } });
  });

  test('many small visits in a row are one burst for an hour', async () => {
    for (let at = 1; at < 60; at += 10) {
      feed.remove(...ids(at, 10));
      await go();
      one.clock.now += HOUR / 12;
    }
    expect(await live()).toBe(380);
    expect((await report())?.held).toMatchObject({ items: 40, of: OF });
  });

  test('the same in the course of a day is a day like any other', async () => {
    for (let at = 1; at < 100; at += 20) {
      feed.remove(...ids(at, 20));
      expect(await go()).toMatchObject({ state: 'ended' });
      one.clock.now += 2 * HOUR;
    }
    expect(await live()).toBe(300);
  });

  test('what waits is there after a restart and after a rebuild, and since when', async () => {
    feed.remove(...ids(1, 200));
    await go();
    const since = one.clock.now;
    one.clock.now += HOUR;
    await one.reopen();
    await rebuild(one.store, one.options);
    expect(await go()).toMatchObject({ state: 'held', error: SENTENCE });
    expect([(await report())?.held?.since, await live()]).toEqual([since, 400]);
  });

  test('a publisher who sends it again as good needs nobody', async () => {
    feed.remove(...ids(1, 200));
    await go();
    feed.put(...sessions(1, 100));
    expect(await go()).toMatchObject({ state: 'held' });
    expect((await report())?.held).toMatchObject({ items: 100, calendars: 100 });
    feed.put(...sessions(101, 100, 'Back'));
    expect(await go()).toMatchObject({ state: 'ended' });
    expect(await report()).toMatchObject({ state: 'ended', held: undefined, lastError: undefined, items: 400 });
    expect(await live()).toBe(400);
  });

  test('deleted again, it waits as before', async () => {
    feed.remove(...ids(1, 200));
    await go();
    feed.remove(...ids(1, 200));
    expect(await go()).toMatchObject({ state: 'held' });
    expect((await report())?.held).toMatchObject({ items: 200 });
    expect(await live()).toBe(400);
  });

  test('once confirmed it goes, and only what is on the way to the end', async () => {
    feed.remove(...ids(1, 200));
    await go();
    expect(await confirmDeletes(one.store, FEED, one.clock.now)).toMatchObject({ calendars: 200, of: OF });
    feed.remove(...ids(201, 50));
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 250 } });
    expect(await report()).toMatchObject({ items: 150, held: undefined, confirmed: undefined });
    expect(await live()).toBe(150);
    feed.remove(...ids(251, 100));
    expect(await go()).toMatchObject({ state: 'held' });
  });

  test('confirmed, an item that was sent otherwise is as it was sent', async () => {
    feed.put(...renamed(1, 200));
    await go();
    await confirmDeletes(one.store, FEED, one.clock.now);
    expect(await go()).toMatchObject({ state: 'ended' });
    const text = [...(await one.served()).values()].join('');
    expect([await live(), text.match(/URL|else\.example\.org/) === null]).toEqual([400, true]);
    expect((await one.store.read.recordByIdent('series', 'https://else.example.org/7'))?.owner).toBeDefined();
    expect((await one.store.read.recordByIdent('series', 'https://feeds.example.org/series/7'))?.owner).toBeUndefined();
  });

  test('a confirmation of what nobody waits for is none, and that of an unknown feed is a mistake', async () => {
    expect(await confirmDeletes(one.store, FEED, one.clock.now)).toBeUndefined();
    expect(await report()).toMatchObject({ confirmed: undefined });
    await expect(confirmDeletes(one.store, 'https://else.example/?key=abc', 0)).rejects.toThrow(
      new UsageError('there is no feed https://else.example/?key=*** in this database'),
    );
  });

  test('a shown address that stands for several feeds confirms none of them', async () => {
    for (const key of ['aaa', 'bbb']) await one.ingest.open(`${FEED}?key=${key}`, {});
    const shown = (await one.store.read.feedStates()).map(({ url }) => publicUrl(url));
    expect(new Set(shown).size).toBeLessThan(shown.length);
    const masked = shown.at(-1) as string;
    await expect(confirmDeletes(one.store, masked, one.clock.now)).rejects.toThrow(/several feeds are shown as/);
    expect(await confirmDeletes(one.store, `${FEED}?key=aaa`, one.clock.now)).toBeUndefined();
  });

  test('tombstones of what was never here count for nothing', async () => {
    const other = modelFeed('https://other.example/feed', 50);
    other.put(...sessions(500, 300));
    other.remove(...ids(500, 290));
    expect(await go(other)).toMatchObject({ state: 'ended', pass: { kept: 10, deleted: 290 } });
  });
});

describe('no loss is', () => {
  /** A series with so many sessions, each an item. */
  const timetable = (count: number, startDate: string): RpdeJson[] => [
    {
      state: 'updated',
      kind: 'SessionSeries',
      id: 'series',
      modified: 1,
      data: { '@type': 'SessionSeries', '@id': 'https://t.example/series', name: 'Swim' },
    },
    ...Array.from({ length: count }, (_, n) => ({
      state: 'updated' as const,
      kind: 'ScheduledSession',
      id: `s${n + 1}`,
      modified: 1,
      data: {
        '@type': 'ScheduledSession',
        '@id': `https://t.example/session/${n + 1}`,
        superEvent: 'https://t.example/series',
        startDate,
        duration: 'PT1H',
      },
    })),
  ];
  const other = () => modelFeed('https://t.example/feed', 50);

  test('a session that is over', async () => {
    const past = other();
    past.put(...timetable(100, '2026-11-20T18:00:00Z'));
    await go(past);
    past.remove(...ids(1, 100));
    expect(await go(past)).toMatchObject({ state: 'ended', pass: { deleted: 100 } });
  });

  test('one that is yet to come is', async () => {
    const next = other();
    next.put(...timetable(100, '2026-12-20T18:00:00Z'));
    await go(next);
    next.remove(...ids(1, 100));
    expect(await go(next)).toMatchObject({ state: 'held' });
    const states = await one.store.read.feedState('https://t.example/feed');
    expect(states?.held).toMatchObject({ calendars: 0, sessions: 100, of: { calendars: 1, sessions: 100 } });
  });

  test('one that names another series is, where that is of nobody', async () => {
    const next = other();
    next.put(...timetable(100, '2026-12-20T18:00:00Z'));
    await go(next);
    const away = timetable(100, '2026-12-20T18:00:00Z').slice(1);
    next.put(...away.map((item) => ({ ...item, data: { ...item.data, superEvent: 'https://t.example/none' } })));
    expect(await go(next)).toMatchObject({ state: 'held' });
  });

  test('sessions that new items move to another series are, until somebody confirms it', async () => {
    const url = 'https://t.example/feed';
    const next = other();
    const [series, ...items] = timetable(100, '2026-12-20T18:00:00Z') as [RpdeJson, ...RpdeJson[]];
    const second = { ...series, id: 'second', data: { ...series.data, '@id': 'https://t.example/second' } };
    next.put(series, second, ...items);
    await go(next);
    const sessions = async () => {
      const { id: key = 0 } = (await one.store.read.recordByIdent('series', 'https://t.example/second')) ?? {};
      return (await one.store.read.upcoming(key, one.clock.now, Number.MAX_SAFE_INTEGER, 1000)).length;
    };
    next.put(
      ...items.map((item) => ({
        ...item,
        id: `new ${item.id}`,
        data: { ...item.data, superEvent: second.data['@id'] },
      })),
    );
    expect(await go(next)).toMatchObject({ state: 'held' });
    expect((await one.store.read.feedState(url))?.held).toMatchObject({ items: 100, calendars: 0, sessions: 100 });
    expect(await sessions()).toBe(0);
    expect(await go(next)).toMatchObject({ state: 'held' });
    expect((await one.store.read.feedState(url))?.held).toMatchObject({ items: 100 });
    await confirmDeletes(one.store, url, one.clock.now);
    expect(await go(next)).toMatchObject({ state: 'ended' });
    expect(await sessions()).toBe(100);
  });

  test('a series whose Schedules go is', async () => {
    const eventSchedule = {
      '@type': 'Schedule',
      repeatFrequency: 'P1W',
      startDate: '2026-11-01',
      endDate: '2027-11-01',
      startTime: '18:00',
      duration: 'PT1H',
      byDay: ['https://schema.org/Sunday'],
      scheduleTimezone: 'Europe/London',
    };
    const next = modelFeed('https://t.example/feed', 50);
    const items = (more: object) =>
      Array.from({ length: 50 }, (_, n) => ({
        state: 'updated' as const,
        kind: 'SessionSeries',
        id: `s${n + 1}`,
        modified: 1,
        data: { '@type': 'SessionSeries', '@id': `https://t.example/${n}`, name: 'Swim', ...more },
      }));
    next.put(...items({ eventSchedule }));
    await go(next);
    next.put(...items({}));
    expect(await go(next)).toMatchObject({ state: 'held' });
    const states = await one.store.read.feedState('https://t.example/feed');
    expect(states?.held).toMatchObject({ calendars: 50, sessions: 0, of: { calendars: 50 } });
  });
});

describe('an item that is sent again without usable data', () => {
  const findings = async () => (await one.store.read.itemFindings(1, 0, 1000)).map(({ findings: text }) => text);
  const itemsWithoutData = async () => (await findings()).filter((text) => text.includes('item-lost-its-data')).length;

  test.each<[string, unknown]>([
    ['{}', {}],
    ['null', null],
    ['a text', 'gone'],
    ['an unknown type', { '@type': 'Nonsense' }],
  ])('goes on with its last good copy, and has an error: %s', async (_name, data) => {
    const before = await one.served();
    feed.put(...changed(1, 400, () => data as object));
    expect(await go()).toMatchObject({ state: 'ended' });
    expect(await one.served()).toEqual(before);
    expect(await itemsWithoutData()).toBe(400);
    expect((await report())?.findings).toBeGreaterThanOrEqual(400);
  });

  test.each<[string, RpdeJson[][]]>([
    ['on two pages', [sessions(1, 1, 'Again'), emptied(1, 1)]],
    ['on the same page', [[...sessions(1, 1, 'Again'), ...emptied(1, 1)]]],
    ['on the same page, by an unknown type', [[...sessions(1, 1, 'Again'), ...changed(1, 1, () => ({ foo: 1 }))]]],
  ])('goes on with the good copy before it %s', async (_name, pages) => {
    for (const page of pages) {
      const items = page.map((item, index) => ({ ...item, modified: 2_000_000_000_000 + index }));
      await one.feed(items);
    }
    expect([...(await one.served()).values()].filter((text) => text.includes('Again'))).toHaveLength(1);
    expect(await live()).toBe(400);
    expect(await itemsWithoutData()).toBe(1);
  });

  test('again and again, after a restart, a rebuild and a pass from the start', async () => {
    const before = await one.served();
    feed.put(...emptied(1, 100));
    await go();
    feed.put(...emptied(1, 100));
    await go();
    await one.reopen();
    await rebuild(one.store, one.options);
    expect(await itemsWithoutData()).toBe(100);
    await visit(feed, { ...options(), resync: true });
    expect(await one.served()).toEqual(before);
    expect(await itemsWithoutData()).toBe(100);
  });

  test('has none any more when it is sent as good: the same or another', async () => {
    feed.put(...emptied(1, 2));
    await go();
    feed.put(...sessions(1, 1), ...sessions(2, 1, 'Renamed'));
    await go();
    expect(await itemsWithoutData()).toBe(0);
    expect([...(await one.served()).values()].filter((text) => text.includes('SUMMARY:Renamed'))).toHaveLength(1);
  });

  test('is gone when it is deleted then', async () => {
    feed.put(...emptied(1, 2));
    await go();
    feed.remove('s1', 's2');
    await go();
    expect([await live(), await itemsWithoutData()]).toEqual([398, 0]);
  });

  test('says nothing where there was no good copy, and in a clean pass', async () => {
    feed.put(...emptied(500, 1));
    await go();
    expect([await live(), await itemsWithoutData()]).toEqual([400, 0]);
  });

  test('counts for nothing while a good copy of it comes late', async () => {
    const LATE = `${FEED}-late`;
    const late = modelFeed(LATE, 50);
    late.put(...sessions(700, 1));
    await go(late);
    late.put(...emptied(700, 1));
    await go(late);
    const handle = await one.ingest.open(LATE, {});
    const [item] = sessions(700, 1, 'Late');
    await one.ingest.commit(
      handle,
      {
        items: [{ state: 'updated', kind: 'SessionSeries', id: 's700', modified: '1000000000001', data: item?.data }],
        findings: [],
      } as never,
      `${handle.cursor}&again`,
    );
    expect([...(await one.served()).values()].filter((text) => text.includes('SUMMARY:Late'))).toHaveLength(1);
  });
});

describe('a pass from the start that does not meet most of a feed again', () => {
  beforeEach(async () => {
    feed.vanish(...ids(1, 150));
    one.clock.now += 8 * 24 * HOUR;
    expect(await go()).toMatchObject({ state: 'held' });
  });

  test('holds it back the same way, with everything kept', async () => {
    expect(await report()).toMatchObject({
      items: 400,
      resync: undefined,
      held: { items: 150, calendars: 150, of: OF },
    });
    expect(await live()).toBe(400);
  });

  test('does so once, however often it is read again', async () => {
    one.clock.now += 8 * 24 * HOUR;
    expect(await go()).toMatchObject({ state: 'held', pass: { deleted: 0 } });
    expect((await report())?.held).toMatchObject({ items: 150 });
  });

  test('until its publisher brings them back', async () => {
    feed.put(...sessions(1, 120, 'Back'));
    expect(await go()).toMatchObject({ state: 'held' });
    expect((await report())?.held).toMatchObject({ items: 30 });
    feed.put(...sessions(121, 30));
    expect(await go()).toMatchObject({ state: 'ended' });
    expect(await report()).toMatchObject({ items: 400, held: undefined });
  });

  test('or the same copies are met again', async () => {
    const before = [...feed.items.values()];
    feed.items.clear();
    for (const item of sessions(1, 150))
      feed.items.set(String(item.id), { ...item, modified: 1_000_000_000_000 + Number(String(item.id).slice(1)) });
    for (const item of before) feed.items.set(String(item.id), item);
    expect(await visit(feed, { ...options(), resync: true })).toMatchObject({ state: 'ended' });
    expect(await report()).toMatchObject({ items: 400, held: undefined });
  });

  test('or somebody confirms it', async () => {
    await confirmDeletes(one.store, FEED, one.clock.now);
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 150 } });
    expect(await report()).toMatchObject({ items: 250, confirmed: undefined });
  });
});

describe('confirmDeletes', () => {
  test.each([
    ['ask', 'ask' as const, false],
    ['apply', 'apply' as const, true],
    ['this feed', [FEED], true],
    ['this feed in another spelling', [FEED.replace('https://feeds', 'HTTPS://FEEDS')], true],
    ['another feed', ['https://else.example/'], false],
    ['none', [], false],
  ])('%s', async (_name, setting, applied) => {
    one.options.applyDeletes = appliesDeletes(setting);
    feed.remove(...ids(1, 200));
    expect(await go()).toMatchObject({ state: applied ? 'ended' : 'held' });
    expect(await live()).toBe(applied ? 200 : 400);
  });

  test('applies what waits since before it was set', async () => {
    feed.remove(...ids(1, 200));
    await go();
    one.options.applyDeletes = appliesDeletes('apply');
    expect(await go()).toMatchObject({ state: 'ended', pass: { deleted: 200 } });
  });
});

test('a feed that is held keeps none of the others from being read', async () => {
  feed.remove(...ids(1, 150));
  const other = modelFeed('https://other.example/feed', 50);
  other.put(...sessions(500, 120));
  const stop = new AbortController();
  const told: string[] = [];
  await harvestForever([feed, other], {
    ...options(),
    signal: stop.signal,
    sleep: () => new Promise((done) => setImmediate(done)),
    pollMs: () => 8000,
    onStatus: ({ feed: name, state }) => {
      told.push(`${name} ${state}`);
      if (new Set(told).size === 2) stop.abort();
    },
  });
  expect(new Set(told)).toEqual(new Set([`${FEED} held`, 'https://other.example/feed ended']));
  expect(await one.store.read.feedState('https://other.example/feed')).toMatchObject({ items: 120 });
});

test('a confirmation is felt within seconds', async () => {
  feed.remove(...ids(1, 150));
  const time = virtualTime(one.clock.now);
  const stop = new AbortController();
  const states: string[] = [];
  const running = harvestForever([feed], {
    ...options(),
    now: time.now,
    sleep: time.sleep,
    signal: stop.signal,
    pollMs: () => 600_000,
    onStatus: ({ state }) => states.push(state),
  });
  await time.pass(600_000);
  await waitFor(() => states.length === 1, time);
  expect(states).toEqual(['held']);
  feed.asked.length = 0;
  await time.pass(60_000);
  expect(feed.asked).toEqual([]);
  await confirmDeletes(one.store, FEED, time.now());
  await time.pass(5000);
  await waitFor(() => states.length === 2, time);
  expect(states).toEqual(['held', 'ended']);
  stop.abort();
  await running;
});

/** Work between two sleeps takes turns of its own. */
async function waitFor(condition: () => boolean, time: VirtualTime): Promise<void> {
  for (let turn = 0; turn < 1000 && !condition(); turn += 1) await time.pass(0);
}
