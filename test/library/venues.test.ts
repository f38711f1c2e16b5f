import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '../../src/opportunity/identity.ts';
import { readWithIcalJs } from '../calendar/read.ts';
import type { RpdeJson } from '../generate/series.ts';
import { START } from '../harvest/rig.ts';
import { readAvailability, readEvents } from '../hours/read-calendar.ts';
import { type PlaceHours, referencePeriods, type Specification } from '../hours/reference.ts';
import { item, type Served, served } from '../server/stored-rig.ts';

const HALL = 'https://example.org/places/hall';
const POOL = 'https://example.org/places/pool';
const COURT = 'https://example.org/facilities/court';
const SERIES = 'https://example.org/series/1';
const hall = `/places/${keyOf('place', HALL)}`;
const pool = `/places/${keyOf('place', POOL)}`;
const court = `/facilities/${keyOf('facility', COURT)}`;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const USUAL: Specification[] = [
  { dayOfWeek: WEEKDAYS, opens: '06:30', closes: '22:00' },
  { dayOfWeek: ['Saturday'], opens: '18:00', closes: '03:00' },
  { dayOfWeek: ['Sunday', 'PublicHolidays'], opens: '08:00', closes: '16:00' },
];
const SPECIAL: Specification[] = [
  { opens: '00:00', closes: '00:00', validFrom: '2026-12-25', validThrough: '2026-12-25' },
  { opens: '09:00', closes: '13:00', validFrom: '2026-12-29', validThrough: '2026-12-31' },
];
const HOLIDAYS = new Set([
  '2026-12-25',
  '2026-12-26',
  '2026-12-28',
  '2027-01-01',
  '2027-03-26',
  '2027-03-29',
  '2027-05-03',
  '2027-05-31',
  '2027-08-30',
]);

const hours = (list: readonly Specification[]): object[] =>
  list.map(({ dayOfWeek, ...rest }) => ({
    '@type': 'OpeningHoursSpecification',
    ...rest,
    ...(dayOfWeek && { dayOfWeek: dayOfWeek.map((day) => `https://schema.org/${day}`) }),
  }));

const place = (id: string, over: object = {}): RpdeJson =>
  item('Place', id, {
    '@id': id,
    name: id === HALL ? 'Town Hall' : 'Pool',
    address: { '@type': 'PostalAddress', streetAddress: 'High Street', postalCode: 'EX99 1AA', addressCountry: 'GB' },
    openingHoursSpecification: hours(USUAL),
    specialOpeningHoursSpecification: hours(SPECIAL),
    ...over,
  });
const series = (id: string, at: string, over: object = {}): RpdeJson =>
  item('SessionSeries', id, {
    '@id': id,
    name: 'Yoga',
    location: { '@type': 'Place', '@id': at, name: 'Town Hall' },
    ...over,
  });
const session = (id: string, startDate: string, over: object = {}): RpdeJson =>
  item('ScheduledSession', id, { '@id': `${SERIES}/${id}`, superEvent: SERIES, startDate, duration: 'PT1H', ...over });
const facility = (over: object = {}): RpdeJson =>
  item('FacilityUse', COURT, {
    '@id': COURT,
    name: 'Court',
    location: { '@type': 'Place', '@id': HALL, name: 'Town Hall' },
    hoursAvailable: hours(USUAL),
    ...over,
  });
const slot = (id: string, startDate: string, remainingUses: number): RpdeJson =>
  item('Slot', id, {
    '@id': `${COURT}/${id}`,
    facilityUse: COURT,
    startDate,
    duration: 'PT1H',
    maximumUses: 4,
    remainingUses,
  });

let one: Served;
beforeEach(async () => {
  one = await served();
  await one.feed(place(HALL), place(POOL), series(SERIES, HALL), session('a', '2026-12-01T18:00:00Z'));
  await one.feed(facility());
});
afterEach(() => one.close());

