import { describe, expect, test } from 'vitest';
import { MAX_SESSIONS } from '../../../src/publish/limits.ts';
import { publishOffThread } from '../../../src/publish/off-thread.ts';
import { calendarOf, codesOf, eventOf, MAPPING, NOW, publish } from '../published.ts';

/** Rules made to use up memory and time: cross products, never-matching dates, every second for ever (node-ical #542). */

const list = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i).join(',');
const EVERY_SECOND = `BYHOUR=${list(0, 23)};BYMINUTE=${list(0, 59)};BYSECOND=${list(0, 59)}`;

describe('rule bombs', () => {
  test.each([
    ['a cross product with COUNT=1', `FREQ=YEARLY;COUNT=1;${EVERY_SECOND}`, 'rule-too-much'],
    [
      'a cross product over all days',
      `FREQ=YEARLY;BYMONTH=${list(1, 12)};BYMONTHDAY=${list(1, 31)};${EVERY_SECOND}`,
      'rule-too-much',
    ],
    ['every second for ever', 'FREQ=SECONDLY', 'rule-too-much'],
    ['every minute of one day a year', 'FREQ=MINUTELY;BYMONTH=7;BYMONTHDAY=1', 'rule-too-much'],
    ['every quarter of an hour for ever', 'FREQ=MINUTELY;INTERVAL=15', 'rule-cut'],
    ['every minute, a thousand million times', 'FREQ=MINUTELY;COUNT=1000000000', 'rule-too-much'],
    ['INTERVAL=0', 'FREQ=DAILY;INTERVAL=0', 'rule-unreadable'],
    ['BYDAY=0TH', 'FREQ=MONTHLY;BYDAY=0TH', 'rule-unreadable'],
    ['a rule of a megabyte', `FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(500_000)}1`, 'rule-too-much'],
    ['the same day a thousand times', `FREQ=YEARLY;BYYEARDAY=${'1,'.repeat(1000)}1`, 'rule-unreadable'],
    ['every position', `FREQ=YEARLY;BYDAY=MO;BYSETPOS=${list(1, 366)}`, 'rule-written-out'],
  ])('%s', (_name, rule, code) => {
    const result = publish(
      calendarOf(eventOf('UID:1', 'SUMMARY:x', 'DTSTART:20270101T100000Z', 'DTEND:20270101T110000Z', `RRULE:${rule}`)),
    );
    expect(codesOf(result)).toContain(code);
    expect(result.published['scheduled-sessions'].length).toBeLessThanOrEqual(MAX_SESSIONS + 1);
    // The date that nobody disputes is there in any case.
    expect(result.published['session-series']).toHaveLength(1);
  });

  test.each([
    ['30 February', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'rule-without-dates'],
    ['an hour that its steps never come to', 'FREQ=HOURLY;INTERVAL=2;BYHOUR=1', 'rule-written-out'],
  ])('%s never comes: nothing is published, and two findings say so', (_name, rule, code) => {
    const result = publish(calendarOf(eventOf('UID:1', 'DTSTART:20270101T100000Z', 'DURATION:PT1H', `RRULE:${rule}`)));
    expect(codesOf(result)).toEqual(expect.arrayContaining([code, 'rule-start-not-in-rule']));
    expect(result.published['session-series']).toEqual([]);
  });

  test('nine kilobytes of rules for every second make no more sessions than events', () => {
    const events = Array.from({ length: 70 }, (_, i) =>
      eventOf(`UID:${i}`, 'DTSTART:20270101T100000Z', 'RRULE:FREQ=SECONDLY'),
    );
    expect(publish(calendarOf(...events)).published['scheduled-sessions']).toHaveLength(70);
  });

  test('a thousand million daily instances are a Schedule without end', () => {
    const { published } = publish(
      calendarOf(eventOf('UID:1', 'DTSTART:20270101T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=1000000000')),
    );
    expect(published['session-series'][0]?.data.eventSchedule).toMatchObject([
      { '@type': 'Schedule', repeatFrequency: 'P1D' },
    ]);
    expect(published['scheduled-sessions']).toEqual([]);
  });

  test('everything excluded leaves nothing, and says so', () => {
    const event = eventOf(
      'UID:1',
      'DTSTART:20270101T100000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY',
      'EXRULE:FREQ=DAILY',
    );
    const result = publish(calendarOf(event));
    expect(codesOf(result)).toContain('exrule-deprecated');
    expect(result.published['scheduled-sessions']).toEqual([]);
  });

  test('a calendar that uses up the memory of its thread is left out, and the others are published', async () => {
    const good = { source: 'good.ics', text: calendarOf(eventOf('UID:good', 'SUMMARY:x', 'DTSTART:20270101T100000Z')) };
    const lines = 'BEGIN:VEVENT\nDTSTART:20270101T100000Z\nRRULE:FREQ=MINUTELY\nEND:VEVENT\n';
    const bad = { source: 'bad.ics', text: `BEGIN:VCALENDAR\n${lines.repeat(30_000)}END:VCALENDAR\n` };
    const limits = { megabytes: 24, milliseconds: 20_000 };
    const { published, findings } = await publishOffThread([bad, good], MAPPING, async () => [], NOW, limits);
    expect(findings.filter(({ code }) => code === 'calendar-too-much').map(({ feed }) => feed)).toEqual(['bad.ics']);
    expect(published['session-series']).toHaveLength(1);
  });
});
