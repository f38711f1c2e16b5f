import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { describe, expect, it } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import type { CalendarEvent } from '../../src/calendar/objects.ts';
import { composeSeries } from '../../src/calendar/series/compose.ts';
import { openingCalendar } from '../../src/calendar/venue/venue-calendar.ts';
import { placeVenue } from '../../src/hours/venue.ts';
import { write } from '../../src/ical/write.ts';
import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';
import type { Place } from '../../src/opportunity/records.ts';
import { type Zone, zone } from '../../src/time/zone.ts';
import { runs } from '../runs.ts';
import { nasty } from './text.ts';

/** Whatever a publisher writes into any field, the calendar is a calendar, and says what was planned (SECURITY.md, "Texts"). */

const OPTIONS = { zone: 'Europe/London', today: '2026-11-21', placesLeft: false, refresh: 'PT6H' };
const REVISION = { sequence: 3, modified: Date.UTC(2026, 10, 21) };

const series = fc
  .record({
    name: nasty,
    description: nasty,
    url: nasty,
    organizer: nasty,
    leader: nasty,
    activity: nasty,
    category: nasty,
    level: nasty,
    offer: nasty,
    place: nasty,
    address: nasty,
    note: nasty,
    attribution: nasty,
    session: nasty,
    sessionUrl: nasty,
    id: nasty,
  })
  .map((t) => ({
    attribution: t.attribution,
    json: [
      {
        '@type': 'SessionSeries',
        '@id': `https://example.org/${t.id}`,
        name: t.name,
        description: t.description,
        url: `https://example.org/${t.url}`,
        organizer: { '@type': 'Organization', name: t.organizer, url: t.url },
        leader: [{ '@type': 'Person', name: t.leader }],
        activity: [{ '@type': 'Concept', prefLabel: t.activity }],
        category: [t.category, `${t.category},b`],
        level: [t.level],
        offers: [{ '@type': 'Offer', name: t.offer, price: 5, priceCurrency: t.offer }],
        schedulingNote: t.note,
        location: {
          '@type': 'Place',
          '@id': t.place,
          name: t.place,
          address: t.address,
          geo: { '@type': 'GeoCoordinates', latitude: 51.5, longitude: -0.1 },
        },
        eventSchedule: [
          {
            '@type': 'Schedule',
            startDate: '2026-11-02',
            startTime: '18:00',
            duration: 'PT1H',
            repeatFrequency: 'P1W',
            byDay: ['https://schema.org/Monday'],
            scheduleTimezone: 'Europe/London',
            scheduledEventType: 'ScheduledSession',
            idTemplate: `https://example.org/${t.session}/{startDate}`,
          },
        ],
      },
      {
        '@type': 'ScheduledSession',
        '@id': `https://example.org/${t.session}/2026-11-23T18:00:00Z`,
        superEvent: `https://example.org/${t.id}`,
        startDate: '2026-11-23T19:00:00Z',
        duration: 'PT1H',
        name: t.session,
        url: t.sessionUrl,
      },
    ],
  }));

/** Grammar of RFC 5545 3.1: a name, parameters, a value without controls. */
const LINE =
  /^[A-Z0-9-]+(;[A-Z0-9-]+=("[^"\p{Cc}]*"|[^";:,\p{Cc}]*)(,("[^"\p{Cc}]*"|[^";:,\p{Cc}]*))*)*:(\t|[^\p{Cc}])*$/u;
const OURS = new Set(
  'BEGIN END VERSION PRODID CALSCALE NAME X-WR-CALNAME DESCRIPTION X-WR-CALDESC X-WR-TIMEZONE COLOR X-APPLE-CALENDAR-COLOR SOURCE URL REFRESH-INTERVAL X-PUBLISHED-TTL TZID X-LIC-LOCATION TZOFFSETFROM TZOFFSETTO TZNAME DTSTART RRULE UID DTSTAMP DTEND SUMMARY LOCATION GEO X-APPLE-STRUCTURED-LOCATION CATEGORIES STATUS TRANSP X-MICROSOFT-CDO-BUSYSTATUS SEQUENCE LAST-MODIFIED RECURRENCE-ID EXDATE X-OPENACTIVE-SERIES X-OPENACTIVE-ID'.split(
    ' ',
  ),
);

function wellFormed(text: string): void {
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const open: string[] = [];
  for (const line of text.replaceAll('\r\n ', '').trimEnd().split('\r\n')) {
    expect(line).toMatch(LINE);
    const name = /^[A-Z0-9-]+/.exec(line)?.[0] as string;
    expect(OURS).toContain(name);
    if (name === 'BEGIN') open.push(line.slice(6));
    if (name === 'END') expect(open.pop()).toBe(line.slice(4));
  }
  expect(open).toEqual([]);
}

/** As the writer gives it: line ends are one kind, controls are gone. */
function plain(text: string): string {
  return (
    text
      .replace(/\r\n?|[\n\u0085\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\0-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
      .toWellFormed()
  );
}

function saysWhatWasPlanned(text: string, events: readonly CalendarEvent[]): void {
  const read = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  expect(read.map((event) => event.getFirstPropertyValue('summary'))).toEqual(
    events.map(({ summary }) => plain(summary)),
  );
  expect(read.map((event) => event.getFirstPropertyValue('description'))).toEqual(
    events.map(({ description }) => (description === undefined ? null : plain(description))),
  );
  expect(read.map((event) => event.getFirstPropertyValue('uid'))).toEqual(events.map(({ uid }) => uid));
  // A second reader, of its own make; overrides hang on their masters there.
  const other = Object.values(nodeIcal.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT');
  expect(other.length).toBe(new Set(events.map(({ uid }) => uid)).size);
}

describe('a calendar of whatever texts', () => {
  it('of a series', () => {
    fc.assert(
      fc.property(series, ({ json, attribution }) => {
        const joined = join(
          readInput(JSON.stringify(json), { zone: 'Europe/London', feed: 'https://example.org/feed' }).records,
        );
        for (const { series: one, sessions } of joined.series) {
          const { calendar } = composeSeries(one, sessions, { ...OPTIONS, attribution });
          const text = write(toComponents({ ...calendar, source: 'https://c.example/a.ics' }, () => REVISION));
          wellFormed(text);
          saysWhatWasPlanned(text, calendar.events);
        }
        expect(joined.series.length).toBeGreaterThan(0);
      }),
      { numRuns: runs(150) },
    );
  });

  it('of a place', () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, (name, address, id) => {
        const hours = {
          '@type': 'OpeningHoursSpecification',
          dayOfWeek: 'https://schema.org/Monday',
          opens: '09:00',
          closes: '17:00',
        };
        const json = {
          '@type': 'Place',
          '@id': `https://example.org/${id}`,
          name,
          address,
          url: `https://example.org/${name}`,
          openingHoursSpecification: [hours],
        };
        const { places } = join(
          readInput(JSON.stringify(json), { zone: 'Europe/London', feed: 'https://example.org/feed' }).records,
        );
        const venue = placeVenue(places[0] as Place, { zone: zone('Europe/London') as Zone, holidays: undefined });
        const calendar = openingCalendar([venue], () => ({ from: 20_700, to: 20_800 }), {
          zone: 'Europe/London',
          attribution: address,
        });
        const text = write(toComponents(calendar, () => REVISION));
        wellFormed(text);
        saysWhatWasPlanned(text, calendar.events);
      }),
      { numRuns: runs(150) },
    );
  });
});