describe('opening hours come out as they went in, over both changes of the clock', () => {
  const [FROM, TO] = [Date.UTC(2026, 10, 1), Date.UTC(2027, 9, 31)];
  const expected = (special: Specification[]): [number, number][] =>
    referencePeriods({ standard: USUAL, special } satisfies PlaceHours, 'Europe/London', HOLIDAYS, FROM, TO);

  const venues: [path: string, special: Specification[]][] = [
    [hall, SPECIAL],
    [court, []],
  ];
  test.each(venues)('%s', async (path, special) => {
    const periods = expected(special);
    expect(periods.length).toBeGreaterThan(300);
    const rows = await Promise.all(
      ['from=2026-11-01&to=2027-05-01', 'from=2027-05-01&to=2027-10-31'].map(async (query) => {
        const body = JSON.parse(await one.text(`/api${path}/hours?${query}`));
        return body.periods.map(({ start, end }: Record<string, string>) => [
          Date.parse(start ?? ''),
          Date.parse(end ?? ''),
        ]);
      }),
    );
    expect(rows.flat()).toEqual(periods);
    for (const reader of ['nominal', 'exact'] as const) {
      expect(readAvailability(await one.text(`${path}/availability.ics`), reader, FROM, TO)).toEqual(periods);
      expect(readAvailability(await one.text(`${path}.ics`), reader, FROM, TO)).toEqual(periods);
      expect(readEvents(await one.text(`${path}/hours.ics`), reader, FROM, TO)).toEqual(periods);
    }
  });

  test('free/busy of a window is the rest of it', async () => {
    const text = await one.text(`${hall}/freebusy.ics?from=2026-12-24&to=2026-12-31T12:00:00Z`);
    const busy = [...text.matchAll(/^FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:(\S+)\/(\S+)\r$/gm)].map(
      ([, a, b]) => `${a} ${b}`,
    );
    expect(busy).toEqual([
      '20261224T000000Z 20261224T063000Z',
      '20261224T220000Z 20261226T080000Z',
      '20261226T160000Z 20261227T080000Z',
      '20261227T160000Z 20261228T080000Z',
      '20261228T160000Z 20261229T090000Z',
      '20261229T130000Z 20261230T090000Z',
      '20261230T130000Z 20261231T090000Z',
    ]);
  });

  test.each([
    ['', ''],
    ['?from=2026-12-24', '?from=2026-12-24'],
    ['?to=2026-12-31T12%3A00%3A00Z&from=2026-12-24', '?from=2026-12-24&to=2026-12-31T12:00:00Z'],
    ['?to=2026-12-31&download=1', '?to=2026-12-31'],
  ])('free/busy at %s names its window in SOURCE', async (asked, named) => {
    const own = await served(undefined, { baseUrl: 'https://c.example' });
    await own.feed(place(HALL), facility());
    for (const path of [hall, court]) {
      const text = (await own.text(`${path}/freebusy.ics${asked}`)).replaceAll('\r\n ', '');
      expect(/^SOURCE;VALUE=URI:(.*)\r$/m.exec(text)?.[1]).toBe(`https://c.example${path}/freebusy.ics${named}`);
    }
    await own.close();
  });

  test('a place whose hours nobody publishes has calendars that say nothing of them', async () => {
    await one.feed(place(HALL, { openingHoursSpecification: undefined, specialOpeningHoursSpecification: undefined }));
    for (const part of ['/availability.ics', '/freebusy.ics', '/hours.ics'])
      expect(await one.text(hall + part)).toMatch(
        /^BEGIN:VCALENDAR\r\n(?:(?!BEGIN:V(?:EV|AV|FR)).)*END:VCALENDAR\r\n$/s,
      );
    expect(JSON.parse(await one.text(`/api${hall}/open`))).toMatchObject({ published: false });
    expect(await one.text(hall)).not.toMatch(/Opening hours<|Closed now|Open now/);
  });
});

const PARTS = ['.ics', '/availability.ics', '/freebusy.ics', '/hours.ics', '/sessions.ics'];

/** Tag and date of every calendar of a venue. */
async function validators(path: string): Promise<Map<string, [tag: string | null, date: number]>> {
  const found = new Map<string, [string | null, number]>();
  for (const part of PARTS) {
    const { headers } = await one.app.request(path + part);
    found.set(part, [headers.get('etag'), Date.parse(headers.get('last-modified') ?? '')]);
  }
  return found;
}

/** Which calendars' bytes moved by something; a date moves exactly with them, and forwards. */
async function moved(path: string, change: () => Promise<void>): Promise<string[]> {
  const before = await validators(path);
  await change();
  const after = await validators(path);
  return PARTS.filter((part) => {
    const [[tag, date], [newTag, newDate]] = [before.get(part) ?? [null, 0], after.get(part) ?? [null, 0]];
    if (tag === newTag) expect([part, newDate]).toEqual([part, date]);
    else expect(newDate - date).toBeGreaterThanOrEqual(1000);
    return tag !== newTag;
  });
}

