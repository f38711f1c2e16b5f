import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { parseMapping } from '../../../src/publish/map/mapping.ts';
import { failures } from '../feed/judges.ts';
import { calendarOf, eventOf, MAPPING, publish } from '../published.ts';

/** Events that are online, alone or beside a place. */

const TIMES = ['DTSTART:20270105T180000Z', 'DTEND:20270105T190000Z'];
const INCLUDED = { ...MAPPING, include: parseMapping('{"include": ["conferences"]}', 'm.json').include };
const of = (mapping: typeof MAPPING, ...lines: string[]) =>
  publish(calendarOf(eventOf('UID:1', 'SUMMARY:Yoga', ...TIMES, ...lines)), mapping);
const seriesOf = (mapping: typeof MAPPING, ...lines: string[]) =>
  of(mapping, ...lines).published['session-series'][0]?.data as JsonObject;

const MODE = (mode: string) => `https://schema.org/${mode}EventAttendanceMode`;
const BETA = ['https://openactive.io/', 'https://openactive.io/ns-beta'];

describe('the address of a meeting', () => {
  test.each([
    ['CONFERENCE', 'CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL=Join:https://zoom.us/j/1', 'https://zoom.us/j/1'],
    ['X-GOOGLE-CONFERENCE', 'X-GOOGLE-CONFERENCE:https://meet.google.com/abc', 'https://meet.google.com/abc'],
    [
      'X-MICROSOFT-SKYPETEAMSMEETINGURL',
      'X-MICROSOFT-SKYPETEAMSMEETINGURL:https://teams.microsoft.com/l/x',
      'https://teams.microsoft.com/l/x',
    ],
    ['LOCATION', 'LOCATION:https://zoom.us/j/1', 'https://zoom.us/j/1'],
    ['LOCATION', 'LOCATION:https://club.example/live', 'https://club.example/live'],
  ])('in %s is published where it is included, and else left out with a finding', async (property, line, url) => {
    const included = seriesOf(INCLUDED, line);
    const mode = { eventAttendanceMode: MODE('Online') };
    expect(included).toMatchObject({ '@context': BETA, 'beta:virtualLocation': { url }, ...mode });
    const plain = seriesOf(MAPPING, line);
    expect(plain).toMatchObject({ '@context': 'https://openactive.io/', ...mode });
    for (const data of [included, plain]) {
      expect(data).not.toHaveProperty('location');
      expect(await failures(data)).toEqual([]);
    }
    expect(JSON.stringify(plain)).not.toContain(url);
    const { findings } = of(MAPPING, line);
    const left = findings.filter(({ code }) => code === 'personal-left-out');
    expect(left.map(({ item, path }) => `${item} ${path}`)).toEqual([`1 line 4 ${property}`]);
    expect(of(INCLUDED, line).findings.map(({ code }) => code)).not.toContain('personal-left-out');
  });

  test('beside a place is one of a mixed event', () => {
    const lines = ['LOCATION:Hall', 'CONFERENCE;VALUE=URI:https://zoom.us/j/1'];
    expect(seriesOf(MAPPING, ...lines)).toMatchObject({
      location: { name: 'Hall' },
      eventAttendanceMode: MODE('Mixed'),
    });
  });

  test('that is a telephone number is none', () => {
    expect(seriesOf(MAPPING, 'CONFERENCE;VALUE=URI:tel:+44-1227-123456')).toMatchObject({
      location: { name: 'Marlowe Track' },
    });
  });
});
