import {
  calendarMultiGet,
  createAccount,
  type DAVAccount,
  type DAVCalendar,
  type DAVObject,
  fetchCalendarObjects,
  fetchCalendars,
  smartCollectionSyncDetailed,
} from 'tsdav';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tokenOf } from '../../../src/library/index.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { event, FakeObjects } from '../../dav/fake.ts';
import { FakeLibrary, render } from '../fake.ts';

/** tsdav, a CalDAV client of other people, against a server that listens. */

const START = Date.UTC(2026, 10, 23, 18);
const TOKEN = tokenOf([{ kind: 'series', key: 'c' }]);

let server: RunningServer;
let objects: FakeObjects;
let library: FakeLibrary;
beforeEach(async () => {
  library = new FakeLibrary();
  objects = new FakeObjects();
  for (let n = 0; n < 5; n += 1) objects.put(`${n}.ics`, [event(`${n}`, START + n * 86_400_000)]);
  library.objects = objects;
  library.chosen.set(TOKEN, { things: [{ kind: 'series', key: 'c' }], name: 'Ours' });
  server = await startServer({ library, port: 0, host: '127.0.0.1', render });
});
afterEach(() => server.close());

/** It begins at the well-known address, whatever path it is given, unless that is its `rootUrl`. */
function accountAt(path: string): Promise<DAVAccount> {
  return createAccount({
    account: { serverUrl: server.url, rootUrl: server.url + path, accountType: 'caldav' },
    loadCollections: false,
  });
}

async function discovered(path: string): Promise<DAVCalendar[]> {
  return fetchCalendars({ account: await accountAt(path) });
}

const names = (found: readonly DAVObject[]): string[] =>
  found.map(({ url }) => url.slice(url.lastIndexOf('/') + 1)).sort();

describe('tsdav', () => {
  test('from the name of the server alone finds a home without calendars', async () => {
    const account = await createAccount({ account: { serverUrl: server.url, accountType: 'caldav' } });
    expect([account.principalUrl, account.homeUrl]).toEqual([`${server.url}/dav/`, `${server.url}/dav/`]);
    expect(await fetchCalendars({ account })).toEqual([]);
  });

  test.each([`/dav/my/${TOKEN}/`, '/dav/series/c/'])('from %s finds the calendar', async (path) => {
    const calendars = await discovered(path);
    expect(calendars.map(({ displayName }) => displayName)).toEqual(['Calendar & <friends>']);
    const [calendar] = calendars;
    expect(calendar?.url).toBe(`${server.url}/dav/my/${TOKEN}/series-c/`);
    expect(calendar?.components).toEqual(['VEVENT']);
    expect(calendar?.reports).toContain('syncCollection');
    expect(calendar?.calendarColor).toBe('#008080FF');
  });

  test('gets all objects, those of a stretch of time, and instances', async () => {
    const [calendar] = (await discovered(`/dav/my/${TOKEN}/`)) as [DAVCalendar];
    const all = await fetchCalendarObjects({ calendar });
    expect(names(all)).toEqual(objects.names);
    expect(all.every(({ data, etag }) => data.startsWith('BEGIN:VCALENDAR') && etag)).toBe(true);
    const timeRange = { start: '2026-11-24T00:00:00Z', end: '2026-11-26T00:00:00Z' };
    const some = await fetchCalendarObjects({ calendar, timeRange, expand: true });
    expect(names(some)).toEqual(['1.ics', '2.ics']);
    expect(some[0]?.data).toContain('DTSTART:20261124T230000Z');
  });

  test('follows what is added, changed and removed, by difference', async () => {
    const [calendar] = (await discovered(`/dav/my/${TOKEN}/`)) as [DAVCalendar];
    const account = await accountAt(`/dav/my/${TOKEN}/`);
    const ways = {
      objectMultiGet: calendarMultiGet,
      fetchObjects: () => fetchCalendarObjects({ calendar }),
    };
    const held = { ...calendar, ...ways, objects: await fetchCalendarObjects({ calendar }) };
    objects.put('new.ics', [event('new', START)]);
    objects.put('2.ics', [event('2', START, { summary: 'Moved' })]);
    objects.remove('4.ics');
    library.tell(['c']);
    const { objects: after } = await smartCollectionSyncDetailed({
      collection: held,
      method: 'webdav',
      account,
    });
    expect([names(after.created), names(after.updated), names(after.deleted)]).toEqual([
      ['new.ics'],
      ['2.ics'],
      ['4.ics'],
    ]);
    expect(after.updated[0]?.data).toContain('SUMMARY:Moved');
    const { objects: next } = await smartCollectionSyncDetailed({
      collection: held,
      method: 'basic',
      account,
    });
    expect([names(next.created), names(next.updated), names(next.deleted)]).toEqual([
      ['new.ics'],
      ['2.ics'],
      ['4.ics'],
    ]);
  });
});
