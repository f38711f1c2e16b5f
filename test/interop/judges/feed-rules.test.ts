import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { file, index } from '../cases.ts';
import { all, oneOf, parts } from '../feed-rules/read.ts';
import { type Calendar, calendarOf, FEED_RULES, unsteady } from '../feed-rules/rules.ts';
import { run } from '../program.ts';

/** Every calendar, rule by rule, read from its bytes by a reader that knows nothing of the program. */

const fixtures = fileURLToPath(new URL('../../../fixtures', import.meta.url));
const { events, places } = index();

/** Throws where the bytes are not UTF-8, as where a line is folded within a character. */
const open = (path: string): Calendar =>
  calendarOf(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path)));
const series = events.map(({ name }) => [name, open(file(name, 'ics'))] as const);
const hours = places.map(({ name }) => [`${name}, as events`, open(file(name, 'hours.ics'))] as const);
const kept = readdirSync(fixtures)
  .filter((path) => path.endsWith('.ics'))
  .map((path) => [path, open(join(fixtures, path))] as const);

/** A calendar that breaks no rule, to be broken. */
const SOUND = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//Example//EN',
  'CALSCALE:GREGORIAN',
  'NAME:Yoga',
  'X-WR-CALNAME:Yoga',
  'X-WR-TIMEZONE:Europe/London',
  'COLOR:teal',
  'X-APPLE-CALENDAR-COLOR:#008080',
  'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
  'X-PUBLISHED-TTL:PT6H',
  'BEGIN:VTIMEZONE',
  'TZID:Europe/London',
  'BEGIN:DAYLIGHT',
  'DTSTART:19700329T010000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'DTSTART:19701025T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'UID:1@example.org',
  'DTSTAMP:20261121T000000Z',
  'DTSTART;TZID=Europe/London:20261201T180000',
  'DTEND;TZID=Europe/London:20261201T190000',
  'RRULE:FREQ=DAILY;UNTIL=20261210T180000Z',
  'EXDATE;TZID=Europe/London:20261203T180000',
  'SUMMARY:Yoga',
  'LOCATION:Hall\\nHigh Street',
  'GEO:51.5;-0.1',
  'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Hall":geo:51.5,-0.1',
  'STATUS:CONFIRMED',
  'SEQUENCE:1',
  'LAST-MODIFIED:20261121T000000Z',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:1@example.org',
  'RECURRENCE-ID;TZID=Europe/London:20261205T180000',
  'DTSTAMP:20261121T000000Z',
  'DTSTART;TZID=Europe/London:20261205T190000',
  'DTEND;TZID=Europe/London:20261205T200000',
  'SUMMARY:Yoga',
  'STATUS:CANCELLED',
  'SEQUENCE:1',
  'LAST-MODIFIED:20261121T000000Z',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