describe('a calendar moves exactly when what it says does (semantics 6)', () => {
  const HOURS = ['.ics', '/availability.ics', '/freebusy.ics', '/hours.ics'];
  const ON = ['.ics', '/sessions.ics'];
  const table: [title: string, change: () => RpdeJson[], path: string, parts: string[]][] = [
    ['other hours', () => [place(HALL, { openingHoursSpecification: hours(USUAL.slice(1)) })], hall, HOURS],
    [
      'another special day',
      () => [place(HALL, { specialOpeningHoursSpecification: hours(SPECIAL.slice(1)) })],
      hall,
      HOURS,
    ],
    ['the same hours again', () => [place(HALL)], hall, []],
    [
      'the same hours in another order',
      () => [place(HALL, { openingHoursSpecification: hours(USUAL.toReversed()) })],
      hall,
      [],
    ],
    ['hours of another place', () => [place(POOL, { openingHoursSpecification: hours(USUAL.slice(1)) })], hall, []],
    ['a session here', () => [session('b', '2026-12-02T18:00:00Z')], hall, ON],
    ['a session here that changes', () => [session('a', '2026-12-01T19:00:00Z')], hall, ON],
    ['a session here that goes', () => [item('ScheduledSession', 'a')], hall, ON],
    ['another name of a series here', () => [series(SERIES, HALL, { name: 'Judo' })], hall, ON],
    [
      'another series here',
      () => [
        series(`${SERIES}0`, HALL),
        item('ScheduledSession', 'z', {
          '@id': 'z',
          superEvent: `${SERIES}0`,
          startDate: '2026-12-03T18:00:00Z',
          duration: 'PT1H',
        }),
      ],
      hall,
      ON,
    ],
    ['another series elsewhere', () => [series(`${SERIES}0`, POOL)], hall, []],
    ['a series that leaves', () => [series(SERIES, POOL)], hall, ON],
    ['a series that comes, and is called otherwise', () => [series(SERIES, POOL, { name: 'Judo' })], pool, ON],
    ['a series that is deleted', () => [item('SessionSeries', SERIES)], hall, ON],
    ['a facility here', () => [facility({ hoursAvailable: [] })], hall, []],
    ['hours of a facility', () => [facility({ hoursAvailable: hours(USUAL.slice(1)) })], court, HOURS],
    ['a series that comes', () => [series(SERIES, POOL)], pool, ON],
    ['another name', () => [place(HALL, { name: 'City Hall' })], hall, PARTS],
    ['another description', () => [place(HALL, { description: 'Newly painted' })], hall, []],
    ['another description of a facility', () => [facility({ description: 'Newly painted' })], court, []],
    ['hours of its place', () => [place(HALL, { openingHoursSpecification: [] })], court, []],
    ['a slot', () => [slot('s', '2026-12-01T10:00:00Z', 1)], court, ['/freebusy.ics']],
  ];
  test.each(table)('%s', async (_, change, path, parts) => {
    expect(await moved(path, () => one.feed(...change()))).toEqual(parts);
  });

  test('the hours keep their SEQUENCE beside sessions that move, and are the same in both calendars', async () => {
    const component = async (path: string) => /BEGIN:VAVAILABILITY.*END:VAVAILABILITY/s.exec(await one.text(path))?.[0];
    const before = await component(`${hall}.ics`);
    await one.feed(session('a', '2026-12-01T19:00:00Z'));
    expect(before).toContain('SEQUENCE:');
    expect(await component(`${hall}.ics`)).toBe(before);
    expect(await component(`${hall}/availability.ics`)).toBe(before);
  });

  test('other hours move no date of what is on, where nothing is and nothing is in memory', async () => {
    const modified = async () => (await one.app.request(`${court}/sessions.ics`)).headers.get('last-modified');
    const before = await modified();
    await one.feed(facility({ hoursAvailable: hours(USUAL.slice(1)) }));
    one.restart();
    expect(await modified()).toBe(before);
    await one.feed(facility({ name: 'Court 1' }));
    expect(Date.parse((await modified()) ?? '')).toBeGreaterThan(Date.parse(before ?? ''));
  });

  test('a day: free/busy', async () => {
    await one.library.poll();
    expect(await moved(hall, () => one.roll(1))).toEqual(['/freebusy.ics']);
    expect(await one.text(`${hall}/freebusy.ics`)).toContain('DTSTART:20261122T000000Z');
  });

  test('a New Year: the years that hours are written out for', async () => {
    await one.library.poll();
    const parts = await moved(court, () => one.roll(60));
    expect(parts).toEqual(HOURS);
    expect(await one.text(`${court}/availability.ics`)).toContain('DTSTART:20260101T000000Z');
  });
});

