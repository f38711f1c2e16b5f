import { afterEach, beforeEach, expect, test } from 'vitest';
import { MOST_EVENTS } from '../../src/calendar/size.ts';
import type { FoundSeries } from '../../src/library/lists/standing-search.ts';
import { sessionRows, visitingAt } from '../../src/library/lists/taken.ts';
import { tokenOf } from '../../src/library/lists/token.ts';
import { keyOf } from '../../src/opportunity/identity.ts';
import { defined } from '../../src/opportunity/records.ts';
import type { Reader } from '../../src/store/index.ts';
import { item, type Served, served } from '../server/stored-rig.ts';

/** Sessions away from the usual place of their series: found by what they say, and in the calendar of the place where they are. */

const id = (path: string) => `https://example.org/${path}`;
const place = (name: string, latitude: number) => ({
  '@type': 'Place',
  '@id': id(name),
  name,
  address: { '@type': 'PostalAddress', addressLocality: `Town of ${name}` },
  geo: { '@type': 'GeoCoordinates', latitude, longitude: -3.5 },
});
const HALL = place('Hall', 50.7);
const BARN = place('Barn', 51.7);
const MILL = place('Mill', 52.7);
const ONLINE = 'https://schema.org/OnlineEventAttendanceMode';
const free = [{ '@type': 'Offer', price: 0, priceCurrency: 'GBP' }];
const offers = [{ '@type': 'Offer', price: 9, priceCurrency: 'GBP' }];
const series = (over: Record<string, unknown> = {}) =>
  item('SessionSeries', 'yoga', { '@id': id('yoga'), name: 'Yoga', location: HALL, offers, ...over });
const session = (day: number, over: Record<string, unknown> = {}) =>
  item('ScheduledSession', String(day), {
    '@id': id(`yoga/${day}`),
    superEvent: id('yoga'),
    startDate: `2026-12-0${day}T10:00:00Z`,
    duration: 'PT1H',
    ...over,
  });
const rule = {
  '@type': 'Schedule',
  startDate: '2026-12-01',
  startTime: '10:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  repeatCount: 4,
  scheduleTimezone: 'Europe/London',
  idTemplate: `${id('yoga')}/{startDate}`,
};

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const text = async (path: string) => (await one.app.request(path)).text();
const eventsOf = (calendar: string) => calendar.match(/BEGIN:VEVENT[\s\S]*?END:VEVENT/g) ?? [];
const of = (name: string) => `/places/${keyOf('place', id(name))}`;
const eventsAt = async (name: string) => eventsOf(await text(`${of(name)}/sessions.ics`));
const found = async (query: string) => {
  const { items } = (await (await one.app.request(`/api/occurrences?${query}`)).json()) as {
    items: { start: string }[];
  };
  return items.map(({ start }) => start.slice(8, 10));
};

test('a session is in the calendar of the place where it is, with the octets of its own calendar', async () => {
  await one.feed(series(), session(1), session(2, { location: BARN }), session(3));
  const own = eventsOf(await text(`/series/${keyOf('series', id('yoga'))}.ics`));
  expect(own).toHaveLength(3);
  expect(await eventsAt('Barn')).toEqual([own[1]]);
  expect(await eventsAt('Hall')).toEqual(own);
  const head = () => one.library.head(parseNamed('Barn'));
  const before = await head();
  await one.feed(session(2, { location: BARN, remainingAttendeeCapacity: 3 }));
  expect(await head()).toEqual(before);
  await one.feed(series({ name: 'Pilates' }));
  expect(await eventsAt('Barn')).toEqual([expect.stringContaining('SUMMARY:Pilates')]);
  expect((await head())?.revision).toBeGreaterThan(before?.revision ?? 0);
  await one.feed(session(2, { location: MILL }));
  expect(await eventsAt('Mill')).toHaveLength(1);
  await one.feed({ ...session(2), state: 'deleted', data: undefined } as never);
  expect(await eventsAt('Mill')).toEqual([]);
});

/** What the calendar of a place shows, and its revision. */
const shownAt = async (name: string) => ({
  octets: await text(`${of(name)}/sessions.ics`),
  revision: (await one.library.head(parseNamed(name)))?.revision ?? -1,
});

test('the calendar of a place stays while another session of the series changes', async () => {
  await one.feed(series(), session(1), session(2, { location: BARN }), session(3, { location: MILL }));
  const before = [await shownAt('Barn'), await shownAt('Mill')] as const;
  await one.feed(session(1, { startDate: '2026-12-01T11:00:00Z' }));
  expect([await shownAt('Barn'), await shownAt('Mill')]).toEqual(before);
  await one.feed(session(2, { location: BARN, startDate: '2026-12-02T11:00:00Z' }));
  expect((await shownAt('Barn')).revision).toBeGreaterThan(before[0].revision);
  expect(await shownAt('Mill')).toEqual(before[1]);
});

