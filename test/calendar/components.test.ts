import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import { seriesCalendar } from '../../src/calendar/header.ts';
import type { Calendar, CalendarEvent } from '../../src/calendar/objects.ts';
import { write } from '../../src/ical/write.ts';
import type { Series } from '../../src/opportunity/records.ts';
import { eventHash } from '../../src/revision/changed-events.ts';

const SERIES: Series = {
  kind: 'series',
  id: 'https://e.org/s',
  type: 'SessionSeries',
  status: 'EventScheduled',
  url: 'https://e.org/yoga',
  details: { name: 'Yoga', activity: ['Yoga'], description: 'Slow.', location: { name: 'Hall' } },
  schedules: [],
};
const at = (text: string) => Date.parse(`${text}:00Z`);
const EVENT: CalendarEvent = {
  uid: 'a@openactive-ical',
  span: { zone: 'Europe/London', start: at('2026-03-02T18:00'), end: at('2026-03-02T19:00') },
  status: 'CONFIRMED',
  summary: 'Yoga',
};

function calendar(events: CalendarEvent[], more: Partial<Calendar> = {}): Calendar {
  return { ...seriesCalendar(SERIES, events, { zone: 'Europe/London', attribution: 'Source: Active' }), ...more };
}

function linesOf(what: Calendar, revision = () => ({ sequence: 3, modified: at('2026-01-02T03:04') })): string[] {
  return write(toComponents(what, revision)).replaceAll('\r\n ', '').split('\r\n');
}

