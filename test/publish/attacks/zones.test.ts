import { describe, expect, test } from 'vitest';
import windowsZones from '../../../src/publish/read/windows-zones.json' with { type: 'json' };
import { byName } from '../../../src/publish/read/zones.ts';
import { zone } from '../../../src/time/zone.ts';
import { calendarOf, codesOf, eventOf, publish, rowsOf } from '../published.ts';

/** Zones that are unknown, Windows', behind a path, quoted, self-made or absent; hours that do not exist or come twice. */

const WEEKLY = (tzid: string, start = '20270309T183000') =>
  eventOf('UID:1', 'SUMMARY:x', `DTSTART;TZID=${tzid}:${start}`, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=4');
const [FROM, TO] = [Date.UTC(2027, 0, 1), Date.UTC(2028, 0, 1)];
const starts = (text: string) => rowsOf(publish(text).published, FROM, TO).map((row) => row.slice(0, 16));
/** Tuesdays 18:30 in London: the clocks go forward on 28 March. */
const LONDON = ['2027-03-09T18:30', '2027-03-16T18:30', '2027-03-23T18:30', '2027-03-30T17:30'];

const OWN = (id: string, month = '3', day = '-1SU') =>
  [
    'BEGIN:VTIMEZONE',
    `TZID:${id}`,
    'BEGIN:STANDARD',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0000',
    'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T010000',
    'TZOFFSETFROM:+0000',
    'TZOFFSETTO:+0100',
    `RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=${day};BYMONTH=${month}`,
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ].join('\r\n');

describe('zones', () => {
  test.each<[string, string]>([
    ['an IANA name', calendarOf(WEEKLY('Europe/London'))],
    ['in quotes', calendarOf(WEEKLY('"Europe/London"'))],
    ['an old path of Mozilla', calendarOf(WEEKLY('/mozilla.org/20050126_1/Europe/London'))],
    ['a path of libical', calendarOf(WEEKLY('/freeassociation.sourceforge.net/Tzfile/Europe/London'))],
    ['a Windows name', calendarOf(WEEKLY('GMT Standard Time'))],
    [
      'a phrase of Outlook, with commas and a colon, unquoted',
      calendarOf(WEEKLY('(UTC) Dublin, Edinburgh, Lisbon, London')),
    ],
    ['an address of Outlook, unquoted', calendarOf(WEEKLY('tzone://Microsoft/GMT Standard Time'))],
    ['a definition of its own that is London', calendarOf(OWN('Customized Time Zone'), WEEKLY('Customized Time Zone'))],
    [
      'a definition that names its place',
      calendarOf(OWN('Foo').replace('TZID:Foo', 'TZID:Foo\r\nX-LIC-LOCATION:Europe/London'), WEEKLY('Foo')),
    ],
    [
      'floating, in a calendar that names its zone',
      calendarOf('X-WR-TIMEZONE:Europe/London', WEEKLY('x').replace(';TZID=x', '')),
    ],
    ['floating, in a calendar that names none', calendarOf(WEEKLY('x').replace(';TZID=x', ''))],
    ['unknown: the default, with a finding', calendarOf(WEEKLY('Moon/Tranquility'))],
  ])('%s', (_name, text) => {
    expect(starts(text)).toEqual(LONDON);
  });

  test('a definition like no zone is followed, and written out', () => {
    const text = calendarOf(OWN('Odd', '2', '1SU'), WEEKLY('Odd'));
    expect(codesOf(publish(text))).toEqual(expect.arrayContaining(['zone-not-iana', 'rule-written-out']));
    expect(starts(text)).toEqual(['2027-03-09T17:30', '2027-03-16T17:30', '2027-03-23T17:30', '2027-03-30T17:30']);
  });

  test('every Windows name is a zone', () => {
    expect(Object.entries(windowsZones).filter(([, iana]) => zone(iana) === undefined)).toEqual([]);
    expect(Object.keys(windowsZones).length).toBeGreaterThan(130);
  });

  test.each([
    ['(UTC+00:00) Dublin, Edinburgh, Lisbon, London', 'Europe/London'],
    ['(UTC) Dublin, Edinburgh, Lisbon, London', 'Europe/London'],
    ['(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London', 'Europe/London'],
    ['GMT Daylight Time', 'Europe/London'],
    ['(GMT-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['Pacific Time (US & Canada)', 'America/Los_Angeles'],
    ['(UTC-08:00) Pacific Time (US & Canada)', 'America/Los_Angeles'],
    ['Kuala Lumpur\\, Singapore', 'Asia/Singapore'],
    ['GMT', 'GMT'],
  ])('%s, as Outlook has written it', (name, iana) => {
    expect(byName(name)?.zone.id).toBe(iana);
  });

  test.each([
    ['/Europe/Stockholm', 'Europe/Stockholm'],
    ['/UTC', 'UTC'],
  ])('%s, a name that the slash calls globally unique (RFC 5545 3.2.19)', (name, iana) => {
    expect(byName(name)?.zone.id).toBe(iana);
  });

  test.each<[string, string, string]>([
    ['an hour that does not exist takes the offset before it', '20270328T013000', '2027-03-28T01:30'],
    ['an hour that comes twice is the first', '20271031T013000', '2027-10-31T00:30'],
  ])('%s', (_name, start, expected) => {
    const text = calendarOf(eventOf('UID:1', `DTSTART;TZID=Europe/London:${start}`, 'DURATION:PT1H'));
    expect(starts(text)).toEqual([expected]);
  });

  test('a thousand definitions are not read', () => {
    const zones = Array.from({ length: 1000 }, (_, i) => OWN(`Zone ${i}`, '2', '1SU'));
    expect(codesOf(publish(calendarOf(...zones, WEEKLY('Zone 999'))))).toContain('zone-unknown');
  });
});
