import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyStore } from '../../../src/harvest/ingest/verify.ts';
import { visit } from '../../../src/harvest/visit/visit.ts';
import { rollForward } from '../../../src/revision/roll.ts';
import { databaseAt } from '../../../src/store/index.ts';
import { storeFault } from '../../../src/store/sqlite/faults.ts';
import { withOwnDetails } from '../../generate/own-details.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { randomPlace } from '../../interop/examiner/place.ts';
import { runs } from '../../runs.ts';
import { modelFeed, sessions } from '../model-feed.ts';
import { FEED, type Rig, rig } from '../rig.ts';

const id = (path: string) => `https://ex.org/${path}`;

/** What differs between a store and what its raw items make. */
async function differencesIn(one: Rig): Promise<unknown[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'oai-verify-'));
  try {
    return (await verifyStore(one, scratch, one.options, async () => {})).differences;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

test('what is on at a place keeps its revision where a series there has lost a session', async () => {
  const hall = { '@type': 'Place', '@id': id('p'), name: 'Hall' };
  const start = { startDate: '2026-12-07T18:00:00Z', endDate: '2026-12-07T19:00:00Z' };
  const all = [
    { '@type': 'ScheduledSession', '@id': id('s/1'), superEvent: id('s'), ...start },
    { '@type': 'SessionSeries', '@id': id('s'), name: 'Yoga', location: hall },
    { '@type': 'Event', '@id': id('e'), name: 'Run', location: hall, ...start },
  ].map((data, n): RpdeJson => ({ state: 'updated', kind: data['@type'], id: '1', modified: n, data }));
  const [session, series, run] = all as [RpdeJson, RpdeJson, RpdeJson];
  const one = await rig();
  try {
    const { data: _, ...key } = session;
    for (const item of [session, series, { ...key, state: 'deleted' as const, modified: 9 }, run])
      await one.feed([item]);
    expect(await differencesIn(one)).toEqual([]);
  } finally {
    await one.close();
  }
});

test('a session that two items far apart give to different series keeps its revision', async () => {
  const start = { startDate: '2026-12-07T18:00:00Z', endDate: '2026-12-07T19:00:00Z' };
  const session = (n: number) => ({ '@type': 'ScheduledSession', '@id': id('s'), superEvent: id(`${n}`), ...start });
  const series = (n: number) => ({ '@type': 'SessionSeries', '@id': id(`${n}`), name: 'Yoga' });
  const between = Array.from({ length: 600 }, (_, n) => ({ '@type': 'EventSeries', '@id': id(`between/${n}`) }));
  const items = [series(1), series(2), session(1), ...between, session(2)].map(
    (data, n): RpdeJson => ({ state: 'updated', kind: data['@type'], id: `${n}`, modified: n, data }),
  );
  const one = await rig();
  try {
    await one.feed(items, 1000);
    expect(await differencesIn(one)).toEqual([]);
  } finally {
    await one.close();
  }
});

test.each([
  ['SQLite', Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })],
  ['the system', Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })],
])('a scratch disk that is full by the word of %s is named, with --scratch', async (_, cause) => {
  const one = await rig();
  const scratch = await mkdtemp(join(tmpdir(), 'oai-verify-'));
  const prepare = () => Promise.reject(storeFault(cause, join(scratch, 'anew.sqlite')));
  try {
    await expect(verifyStore(one, scratch, one.options, prepare)).rejects.toThrow(
      `${tmpdir()}: the disk is full; it needs room for two copies of ${databaseAt(one).name}, and --scratch names another folder.`,
    );
  } finally {
    await Promise.all([rm(scratch, { recursive: true }), one.close()]);
  }
});

const DAY = 86_400_000;

test.each([14, 41, 400, -400])('a place without hours keeps its revision in another year, %d days on', async (days) => {
  const hall = { '@type': 'Place', '@id': id('p'), name: 'Gym' };
  const start = { startDate: '2026-12-05T10:00:00Z', endDate: '2026-12-05T11:00:00Z' };
  const gala = { '@type': 'Event', '@id': id('e'), name: 'Gala', location: hall, ...start };
  const one = await rig();
  try {
    await one.feed([{ state: 'updated', kind: 'Event', id: '1', modified: 1, data: gala }]);
    one.clock.now += days * DAY;
    await rollForward(one.store, one.options);
    expect(await differencesIn(one)).toEqual([]);
  } finally {
    await one.close();
  }
});