describe('each rule sees what breaks it', () => {
  test.each<[number, string, string]>([
    [1, 'SUMMARY:Yoga', `SUMMARY:${'Yoga '.repeat(20)}`],
    [2, 'CALSCALE:GREGORIAN', 'CALSCALE:GREGORIAN\r\nMETHOD:PUBLISH'],
    [4, 'DTEND;TZID=Europe/London:20261201T190000', 'DTEND:20261201T190000'],
    [5, 'TZID:Europe/London', 'TZID:Europe/Paris'],
    [6, 'BYMONTH=3;BYDAY=-1SU', 'BYMONTH=3;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31'],
    [6, 'DTSTART:19700329T010000', 'DTSTART:19700328T010000'],
    [7, 'FREQ=DAILY;', 'FREQ=DAILY;BYHOUR=18,20;'],
    [7, 'FREQ=DAILY;UNTIL', 'FREQ=MONTHLY;BYMONTHDAY=1,15;UNTIL'],
    [8, 'DTEND;TZID=Europe/London:20261201T190000', 'DTEND;TZID=Europe/London:20261202T190000'],
    [9, 'SEQUENCE:1', 'RDATE;TZID=Europe/London:20270101T180000\r\nSEQUENCE:1'],
    [10, 'UNTIL=20261210T180000Z', 'UNTIL=20261211T120000Z'],
    [11, 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY;BYDAY=WE'],
    [12, 'EXDATE;TZID=Europe/London:20261203T180000', 'EXDATE;TZID=Europe/London:20261203T170000'],
    [12, 'EXDATE;TZID=Europe/London:20261203T180000', 'EXDATE:20261203T180000Z'],
    [13, 'RECURRENCE-ID;TZID=Europe/London:20261205T180000', 'RECURRENCE-ID;TZID=Europe/London:20261205T190000'],
    [14, 'DTSTART;TZID=Europe/London:20261205T190000', 'DTSTART;TZID=Europe/London:20261206T190000'],
    [15, 'UID:1@example.org', 'UID:é@example.org'],
    [16, 'SEQUENCE:1\r\nLAST-MODIFIED:20261121T000000Z', 'SEQUENCE:1\r\nLAST-MODIFIED:20261122T000000Z'],
    [23, 'EXDATE;TZID=Europe/London:20261203T180000', 'EXDATE;TZID=Europe/London:20261205T180000'],
    [24, 'REFRESH-INTERVAL;VALUE=DURATION:PT6H', 'REFRESH-INTERVAL:PT6H'],
    [25, 'X-WR-CALNAME:Yoga', 'X-WR-CALNAME:Other'],
    [26, 'GEO:51.5;-0.1', 'GEO:51.5,-0.1'],
    [26, 'X-TITLE="Hall"', 'X-TITLE="Room"'],
    [27, 'SEQUENCE:1', 'ATTENDEE:mailto:a@example.org\r\nSEQUENCE:1'],
    [28, 'SEQUENCE:1', 'x-other_thing:1\r\nSEQUENCE:1'],
  ])('%i: %s', (number, from, to) => {
    const brokenIn = (text: string) =>
      FEED_RULES.filter((rule) => rule.broken(calendarOf(text)).length > 0).map((rule) => rule.number);
    expect(brokenIn(SOUND)).toEqual([]);
    expect(brokenIn(SOUND.replace(from, to))).toContain(number);
  });

  test('an instance in the hour that is left out', () => {
    const night = SOUND.replaceAll('20261201T18', '20270327T01').replaceAll('20261201T19', '20270327T02');
    expect(unsteady(calendarOf(SOUND))).toEqual([]);
    expect(unsteady(calendarOf(night.replace('20261210T180000Z', '20270330T010000Z')))).toHaveLength(1);
  });
});

describe.each(FEED_RULES.map((rule) => [rule.number, rule.says, rule] as const))('%i: %s', (_, __, rule) => {
  test.each([...series, ...hours, ...kept])('%s', (_name, calendar) => {
    expect(rule.broken(calendar).slice(0, 10)).toEqual([]);
  });
});

describe('no instance of a rule lies where the clocks change', () => {
  test.each([...series, ...hours, ...kept])('%s', (_, calendar) => {
    expect(unsteady(calendar)).toEqual([]);
  });
});

describe('17: the same input gives the same bytes', () => {
  test.each(events.slice(0, 2).map(({ name }) => [name]))('%s', async (name) => {
    expect(await run('convert', file(name, 'json'))).toBe(readFileSync(file(name, 'ics'), 'utf8'));
  });
});

describe('30: opening hours are free time as events, and are not mixed with availability', () => {
  test.each(places.map(({ name }) => [name]))('%s', (name) => {
    const kinds = (ending: string) =>
      new Set(
        open(file(name, ending))
          .part.parts.map((part) => part.name)
          .filter((kind) => kind !== 'VTIMEZONE'),
      );
    expect(kinds('hours.ics')).toEqual(new Set(['VEVENT']));
    expect(kinds('availability.ics')).toEqual(new Set(['VAVAILABILITY']));
    expect(kinds('freebusy.ics')).toEqual(new Set(['VFREEBUSY']));
    for (const event of open(file(name, 'hours.ics')).events) expect(oneOf(event, 'TRANSP')).toBe('TRANSPARENT');
  });
});

describe('31: availability that readers with gaps understand: bounded, one priority, weekly rules without exceptions', () => {
  test.each(places.map(({ name }) => [name]))('%s', (name) => {
    for (const component of parts(open(file(name, 'availability.ics')).part, 'VAVAILABILITY')) {
      expect([all(component, 'DTSTART').length, all(component, 'DTEND').length]).toEqual([1, 1]);
      expect(all(component, 'PRIORITY')).toEqual([]);
      for (const available of component.parts) {
        for (const wrong of ['EXDATE', 'RDATE', 'RECURRENCE-ID']) expect(all(available, wrong)).toEqual([]);
        for (const { value, params } of ['DTSTART', 'DTEND'].flatMap((one) => all(available, one))) {
          expect(value.endsWith('Z') || params.TZID !== undefined, value).toBe(true);
        }
      }
    }
  });
});
