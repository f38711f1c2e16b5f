import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../runs.ts';
import { calendarOf, codesOf, eventOf, publish } from '../published.ts';

/** Parsers that loop or fall over on odd tails, blank lines, marks and halves (ical4j #261). */

const EVENT = eventOf(
  'UID:1',
  'SUMMARY:Yoga',
  'DTSTART;TZID=Europe/London:20270105T183000',
  'DTEND;TZID=Europe/London:20270105T193000',
  'RRULE:FREQ=WEEKLY;COUNT=5',
);
const WHOLE = calendarOf(EVENT);
const name = (text: string) => publish(text).published['session-series'][0]?.data.name;

describe('odd texts', () => {
  test.each<[string, string]>([
    ['a byte order mark', `\uFEFF${WHOLE}`],
    ['LF alone', WHOLE.replaceAll('\r\n', '\n')],
    ['CR alone', WHOLE.replaceAll('\r\n', '\r')],
    ['blank lines everywhere', WHOLE.replaceAll('\r\n', '\r\n\r\n')],
    ['no end', WHOLE.replace(/END:VCALENDAR[\s\S]*/, '')],
    ['no line end at the end', WHOLE.trimEnd()],
    ['a tail of spaces and NULs', `${WHOLE}   \r\n\u0000\u0000\r\n`],
    [
      'small letters',
      WHOLE.replace('BEGIN:VEVENT', 'begin:vevent').replace('END:VEVENT', 'end:vevent').replace('SUMMARY', 'summary'),
    ],
    ['no calendar around it', EVENT],
    [
      'two calendars in one text',
      `${WHOLE}${calendarOf(eventOf('UID:2', 'SUMMARY:Zumba', 'DTSTART:20270105T100000Z'))}`,
    ],
    ['an alarm that is not closed', WHOLE.replace('END:VEVENT', 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VEVENT')],
    ['a parameter that is empty', WHOLE.replace('DTSTART;', 'DTSTART;;')],
    [
      'a journal whose END is misspelt',
      WHOLE.replace('BEGIN:VEVENT', 'BEGIN:VJOURNAL\r\nUID:t\r\nEND:VJUORNAL\r\nBEGIN:VEVENT'),
    ],
    ['an END too many', WHOLE.replace('END:VCALENDAR', 'END:VEVENT\r\nEND:VCALENDAR')],
    ['a page of HTML before it', `<!DOCTYPE html>\r\n<html>\r\n${WHOLE}`],
    [
      'every character folded',
      WHOLE.replaceAll(/(?<!\r)(.)(?!\r)/g, (all, sign: string, at: number) => (at % 5 === 0 ? `${sign}\r\n ` : all)),
    ],
    ['a line of a megabyte', WHOLE.replace('SUMMARY', `DESCRIPTION:${'x'.repeat(2_000_000)}\r\nSUMMARY`)],
  ])('%s', (_name, text) => {
    expect(['Yoga', 'Zumba']).toContain(name(text));
  });

  test('ten thousand components within each other end the depth, not the program', () => {
    const deep = 'BEGIN:X\n'.repeat(10_000);
    expect(codesOf(publish(calendarOf(deep, EVENT)))).toContain('component-too-deep');
  });

  test('a calendar cut or bitten anywhere is read without an exception', () => {
    const texts = [WHOLE, readFileSync('fixtures/calendars/google-club.ics', 'utf8')];
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(),
        fc.nat(80),
        fc.string({ maxLength: 20 }),
        (text, from, length, put) => {
          const at = from % text.length;
          expect(() => publish(text.slice(0, at) + put + text.slice(at + length))).not.toThrow();
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('an event of which the calendar has only the beginning is not published, wherever it was cut', () => {
    const secret = eventOf('UID:2', 'DTSTART:20270106T183000Z', 'SUMMARY:Interview', 'CLASS:PRIVATE');
    const text = calendarOf(EVENT, secret);
    const [end, whole] = [text.indexOf('END:VCALENDAR'), text.length - 2];
    for (let at = text.indexOf(EVENT) + 'BEGIN:VEVENT'.length; at < whole; at++) {
      const { published, findings } = publish(text.slice(0, at));
      const names = published['session-series'].map(({ data }) => data.name);
      expect(names).toEqual(at < text.indexOf(secret) - 2 ? [] : ['Yoga']);
      const errors = findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      expect(errors, text.slice(end, at)).toEqual(['calendar-cut']);
    }
    expect(codesOf(publish(text.slice(0, whole)))).toEqual(['event-private']);
    const bare = codesOf(publish(`${EVENT}\r\n${secret.slice(0, -11)}`));
    expect(bare).toEqual(['calendar-bare', 'calendar-cut']);
  });

  test('what stands alone and what is lost are findings', () => {
    expect(codesOf(publish(EVENT))).toContain('calendar-bare');
    expect(codesOf(publish(WHOLE.replace('Yoga', 'Y\uFFFDga')))).toContain('calendar-characters-lost');
    expect(codesOf(publish(WHOLE))).toEqual([]);
  });

  test('text that is no calendar at all is a finding', () => {
    for (const text of ['', 'hello', '{"items": []}', '\u0000'.repeat(1000)]) {
      expect(codesOf(publish(text))).toContain('calendar-not-icalendar');
    }
  });
});