test('it follows an instance of a rule of which another one changes: they have one SEQUENCE', async () => {
  const at = (day: number, over: Record<string, unknown>) => {
    const startDate = `2026-12-${String(day).padStart(2, '0')}T10:00:00Z`;
    return session(day, { '@id': `${id('yoga')}/${startDate}`, startDate, ...over });
  };
  await one.feed(series({ eventSchedule: [{ ...rule, repeatCount: 8 }] }), at(8, {}), at(22, { location: BARN }));
  const before = await shownAt('Barn');
  await one.feed(at(8, { startDate: '2026-12-08T11:00:00Z' }));
  const after = await shownAt('Barn');
  expect(after.octets).not.toBe(before.octets);
  expect(after.revision).toBeGreaterThan(before.revision);
});

const parseNamed = (name: string) => `places/${keyOf('place', id(name))}/sessions`;

test('one that replaces an instance of a rule is a single event there', async () => {
  await one.feed(
    series({ eventSchedule: [rule] }),
    session(8, { '@id': `${id('yoga')}/2026-12-08T10:00:00Z`, location: BARN }),
  );
  const [event, ...others] = await eventsAt('Barn');
  expect(others).toEqual([]);
  expect(event).toContain('DTSTART;TZID=Europe/London:20261208T100000');
  expect(event).not.toMatch(/RECURRENCE-ID|RRULE/);
  // A list that has the place has the same.
  const list = await text(`/my/${tokenOf([{ kind: 'places', key: keyOf('place', id('Barn')) }])}.ics`);
  expect(eventsOf(list).filter((one) => one.includes('20261208T'))).toEqual([event]);
});

const december = (day: number) => `2026-12-${String(day).padStart(2, '0')}T10:00:00Z`;

test('a session that is far off is in the calendar of a place, however many series are there', async () => {
  const others = Array.from({ length: 200 }, (_, at) =>
    item('SessionSeries', `s${at}`, { '@id': id(`s${at}`), name: 'Judo', location: BARN }),
  );
  const days = Array.from({ length: 14 }, (_, at) => at + 1);
  const sessions = days.map((day) => session(day, { startDate: december(day), ...(day > 12 && { location: BARN }) }));
  await one.feed(...others, series(), ...sessions);
  const own = eventsOf(await text(`/series/${keyOf('series', id('yoga'))}.ics`));
  expect(own).toHaveLength(14);
  expect(await eventsAt('Barn')).toEqual(own.slice(12));
  const list = await text(`/my/${tokenOf([{ kind: 'places', key: keyOf('place', id('Barn')) }])}.ics`);
  expect(eventsOf(list)).toHaveLength(2);
});

test('what a place has no room for is counted, and a calendar that moves with the day has a new revision', async () => {
  const description = 'Long '.repeat(2000);
  const sessions = Array.from({ length: 120 }, (_, at) =>
    session(at, { startDate: december((at % 20) + 1), location: BARN }),
  );
  await one.feed(series({ description }), ...sessions);
  const events = await eventsAt('Barn');
  const omitted = 120 - events.length;
  expect(omitted).toBeGreaterThan(0);
  expect((await one.library.venueFindings('places', keyOf('place', id('Barn')))) ?? []).toContainEqual(
    expect.objectContaining({ code: 'calendar-too-large', message: expect.stringContaining(String(omitted)) }),
  );
  const before = await one.library.head(parseNamed('Barn'));
  await one.roll(12);
  expect(await eventsAt('Barn')).not.toEqual(events);
  expect((await one.library.head(parseNamed('Barn')))?.revision).toBeGreaterThan(before?.revision ?? 0);
});

test('the next sessions are read, as many as a calendar holds, and the others counted', async () => {
  const starts = [...Array(MOST_EVENTS).keys()].map((at) => at + 500);
  const rows = [499, ...starts, undefined].map((start, id) => ({ id, series: 1, ...defined({ start }) }));
  const sessionsAt = async () => rows;
  const { series, unread } = await visitingAt({ sessionsAt } as unknown as Reader, 1, 500);
  expect(unread).toBe(2);
  const found = sessionRows(series.get(1) as FoundSeries);
  expect([found.length, found[0], found.at(-1)]).toEqual([MOST_EVENTS, 1, MOST_EVENTS]);
});

test('the timetable of a place has what is there', async () => {
  await one.feed(
    series(),
    session(1),
    session(2, { location: BARN }),
    session(3, { location: HALL }),
    session(4, { location: BARN }),
    session(5, { eventAttendanceMode: ONLINE }),
    session(6, { eventAttendanceMode: ONLINE, location: BARN }),
  );
  const starts = async (name: string) =>
    (await one.library.timetables.at(keyOf('place', id(name)), WINDOW))?.entries.map(({ start }) =>
      new Date(start).getUTCDate(),
    );
  expect(await starts('Hall')).toEqual([1, 3]);
  expect(await starts('Barn')).toEqual([2, 4]);
  expect((await one.library.venue('places', keyOf('place', id('Barn'))))?.series).toBe(1);
  // The calendar of the series' place has all of them.
  expect((await eventsAt('Hall')).at(-1)).toMatch(/^LOCATION:Online/m);
});

