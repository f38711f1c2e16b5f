import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/opportunity/item/json.ts';
import type { PublishResult } from '../../src/publish/contract.ts';
import { calendarOf, codesOf, eventOf, MAPPING, publish, rowsOf } from './published.ts';

/** What an examination of publishing found wrong, a case each: wrong hours, lost and phantom sessions. */

const at = (name: string, local: string) => `${name};TZID=Europe/London:${local}`;
const days = ({ published }: PublishResult, from: string, to: string) =>
  rowsOf(published, Date.parse(from), Date.parse(to)).map((row) => row.slice(0, 10));
const schedules = ({ published }: PublishResult) =>
  published['session-series'].flatMap(({ data }) => data.eventSchedule as JsonObject[]);

test('a VTIMEZONE whose name has an escaped comma is found by the quoted name', () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Kuala Lumpur\\, Singapore',
    'BEGIN:STANDARD',
    'DTSTART:16010101T000000',
    'TZOFFSETFROM:+0800',
    'TZOFFSETTO:+0800',
    'END:STANDARD',
    'END:VTIMEZONE',
  ].join('\r\n');
  const event = eventOf(
    'UID:1',
    'SUMMARY:x',
    'DTSTART;TZID="Kuala Lumpur, Singapore":20270104T093000',
    'DURATION:PT1H',
  );
  const result = publish(calendarOf(zone, event));
  expect(codesOf(result)).not.toContain('zone-unknown');
  expect(rowsOf(result.published, 0, Date.UTC(2030, 0))).toEqual([
    '2027-01-04T01:30:00 2027-01-04T02:30:00 CONFIRMED x',
  ]);
});

describe('a DTSTART that the rule does not give is no date and takes none of the COUNT', () => {
  test.each([
    ['FREQ=WEEKLY;BYDAY=TU;COUNT=3', ['2027-01-05', '2027-01-12', '2027-01-19']],
    ['FREQ=WEEKLY;BYDAY=TU;COUNT=1', ['2027-01-05']],
    ['FREQ=MONTHLY;BYDAY=1TU;COUNT=2', ['2027-01-05', '2027-02-02']],
    ['FREQ=WEEKLY;BYDAY=TU;UNTIL=20270113T000000Z', ['2027-01-05', '2027-01-12']],
  ])('%s from a Monday', (rule, expected) => {
    const event = eventOf('UID:1', 'SUMMARY:x', at('DTSTART', '20270104T110000'), 'DURATION:PT1H', `RRULE:${rule}`);
    const result = publish(calendarOf(event));
    expect(days(result, '2027-01-01', '2028-01-01')).toEqual(expected);
    expect(codesOf(result)).toContain('rule-start-not-in-rule');
  });

  test('nor does it of a second RRULE', () => {
    const rules = ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3', 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3'];
    const result = publish(
      calendarOf(eventOf('UID:1', 'SUMMARY:x', at('DTSTART', '20270104T110000'), 'DURATION:PT1H', ...rules)),
    );
    const expected = ['04', '05', '11', '12', '18', '19'].map((day) => `2027-01-${day}`);
    expect(days(result, '2027-01-01', '2028-01-01')).toEqual(expected);
    expect(codesOf(result)).not.toContain('rule-start-not-in-rule');
  });

  test('an RDATE that names it brings it back', () => {
    const lines = ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=1', at('RDATE', '20270104T110000')];
    const event = eventOf('UID:1', 'SUMMARY:x', at('DTSTART', '20270104T110000'), 'DURATION:PT1H', ...lines);
    expect(days(publish(calendarOf(event)), '2027-01-01', '2028-01-01')).toEqual(['2027-01-04', '2027-01-05']);
  });
});

test.each([
  ['FREQ=YEARLY', { repeatFrequency: 'P1Y', byMonth: [1], byMonthDay: [4] }],
  ['FREQ=MONTHLY;INTERVAL=12', { repeatFrequency: 'P12M', byMonthDay: [4] }],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', { repeatFrequency: 'P1Y', byMonth: [2], byMonthDay: [29] }],
  ['FREQ=YEARLY;INTERVAL=4', { repeatFrequency: 'P4Y', byMonth: [1], byMonthDay: [4] }],
])('%s without an end is a Schedule', (rule, expected) => {
  const event = eventOf('UID:1', at('DTSTART', '20270104T110000'), 'DURATION:PT1H', `RRULE:${rule}`);
  const result = publish(calendarOf(event));
  expect(schedules(result)).toMatchObject([{ '@type': 'Schedule', ...expected }]);
  expect(result.published['scheduled-sessions']).toEqual([]);
});