describe('a facility with slots', () => {
  const lines = async (): Promise<string[]> => {
    const text = await one.text(`${court}/freebusy.ics?from=2026-12-01T09:00:00Z&to=2026-12-01T14:00:00Z`);
    return [...text.matchAll(/^FREEBUSY;FBTYPE=(\S+)\r$/gm)].map(([, line = '']) =>
      line.replace(/20261201T(\d{4})00Z/g, '$1'),
    );
  };

  test('is free where something is left', async () => {
    await one.feed(
      slot('s1', '2026-12-01T10:00:00Z', 2),
      slot('s2', '2026-12-01T11:00:00Z', 0),
      slot('s3', '2026-12-01T12:30:00Z', 1),
    );
    expect(await lines()).toEqual([
      'BUSY:1100/1200',
      'BUSY-UNAVAILABLE:0900/1000',
      'BUSY-UNAVAILABLE:1200/1230',
      'BUSY-UNAVAILABLE:1330/1400',
    ]);
    await one.feed(slot('s2', '2026-12-01T11:00:00Z', 1), item('Slot', 's3'));
    expect(await lines()).toEqual(['BUSY-UNAVAILABLE:0900/1000', 'BUSY-UNAVAILABLE:1200/1400']);
    expect(await one.text(`${court}/freebusy.ics`)).toContain('NAME:Free times: Court\r\n');
    expect(await one.text(`${court}/hours.ics`)).toContain('NAME:Opening hours: Court\r\n');
  });

  test('is free as its hours say where there are none', async () => {
    expect(await lines()).toEqual([]);
    expect(await one.text(`${court}/freebusy.ics`)).toContain('NAME:Opening hours: Court\r\n');
  });
});

describe('addresses', () => {
  test.each([
    hall.replace('places', 'facilities'),
    court.replace('facilities', 'places'),
    hall.replace('places', 'series'),
  ])('the wrong collection: %s is nothing, in any form', async (path) => {
    for (const part of [...PARTS, '', '/freebusy.ics?from=2026-12-01'])
      expect([part, (await one.app.request(path + part)).status]).toEqual([part, 404]);
    for (const part of ['', '/hours', '/open']) expect((await one.app.request(`/api${path}${part}`)).status).toBe(404);
  });

  test('the calendar of a place does not show in which order its series came', async () => {
    const names = ['c', 'a', 'b'].map((name) => `${SERIES}-${name}`);
    const items = names.flatMap((id, n) => [
      series(id, HALL),
      item('ScheduledSession', `${id}/1`, {
        '@id': `${id}/1`,
        superEvent: id,
        startDate: `2026-12-0${n + 1}T10:00:00Z`,
        duration: 'PT1H',
      }),
    ]);
    const found: string[] = [];
    for (const list of [items, items.toReversed()]) {
      const fresh = await served();
      await fresh.feed(...list);
      found.push(await fresh.text(`${hall}/sessions.ics`));
      await fresh.close();
    }
    expect(found[0]?.match(/BEGIN:VEVENT/g)).toHaveLength(3);
    expect(found[1]).toBe(found[0]);
  });

  test('a series has no parts, and is no place', async () => {
    const key = keyOf('series', SERIES);
    expect((await one.app.request(`/series/${key}.ics`)).status).toBe(200);
    for (const path of [
      `/places/${key}.ics`,
      `/places/${key}`,
      `/series/${key}/hours.ics`,
      `/facilities/${key}/sessions.ics`,
    ])
      expect([path, (await one.app.request(path)).status]).toEqual([path, 404]);
  });

  test('by @id', async () => {
    const location = async (path: string) => (await one.app.request(path)).headers.get('location');
    expect(await location(`/places?id=${encodeURIComponent(HALL)}`)).toBe(`${hall}.ics`);
    expect(await location(`/facilities?id=${encodeURIComponent(COURT)}`)).toBe(`${court}.ics`);
    expect(await location(`/facilities?id=${encodeURIComponent(HALL)}`)).toBeNull();
  });

  const everywhere = (path: string) =>
    Promise.all(
      [...PARTS, '', '/freebusy.ics?from=2026-12-01'].map(async (part) => (await one.app.request(path + part)).status),
    );

  test('a place that is withdrawn is served closed for its time, then gone in every form, and can come back', async () => {
    const calendars = async () => (await everywhere(pool)).filter((_, index) => index !== PARTS.length);
    expect(new Set(await everywhere(pool))).toEqual(new Set([200]));
    const before = await one.text(`${pool}/hours.ics`);
    await one.feed(item('Place', POOL));
    expect(new Set(await calendars())).toEqual(new Set([200]));
    expect((await one.app.request(pool)).status).toBe(410);
    const after = await one.text(`${pool}/hours.ics`);
    expect(after).not.toBe(before);
    const open = readWithIcalJs(after, Date.UTC(2026, 10, 24), Date.UTC(2028, 0, 1));
    expect(open.filter((row) => row.includes('Open'))).toEqual([]);
    await one.roll(91);
    expect(new Set(await everywhere(pool))).toEqual(new Set([410]));
    await one.feed(place(POOL));
    expect(new Set(await everywhere(pool))).toEqual(new Set([200]));
  });

  test('where much is on, a cancelled date of a rule is cancelled too, however far ahead', async () => {
    const weekly = (id: string): RpdeJson =>
      series(id, HALL, {
        eventSchedule: {
          '@type': 'Schedule',
          repeatFrequency: 'P1W',
          startDate: '2026-11-23',
          startTime: '18:00',
          duration: 'PT1H',
          scheduleTimezone: 'Europe/London',
          scheduledEventType: 'ScheduledSession',
          idTemplate: `${id}/{startDate}`,
        },
      });
    const id = 'https://example.org/series/booked';
    const sessions = Array.from({ length: 14 }, (_, week) => {
      const startDate = new Date(Date.UTC(2026, 10, 23 + 7 * week, 18)).toISOString().replace('.000', '');
      const cancelled = week >= 11 && { eventStatus: 'https://schema.org/EventCancelled' };
      return item('ScheduledSession', `${id}/${startDate}`, {
        '@id': `${id}/${startDate}`,
        superEvent: id,
        startDate,
        duration: 'PT1H',
        ...cancelled,
      });
    });
    const others = Array.from({ length: 210 }, (_, index) => weekly(`https://example.org/series/other-${index}`));
    await one.feed(...others, weekly(id), ...sessions);
    const text = await one.text(`${hall}/sessions.ics`);
    expect(text.match(/STATUS:CANCELLED/g)).toHaveLength(3);
  });

  test('a place that is withdrawn, but where something is on, is still a place', async () => {
    await one.feed(item('Place', HALL));
    expect(new Set(await everywhere(hall))).toEqual(new Set([200]));
  });
});

