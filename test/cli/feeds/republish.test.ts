import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { StoppedError } from '../../../src/errors.ts';
import type { Session } from '../../../src/opportunity/records.ts';
import { openStore } from '../../../src/store/index.ts';
import { recordOf } from '../../../src/store/series.ts';
import { feedFailures, harvested } from '../../publish/feed/judges.ts';
import { cli } from '../io.ts';

/** `serve --republish`: the clean feeds of what was harvested, as others see them. */

const FEEDS = [
  'session-series',
  'scheduled-sessions',
  'facility-uses',
  'events',
  'headline-events',
  'course-instances',
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
  } finally {
    stop.abort(new StoppedError('SIGTERM'));
    await running;
  }
});

/** What is on, by the id of its series: what is generated, and every session with its time and status. */
async function timetable(data: string): Promise<Record<string, unknown>> {
  const store = await openStore({ data });
  const { read } = store;
  try {
    const rows = await read.calendars({ kind: 'series', words: [], limit: 1000 });
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