describe('the header of a calendar', () => {
  test('speaks to old readers and to new ones', () => {
    const lines = linesOf(calendar([EVENT], { source: 'https://ical.example.org/series/1.ics' }));
    expect(lines.slice(0, lines.indexOf('BEGIN:VTIMEZONE'))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//openactive-ical//openactive-ical//EN',
      'CALSCALE:GREGORIAN',
      'NAME:Yoga\\, Hall',
      'X-WR-CALNAME:Yoga\\, Hall',
      'DESCRIPTION:Slow.\\n\\nSource: Active',
      'X-WR-CALDESC:Slow.\\n\\nSource: Active',
      'URL:https://e.org/yoga',
      'SOURCE;VALUE=URI:https://ical.example.org/series/1.ics',
      'X-WR-TIMEZONE:Europe/London',
      'COLOR:indigo',
      'X-APPLE-CALENDAR-COLOR:#4B0082',
      'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
      'X-PUBLISHED-TTL:PT6H',
      expect.stringMatching(/^X-OPENACTIVE-SERIES:\{"@type":"SessionSeries"/),
    ]);
    expect(lines.filter((line) => line.startsWith('METHOD'))).toEqual([]);
  });

  test('does not depend on the events', () => {
    expect({ ...calendar([EVENT]), events: [] }).toEqual(calendar([]));
  });

  test('has a colour for every word, always the same', () => {
    const colorOf = (activity: string) =>
      seriesCalendar({ ...SERIES, details: { activity: [activity] } }, [], { zone: 'UTC' }).color;
    expect(colorOf('YOGA')).toEqual(colorOf('yoga'));
    const words = Array.from({ length: 200 }, (_, n) => colorOf(`activity ${n}`));
    expect(new Set(words.map(({ name }) => name)).size).toBeGreaterThan(10);
    for (const { name, hex } of words) expect(`${name} ${hex}`).toMatch(/^[a-z]+ #[0-9A-F]{6}$/);
    // RFC 7986 5.9 has the names of CSS3: `rebeccapurple` came with CSS4.
    const css3 = CSS3_DARK.split(' ');
    for (const { name } of words) expect(css3).toContain(name);
  });
});

/** The darker ones of the colours of CSS3 (section 4.3). */
const CSS3_DARK =
  'blue blueviolet brown cadetblue chocolate crimson darkblue darkcyan darkgoldenrod darkgreen darkmagenta ' +
  'darkolivegreen darkorange darkorchid darkred darkslateblue deeppink dodgerblue firebrick forestgreen ' +
  'green indianred indigo maroon mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue ' +
  'mediumvioletred midnightblue navy olive olivedrab orangered peru purple red royalblue saddlebrown ' +
  'seagreen sienna slateblue steelblue teal tomato';

describe('the components of a calendar', () => {
  test('are never none: without events there is a VTIMEZONE, which shows nothing', () => {
    for (const zone of ['Europe/London', 'UTC']) {
      const lines = linesOf(calendar([], { zone }));
      expect(lines.filter((line) => line.startsWith('BEGIN'))).toEqual([
        'BEGIN:VCALENDAR',
        'BEGIN:VTIMEZONE',
        ...lines.filter((line) => /^BEGIN:(STANDARD|DAYLIGHT)/.test(line)),
      ]);
      expect(new ICAL.Component(ICAL.parse(lines.join('\r\n'))).getAllSubcomponents('vevent')).toEqual([]);
    }
  });

  test('begin with one VTIMEZONE for each zone in use, by name', () => {
    const zones = ['Europe/London', 'America/New_York', 'UTC', 'Europe/London'];
    const events = zones.map((zone, n) => ({ ...EVENT, uid: `${n}@x`, span: { ...EVENT.span, zone } }));
    const names = linesOf(calendar(events)).filter((line) => /^(TZID|BEGIN:VEVENT)/.test(line));
    expect(names).toEqual(['TZID:America/New_York', 'TZID:Europe/London', ...Array(4).fill('BEGIN:VEVENT')]);
  });

  test('put each time into the form of its zone, stamps in UTC', () => {
    const master: CalendarEvent = {
      ...EVENT,
      rrule: { freq: 'WEEKLY', byDay: [{ day: 0 }] },
      exdates: [at('2026-03-09T18:00'), at('2026-03-16T18:00')],
    };
    const override: CalendarEvent = {
      ...EVENT,
      recurrenceId: { zone: 'Europe/London', wall: at('2026-03-23T18:00') },
      status: 'CANCELLED',
    };
    const lines = linesOf(calendar([master, override]));
    expect(lines.slice(lines.indexOf('BEGIN:VEVENT'), -2)).toEqual([
      'BEGIN:VEVENT',
      'UID:a@openactive-ical',
      'DTSTAMP:20260102T030400Z',
      'DTSTART;TZID=Europe/London:20260302T180000',
      'DTEND;TZID=Europe/London:20260302T190000',
      'RRULE:FREQ=WEEKLY;BYDAY=MO',
      'EXDATE;TZID=Europe/London:20260309T180000',
      'EXDATE;TZID=Europe/London:20260316T180000',
      'SUMMARY:Yoga',
      'STATUS:CONFIRMED',
      'SEQUENCE:3',
      'LAST-MODIFIED:20260102T030400Z',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:a@openactive-ical',
      'DTSTAMP:20260102T030400Z',
      'RECURRENCE-ID;TZID=Europe/London:20260323T180000',
      'DTSTART;TZID=Europe/London:20260302T180000',
      'DTEND;TZID=Europe/London:20260302T190000',
      'SUMMARY:Yoga',
      'STATUS:CANCELLED',
      'SEQUENCE:3',
      'LAST-MODIFIED:20260102T030400Z',
      'END:VEVENT',
    ]);
  });

  test.each<[string, Partial<CalendarEvent>, string[]]>([
    [
      'times in UTC',
      { span: { zone: 'UTC', start: at('2026-03-29T01:30'), end: at('2026-03-29T02:30') } },
      ['DTSTART:20260329T013000Z', 'DTEND:20260329T023000Z'],
    ],
    [
      'no end where nobody knows one',
      { span: { ...EVENT.span, end: EVENT.span.start } },
      ['DTSTART;TZID=Europe/London:20260302T180000'],
    ],
    [
      'dates of whole days',
      {
        span: { zone: 'UTC', start: at('2026-12-25T00:00'), end: at('2026-12-26T00:00'), allDay: true },
        transparent: true,
      },
      [
        'DTSTART;VALUE=DATE:20261225',
        'DTEND;VALUE=DATE:20261226',
        'TRANSP:TRANSPARENT',
        'X-MICROSOFT-CDO-BUSYSTATUS:FREE',
      ],
    ],
    [
      'a place with its address',
      { location: { title: 'Hall "A"', address: '1 High Street, Town', latitude: 51.5, longitude: -0.1 } },
      [
        'LOCATION:Hall "A"\\n1 High Street\\, Town',
        'GEO:51.5;-0.1',
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="1 High Street, Town";X-APPLE-RADIUS=49;X-TITLE="Hall ^\'A^\'":geo:51.5,-0.1',
      ],
    ],
    ['a place without coordinates', { location: { title: 'Hall' } }, ['LOCATION:Hall']],
    [
      'categories and an address',
      { categories: ['A, B', 'C'], url: 'https://e.org/a;b' },
      ['CATEGORIES:A\\, B,C', 'URL:https://e.org/a;b'],
    ],
    ['no address that is not of the web', { url: 'javascript:alert(1)' }, []],
  ])('have %s', (_, more, expected) => {
    const lines = linesOf(calendar([{ ...EVENT, ...more }]));
    const inside = lines.slice(lines.indexOf('BEGIN:VEVENT'));
    expect(
      inside.filter(
        (line) => /^(DTSTART|DTEND|TRANSP|X-|LOCATION|GEO|CATEGORIES|URL)/.test(line) || expected.includes(line),
      ),
    ).toEqual(
      'span' in more
        ? expected
        : ['DTSTART;TZID=Europe/London:20260302T180000', 'DTEND;TZID=Europe/London:20260302T190000', ...expected],
    );
  });

  test('keep places of one name apart', () => {
    const there = (address: string): CalendarEvent => ({
      ...EVENT,
      uid: `${address}@x`,
      location: { title: 'Village Hall', address },
    });
    const lines = linesOf(calendar([there('A'), there('B'), there('A')])).filter((line) => line.startsWith('LOCATION'));
    expect(lines).toEqual(['LOCATION:Village Hall\\nA', 'LOCATION:Village Hall\\nB', 'LOCATION:Village Hall\\nA']);
  });
});

describe('the fingerprint of events', () => {
  test('is the same for the same events, and another for any other', () => {
    const hash = eventHash([EVENT]);
    expect(eventHash([structuredClone(EVENT)])).toBe(hash);
    const others: CalendarEvent[][] = [
      [],
      [EVENT, EVENT],
      [{ ...EVENT, status: 'CANCELLED' }],
      [{ ...EVENT, summary: 'Yoga ' }],
      [{ ...EVENT, exdates: [0] }],
      [{ ...EVENT, span: { ...EVENT.span, end: EVENT.span.end + 60_000 } }],
      [{ ...EVENT, description: '' }],
      [{ ...EVENT, rrule: { freq: 'WEEKLY' } }],
      [{ ...EVENT, rrule: { freq: 'DAILY' } }],
    ];
    expect(new Set([hash, ...others.map(eventHash)]).size).toBe(others.length + 1);
  });

  test('is of the value of a rule, as in every store', () => {
    const { uid, span, ...rest } = EVENT;
    const rrule = { freq: 'WEEKLY', until: Date.UTC(2026, 10, 16, 18), byDay: [{ day: 0 }] } as const;
    const stored = { uid, span, rrule: 'FREQ=WEEKLY;UNTIL=20261116T180000Z;BYDAY=MO', ...rest };
    const hash = createHash('sha256')
      .update(JSON.stringify([stored]))
      .digest('base64url')
      .slice(0, 27);
    expect(eventHash([{ uid, span, rrule, ...rest }])).toBe(hash);
  });
});
