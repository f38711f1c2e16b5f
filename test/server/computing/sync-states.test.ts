import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Computing, computeOnThreads } from '../../../src/server/computing/computing.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { Meters } from '../../../src/server/operations/meters.ts';
import { item, type Served, served } from '../stored-rig.ts';

/** States that one thread gave out are known to the threads of a later process. */

const ID = 'https://x.example/series';
const hour = (start: number) => ({
  '@type': 'ScheduledSession',
  '@id': `${ID}/${start}`,
  startDate: `2026-12-01T${start}:00:00Z`,
  duration: 'PT1H',
});
const series = (...starts: number[]) =>
  item('SessionSeries', '1', { '@id': ID, name: 'Yoga', subEvent: starts.map(hour) });

let one: Served;
let threads: Computing | undefined;
beforeEach(async () => {
  one = await served();
});
afterEach(async () => {
  await threads?.close();
  await one.close();
});

async function started(): Promise<Computing> {
  await threads?.close();
  const { compose, horizonDays } = one.rig.options;
  const options = { compose, horizonDays, rendering: 'test' };
  const given = {
    baseUrl: 'https://c.example',
    gzip: true,
    log: silent,
    meters: new Meters(),
    now: () => one.rig.clock.now,
  };
  threads = computeOnThreads({ store: { data: one.rig.data }, options, epoch: one.library.epoch }, given);
  return threads;
}

const report = (token: string) => `<?xml version="1.0"?>
<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level>
<prop><getetag/></prop></sync-collection>`;

async function synced(
  token: string,
): Promise<{ status: number; token: string; hrefs: string[]; gone: number; text: string }> {
  const key = await one.library.keyOfId('series', ID);
  const headers = { 'content-type': 'application/xml' };
  const request = new Request(`https://c.example/dav/series/${key}/`, {
    method: 'REPORT',
    headers,
    body: report(token),
  });
  const response = await (threads as Computing).answer(request);
  const text = await response.text();
  return {
    status: response.status,
    token: /sync-token>(http[^<]*)</.exec(text)?.[1] ?? '',
    hrefs: [...text.matchAll(/[0-9a-f]{40}\.ics/g)].map(([href]) => href).sort(),
    gone: text.split('404').length - 1,
    text,
  };
}

it('after a restart a client is told what changed since its token, and only that', async () => {
  await one.feed(series(10, 11, 12));
  await started();
  const first = await synced('');
  expect([first.status, first.hrefs.length]).toEqual([207, 3]);
  await started();
  expect(await synced(first.token)).toMatchObject({ status: 207, hrefs: [], token: first.token });
  await one.feed(series(11, 12, 13));
  const next = await synced(first.token);
  expect([next.status, next.hrefs.length, next.gone]).toEqual([207, 2, 1]);
  expect(next.hrefs.some((href) => !first.hrefs.includes(href))).toBe(true);
  expect(await synced(next.token)).toMatchObject({ hrefs: [], token: next.token });
  expect((await synced(first.token.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))).text).toContain(
    'valid-sync-token',
  );
});