describe('a VTIMEZONE of its own is the IANA zone that shows the same', () => {
  const EASTERN = [
    'BEGIN:VTIMEZONE',
    'TZID:US-Eastern',
    'BEGIN:STANDARD',
    'DTSTART:19671029T020000',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'TZOFFSETFROM:-0400',
    'TZOFFSETTO:-0500',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:19870405T020000',
    'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4',
    'TZOFFSETFROM:-0500',
    'TZOFFSETTO:-0400',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ].join('\r\n');
  const weekly = (start: string, end: string) =>
    calendarOf(
      EASTERN,
      eventOf('UID:1', 'SUMMARY:x', `DTSTART;TZID=US-Eastern:${start}`, 'DURATION:PT1H', `RRULE:FREQ=WEEKLY${end}`),
    );

  test('in the years of the calendar', () => {
    const result = publish(weekly('20040302T090000', ';COUNT=60'));
    expect(schedules(result)).toMatchObject([{ '@type': 'Schedule', scheduleTimezone: 'America/New_York' }]);
    expect(codesOf(result)).toContain('zone-guessed');
  });

  test.each([
    ['Europe/lisbon', '+0100', '+0200', '2027-07-05T08:00:00'],
    ['Europe/lisbon', '+0000', '+0100', '2027-07-05T09:00:00'],
    ['Europe/Lisbon', '+0100', '+0200', '2027-07-05T09:00:00'],
  ])('also where its name is nearly one of IANA: %s, %s, %s', (name, winter, summer, expected) => {
    const definition = EASTERN.replaceAll('US-Eastern', name)
      .replaceAll('-0500', winter)
      .replaceAll('-0400', summer)
      .replace('19671029T020000', '19701025T030000')
      .replace('19870405T020000', '19700329T020000')
      .replace('BYDAY=1SU;BYMONTH=4', 'BYDAY=-1SU;BYMONTH=3');
    const event = eventOf('UID:1', 'SUMMARY:x', `DTSTART;TZID=${name}:20270705T100000`, 'DURATION:PT1H');
    const { published } = publish(calendarOf(definition, event));
    const [row] = rowsOf(published, Date.UTC(2027, 0, 1), Date.UTC(2028, 0, 1));
    expect(row?.slice(0, 19)).toBe(expected);
  });

  test.each([
    ['no end', '20040302T090000', ''],
    ['later years', '20270309T090000', ';COUNT=60'],
  ])('but not with %s, for which the clocks of no zone do so', (_name, start, end) => {
    const result = publish(weekly(start, end));
    expect(codesOf(result)).toContain('zone-not-iana');
    expect(schedules(result)).toMatchObject([{ '@type': 'PartialSchedule' }]);
  });
});

test('an instance of days that is named by a time is the one of that day, and a finding says so', () => {
  const whole = eventOf('UID:1', 'SUMMARY:x', 'DTSTART;VALUE=DATE:20270104', 'RRULE:FREQ=DAILY;COUNT=3');
  const moved = eventOf(
    'UID:1',
    'SUMMARY:x',
    'DTSTART;VALUE=DATE:20270110',
    'RECURRENCE-ID;TZID=Europe/London:20270105T000000',
  );
  const result = publish(calendarOf(whole, moved), { ...MAPPING, events: [{ as: 'session' }] });
  expect(codesOf(result)).toContain('instance-of-day');
  expect(days(result, '2027-01-01', '2028-01-01')).toEqual(['2027-01-04', '2027-01-06', '2027-01-10']);
});

test.each([
  ['DTEND:20270705T110000', 'DTSTART;TZID=America/New_York:20270705T100000', ['end-without-zone']],
  ['DTEND:20270705T110000', 'DTSTART:20270705T100000Z', ['end-without-zone']],
  ['DTEND:20270705T150000Z', 'DTSTART;TZID=America/New_York:20270705T100000', []],
  ['DTEND:20270705T110000', 'DTSTART:20270705T100000', ['time-floating']],
])('%s after %s ends an hour later', (end, start, codes) => {
  const result = publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', start, end)));
  expect(result.published['scheduled-sessions'][0]?.data).toMatchObject({ duration: 'PT1H' });
  expect(codesOf(result)).toEqual(codes);
});