test('what an online series has is at no place, but for the sessions that say otherwise', async () => {
  await one.feed(
    series({ eventAttendanceMode: ONLINE, eventSchedule: [{ ...rule, repeatFrequency: 'P1D' }] }),
    session(8, { eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode' }),
    session(9),
  );
  const hall = await one.library.timetables.at(keyOf('place', id('Hall')), WINDOW);
  expect(hall?.entries.map(({ start }) => new Date(start).getUTCDate())).toEqual([8]);
  const dates = await one.library.seriesDates(keyOf('series', id('yoga')), 0);
  expect(dates?.dates.map((date) => date.place)).toEqual([...Array(4).fill(undefined), 'Hall', undefined]);
});

test('a date that is online says so on the page of its series and in what is embedded', async () => {
  await one.feed(series(), session(8, { eventAttendanceMode: ONLINE }), session(9));
  const key = keyOf('series', id('yoga'));
  const dates = await one.library.seriesDates(key, 0);
  expect(dates?.dates.map((date) => date.place)).toEqual(['Online', undefined]);
  expect((await text(`/embed/series/${key}`)).match(/Online/g)).toHaveLength(1);
});

test('a timetable with a limit is as long as it may be, however many dates are away', async () => {
  const days = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  await one.feed(series(), ...days.map((day) => session(day, day < 6 ? { location: BARN } : {})));
  const hall = async (limit: number) => {
    const { entries, until } =
      (await one.library.timetables.at(keyOf('place', id('Hall')), { ...WINDOW, limit })) ?? {};
    const day = (at: number | undefined) => at && new Date(at).getUTCDate();
    return { days: entries?.map(({ start }) => day(start)), until: day(until) };
  };
  expect(await hall(1)).toEqual({ days: [6], until: 7 });
  expect(await hall(3)).toEqual({ days: [6, 7, 8], until: 9 });
  expect(await hall(4)).toEqual({ days: [6, 7, 8, 9], until: undefined });
});

const WINDOW = { from: Date.UTC(2026, 11, 1), to: Date.UTC(2026, 11, 20) };

test('a place as a filter finds a session that is at its usual place, and one at a place of the same name', async () => {
  const twin = { ...HALL, '@id': id('Twin') };
  await one.feed(
    series(),
    session(1, { level: ['Beginner'] }),
    session(2, { level: ['Beginner'], location: HALL }),
    session(3, { level: ['Beginner'], location: BARN }),
    session(4, { location: twin }),
    session(5, { level: ['Beginner'], location: { '@type': 'Place', name: 'A field' } }),
    session(6, { offers: free }),
  );
  const key = (name: string) => keyOf('place', id(name));
  expect(await found(`place=${key('Hall')}&level=Beginner`)).toEqual(['01', '02']);
  expect(await found(`place=${key('Hall')}&place=${key('Barn')}&level=Beginner`)).toEqual(['01', '02', '03']);
  expect(await found(`place=${key('Hall')}&maxPrice=5`)).toEqual(['06']);
  expect(await found(`place=${key('Hall')}`)).toEqual(['01', '02', '06']);
  expect(await found(`place=${key('Twin')}`)).toEqual(['04']);
  expect(await eventsAt('Twin')).toHaveLength(1);
});

test('a session at a Place that nobody has published is not at the usual one', async () => {
  await one.feed(series(), session(1, { location: id('nowhere') }), session(2));
  const { items } = await one.library.search.occurrences({}, { limit: 5 });
  expect(items.map(({ elsewhere }) => elsewhere)).toEqual([true, undefined]);
  const dates = await one.library.seriesDates(keyOf('series', id('yoga')), 0);
  expect(dates?.dates.map((date) => date.place)).toEqual(['not stated', undefined]);
});

test('a search finds a session by what it alone says, and nothing else of its series', async () => {
  await one.feed(
    series({ level: ['Advanced'] }),
    session(1),
    session(2, { location: BARN, level: ['Beginner'] }),
    session(3, { offers: free }),
    session(4, { name: 'Laughter', leader: [{ '@type': 'Person', name: 'Ann Walker' }] }),
  );
  expect(await found(`place=${keyOf('place', id('Barn'))}`)).toEqual(['02']);
  expect(await found('near=51.7,-3.5&within=5')).toEqual(['02']);
  expect(await found('level=Beginner')).toEqual(['02']);
  expect(await found('maxPrice=5')).toEqual(['03']);
  expect(await found('q=free+yoga')).toEqual(['03']);
  expect(await found('q=laughter')).toEqual(['04']);
  expect(await found('q=yoga+with+ann+walker')).toEqual(['04']);
  expect(await found('q=yoga&maxPrice=9')).toEqual(['01', '02', '03', '04']);
  const calendar = eventsOf(await text('/search.ics?level=Beginner'));
  const own = eventsOf(await text(`/series/${keyOf('series', id('yoga'))}.ics`));
  expect(calendar).toEqual([own[1]]);
  const listed = await one.library.search.series({ q: 'laughter' }, { limit: 5 });
  expect(listed.items).toMatchObject([{ name: 'Yoga', next: Date.UTC(2026, 11, 4, 10) }]);
  expect((await one.library.search.series({ maxPrice: 5 }, { limit: 5 })).items).toMatchObject([
    { name: 'Yoga', next: Date.UTC(2026, 11, 3, 10) },
  ]);
});
