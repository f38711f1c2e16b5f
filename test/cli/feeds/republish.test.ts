import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openRepublishing } from '../../../src/cli/feeds/republish.ts';
import type { Settings } from '../../../src/config.ts';
import { StoppedError } from '../../../src/errors.ts';
import type { Session } from '../../../src/opportunity/records.ts';
import { recordOf } from '../../../src/store/find.ts';
import { type LeaseToken, openStore, storeFile } from '../../../src/store/index.ts';
import { feedFailures, harvested } from '../../publish/feed/judges.ts';
import { cli } from '../io.ts';

/** `serve --republish`: the clean feeds of what was harvested, as others see them. */

const FEEDS = [
  'session-series',
  'scheduled-sessions',
  'facility-uses',
  'places',
  'events',
  'headline-events',
  'course-instances',
];

const REPUBLISHED_TYPES = [
  'SessionSeries',
  'ScheduledSession',
  'FacilityUse',
  'IndividualFacilityUse',
  'Slot',
  'Place',
  'Event',
  'HeadlineEvent',
  'CourseInstance',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-republish-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the judges find no fault, and what is harvested from it are the same records', async () => {
  const stop = new AbortController();
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  const data = join(folder, 'first');
  const running = cli(['serve', '--samples', '--republish', '--port', '0', '--host', '127.0.0.1', '--data', data], {
    signal: stop.signal,
    onOut: (text) => {
      const url = /http:\/\/\S+?(?=\/\s)/.exec(text)?.[0];
      if (url !== undefined) resolve(url);
    },
  });
  try {
    const url = await ready;
    const page = async () => (await fetch(`${url}/rpde/`)).text();
    await vi.waitFor(async () => expect(await page()).toContain('/rpde/course-instances'), { timeout: 20_000 });
    expect(await page()).toContain('creativecommons.org/licenses/by/4.0');
    for (const feed of FEEDS) {
      const found = await feedFailures(`${url}/rpde/${feed}`);
      expect(found.failures, feed).toEqual([]);
      expect((await harvested(`${url}/rpde/${feed}`)).length, feed).toBeGreaterThan(0);
    }
    const second = join(folder, 'second');
    const synced = await cli(['sync', ...FEEDS.flatMap((feed) => ['--feed', `${url}/rpde/${feed}`]), '--data', second]);
    expect(synced.code).toBe(0);
    expect(await timetable(second)).toEqual(await timetable(data));
    await asDatasets(url, data);
  } finally {
    stop.abort(new StoppedError('SIGTERM'));
    await running;
  }
});

test('who has not the lease of the feeds leaves the tables of the store alone', async () => {
  const data = join(folder, 'shared');
  const store = await openStore({ data });
  const settings = { data, republish: true } as Settings;
  let lease: LeaseToken | undefined;
  const how = { harvests: true, lease: () => lease };
  const republishing = await openRepublishing(settings, store.read, () => 0, how);
  const isWatched = () => {
    using db = new DatabaseSync(storeFile(data), { readOnly: true });
    return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'record_change'").get() !== undefined;
  };
  await republishing?.follow();
  expect(isWatched()).toBe(false);
  lease = { name: 'republished feeds', token: 1 };
  await republishing?.follow();
  expect(isWatched()).toBe(true);
  await republishing?.close();
  await store.close();
});

/** By the catalogue each publisher stays who it is, with its licence. */
async function asDatasets(url: string, data: string): Promise<void> {
  const third = join(folder, 'third');
  const types = ['--types', REPUBLISHED_TYPES.join()];
  const synced = await cli(['sync', '--catalog', `${url}/rpde/catalog.jsonld`, ...types, '--data', third]);
  expect([synced.code, synced.err]).toEqual([0, expect.not.stringContaining('left out')]);
  expect(await timetable(third)).toEqual(await timetable(data));
  const [before, after] = [await publishers(data), await publishers(third)];
  expect(after).toEqual(before);
  expect(new Set(Object.values(after)).size).toBe(4);
  const catalog = (await (await fetch(`${url}/rpde/catalog.jsonld`)).json()) as { dataset: string[] };
  expect(catalog.dataset).toHaveLength(4);
  const [dataset = ''] = catalog.dataset;
  const page = await (await fetch(dataset)).text();
  const feeds = [...page.matchAll(/"contentUrl": "([^"]+)"/g)].map(([, address = '']) => address);
  expect(feeds.length).toBeGreaterThan(1);
  for (const feed of feeds) {
    expect(feed.startsWith(`${dataset}/`)).toBe(true);
    expect((await feedFailures(feed)).failures, feed).toEqual([]);
    expect((await harvested(feed)).length, feed).toBeGreaterThan(0);
  }
  expect((await fetch(`${dataset}x`)).status).toBe(404);
  expect((await fetch(`${dataset}/bicycles`)).status).toBe(404);
}

/** Publisher and licence of every series, place and facility, by its key. */
async function publishers(data: string): Promise<Record<string, string>> {
  const store = await openStore({ data });
  const { read } = store;
  try {
    const feeds = new Map((await read.feeds()).map((feed) => [feed.url, feed]));
    const found: Record<string, string> = {};
    for (const kind of ['series', 'place', 'facility'] as const) {
      for (const { key, record } of await read.calendars({ kind, limit: 1000 })) {
        const feed = feeds.get((await read.recordById(record))?.owner?.feed ?? '');
        found[key] = `${feed?.publisher}, ${feed?.license}`;
      }
    }
    return found;
  } finally {
    await store.close();
  }
}

/** What is on, by the id of its series: what is generated, and every session with its time and status. */
async function timetable(data: string): Promise<Record<string, unknown>> {
  const store = await openStore({ data });
  const { read } = store;
  try {
    const rows = await read.calendars({ kind: 'series', limit: 1000 });
    const series = rows.map(async ({ record, name }) => {
      const sessions = (await read.children('session', record)).map((row) => recordOf(row) as Session);
      const generated = (await read.occurrences(record)).map(({ start, end, session }) => [
        start,
        end,
        session !== undefined,
      ]);
      // A session without an `@id` goes out without one, and each feed has a stand-in of its own for it.
      const explicit = sessions.map(({ id, idStated, start, end, status }) => [idStated ? id : '', start, end, status]);
      return [(await read.recordById(record))?.ident, { name, generated, explicit }] as const;
    });
    return Object.fromEntries(await Promise.all(series));
  } finally {
    await store.close();
  }
}
