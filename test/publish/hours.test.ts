import { describe, expect, test } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import { boundsAround } from '../../src/calendar/venue/availability.ts';
import { availabilityCalendar, openingCalendar } from '../../src/calendar/venue/venue-calendar.ts';
import { openPeriods } from '../../src/hours/periods.ts';
import type { Venue } from '../../src/hours/venue.ts';
import { write } from '../../src/ical/write.ts';
import { readInput } from '../../src/join/input.ts';
import type { Place } from '../../src/opportunity/records.ts';
import { parseMapping } from '../../src/publish/map/mapping.ts';
import { DAY_MS } from '../../src/time/days.ts';
import { Random } from '../generate/random.ts';
import { randomHours } from '../hours/random-place.ts';
import { venueOf } from '../hours/venue.ts';
import { calendarOf, eventOf, objectsOf, publish } from './published.ts';

const REVISION = { sequence: 0, modified: 0 };
const bounds = () => boundsAround('2026-11-21');
const [FROM, TO] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];

/** Both forms in which we serve opening hours. */
const FORMS = {
  availability: (venue: Venue) =>
    write(availabilityCalendar([venue], bounds, REVISION, { zone: venue.context.zone.id })),
  events: (venue: Venue) =>
    write(toComponents(openingCalendar([venue], bounds, { zone: venue.context.zone.id }), () => REVISION)),
};

function placeOf(text: string): Place {
  const { published } = publish(text);
  const { records } = readInput(JSON.stringify(objectsOf(published)), { zone: 'Europe/London', feed: 'published' });
  const place = records.map(({ record }) => record).find((record) => record.kind === 'place');
  if (place === undefined) throw new Error('no place was published');
  return place;
}

describe('opening hours come back', () => {
  test.each(['availability', 'events'] as const)('from our own calendars: %s', (form) => {
    for (let seed = 0; seed < 30; seed++) {
      const random = new Random(seed);
      const venue = venueOf(randomHours(random), random.pick(['Asia/Kolkata', 'UTC']));
      const inner = (hours: Venue['hours']) =>
        openPeriods(hours, venue.context, FROM, TO).map(({ start, end }) => [start, end]);
      if (inner(venue.hours).length === 0) continue;
      const { hours, specialHours } = placeOf(FORMS[form](venue));
      expect(inner({ standard: hours, special: specialHours }), `seed ${seed}`).toEqual(inner(venue.hours));
    }
  });

  const open = (...lines: string[]) =>
    eventOf(
      'UID:1',
      'DTSTART;TZID=Europe/London:20270104T090000',
      'DTEND;TZID=Europe/London:20270104T170000',
      ...lines,
    );
  const WEEKDAYS = 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';

  test('from weekly events that say "Open", without what "Closed" takes away', () => {
    const closed = eventOf(
      'UID:2',
      'SUMMARY:Closed for Easter',
      'TRANSP:TRANSPARENT',
      'DTSTART;VALUE=DATE:20270326',
      'DTEND;VALUE=DATE:20270330',
    );
    const { published } = publish(calendarOf(open('SUMMARY:Open', 'TRANSP:TRANSPARENT', WEEKDAYS), closed));
    expect(published['session-series']).toEqual([]);
    expect(published['facility-uses'][0]?.data).toMatchObject({
      '@type': 'FacilityUse',
      hoursAvailable: [{ opens: '09:00', closes: '17:00' }],
      location: {
        name: 'Marlowe Track',
        specialOpeningHoursSpecification: [
          { opens: '00:00', closes: '00:00', validFrom: '2027-03-26', validThrough: '2027-03-29' },
        ],
      },
    });
  });

  test('from every event of a calendar that the mapping calls opening hours', () => {
    const mapping = parseMapping(
      JSON.stringify({
        calendars: [{ source: 'club', openingHours: true, facility: { name: 'Pool', type: 'Swimming Pool' } }],
      }),
      'mapping.json',
    );
    const { published } = publish(calendarOf(open('SUMMARY:Lane swimming', WEEKDAYS)), mapping);
    expect(published['facility-uses'][0]?.data).toMatchObject({
      name: 'Pool',
      facilityType: [{ prefLabel: 'Swimming Pool' }],
    });
  });

  test('a transparent event of another name is a session like any other', () => {
    const { published } = publish(calendarOf(open('SUMMARY:Open water swimming', WEEKDAYS)));
    expect(published['facility-uses']).toEqual([]);
    expect(published['session-series']).toHaveLength(1);
  });

  test('an availability of higher priority decides where it speaks (RFC 7953, section 4)', () => {
    const layer = (uid: string, priority: number, from: string, to: string, start: string) =>
      [
        'BEGIN:VAVAILABILITY',
        `UID:${uid}`,
        `PRIORITY:${priority}`,
        `DTSTART;TZID=Europe/London:${from}`,
        `DTEND;TZID=Europe/London:${to}`,
        'BEGIN:AVAILABLE',
        `UID:${uid}a`,
        `DTSTART;TZID=Europe/London:${start}T090000`,
        `DTEND;TZID=Europe/London:${start}T170000`,
        'RRULE:FREQ=WEEKLY',
        'END:AVAILABLE',
        'END:VAVAILABILITY',
      ].join('\r\n');
    const text = calendarOf(
      layer('low', 5, '20270101T000000', '20280101T000000', '20270104'),
      layer('high', 1, '20270201T000000', '20270215T000000', '20270202'),
    );
    const { hours, specialHours } = placeOf(text);
    const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
    const { context } = venueOf({ standard: [], special: [] });
    const open = openPeriods({ standard: hours, special: specialHours }, context, FROM, TO);
    const isOpen = (day: string) => open.some(({ start, end }) => start <= at(day) && end > at(day));
    // Mondays, and in two weeks of February Tuesdays instead.
    expect(['2027-01-11', '2027-02-01', '2027-02-02', '2027-02-09', '2027-02-16', '2027-02-22'].map(isOpen)).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
    ]);
    expect(open.at(-1)?.start).toBeLessThan(TO + DAY_MS);
  });
});
