import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { failures } from '../feed/judges.ts';
import { calendarOf, eventOf, publish } from '../published.ts';

/** Dates of a series that say something else than it: each difference is stated, and what is not said is inherited. */

const MASTER = [
  'UID:1',
  'SUMMARY:Run',
  'LOCATION:Hall A',
  'GEO:51.5;-0.1',
  'CATEGORIES:Yoga,Beginner',
  'DESCRIPTION:Every week',
  'DTSTART:20270105T180000Z',
  'DTEND:20270105T190000Z',
];
const OVERRIDE = MASTER.map((line) => line.replace('20270105', '20270112'));

/** What the session states of one date, besides its times. */
function otherOf(change: Record<string, string | undefined>): JsonObject | undefined {
  const names = Object.keys(change);
  const kept = OVERRIDE.filter((line) => !names.includes(line.slice(0, line.indexOf(':'))));
  const changed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : `${name}:${value}`));
  const text = calendarOf(
    eventOf(...MASTER, 'RRULE:FREQ=WEEKLY;COUNT=4'),
    eventOf(...kept, ...changed, 'RECURRENCE-ID:20270112T180000Z'),
  );
  return publish(text).published['scheduled-sessions'][0]?.data;
}

const LIST = 'https://openactive.io/activity-list';

describe('a date with other', () => {
  test.each<[string, Record<string, string>, object]>([
    [
      'CATEGORIES',
      { CATEGORIES: 'Pilates,Advanced' },
      {
        activity: [{ prefLabel: 'Pilates', inScheme: LIST }],
        category: ['Pilates', 'Advanced'],
        level: ['Advanced'],
      },
    ],
    ['GEO', { GEO: '52.5;-1.1' }, { location: { name: 'Hall A', geo: { latitude: 52.5, longitude: -1.1 } } }],
    ['LOCATION', { LOCATION: 'Hall B' }, { location: { name: 'Hall B' } }],
    ['SUMMARY', { SUMMARY: 'Race' }, { name: 'Race' }],
    ['DESCRIPTION', { DESCRIPTION: 'Once' }, { description: 'Once' }],
    ['URL', { URL: 'https://club.example/race' }, { url: 'https://club.example/race' }],
    ['STATUS', { STATUS: 'CANCELLED' }, { eventStatus: 'https://schema.org/EventCancelled' }],
  ])('%s states it, and nothing else', async (_name, change, expected) => {
    const session = otherOf(change) as JsonObject;
    expect(session).toMatchObject(expected);
    const always = ['@context', '@type', '@id', 'identifier', 'superEvent', 'startDate', 'endDate', 'duration'];
    const stated = Object.keys(session).filter((name) => !always.includes(name) && name !== 'eventStatus');
    expect(stated.sort()).toEqual(
      Object.keys(expected)
        .filter((name) => name !== 'eventStatus')
        .sort(),
    );
    expect(await failures(session)).toEqual([]);
  });

  test('LOCATION is not at the coordinates of its series', () => {
    expect(otherOf({ LOCATION: 'Hall B', GEO: undefined })?.location).not.toHaveProperty('geo');
  });

  test.each(['CATEGORIES', 'GEO', 'LOCATION', 'SUMMARY', 'DESCRIPTION'])('but not one without %s', (name) => {
    expect(otherOf({ [name]: undefined })).toBeUndefined();
  });
});
