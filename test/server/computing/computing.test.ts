import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BusyError, OverBudgetError, StoreError } from '../../../src/errors.ts';
import { createApp } from '../../../src/server/app.ts';
import { CalendarCache } from '../../../src/server/cache/cache.ts';
import { renderCalendar } from '../../../src/server/calendars/renderer.ts';
import { type Computing, computeHere, computeOnThreads } from '../../../src/server/computing/computing.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { Meters } from '../../../src/server/operations/meters.ts';
import { storeFile } from '../../../src/store/index.ts';
import { BASE, FakeLibrary, render } from '../fake.ts';
import { item, type Served, served } from '../stored-rig.ts';

const place = { '@type': 'Place', '@id': 'https://a.example/place', name: 'Hall – Tŷ Gwyn', address: '1 Street' };
const days = ['https://schema.org/Monday'];
const hours = [{ '@type': 'OpeningHoursSpecification', dayOfWeek: days, opens: '09:00', closes: '17:00' }];
const schedule = {
  '@type': 'Schedule',
  startDate: '2026-01-05',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
};

let one: Served;
let threads: Computing;
let here: Computing;
const meters = new Meters();
beforeAll(async () => {
  one = await served();
  await one.feed(
    item('SessionSeries', '1', {
      '@id': 'https://a.example/series',
      name: 'Yoga <b>',
      location: place,
      eventSchedule: [schedule],
    }),
    item('Place', '2', { ...place, openingHoursSpecification: hours }),
  );
  const given = { baseUrl: 'https://c.example', gzip: true, log: silent, now: () => one.rig.clock.now };
  here = computeHere(one.library, renderCalendar, { ...given, meters: new Meters() });
  const { compose, horizonDays } = one.rig.options;
  const options = { compose, horizonDays, holidays: { country: 'GB', region: 'ENG' }, rendering: 'test' };
  const library = { store: { data: one.rig.data }, options, epoch: one.library.epoch };
  threads = computeOnThreads(library, { ...given, meters });
});
afterAll(async () => {
  await threads.close();
  await one.close();
});

async function keyOf(kind: 'series' | 'places'): Promise<string> {
  return (await one.library.keys(kind, { limit: 1 })).rows[0]?.key ?? '';
}

const whole = async (response: Response) => ({
  status: response.status,
  headers: [...response.headers],
  body: Buffer.from(await response.arrayBuffer()).toString(),
});

