import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { finish, type RawFinding } from '../../../src/opportunity/findings.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { FEED, type Rig, rig } from '../rig.ts';

/**
 * The worst of live data, from the page to the calendar: each case comes on a page with a good series, which must live,
 * and must be found: by an error that says what the page is, or by a finding with its code.
 */

const GOOD = 'https://example.org/series/good';
const BAD = 'https://example.org/series/bad';
const schedule = {
  '@type': 'Schedule',
  startDate: '2026-12-01',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Tuesday'],
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
};
const series = (id: string, over: object = {}, scheduled: object = {}) => ({
  state: 'updated',
  kind: 'SessionSeries',
  id,
  modified: 1,
  data: { '@type': 'SessionSeries', '@id': id, name: 'Yoga', eventSchedule: [{ ...schedule, ...scheduled }], ...over },
});

describe('the worst of live data', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(() => one.close());

  async function found(bad: unknown): Promise<{ codes: string[]; text: string | undefined; good: string | undefined }> {
    const handle = await one.ingest.open(FEED, {});
    await one.ingest.commit(
      handle,
      parsePage(JSON.stringify({ next: FEED, license: 'x', items: [series(GOOD), bad] })),
      FEED,
    );
    const items = await one.store.read.itemFindings(handle.id, 0, 10);
    const served = await one.served();
    const calendars = await one.store.read.calendars({ kind: 'series', limit: 10 });
    const raw = [
      ...items.flatMap(({ findings }) => JSON.parse(findings) as RawFinding[]),
      ...calendars.flatMap(({ findings }) => (findings === undefined ? [] : (JSON.parse(findings) as RawFinding[]))),
      ...(await one.store.read.pageFindings(handle.id)).map(({ finding }) => finding),
    ];
    for (const finding of raw) expect(finish(finding, FEED, 'x').message).toMatch(/^\S.{10,}$/);
    return {
      codes: raw.map(({ code }) => code),
      text: served.get(keyOf('series', BAD))?.replaceAll('\r\n ', ''),
      good: served.get(keyOf('series', GOOD)),
    };
  }

  it.each<[name: string, bad: unknown, code: string, shows: string | undefined]>([
    ['an item without an id', { ...series(BAD), id: undefined }, 'item-without-id', undefined],
    ['an item that is a text', 'hello', 'item-not-an-object', undefined],
    [
      'an unknown zone',
      series(BAD, {}, { scheduleTimezone: 'Mars/Olympus' }),
      'timezone-unknown',
      'DTSTART;TZID=Europe/London:20261201T180000',
    ],
    ['PT0S', series(BAD, {}, { duration: 'PT0S' }), 'duration-zero', 'DTSTART;TZID=Europe/London:20261201T180000'],
    [
      'endTime before startTime',
      series(BAD, {}, { duration: undefined, startTime: '22:00', endTime: '02:00' }),
      '',
      'DTEND;TZID=Europe/London:20261202T020000',
    ],
    [
      'a text with CRLF, NUL and emoji',
      series(BAD, { name: 'A\r\nBEGIN:VALARM\u0000😀' }),
      '',
      'SUMMARY:A BEGIN:VALARM😀',
    ],
    [
      'a description of 10 MB',
      series(BAD, { description: 'Ünïcode, '.repeat(1_000_000) }),
      'text-too-long',
      'SUMMARY:Yoga',
    ],
    [
      'a rule that never matches',
      series(BAD, {}, { byDay: undefined, repeatFrequency: 'P1Y', byMonth: [2], byMonthDay: [30] }),
      'schedule-without-occurrences',
      'BEGIN:VTIMEZONE',
    ],
    ['no start date', series(BAD, {}, { startDate: undefined }), 'schedule-start-date-missing', 'BEGIN:VTIMEZONE'],
    ['a type nobody knows', series(BAD, { '@type': 'Sandwich' }), 'unknown-type', undefined],
    [
      'keys that are traps',
      {
        ...series(BAD),
        data: JSON.parse('{"@type":"SessionSeries","@id":"x:","__proto__":{"name":"evil"},"constructor":1}'),
      },
      '',
      undefined,
    ],
  ])('%s', async (_name, bad, code, shows) => {
    const { codes, text, good } = await found(bad);
    if (code !== '') expect(codes).toContain(code);
    if (shows === undefined) expect(text).toBeUndefined();
    else expect(text).toContain(shows);
    expect(good).toContain('RRULE:FREQ=WEEKLY;BYDAY=TU');
    expect(Buffer.byteLength(text ?? '')).toBeLessThan(100_000);
  });

  it.each([
    ['no JSON', 'hello', /not JSON/],
    ['HTML with 200', '<!doctype html><title>Just a moment…</title>', /HTML/],
    ['a truncated body', JSON.stringify({ items: [series(GOOD)] }).slice(0, -9), /ends in the middle/],
    ['nothing', '', /empty/],
    ['a list', '[]', /RPDE page/],
  ])('a page of %s is an error in one line, and changes nothing', async (_name, text, error) => {
    await one.feed([series(GOOD) as never]);
    const before = await one.served();
    expect(() => parsePage(text)).toThrow(error);
    expect(await one.served()).toEqual(before);
  });
});
