import { describe, expect, test } from 'vitest';
import type { VenuePage } from '../../../src/library/library.ts';
import { setUp } from '../fake.ts';
import { AT, DAY, facility, HOUR, place, placeWithoutHours, row } from '../made.ts';

async function get(venue: VenuePage, { path = `/${venue.collection}/${venue.key}`, head = {} } = {}) {
  const { library, app } = setUp();
  library.commit(`${venue.collection}/${venue.key}/all`, 'Hall', head);
  library.venues.set(`${venue.collection}/${venue.key}`, venue);
  library.facilities = [1, 2, 3].map((n) => row({ key: `f${n}`, kind: 'facilities', name: `Court ${n}` }));
  const response = await app.request(path);
  return { response, library, text: await response.text() };
}

/** The words of a page, without its style and script. */
function words(text: string): string {
  return text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

type Hours = NonNullable<VenuePage['hours']>;
const hours = (more: Partial<Hours>): VenuePage => place({ hours: { ...(place().hours as Hours), ...more } });
const next = (at: number, opens: boolean) => ({ next: { at, opens, because: [] }, open: !opens });

/** The answer without a next change. */
function forEver(open: boolean): VenuePage {
  const hours = { ...(place().hours as Hours), open };
  delete hours.next;
  return place({ hours });
}

describe('is it open now', () => {
  const monday = Date.UTC(2026, 10, 30, 7);
  const table: [title: string, venue: VenuePage, said: string][] = [
    ['open until tonight', place(), 'Open now , closes today at 22:00 GMT'],
    ['open past midnight', hours(next(Date.UTC(2026, 10, 22, 2), false)), 'Open now , closes tomorrow at 02:00 GMT'],
    ['closed until tomorrow', hours(next(AT + 22 * HOUR, true)), 'Closed now , opens tomorrow at 07:30 GMT'],
    ['closed for a while', hours(next(monday, true)), 'Closed now , opens on Monday 30 November at 07:00 GMT'],
    ['in summer', hours(next(Date.UTC(2027, 5, 1, 6), true)), 'opens on Tuesday 1 June at 07:00 BST'],
    ['nearly a year', hours(next(AT + 350 * DAY, true)), 'opens on Saturday 6 November 2027 at 09:30 GMT'],
    ['always open', forEver(true), 'Open now , day and night'],
    ['closed for good', forEver(false), 'Closed now , and no opening is announced'],
    [
      'its own day counts, not that of UTC',
      { ...hours(next(Date.UTC(2026, 10, 21, 20), true)), zone: 'Pacific/Auckland' },
      'opens tomorrow at 09:00',
    ],
  ];
  test.each(table)('%s', async (_, venue, said) => expect(words((await get(venue)).text)).toContain(said));

  test('nothing published is not closed', async () => {
    const { text } = await get(placeWithoutHours());
    expect(words(text)).toContain('No opening hours have been published');
    expect(words(text)).not.toMatch(/Closed|Open now|undefined/);
    expect(text).not.toContain('<table');
  });

  const caches: [title: string, venue: VenuePage, seconds: number][] = [
    ['a minute', place(), 60],
    ['no longer than until the next change', hours(next(AT + 12_500, false)), 12],
    ['not at all where that is now', hours(next(AT + 900, false)), 0],
    ['a minute where nothing changes', forEver(true), 60],
  ];
  test.each(caches)('it is kept for %s', async (_, venue, seconds) => {
    const { response } = await get(venue);
    expect(response.headers.get('cache-control')).toBe(`public, max-age=${seconds}`);
  });
});

test('the week is a table that can be heard, with the reason of every odd day', async () => {
  const { text } = await get(place());
  const rows = [...text.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, cells = '']) => words(cells).trim());
  expect(rows).toEqual([
    'Day Open Why',
    'Saturday 21 November today 07:00–22:00',
    'Sunday 22 November 09:00–13:00 Public holiday: Boxing Day',
    'Monday 23 November Closed Special closure',
    'Tuesday 24 November 18:00–03:00 (the next day) Special hours',
    'Wednesday 25 November All day',
    'Thursday 26 November 07:00–12:00 , 14:00–20:30',
    'Friday 27 November Closed',
  ]);
  expect(text.match(/<th scope="row">/g)).toHaveLength(7);
  expect(text.match(/<th scope="col">/g)).toHaveLength(3);
  expect(text.match(/<tr aria-current="date">/g)).toHaveLength(1);
  expect(text).toContain('<caption>The next seven days, in local time (<bdi>Europe/London</bdi>)</caption>');
  expect(words(text)).toContain('Open 98 hours 30 minutes in the next seven days');
});