describe('on threads, answers are those in place, octet for octet', () => {
  test.each([
    '/',
    '/?q=yoga',
    '/series/SERIES',
    '/series/SERIES/explain',
    '/series?id=https://a.example/series',
    '/series/none',
    '/places/PLACE',
    '/places/PLACE/freebusy.ics?from=2026-12-01&to=2026-12-20',
    '/places/none/freebusy.ics?from=2026-12-01&to=2026-12-20',
    '/places/PLACE/freebusy.ics?from=never',
    '/api/series',
    '/api/series?limit=0',
    '/api/series/SERIES',
    '/api/series/SERIES/explain?from=2026-12-01&to=2026-12-20',
    '/api/places/PLACE/open',
    '/api/places/PLACE/hours?from=2026-12-01&to=2026-12-20',
    '/feeds',
    '/api/feeds',
    '/api/nothing',
    '/nothing',
    '/openapi.json',
  ])('%s', async (path) => {
    const [series, venue] = [await keyOf('series'), await keyOf('places')];
    const url = `https://c.example${path.replace('SERIES', series).replace('PLACE', venue)}`;
    for (const init of [{}, { method: 'POST' }, { headers: { 'accept-encoding': 'gzip' } }]) {
      const [there, expected] = [
        await threads.answer(new Request(url, init)),
        await here.answer(new Request(url, init)),
      ];
      expect(await whole(there)).toEqual(await whole(expected));
    }
  });

  const dav = (method: string, path: string, depth: string, body: string) =>
    [method, path, { method, headers: { depth }, body: `<?xml version="1.0"?>${body}` }] as const;
  const OF_DAV = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"';
  test.each([
    dav('PROPFIND', '/dav/series/SERIES/', '1', `<propfind ${OF_DAV}><allprop/></propfind>`),
    dav(
      'REPORT',
      '/dav/series/SERIES/',
      '0',
      `<sync-collection ${OF_DAV}><sync-token/><prop><getetag/><C:calendar-data/></prop></sync-collection>`,
    ),
    dav('REPORT', '/dav/series/SERIES/', '1', '<!DOCTYPE x><x/>'),
    dav(
      'PROPPATCH',
      '/dav/places/PLACE/',
      '0',
      `<propertyupdate ${OF_DAV}><set><prop><displayname>ü</displayname></prop></set></propertyupdate>`,
    ),
    dav(
      'REPORT',
      '/dav/places/PLACE/',
      '0',
      `<C:free-busy-query ${OF_DAV}><C:time-range start="20261201T000000Z" end="20261220T000000Z"/></C:free-busy-query>`,
    ),
  ])('%s of %s, with what was sent', async (_, path, init) => {
    const [series, venue] = [await keyOf('series'), await keyOf('places')];
    const url = `https://c.example${path.replace('SERIES', series).replace('PLACE', venue)}`;
    const expected = await whole(await here.answer(new Request(url, init)));
    expect(await whole(await threads.answer(new Request(url, init)))).toEqual(expected);
    expect(expected.status).toBe(init.body.includes('DOCTYPE') ? 400 : expected.body.includes('VFREEBUSY') ? 200 : 207);
  });

  test('and so are calendars', async () => {
    const [series, venue] = [await keyOf('series'), await keyOf('places')];
    const parts = ['all', 'availability', 'freebusy', 'hours', 'sessions'].map((part) => `places/${venue}/${part}`);
    for (const name of [series, ...parts, 'none']) {
      const [there, expected] = [await threads.renderer.calendar(name), await here.renderer.calendar(name)];
      expect(there?.source, name).toEqual(expected?.source);
    }
  });

  test('what they count of calendars is counted here', async () => {
    const of = meters.of(`places/x/freebusy`);
    const { full, renders, bytes } = of;
    const url = `https://c.example/places/${await keyOf('places')}/freebusy.ics?from=2026-12-01&to=2026-12-20`;
    const body = await (await threads.answer(new Request(url))).arrayBuffer();
    expect([of.full - full, of.renders - renders, of.bytes - bytes]).toEqual([1, 1, body.byteLength]);
  });

  test('a change that was committed is seen by the next question', async () => {
    const named = async () => whole(await threads.answer(new Request('https://c.example/api/series')));
    expect((await named()).body).not.toContain('Judo');
    await one.feed(item('SessionSeries', '3', { '@id': 'https://a.example/judo', name: 'Judo', location: place }));
    expect((await named()).body).toContain('Judo');
  });
});

describe('a thread that finds no database', () => {
  const given = { baseUrl: BASE, gzip: true, log: silent, now: () => one.rig.clock.now, meters: new Meters() };
  const opened = (store: { data: string; databaseUrl?: string }): Computing => {
    const { compose, horizonDays } = one.rig.options;
    return computeOnThreads(
      { store, options: { compose, horizonDays, rendering: 'test' }, epoch: one.library.epoch },
      given,
    );
  };
  const request = () => new Request('https://c.example/api/series');

  test('says that it is the store', async () => {
    const computing = opened({ data: one.rig.data, databaseUrl: 'postgres://postgres@127.0.0.1:1/x' });
    await expect(computing.renderer.calendar('any')).rejects.toBeInstanceOf(StoreError);
    await expect(computing.answer(request())).rejects.toThrow(/it cannot be reached/);
    await expect(computing.answer(request())).rejects.toBeInstanceOf(StoreError);
    await computing.close();
  });

  test('opens it with a later question', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
    const data = join(folder, 'data');
    const computing = opened({ data });
    const key = await keyOf('series');
    for (const _ of [1, 2]) await expect(computing.renderer.calendar(key)).rejects.toThrow();
    await expect(computing.answer(request())).rejects.toThrow();
    await symlink(one.rig.data, data);
    expect((await computing.renderer.calendar(key))?.source.identity.toString()).toContain('BEGIN:VCALENDAR');
    expect((await computing.answer(request())).status).toBe(200);
    await computing.close();
    await rm(folder, { recursive: true });
  });
});

