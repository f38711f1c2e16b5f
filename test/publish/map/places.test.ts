import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { failures } from '../feed/judges.ts';
import { calendarOf, eventOf, publish } from '../published.ts';

/** Where events say they are. */

const START = ['DTSTART:20270105T180000Z', 'DTEND:20270105T190000Z'];
const event = (uid: string, ...lines: string[]) => eventOf(`UID:${uid}`, 'SUMMARY:Run', ...START, ...lines);
const seriesOf = (...lines: string[]) =>
  publish(calendarOf(event('1', ...lines))).published['session-series'][0]?.data as JsonObject;
const placeOf = (...lines: string[]) => seriesOf(...lines).location as JsonObject;
const findingsOf = (...lines: string[]) =>
  publish(calendarOf(event('1', ...lines))).findings.map(({ code, path }) => `${code} ${path}`);
const point = (latitude: number, longitude: number) => ({ '@type': 'GeoCoordinates', latitude, longitude });

const APPLE = 'X-APPLE-STRUCTURED-LOCATION;VALUE=URI';

describe('coordinates without LOCATION are the place', () => {
  test.each<[string, string[], object]>([
    ['GEO', ['GEO:51.5;-0.1'], { name: '51.5, -0.1', geo: point(51.5, -0.1) }],
    ['beside the address of a meeting', ['LOCATION:https://zoom.us/j/1', 'GEO:51.5;-0.1'], { geo: point(51.5, -0.1) }],
    ['those of Apple', [`${APPLE}:geo:51.5,-0.1`], { name: '51.5, -0.1', geo: point(51.5, -0.1) }],
    [
      'with a title and an address',
      [`${APPLE};X-ADDRESS="2 Park Rd\\nTown";X-APPLE-RADIUS=70;X-TITLE="Town Park":geo:51.5,-0.1`],
      { name: 'Town Park', address: '2 Park Rd, Town', geo: point(51.5, -0.1) },
    ],
    ['with a title alone', [`${APPLE};X-TITLE=Town Park:geo:51.5,-0.1`], { name: 'Town Park', geo: point(51.5, -0.1) }],
    ['0;0 is unknown', ['GEO:0;0'], { name: 'Marlowe Track' }],
  ])('%s', async (_name, lines, expected) => {
    expect(placeOf(...lines)).toMatchObject(expected);
    expect(await failures(seriesOf(...lines))).toEqual([]);
    expect(findingsOf(...lines).filter((one) => one.startsWith('geo-'))).toEqual([]);
  });

  test('LOCATION comes before the title', () => {
    expect(placeOf('LOCATION:Hall', `${APPLE};X-TITLE=Town Park:geo:51.5,-0.1`)).toMatchObject({ name: 'Hall' });
  });
});

test.each([
  ['The Grapes (2 Oxford St\\, Exeter\\, United Kingdom)', 'The Grapes', '2 Oxford St, Exeter, United Kingdom'],
  ['Hall (back door)\\, 2 Oxford St', 'Hall (back door)', 'Hall (back door), 2 Oxford St'],
  ['Hall (upstairs)', 'Hall (upstairs)', 'Hall (upstairs)'],
])('a name before an address in parentheses, as Meetup writes it: %s', (location, name, address) => {
  expect(placeOf(`LOCATION:${location}`)).toMatchObject({ name, address });
});

test('one LOCATION at other coordinates is another place, and keeps its @id without any', () => {
  const ids = [[], [], ['GEO:51.5;-0.1'], ['GEO:51.50;-0.1'], ['GEO:53.5;-2.1']].map(
    (geo) => placeOf('LOCATION:Village Hall', ...geo)['@id'],
  );
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 2, 2, 4]);
  expect(ids[0]).toBe('https://club.example/open-data/places/4d1fe37d24870bf22f10');
});

describe('GEO', () => {
  test.each(['51.5; -0.1', '51,5;-0,1', '51.5\\;-0.1', '51.5000000000000000000;-0.1', '51.5, -0.1'])(
    'written as %s is read',
    (value) => {
      expect(placeOf('LOCATION:Park', `GEO:${value}`)).toMatchObject({ name: 'Park', geo: point(51.5, -0.1) });
      expect(findingsOf('LOCATION:Park', `GEO:${value}`)).toEqual([]);
    },
  );

  test.each(['151.5;-0.1', '51.5;181', 'abc;def', '51,5,-0,1', '51.5'])('written as %s is a finding', (value) => {
    expect(placeOf('LOCATION:Park', `GEO:${value}`)).not.toHaveProperty('geo');
    expect(findingsOf('LOCATION:Park', `GEO:${value}`)).toEqual(['geo-unreadable line 10 GEO']);
  });

  test.each(['', ';', '0;0'])('written as "%s" says nothing', (value) => {
    expect(findingsOf('LOCATION:Park', `GEO:${value}`)).toEqual([]);
  });

  test('of Apple is a finding likewise', () => {
    expect(findingsOf(`${APPLE};X-TITLE=Park:geo:nowhere`)).toEqual([
      'geo-unreadable line 9 X-APPLE-STRUCTURED-LOCATION',
    ]);
  });

  test('of a private event is told by nobody', () => {
    expect(findingsOf('CLASS:PRIVATE', 'GEO:abc')).toEqual(['event-private line 4']);
  });
});
