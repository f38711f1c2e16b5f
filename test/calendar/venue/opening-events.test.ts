import { describe, expect, test } from 'vitest';
import type { CalendarEvent } from '../../../src/calendar/objects.ts';
import { boundsAround } from '../../../src/calendar/venue/availability.ts';
import { openingEvents } from '../../../src/calendar/venue/opening-events.ts';
import { openPeriods } from '../../../src/hours/periods.ts';
import { recurrenceValue } from '../../../src/ical/recurrence.ts';
import { vtimezone } from '../../../src/ical/timezone.ts';
import { dateValue, utcValue, wallValue } from '../../../src/ical/values.ts';
import { write } from '../../../src/ical/write.ts';
import { DAY_MS, dateOfDay, WEEKDAYS } from '../../../src/time/days.ts';
import { type Zone, zone } from '../../../src/time/zone.ts';
import { Random } from '../../generate/random.ts';
import { randomHours } from '../../hours/random-place.ts';
import { readAllDay, readEvents } from '../../hours/read-calendar.ts';
import { venueOf } from '../../hours/venue.ts';
import { runs } from '../../runs.ts';

const RUNS = runs(30);
const ZONES = ['Europe/London', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata', 'America/Havana', 'UTC'];
const BOUNDS = boundsAround('2026-11-21');
const FROM = Date.UTC(2026, 0, 1);
const TO = Date.UTC(2028, 0, 1);

/** The bare lines of events, so that these tests need nothing of what writes whole calendars. */
function calendar(events: readonly CalendarEvent[], z: string): string {
  const zones = z === 'UTC' ? [] : [vtimezone(zone(z) as Zone, FROM, TO)];
  const text = write({
    name: 'VCALENDAR',
    properties: [{ name: 'VERSION', type: 'raw', value: '2.0' }],
    components: zones,
  });
  return text.replace('END:VCALENDAR\r\n', `${events.map(lines).join('')}END:VCALENDAR\r\n`);
}

function lines({ uid, span, rrule, exdates = [], summary }: CalendarEvent): string {
  const value = (name: string, wall: number): string => {
    if (span.allDay) return `${name};VALUE=DATE:${dateValue(wall / DAY_MS)}`;
    return span.zone === 'UTC' ? `${name}:${utcValue(wall)}` : `${name};TZID=${span.zone}:${wallValue(wall)}`;
  };
  const all = [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    value('DTSTART', span.start),
    value('DTEND', span.end),
    `SUMMARY:${summary}`,
  ];
  if (rrule !== undefined) all.push(`RRULE:${recurrenceValue(rrule)}`);
  return [...all, ...exdates.map((wall) => value('EXDATE', wall)), 'END:VEVENT', ''].join('\r\n');
}

describe('readers that differ see exactly the open periods of random places over two years', () => {
  test.each(ZONES)('%s', (z) => {
    for (let run = 0; run < RUNS / ZONES.length; run++) {
      const random = new Random(run * 19 + ZONES.indexOf(z));
      const venue = venueOf(randomHours(random), z, random.pick(['ENG', 'SCT', 'NIR']));
      const text = calendar(openingEvents(venue, { bounds: BOUNDS }), z);
      const open = openPeriods(venue.hours, venue.context, FROM, TO).map(({ start, end }) => [start, end]);
      for (const reader of ['nominal', 'exact'] as const) {
        expect(readEvents(text, reader, FROM, TO), `${reader}, run ${run}`).toEqual(open);
      }
    }
  });
});

describe('the feed rules hold for every event', () => {
  const all = Array.from({ length: 40 }, (_, seed) =>
    openingEvents(venueOf(randomHours(new Random(seed))), { bounds: BOUNDS }),
  );

  test('rules are weekly by day with one end, within what Outlook knows (7, 10)', () => {
    const rules = all.flat().flatMap(({ rrule }) => rrule ?? []);
    expect(rules.length).toBeGreaterThan(50);
    for (const rule of rules) {
      expect(recurrenceValue(rule)).toMatch(/^FREQ=WEEKLY;(UNTIL=\d{8}T\d{6}Z|COUNT=\d+);BYDAY=[A-Z]{2}(,[A-Z]{2})*$/);
    }
  });

  test('DTSTART and every EXDATE are instances, EXDATEs are ascending and never the first or last (11, 12)', () => {
    let seen = 0;
    for (const { span, rrule, exdates = [] } of all.flat()) {
      const days = rrule?.byDay?.map(({ day }) => (day + 1) % 7) ?? [];
      const name = (wall: number) => new Date(wall).getUTCDay();
      if (rrule !== undefined) expect(days).toContain(name(span.start));
      for (const [i, wall] of exdates.entries()) {
        seen++;
        expect(days).toContain(name(wall));
        expect((wall - span.start) % DAY_MS).toBe(0);
        expect(wall).toBeGreaterThan(exdates[i - 1] ?? span.start);
      }
    }
    expect(seen).toBeGreaterThan(50);
  });

  test('all are transparent, have UIDs of their own, and come by start, then UID', () => {
    for (const events of all) {
      expect(events.every(({ transparent, status }) => transparent === true && status === 'CONFIRMED')).toBe(true);
      expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
      const order = events.map(({ span, uid }) => `${String(span.start).padStart(16, '0')} ${uid}`);
      expect(order).toEqual(order.toSorted());
    }
  });
});

describe('what people read', () => {
  const daily = { dayOfWeek: WEEKDAYS, opens: '06:30', closes: '21:30' };
  const closed = (validFrom: string, validThrough = validFrom) => ({
    opens: '00:00',
    closes: '00:00',
    validFrom,
    validThrough,
  });
  const eventsOf = (hours: Parameters<typeof venueOf>[0]) => openingEvents(venueOf(hours), { bounds: BOUNDS });

  test('every day alike is one weekly event', () => {
    const events = eventsOf({ standard: [daily], special: [] });
    expect(events.map(({ summary, rrule }) => [summary, rrule && recurrenceValue(rrule)])).toEqual([
      ['Open: Belle Vue', 'FREQ=WEEKLY;UNTIL=20291231T063000Z;BYDAY=MO,TU,WE,TH,FR,SA,SU'],
    ]);
  });

  test('open longer than a day, no two of one event overlap', () => {
    const late = { dayOfWeek: ['Monday', 'Tuesday', 'Friday'], opens: '20:00', closes: '10:00' };
    const early = { dayOfWeek: ['Monday', 'Tuesday', 'Friday'], opens: '06:30', closes: '20:00' };
    const days = eventsOf({ standard: [early, late], special: [] }).map(({ rrule }) =>
      rrule?.byDay?.map(({ day }) => day).join(),
    );
    expect(days.toSorted()).toEqual(['0', '1,4']);
  });

  test.each([
    ['the place', { name: 'Hall', address: '1 High Street' }, { title: 'Hall', address: '1 High Street' }],
    ['the address where it has no name', { address: '1 High Street' }, { title: '1 High Street' }],
    [
      'the coordinates where it has neither',
      { latitude: 51.5, longitude: -0.1 },
      { title: '51.5, -0.1', latitude: 51.5, longitude: -0.1 },
    ],
    ['its own name where no place is known', {}, { title: 'Belle Vue' }],
  ])('the location is %s, as in series', (_name, location, expected) => {
    const venue = { ...venueOf({ standard: [daily], special: [] }), location };
    expect(openingEvents(venue, { bounds: BOUNDS })[0]?.location).toEqual(expected);
  });

  test('a special day is an exception of the weekly event, which stays itself, and an event of its own', () => {
    const [before] = eventsOf({ standard: [daily], special: [] });
    const eve = { opens: '08:00', closes: '14:00', validFrom: '2026-12-24', validThrough: '2026-12-24' };
    const [weekly, special] = eventsOf({ standard: [daily], special: [eve] });
    expect(weekly?.uid).toBe(before?.uid);
    expect(weekly?.exdates).toEqual([Date.UTC(2026, 11, 24, 6, 30)]);
    expect([special?.summary, special?.span.start]).toEqual([
      'Open: Belle Vue (special hours)',
      Date.UTC(2026, 11, 24, 8),
    ]);
  });

  test.each([
    [
      'a special closure on a public holiday has its name',
      [closed('2026-12-25')],
      ['2026-12-25 2026-12-26 Closed: Christmas Day'],
    ],
    [
      'two days over two holidays',
      [closed('2026-12-25', '2026-12-26')],
      ['2026-12-25 2026-12-27 Closed: Christmas Day, Boxing Day'],
    ],
    ['a long closure', [closed('2026-01-01', '2026-01-31')], ['2026-01-01 2026-02-01 Closed']],
    ['a day without a name', [closed('2026-06-10')], ['2026-06-10 2026-06-11 Closed']],
    [
      'two closures side by side',
      [closed('2026-06-10'), closed('2026-06-11')],
      ['2026-06-10 2026-06-11 Closed', '2026-06-11 2026-06-12 Closed'],
    ],
  ])('closed: %s', (_, special, expected) => {
    expect(readAllDay(calendar(eventsOf({ standard: [daily], special }), 'Europe/London'))).toEqual(expected);
  });

  test('closed on public holidays, by the hours themselves', () => {
    const events = eventsOf({
      standard: [daily, { dayOfWeek: ['PublicHolidays'], opens: '00:00', closes: '00:00' }],
      special: [],
    });
    const shown = readAllDay(calendar(events, 'Europe/London')).filter((line) => line.startsWith('2027-12'));
    expect(shown).toEqual([
      '2027-12-25 2027-12-26 Closed: Christmas Day',
      '2027-12-26 2027-12-27 Closed: Boxing Day',
      '2027-12-27 2027-12-28 Closed: Christmas Day (substitute day)',
      '2027-12-28 2027-12-29 Closed: Boxing Day (substitute day)',
    ]);
  });

  test('a season is an event with its own end; a weekday that never opens is not announced', () => {
    const summer = {
      dayOfWeek: ['Saturday'],
      opens: '10:00',
      closes: '16:00',
      validFrom: '2026-05-01',
      validThrough: '2026-08-31',
    };
    const events = eventsOf({
      standard: [summer, { dayOfWeek: ['Sunday'], opens: '00:00', closes: '00:00' }],
      special: [],
    });
    expect(
      events.map(({ span, rrule }) => [dateOfDay(span.start / DAY_MS - 10 / 24), rrule && recurrenceValue(rrule)]),
    ).toEqual([['2026-05-02', 'FREQ=WEEKLY;UNTIL=20260829T100000Z;BYDAY=SA']]);
  });
});
