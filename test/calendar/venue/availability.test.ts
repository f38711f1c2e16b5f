import { describe, expect, test } from 'vitest';
import { availability, boundsAround, boundsOf } from '../../../src/calendar/venue/availability.ts';
import { openPeriods } from '../../../src/hours/periods.ts';
import { vtimezone } from '../../../src/ical/timezone.ts';
import type { Component } from '../../../src/ical/tree.ts';
import { write } from '../../../src/ical/write.ts';
import { dateOfDay, WEEKDAYS } from '../../../src/time/days.ts';
import { type Zone, zone } from '../../../src/time/zone.ts';
import { Random } from '../../generate/random.ts';
import { randomHours } from '../../hours/random-place.ts';
import { readAvailability } from '../../hours/read-calendar.ts';
import { venueOf } from '../../hours/venue.ts';
import { runs } from '../../runs.ts';

const RUNS = runs(30);
const ZONES = ['Europe/London', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata', 'America/Havana', 'UTC'];
const BOUNDS = boundsAround('2026-11-21');
const REVISION = { sequence: 3, modified: Date.UTC(2026, 10, 21) };
const FROM = Date.UTC(2026, 0, 1);
const TO = Date.UTC(2028, 0, 1);

function calendar(component: Component | undefined, z: string): string {
  const zones = z === 'UTC' ? [] : [vtimezone(zone(z) as Zone, FROM, TO)];
  const properties = [{ name: 'VERSION', type: 'raw', value: '2.0' } as const];
  return write({ name: 'VCALENDAR', properties, components: [...zones, component as Component] });
}

describe('readers that differ give back exactly the open periods of random places over two years', () => {
  test.each(ZONES)('%s', (z) => {
    for (let run = 0; run < RUNS / ZONES.length; run++) {
      const random = new Random(run * 17 + ZONES.indexOf(z));
      const venue = venueOf(randomHours(random), z, random.pick(['ENG', 'SCT', 'NIR']));
      const component = availability(venue, BOUNDS, REVISION);
      if (component === undefined) continue;
      const text = calendar(component, z);
      const open = openPeriods(venue.hours, venue.context, FROM, TO).map(({ start, end }) => [start, end]);
      for (const reader of ['nominal', 'exact'] as const) {
        expect(readAvailability(text, reader, FROM, TO), `${reader}, run ${run}`).toEqual(open);
      }
    }
  });
});

describe('one VAVAILABILITY', () => {
  const daily = { dayOfWeek: WEEKDAYS };
  const lines = (component: Component | undefined) => calendar(component, 'Europe/London').split('\r\n');

  test('every day alike is one weekly AVAILABLE', () => {
    const venue = venueOf({ standard: [{ ...daily, opens: '06:30', closes: '21:30' }], special: [] });
    const component = availability(venue, BOUNDS, REVISION);
    expect(component?.components).toHaveLength(1);
    expect(lines(component)).toEqual(
      expect.arrayContaining([
        'DTSTART:20250101T000000Z',
        'DTEND:20300101T000000Z',
        'DTSTART;TZID=Europe/London:20250101T063000',
        'DTEND;TZID=Europe/London:20250101T213000',
        'RRULE:FREQ=WEEKLY;UNTIL=20291231T063000Z;BYDAY=MO,TU,WE,TH,FR,SA,SU',
      ]),
    );
  });

  test('a closed day breaks the runs of its weekday only, and no EXDATE, PRIORITY or overlap is needed', () => {
    const closed = { opens: '00:00', closes: '00:00', validFrom: '2026-12-25', validThrough: '2026-12-25' };
    const venue = venueOf({ standard: [{ ...daily, opens: '06:30', closes: '21:30' }], special: [closed] });
    const component = availability(venue, BOUNDS, REVISION);
    const rules = lines(component).filter((line) => line.startsWith('RRULE:FREQ=WEEKLY'));
    expect(rules.toSorted()).toEqual([
      'RRULE:FREQ=WEEKLY;UNTIL=20261218T063000Z;BYDAY=FR',
      'RRULE:FREQ=WEEKLY;UNTIL=20291228T063000Z;BYDAY=FR',
      'RRULE:FREQ=WEEKLY;UNTIL=20291231T063000Z;BYDAY=MO,TU,WE,TH,SA,SU',
    ]);
    expect(lines(component).join('\n')).not.toMatch(/EXDATE|PRIORITY|RDATE|RECURRENCE-ID/);
  });

  test('a night over a change of clocks is written in UTC', () => {
    const venue = venueOf({ standard: [{ dayOfWeek: ['Saturday'], opens: '18:00', closes: '03:00' }], special: [] });
    const component = availability(venue, BOUNDS, REVISION);
    expect(lines(component)).toEqual(expect.arrayContaining(['DTSTART:20260328T180000Z', 'DTEND:20260329T020000Z']));
    expect(lines(component)).toEqual(expect.arrayContaining(['DTSTART:20261024T170000Z', 'DTEND:20261025T030000Z']));
  });

  test('closed for ever is a component without AVAILABLE; without any hours nothing is claimed', () => {
    const venue = venueOf({ standard: [{ ...daily, opens: '00:00', closes: '00:00' }], special: [] });
    expect(availability(venue, BOUNDS, REVISION)?.components).toEqual([]);
    expect(availability(venueOf({ standard: [], special: [] }), BOUNDS, REVISION)).toBeUndefined();
  });

  test('no two components share a UID', () => {
    for (let seed = 0; seed < 20; seed++) {
      const component = availability(venueOf(randomHours(new Random(seed))), BOUNDS, REVISION);
      const uids = component === undefined ? [] : lines(component).filter((line) => line.startsWith('UID:'));
      expect(new Set(uids).size).toBe(uids.length);
    }
  });

  test('bounds are whole years of the place, and move at New Year only', () => {
    expect(boundsAround('2026-01-01')).toEqual(boundsAround('2026-12-31'));
    expect([BOUNDS.from, BOUNDS.to].map(dateOfDay)).toEqual(['2025-01-01', '2030-01-01']);
    const newYork = boundsOf(zone('America/New_York') as Zone, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1));
    expect([newYork.from, newYork.to].map(dateOfDay)).toEqual(['2025-01-01', '2027-01-01']);
  });
});