test('damage that a thread meets is told with what helps, of calendars and of pages', async () => {
  const broken = await served();
  await broken.feed(item('SessionSeries', '1', { '@id': 'https://a.example/series', name: 'Yoga', location: place }));
  const key = (await broken.library.keys('series', { limit: 1 })).rows[0]?.key ?? '';
  const { data, options: given } = broken.rig;
  const { compose, horizonDays } = given;
  new DatabaseSync(storeFile(data)).exec("UPDATE record_body SET body = '{'");
  const met: StoreError[] = [];
  const computing = computeOnThreads(
    { store: { data }, options: { compose, horizonDays, rendering: 'test' }, epoch: broken.library.epoch },
    {
      baseUrl: BASE,
      gzip: true,
      log: silent,
      now: () => 0,
      meters: new Meters(),
      onTrouble: (error) => void met.push(error),
    },
  );
  const damage = { trouble: 'damaged', cure: expect.stringMatching(/store verify/) };
  await expect(computing.renderer.calendar(key)).rejects.toMatchObject(damage);
  expect((await computing.answer(new Request(`https://c.example/series/${key}`))).status).toBe(503);
  expect(met).toEqual([expect.objectContaining(damage)]);
  await computing.close();
  await broken.close();
});

describe('an answer that takes too long', () => {
  function refusing(error: Error) {
    const library = new FakeLibrary();
    library.commit('abc', 'Yoga');
    const fails = () => Promise.reject(error);
    const cache = new CalendarCache({
      library,
      renderer: { calendar: fails },
      log: silent,
      limitBytes: 1000,
      now: Date.now,
    });
    return createApp({ library, cache, answer: fails, baseUrl: BASE, log: silent });
  }

  test.each<[path: string, error: Error, type: string, retry: string, body: RegExp]>([
    ['/api/series', new OverBudgetError('long'), 'application/problem+json; charset=utf-8', '300', /"status":503/],
    ['/api/series', new BusyError('many'), 'application/problem+json; charset=utf-8', '10', /"status":503/],
    ['/series/abc', new OverBudgetError('long'), 'text/html; charset=utf-8', '300', /takes too long/],
    ['/', new BusyError('many'), 'text/html; charset=utf-8', '10', /takes too long/],
    ['/series/abc.ics', new OverBudgetError('long'), 'text/plain; charset=utf-8', '300', /^[^\n]+\n$/],
    ['/places/p/freebusy.ics?from=2026-12-01', new BusyError('many'), 'text/plain; charset=utf-8', '300', /^[^\n]+\n$/],
  ])('%s: 503, and when to try again', async (path, error, type, retry, body) => {
    const response = await refusing(error).request(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([503, type]);
    expect([response.headers.get('retry-after'), response.headers.get('cache-control')]).toEqual([retry, 'no-store']);
    expect(await response.text()).toMatch(body);
  });

  test('is logged once in a while, however many are refused', async () => {
    const library = new FakeLibrary();
    library.commit('abc', 'Yoga');
    const lines: object[] = [];
    const log = { ...silent, warn: (facts: object, message: string) => void lines.push({ ...facts, message }) };
    const fails = () => Promise.reject(new BusyError('64 requests wait already.'));
    const cache = new CalendarCache({ library, renderer: { calendar: fails }, log, limitBytes: 1000, now: Date.now });
    const app = createApp({ library, cache, answer: fails, baseUrl: BASE, log });
    for (let turn = 0; turn < 50; turn++) {
      await app.request('/api/series');
      await app.request('/series/abc.ics');
    }
    expect(lines).toEqual([
      { reason: '64 requests wait already.', path: '/api/series', count: 1, message: 'Requests were refused.' },
      expect.objectContaining({ key: 'abc', count: 1 }),
    ]);
  });

  test('does not keep what operators ask from being answered, nor calendars that are held', async () => {
    const library = new FakeLibrary();
    library.commit('abc', 'Yoga');
    const given = { baseUrl: BASE, gzip: true, meters: new Meters(), log: silent, now: Date.now };
    const { renderer } = computeHere(library, render, given);
    const cache = new CalendarCache({ library, renderer, log: silent, limitBytes: 100_000, now: Date.now });
    const app = createApp({ library, cache, answer: () => new Promise(() => {}), baseUrl: BASE, log: silent });
    void app.request('/api/series');
    for (const path of ['/healthz', '/readyz', '/series/abc.ics', '/robots.txt']) {
      expect((await app.request(path)).status, path).toBe(200);
    }
  });
});