describe('pages and answers', () => {
  test('a place: open or not, what is on with its page, its facilities', async () => {
    const text = await one.text(hall);
    // Saturday 21 November, half past nine.
    expect(START).toBe(Date.UTC(2026, 10, 21, 9, 30));
    expect(text.replace(/<[^>]*>/g, '')).toMatch(/Closed now, opens today at 18:00/);
    expect(text).toContain(`href="/series/${keyOf('series', SERIES)}"`);
    expect(text).toContain(`href="${court}"`);
    expect(text).toContain('Times and places come from open data');
    expect(await one.text(court)).toContain(`href="${hall}"`);
  });

  test('open at a moment', async () => {
    const at = async (moment: string) => JSON.parse(await one.text(`/api${hall}/open?at=${moment}`));
    expect(await at('2026-12-25T12:00:00Z')).toMatchObject({
      open: false,
      next: { at: '2026-12-26T08:00:00Z', opens: true },
    });
    const { week } = await at('2026-12-25');
    expect(week).toHaveLength(7);
    expect(week[0]).toMatchObject({ date: '2026-12-25', weekday: 4, open: [], exceptional: true });
    expect(week[1]).toMatchObject({ date: '2026-12-26', holiday: 'Boxing Day', exceptional: true });
    expect(await at('2026-11-29T02:59:59Z')).toMatchObject({
      open: true,
      next: { at: '2026-11-29T03:00:00Z', opens: false },
    });
    expect(await at('2026-11-29T03:00:00Z')).toMatchObject({ open: false });
  });

  test('the lists have all three', async () => {
    const text = `${await one.text('/search?kind=places')}${await one.text('/search?kind=facilities')}`;
    for (const path of [hall, pool, court]) expect(text).toContain(`href="${path}"`);
    expect(JSON.parse(await one.text('/api/places'))).toMatchObject({
      total: 2,
      items: [{ name: 'Pool' }, { name: 'Town Hall' }],
    });
    const key = hall.slice('/places/'.length);
    expect(JSON.parse(await one.text(`/api/facilities?place=${key}`))).toMatchObject({
      total: 1,
      items: [{ name: 'Court' }],
    });
  });
});