test('the findings of an item are in one order, in whatever order another publisher says the same', async () => {
  const other = 'https://other.example.org/sessions';
  const hall = { '@type': 'Place', '@id': id('p'), name: 'Hall' };
  const yoga = { '@type': 'SessionSeries', '@id': id('s'), name: 'Yoga' };
  type Data = Record<string, unknown>;
  const updated = (kind: string, data: Data): RpdeJson => ({ state: 'updated', kind, id: kind, modified: 1, data });
  const found: string[] = [];
  for (const theirs of [
    [hall, yoga],
    [yoga, hall],
  ]) {
    const one = await rig();
    try {
      await one.feed([updated('Place', { ...hall, '@id': id('elsewhere') })]);
      await one.feed([updated('Series', { ...yoga, location: hall })], 50, other);
      for (const data of theirs) await one.feed([updated(`Their ${data['@type']}`, data)]);
      expect(await differencesIn(one)).toEqual([]);
      const items = await one.store.read.liveItems(0, 10);
      const item = items.find(({ kind }) => kind === 'Series');
      found.push((await one.store.read.findingsOf(item?.id as number)) ?? '');
    } finally {
      await one.close();
    }
  }
  expect(found[0]?.match(/claimed-by-another-publisher/g)).toHaveLength(2);
  expect(found[0]).toBe(found[1]);
});

test('findings that a store has in another order are the same findings, and one that it lacks is not', async () => {
  const one = await rig();
  try {
    await one.feed([{ state: 'updated', kind: 'Event', id: '1', modified: 1, data: { '@type': 'Event', name: 7 } }]);
    const [item] = await one.store.read.liveItems(0, 1);
    const known = JSON.parse((await one.store.read.findingsOf(item?.id as number)) ?? '[]') as unknown[];
    const save = (findings: unknown[]) =>
      one.store.write((tx) => tx.saveFindings([{ item: item?.id as number, findings: JSON.stringify(findings) }]));
    expect(known.length).toBeGreaterThan(1);
    await save(known.toReversed());
    expect(await differencesIn(one)).toEqual([]);
    await save(known.slice(1));
    expect(await differencesIn(one)).toEqual([{ what: 'findings of items', count: 1, examples: ['Event 1'] }]);
  } finally {
    await one.close();
  }
});

const RUNS = runs(2);
/** A clock that passes a New Year, is a year ahead, and is put right. */
const AGES = [60, 370, -370];

function venue(seed: number, n: number): RpdeJson {
  const data = randomPlace(seed * 10 + n);
  return { state: 'updated', kind: data['@type'] as string, id: `venue ${n}`, modified: 1, data };
}

test('whatever a feed has sent, in whatever order, and however it has aged, everything stored is as its raw items make it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const one = await rig();
      try {
        const feed = modelFeed(FEED, 7);
        const go = () =>
          visit(feed, {
            ingest: one.ingest,
            now: () => one.clock.now,
            sleep: async () => {},
            random: () => 0.5,
            failures: 0,
            waitMs: () => 8000,
          });
        const items = withOwnDetails(randomFeed(seed, 12), seed);
        feed.put(...items.slice(0, items.length / 2), ...sessions(1, 5), venue(seed, 1), venue(seed, 2));
        await go();
        feed.put(...items, ...sessions(2, 2, 'Renamed'));
        await go();
        // The same, and other details of sessions.
        const later = withOwnDetails(randomFeed(seed, 12), seed + 1);
        feed.put(...later.map((item) => ({ ...item, modified: item.modified + 3_000_000_000 })));
        await go();
        feed.vanish('s1');
        feed.put(...sessions(40, 1));
        await go();
        expect(await differencesIn(one)).toEqual([]);
        for (const days of AGES) {
          one.clock.now += days * DAY;
          await rollForward(one.store, one.options);
          expect(await differencesIn(one)).toEqual([]);
        }
      } finally {
        await one.close();
      }
    }),
    { numRuns: RUNS },
  );
});
