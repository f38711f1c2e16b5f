import ical from 'node-ical';
import { describe, expect, test } from 'vitest';
import { Random } from '../generate/random.ts';
import { calendarOf, eventOf, publish, rowOf, rowsOf } from './published.ts';
import { FROM, randomEvent, TO } from './random-event.ts';

/**
 * Why this program reads calendars by its own reader: beside node-ical, which agrees with it where it has the means, it keeps
 * what a feed needs and node-ical's model (Dates, one entry a UID) has no place for.
 */

function rowsOfNodeIcal(text: string): string[] {
  const rows: string[] = [];
  for (const event of Object.values(ical.sync.parseICS(text))) {
    if (event?.type !== 'VEVENT') continue;
    for (const { start, end, summary, event: own } of ical.expandRecurringEvent(event, {
      from: new Date(FROM),
      to: new Date(TO - 1),
    })) {
      rows.push(
        rowOf(start.getTime(), end.getTime(), own.status ?? 'CONFIRMED', typeof summary === 'string' ? summary : ''),
      );
    }
  }
  return rows.sort();
}

describe('node-ical', () => {
  test('sees the same occurrences in random events whose clocks are regular and that have no RDATE', () => {
    let compared = 0;
    for (let seed = 0; seed < 250; seed++) {
      const { lines, overrides, rows } = randomEvent(new Random(seed), seed);
      const text = calendarOf(eventOf(...lines), ...overrides.map((one) => eventOf(...one)));
      // It shows DTSTART even where an EXDATE leaves nothing.
      if (rows.length === 0) continue;
      // It leaves out the hours that do not exist (RFC 5545 3.3.10), begins with what the rule gives, and has no empty events.
      const isPlain =
        !/RDATE|T0[12]3000|FREQ=(?:HOURLY|YEARLY)|BYSETPOS|WKST|BYHOUR/.test(lines.join()) &&
        /DTEND|DURATION/.test(lines.join());
      const result = publish(text);
      if (!isPlain || result.findings.some(({ code }) => code === 'rule-start-not-in-rule')) continue;
      compared++;
      expect(rowsOf(result.published, FROM, TO), `seed ${seed}`).toEqual(rows);
      expect(rowsOfNodeIcal(text), `seed ${seed}\n${text}`).toEqual(rows);
    }
    expect(compared).toBeGreaterThan(20);
  });

  const RULE = ['DTSTART;TZID=Europe/Berlin:20270301T063000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=2'];
  test.each<[string, string, number]>([
    [
      'dates of RDATE',
      calendarOf(eventOf('UID:1', 'SUMMARY:x', ...RULE, 'RDATE;TZID=Europe/Berlin:20270306T090000')),
      3,
    ],
    [
      'two events of one UID',
      calendarOf(
        eventOf('UID:1', 'SUMMARY:x', ...RULE),
        eventOf('UID:1', 'SUMMARY:y', 'DTSTART:20270501T100000Z', 'DURATION:PT1H'),
      ),
      3,
    ],
  ])('loses %s', (_name, text, count) => {
    expect(rowsOf(publish(text).published, FROM, TO)).toHaveLength(count);
    expect(rowsOfNodeIcal(text).length).toBeLessThan(count);
  });

  test('takes a zone behind a path for UTC', () => {
    const text = calendarOf(eventOf('UID:1', 'SUMMARY:x', ...RULE).replace('TZID=', 'TZID=/mozilla.org/20050126_1/'));
    expect(rowsOf(publish(text).published, FROM, TO)[0]).toContain('2027-03-01T05:30:00');
    expect(rowsOfNodeIcal(text)[0]).not.toContain('2027-03-01T05:30:00');
  });
});
