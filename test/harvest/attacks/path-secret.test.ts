import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { StoppedError } from '../../../src/errors.ts';
import { cli } from '../../cli/io.ts';
import { type FaultServer, faultServer } from '../ingest/faults.ts';

/** Keys in the path of a feed's address: in nothing that is served, but at the admin address. */

const SECRET = 'hunter2path';
const FEEDS = ['ends', 'broken', 'fails', 'leaves'];

const WEEKLY = {
  '@type': 'Schedule',
  startDate: '2026-12-01',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Tuesday'],
  scheduleTimezone: 'Europe/London',
};
const HOURS = [
  { '@type': 'OpeningHoursSpecification', dayOfWeek: ['https://schema.org/Monday'], opens: '09:00', closes: '17:00' },
];
const PLACE = { '@type': 'Place', name: 'Hall', address: 'Marlowe', openingHoursSpecification: HOURS };
const slot = (day: number) => ({
  '@type': 'Slot',
  startDate: `2036-12-0${day}T10:00:00Z`,
  endDate: `2036-12-0${day}T11:00:00Z`,
  remainingUses: 1,
});

/** One of each kind, none with an `@id`, some with what makes findings. */
const OBJECTS: [kind: string, data: object][] = [
  ['SessionSeries', { name: 'Yoga', location: PLACE, eventSchedule: [WEEKLY] }],
  [
    'SessionSeries',
    { name: 'Broken', duration: 'nonsense', location: PLACE, eventSchedule: [{ ...WEEKLY, byDay: 7 }] },
  ],
  [
    'ScheduledSession',
    { startDate: '2036-12-01T10:00:00Z', superEvent: { '@type': 'SessionSeries', name: 'Judo', identifier: 'j' } },
  ],
  ['ScheduledSession', { startDate: 'soon', superEvent: 'no address' }],
  ['FacilityUse', { name: 'Court', location: PLACE, event: [slot(1), slot(2)], hoursAvailable: HOURS }],
  ['Event', { name: 'Gala', startDate: '2036-12-03T10:00:00Z', endDate: '2036-12-03T12:00:00Z', location: PLACE }],
  ['Place', PLACE],
];

function page(feed: string, base: string): string {
  const items = OBJECTS.map(([kind, data], id) => {
    return { state: 'updated', kind, id, modified: id + 1, data: { '@type': kind, ...data } };
  });
  const next = { leaves: 'http://elsewhere.invalid/hunter2path/rpde', broken: `${base}/${SECRET}/none/rpde` }[feed];
  return JSON.stringify({
    items,
    next: next ?? `${base}/${SECRET}/${feed}/rpde?after=1`,
    license: 'https://a.example/',
  });
}

let server: FaultServer;
let folder: string;
beforeAll(async () => {
  server = await faultServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://x');
    const feed = pathname.split('/')[2] ?? '';
    if (search !== '') {
      const end = { items: [], next: `${server.url}${request.url}`, license: 'https://a.example/' };
      response.end(JSON.stringify(end));
    } else if (feed === 'none') response.end(`no page: ${pathname}`);
    else if (feed === 'fails' || feed === 'site') response.writeHead(500).end(pathname);
    else response.end(page(feed, server.url));
  });
  folder = await mkdtemp(join(tmpdir(), 'oai-path-secret-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const START =
  '/ /feeds /api/feeds /api/series /api/places /api/facilities /api/venues /api/occurrences /openapi.json /api /sitemap.xml /healthz /readyz /metrics /admin /robots.txt /rpde/ /rpde/catalog /nothing /series.ics?id=x /series/none.ics /places/none /api/series?from=nonsense /rpde/none';

test('a key in the path of a feed is shown nowhere but at the admin address', async () => {
  const stop = new AbortController();
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  const onOut = (text: string) => {
    const url = /http:\/\/\S+?(?=\/\s)/.exec(text)?.[0];
    if (url !== undefined) resolve(url);
  };
  const feeds = FEEDS.flatMap((feed) => ['--feed', `${server.url}/${SECRET}/${feed}/rpde`]);
  const argv = ['serve', ...feeds, '--dataset', `${server.url}/${SECRET}/site`, '--republish', '--port', '0'];
  const running = cli([...argv, '--host', '127.0.0.1', '--data', folder], { onOut, signal: stop.signal });
  try {
    const base = await ready;
    const text = async (path: string) => {
      const answer = await fetch(new URL(path, base), { redirect: 'manual' });
      return JSON.stringify([...answer.headers]) + (await answer.text());
    };
    const settled = async () => {
      const { items } = (await (await fetch(`${base}/api/feeds`)).json()) as { items: { state: string }[] };
      expect(items.map(({ state }) => state).sort()).toEqual(['ended', 'failing', 'failing', 'failing']);
      expect(await text('/rpde/')).toContain('/rpde/scheduled-sessions');
      expect(await text('/rpde/session-series')).toContain('Yoga');
    };
    await vi.waitFor(settled, { timeout: 120_000, interval: 100 });
    const [seen, showing] = [new Set<string>(), new Map<string, string>()];
    const queue = START.split(' ');
    for (let path = queue.shift(); path !== undefined && seen.size < 400; path = queue.shift()) {
      if (seen.size === seen.add(path).size) continue;
      const found = await text(path);
      const at = found.search(SECRET);
      if (at >= 0) showing.set(path, found.slice(Math.max(0, at - 120), at + 60));
      for (const [, link = ''] of found.matchAll(/(?:href=\\?"|")((?:http:\/\/127\.0\.0\.1:\d+)?\/[^"\\\s<>]+)\\?"/g)) {
        const url = new URL(link.replaceAll('&amp;', '&'), base);
        if (url.origin === base) queue.push(url.pathname + url.search);
      }
      if (/^\/api\/series\/[a-z2-7]{16}$/.test(path)) queue.push(`${path}/explain`, path.replace('/api', ''));
    }
    expect(Object.fromEntries(showing)).toEqual({});
    const kinds = [/\/series\/\w+\.ics/, /\/places\/\w+\.ics/, /explain/, /\/facilities\//, /^\/rpde\/facility-uses/];
    for (const kind of kinds)
      expect(
        [...seen].some((path) => kind.test(path)),
        String(kind),
      ).toBe(true);
  } finally {
    stop.abort(new StoppedError('SIGTERM'));
    await running;
  }
}, 240_000);