describe('the page of a place', () => {
  test('says where, what is on, and which facilities there are', async () => {
    const { text, library } = await get(place());
    for (const said of ['Town Hall', 'High Street, Wexcombe', '01632 960101', 'Europe/London', 'GB-ENG', 'A hall.'])
      expect(words(text)).toContain(said);
    for (const said of ['Sat 21 November 2026, 10:30–11:30', 'Gentle yoga', 'Cancelled', 'Judo'])
      expect(words(text).replaceAll('Sat,', 'Sat')).toContain(said);
    for (const href of ['/series/abc', '/series/def', '/facilities/f1', '/?kind=series&amp;place=p1'])
      expect(text).toContain(`href="/open${href}"`);
    expect(words(text)).toContain('Everyone Active , under CC BY 4.0');
    expect(library.queries).toEqual([{ kind: 'facilities', place: 'p1', limit: 20 }]);
  });

  test('offers its calendars, and says which one shows anything where', async () => {
    const { text } = await get(place());
    for (const part of ['.ics', '/hours.ics', '/sessions.ics']) {
      expect(text).toContain(`webcal://calendars.example/open/places/p1${part}"`);
      expect(text).toContain(`value="https://calendars.example/open/places/p1${part}"`);
      expect(text).toContain(`href="https://calendars.example/open/places/p1${part}?download=1"`);
      expect(text).toContain(
        `<link rel="alternate" type="text/calendar" href="https://calendars.example/open/places/p1${part}"`,
      );
    }
    expect(words(text)).toMatch(/Opening hours When it is open.*: the one for Google, Outlook and Apple\./);
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('lists what is for programs, without a button', async () => {
    const { text } = await get(place());
    for (const part of ['availability', 'freebusy']) {
      expect(text).toContain(`<code>https://calendars.example/open/places/p1/${part}.ics</code>`);
      expect(text).not.toContain(`webcal://calendars.example/open/places/p1/${part}.ics`);
    }
    expect(text).toContain('<code>https://calendars.example/open/api/places/p1</code>');
    expect(words(text)).toContain('RFC 7953');
  });

  test('does not repeat its name in what is on', async () => {
    const one = { start: AT, status: 'EventScheduled' as const, seriesKey: 'abc' };
    const upcoming = ['Yoga, Town Hall', 'Town Hall', ', Town Hall'].map((name) => ({ ...one, name }));
    const { text } = await get(place({ upcoming }));
    const names = [...text.matchAll(/href="\/open\/series\/abc"><bdi>([^<]*)/g)].map(([, name]) => name);
    expect(names).toEqual(['Yoga', 'Town Hall', 'Without a name']);
  });

  test('more facilities than are shown are a link away', async () => {
    const { text } = await get(place({ facilities: 40 }));
    expect(text).toContain('href="/open/?kind=facilities&amp;place=p1">All 40 facilities');
  });

  test('one that says next to nothing is a page all the same', async () => {
    const bare: VenuePage = {
      collection: 'places',
      key: 'p1',
      id: 'x',
      type: 'Place',
      zone: 'Europe/London',
      upcoming: [],
      series: 0,
      facilities: 0,
    };
    const { response, text, library } = await get(bare);
    expect(response.status).toBe(200);
    expect(words(text)).toContain('Without a name');
    expect(text).not.toMatch(/undefined|null|NaN|\[object/);
    expect(library.queries).toEqual([]);
  });

  test('addresses that are not http(s) are no links', async () => {
    const url = 'javascript:alert(1)';
    const { text } = await get(place({ url, publisher: { name: 'Pub', url, license: url } }));
    expect(text).not.toContain('javascript:');
  });
});

test('the page of a facility leads to its place, and offers no calendar that stays empty', async () => {
  const { text, library } = await get(facility());
  expect(words(text)).toContain('Badminton courts');
  expect(text).toContain('href="/open/places/p1"');
  expect(text).toContain('webcal://calendars.example/open/facilities/f1/hours.ics');
  expect(text).toContain('value="https://calendars.example/open/facilities/f1.ics"');
  expect(text).not.toContain('sessions.ics');
  expect(words(text)).not.toContain('On next');
  expect(library.queries).toEqual([]);
});

describe('where there is no such page', () => {
  test('gone: 410; moved: 308', async () => {
    expect((await get(place(), { head: { state: 'gone' } })).response.status).toBe(410);
    const { response } = await get(place(), { head: { movedTo: 'p2' } });
    expect([response.status, response.headers.get('location')]).toEqual([308, '/open/places/p2']);
  });

  test.each(['/facilities/p1', '/series/p1', '/places/P1', '/places/p2', '/places/p1/', '/places/p1/hours'])(
    '%s: 404',
    async (path) => expect((await get(place(), { path })).response.status).toBe(404),
  );
});