test.each([
  ['DTEND:20280106T100000Z', ['event-too-long']],
  ['DTEND:20280104T100000Z', []],
  ['DURATION:P60W', ['event-too-long']],
])('an event of more than a year is told: %s', (end, codes) => {
  expect(codesOf(publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', 'DTSTART:20270104T090000Z', end))))).toEqual(codes);
});

test.each(['20270106T000000Z', '20270106T000000', '20270105T120000Z'])(
  'a DTEND with a time ends days as it is written: %s',
  (end) => {
    const event = eventOf('UID:1', 'SUMMARY:x', 'DTSTART;VALUE=DATE:20270104', `DTEND:${end}`);
    const winter = publish(calendarOf(event), { ...MAPPING, events: [{ as: 'session' }] });
    expect(winter.published['scheduled-sessions'][0]?.data).toMatchObject({ endDate: '2027-01-05' });
    const summer = publish(calendarOf(event.replaceAll('202701', '202707')), {
      ...MAPPING,
      events: [{ as: 'session' }],
    });
    expect(summer.published['scheduled-sessions'][0]?.data).toMatchObject({ endDate: '2027-07-05' });
  },
);

describe('a date without a zone is in that of a DTSTART that has one', () => {
  const daily = ['DTSTART;TZID=America/New_York:20270104T110000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'];
  const moved = eventOf(
    'UID:1',
    'SUMMARY:x',
    'RECURRENCE-ID:20270105T110000',
    'DTSTART;TZID=America/New_York:20270109T110000',
    'DURATION:PT1H',
  );

  test.each<[name: string, line: string[], override: string[], expected: string[]]>([
    ['EXDATE', ['EXDATE:20270105T110000,20270106T110000'], [], ['01-04T16:00']],
    ['RECURRENCE-ID', [], [moved], ['01-04T16:00', '01-06T16:00', '01-09T16:00']],
  ])('%s', (name, lines, overrides, expected) => {
    const result = publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', ...daily, ...lines), ...overrides));
    expect(rowsOf(result.published, 0, Date.UTC(2030, 0)).map((row) => row.slice(5, 16))).toEqual(expected);
    expect(result.findings.map(({ code, path }) => [code, path.split(' ')[2]])).toEqual([['date-without-zone', name]]);
  });
});

describe('an event that Exchange marks as all-day has days, although it is written with midnights', () => {
  const whole = (start: string, end: string, ...lines: string[]) =>
    calendarOf(
      eventOf(
        'UID:1',
        'SUMMARY:x',
        at('DTSTART', start),
        at('DTEND', end),
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
        ...lines,
      ),
    );
  const mapping = { ...MAPPING, events: [{ as: 'session' as const }] };

  test.each<[name: string, text: string, expected: string[][]]>([
    ['one day', whole('20270104T000000', '20270105T000000'), [['2027-01-04', '2027-01-04']]],
    ['days over a change of clocks', whole('20271030T000000', '20271101T000000'), [['2027-10-30', '2027-10-31']]],
    [
      'UNTIL, EXDATE and RDATE',
      whole(
        '20270621T000000',
        '20270622T000000',
        'RRULE:FREQ=WEEKLY;UNTIL=20270704T230000Z',
        at('EXDATE', '20270628T000000'),
        at('RDATE', '20270701T000000'),
      ),
      [
        ['2027-06-21', '2027-06-21'],
        ['2027-07-01', '2027-07-01'],
        ['2027-07-05', '2027-07-05'],
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(codesOf(publish(text))).toEqual(['event-all-day']);
    const sessions = publish(text, mapping).published['scheduled-sessions'].map(({ data }) => data);
    expect(sessions.map(({ startDate, endDate }) => [startDate, endDate ?? startDate])).toEqual(expected);
  });

  test('nor is one of midnights that VALUE calls a DATE', () => {
    const lines = ['DTSTART;VALUE=DATE:20270104T000000', 'DTEND;VALUE=DATE:20270105T000000'];
    expect(codesOf(publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', ...lines))))).toContain('event-all-day');
  });

  test('but not one whose start is no midnight', () => {
    expect(codesOf(publish(whole('20270104T090000', '20270105T000000')))).toEqual([]);
  });
});
