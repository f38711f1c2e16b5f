import fc from 'fast-check';
import ical, { type ICalEventData } from 'ical-generator';
import type { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import { icalEvents, icalTimezone } from '../../src/calendar/ical-generator.ts';
import type { CalendarEvent } from '../../src/calendar/objects.ts';
import { planSeries } from '../../src/calendar/series/plan.ts';
import { write } from '../../src/ical/write.ts';
import { Random } from '../generate/random.ts';
import { runs } from '../runs.ts';
import { madeSeries } from './made.ts';
import { readWithIcalJs } from './read.ts';

const [FROM, TO] = [Date.UTC(2025, 0, 1), Date.UTC(2027, 6, 1)];
const HEAD = { name: 'test', zone: 'Europe/London', color: { name: 'teal', hex: '#008080' }, refresh: 'PT6H' };

function generated(events: CalendarEvent[]): string {
  return ical({ name: 'test', timezone: icalTimezone(events), events: icalEvents(events) }).toString();
}

describe('event data for ical-generator', () => {
  test('makes it write calendars that show what ours show', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        const { events } = planSeries(series, sessions, { zone: 'Europe/London' });
        const ours = write(toComponents({ ...HEAD, events }, () => ({ sequence: 0, modified: 0 })));
        expect(readWithIcalJs(generated(events), FROM, TO)).toEqual(readWithIcalJs(ours, FROM, TO));
      }),
      { numRuns: runs(60) },
    );
  });

  const event: CalendarEvent = {
    uid: 'u@openactive-ical',
    span: { zone: 'America/New_York', start: Date.UTC(2026, 2, 2, 18), end: Date.UTC(2026, 2, 2, 19) },
    rrule: { freq: 'MONTHLY', until: Date.UTC(2026, 6, 2, 22), byDay: [{ day: 0, ordinal: 1 }] },
    exdates: [Date.UTC(2026, 3, 6, 18)],
    status: 'TENTATIVE',
    summary: 'Yoga, gentle\r\nX-EVIL:1',
    description: 'Line one\nline two; more',
    location: { title: 'Hall', address: '1 High Street, Town', latitude: 51.5, longitude: -0.1 },
    categories: ['Yoga', 'A, B'],
    url: 'https://example.org/a;b,c',
  };

  test('keeps zones, UTC stamps, rules and exceptions in the form that readers agree on', () => {
    const text = generated([event]).replaceAll('\r\n ', '');
    const lines = text.split('\r\n');
    for (const line of [
      'DTSTAMP:20000101T000000Z',
      'LAST-MODIFIED:20000101T000000Z',
      'DTSTART;TZID=America/New_York:20260302T180000',
      'DTEND;TZID=America/New_York:20260302T190000',
      'RRULE:FREQ=MONTHLY;UNTIL=20260702T220000Z;BYDAY=1MO',
      'EXDATE;TZID=America/New_York:20260406T180000',
      'STATUS:TENTATIVE',
      'SUMMARY:Yoga\\, gentle\\nX-EVIL:1',
      'GEO:51.5;-0.1',
      'CATEGORIES:Yoga,A\\, B',
      'TZID:America/New_York',
      'UID:u@openactive-ical',
    ]) {
      expect(lines).toContain(line);
    }
    expect(text).toMatch(/URL;VALUE=URI:https:\/\/example\.org\/a%3Bb%2Cc\r\n/);
    expect(text.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1);
  });

  test('has neither zone nor VTIMEZONE for times in UTC, and no end where nobody knows one', () => {
    const start = Date.UTC(2026, 2, 29, 1, 30);
    const single: CalendarEvent = {
      uid: 'u',
      span: { zone: 'UTC', start, end: start },
      status: 'CONFIRMED',
      summary: 'x',
    };
    const text = generated([single]);
    expect(text).toContain('\r\nDTSTART:20260329T013000Z\r\n');
    expect(text).not.toMatch(/DTEND|VTIMEZONE|TZID/);
  });

  test('takes revisions where there are some', () => {
    const [data] = icalEvents([event], () => ({ sequence: 7, modified: Date.UTC(2026, 5, 1, 12) })) as [ICalEventData];
    expect(data.sequence).toBe(7);
    expect((data.stamp as DateTime).toISO()).toBe('2026-06-01T12:00:00.000Z');
  });
});
