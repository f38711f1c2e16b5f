import { describe, expect, test } from 'vitest';
import { type Mapping, parseMapping } from '../../../src/publish/map/mapping.ts';
import { failures } from '../feed/judges.ts';
import { calendarOf, codesOf, eventOf, MAPPING, objectsOf, publish, rowsOf } from '../published.ts';

/** `startTime` and `endTime` of the mapping file, for events that have dates only. */

const DAYS = (...lines: string[]) => eventOf('UID:d', 'SUMMARY:Open day', ...lines);
const mapped = (...events: object[]): Mapping => ({
  ...MAPPING,
  ...pick(parseMapping(JSON.stringify({ events }), 'm.json')),
});
const pick = ({ events }: Mapping) => ({ events });
const TIMES = mapped({ words: 'day', startTime: '10:00', endTime: '16:30' });
const rows = (text: string, mapping = TIMES) =>
  rowsOf(publish(text, mapping).published, Date.UTC(2027, 0, 1), Date.UTC(2028, 0, 1)).map((row) => row.slice(0, 39));

describe('an event of whole days with times of the mapping file', () => {
  test.each<[string, string[], string[]]>([
    ['on one day', ['DTSTART;VALUE=DATE:20270605'], ['2027-06-05T09:00:00 2027-06-05T15:30:00']],
    [
      'on three days, from the first to the last',
      ['DTSTART;VALUE=DATE:20270105', 'DTEND;VALUE=DATE:20270108'],
      ['2027-01-05T10:00:00 2027-01-07T16:30:00'],
    ],
    [
      'by a rule over the change of clocks, with an exception and a date besides',
      [
        'DTSTART;VALUE=DATE:20270326',
        'RRULE:FREQ=DAILY;COUNT=4',
        'EXDATE;VALUE=DATE:20270327',
        'RDATE;VALUE=DATE:20270401',
      ],
      [
        '2027-03-26T10:00:00 2027-03-26T16:30:00',
        '2027-03-28T09:00:00 2027-03-28T15:30:00',
        '2027-03-29T09:00:00 2027-03-29T15:30:00',
        '2027-04-01T09:00:00 2027-04-01T15:30:00',
      ],
    ],
  ])('%s', async (_name, lines, expected) => {
    const text = calendarOf(DAYS(...lines));
    expect(rows(text)).toEqual(expected);
    const result = publish(text, TIMES);
    expect(codesOf(result)).toEqual([]);
    for (const data of objectsOf(result.published)) expect(await failures(data)).toEqual([]);
  });

  test('and an instance that moves to another day, or has times of its own', () => {
    const text = calendarOf(
      DAYS('DTSTART;VALUE=DATE:20270104', 'RRULE:FREQ=WEEKLY;COUNT=3'),
      DAYS('RECURRENCE-ID;VALUE=DATE:20270111', 'DTSTART;VALUE=DATE:20270112'),
      DAYS('RECURRENCE-ID;VALUE=DATE:20270118', 'DTSTART:20270118T120000Z', 'DTEND:20270118T130000Z'),
    );
    expect(rows(text)).toEqual([
      '2027-01-04T10:00:00 2027-01-04T16:30:00',
      '2027-01-12T10:00:00 2027-01-12T16:30:00',
      '2027-01-18T12:00:00 2027-01-18T13:00:00',
    ]);
    expect(codesOf(publish(text, TIMES))).toEqual([]);
  });

  test('an instance that another line leaves out is none', () => {
    const text = calendarOf(
      DAYS('DTSTART;VALUE=DATE:20270104', 'RRULE:FREQ=WEEKLY;COUNT=2'),
      eventOf('UID:d', 'SUMMARY:Staff', 'RECURRENCE-ID;VALUE=DATE:20270111', 'DTSTART;VALUE=DATE:20270111'),
    );
    const mapping = mapped({ title: 'Staff', as: 'nothing' }, ...TIMES.events);
    expect(rows(text, mapping)).toEqual(['2027-01-04T10:00:00 2027-01-04T16:30:00']);
    expect(codesOf(publish(text, mapping))).toEqual(['event-left-out']);
  });

  test.each<[string, object, string]>([
    ['past midnight', { startTime: '20:00', endTime: '02:00' }, '2027-01-05T20:00:00 2027-01-06T02:00:00'],
    ['without an end', { startTime: '20:00' }, '2027-01-05T20:00:00 2027-01-05T20:00:00'],
  ])('%s', (_name, times, expected) => {
    expect(rows(calendarOf(DAYS('DTSTART;VALUE=DATE:20270105')), mapped({ words: 'day', ...times }))).toEqual([
      expected,
    ]);
  });

  test('events with times keep theirs', () => {
    const text = calendarOf(DAYS('DTSTART:20270105T120000Z', 'DTEND:20270105T130000Z'));
    expect(rows(text)).toEqual(['2027-01-05T12:00:00 2027-01-05T13:00:00']);
  });
});
