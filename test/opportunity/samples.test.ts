import { readdirSync, readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';
import { cleanItem } from '../../src/opportunity/clean.ts';
import { type JsonObject, parseJson, toJson } from '../../src/opportunity/item/json.ts';
import { samplesDir } from '../samples.ts';
import { cleanRecord } from './shape.ts';

/** Real and official data: all of it goes in, nothing is lost in silence, and what is known of single samples holds. */
const files =
  samplesDir === undefined
    ? []
    : (readdirSync(samplesDir, { recursive: true }) as string[]).filter((name) => /\.json(?:ld)?$/.test(name));
const options = { zone: 'Europe/London', feed: 'https://feed.example/' };
const textOf = (name: string) => readFileSync(joinPath(samplesDir as string, name), 'utf8');
const input = (name: string, slots = false) => readInput(textOf(name), { ...options, slots });
const codes = (name: string) => input(name).findings.map(({ code }) => code);

describe.skipIf(files.length === 0)('every sample', () => {
  test.each(files)('%s', (name) => {
    const { value, wide } = parseJson(textOf(name));
    const items = itemsOf(value as JsonObject | JsonObject[]);
    for (const data of items) {
      const { records, findings } = cleanItem(
        { state: 'updated', kind: 'k', id: '1', modified: '1', data },
        { ...options, slots: true },
      );
      for (const { record } of records) cleanRecord.parse(record);
      if (records.length === 0) expect(findings).not.toEqual([]);
    }
    expect(JSON.parse(toJson(value, wide))).toEqual(JSON.parse(textOf(name)));
    expect(() => join(input(name, true).records)).not.toThrow();
  });
});

function itemsOf(value: JsonObject | JsonObject[]): JsonObject[] {
  const items = Array.isArray(value) ? value : Array.isArray(value.items) ? (value.items as JsonObject[]) : [value];
  return items.filter((item) => item.state !== 'deleted').map((item) => (item.data ?? item) as JsonObject);
}

describe.skipIf(files.length === 0)('what is known of samples', () => {
  test('Playwaze: coordinates as a name, an expandable Schedule of seven days', () => {
    const { series } = join(input('feed-normaliser/sessionseries-with-schedule-exdates.json').records);
    expect(series[0]?.series.schedules).toMatchObject([
      {
        expandable: true,
        frequency: { unit: 'week', every: 1 },
        byDay: [{ day: 3 }],
        except: [{ instant: Date.parse('2020-07-23T11:00:00Z') }],
        duration: 3 * 3_600_000,
      },
    ]);
    expect(codes('feed-normaliser/sessionseries-with-schedule-exdates.json')).toContain('place-name-is-coordinates');
  });

  test('Gladstone: type and id, a PartialSchedule, an empty PostalAddress', () => {
    const { series, places } = join(input('feed-normaliser/sessionseries-2.json').records);
    expect(series[0]?.series).toMatchObject({
      id: 'https://ncc.leisurecloud.net/OpenActive/api/session-series/HRES0001802',
      schedules: [{ partial: true, expandable: false }],
    });
    expect(places).toMatchObject([{ name: 'Harvey Hadden Sports Vill' }]);
    expect(places[0]).not.toHaveProperty('address');
  });

  test('Gladstone: a session of a series by address, its courts as rooms', () => {
    const { orphans } = join(input('feed-normaliser/scheduledsession-referenced-superevent-2.json').records);
    expect(orphans).toMatchObject([
      {
        series: 'https://ncc.leisurecloud.net/OpenActive/api/session-series/HRES0001802',
        details: { room: 'H.H.S.V. Court 1, H.H.S.V. Court 2, H.H.S.V. Court 3, H.H.S.V. Court 4' },
      },
    ]);
  });

  test('Fusion: hours on the facility, days as single http texts', () => {
    const { facilities } = join(input('feed-normaliser/facilityuse.json').records);
    expect(facilities[0]?.hours).toHaveLength(7);
    expect(facilities[0]?.hours[1]).toMatchObject({ days: [0], opens: 9 * 3600, closes: 12 * 3600 + 59 * 60 });
    expect(codes('feed-normaliser/facilityuse.json')).toEqual(
      expect.arrayContaining(['single-value', 'vocabulary-spelling']),
    );
  });

  test('Sport4Kids: no repeatFrequency, a count and an end, a duration of the whole course', () => {
    const { series } = join(input('feed-normaliser/course-with-schedule.json').records);
    expect(series[0]?.series).toMatchObject({
      type: 'CourseInstance',
      details: { attendance: 'online' },
      schedules: [{ count: 19, endDate: '2020-09-04', duration: 30 * 60_000 }],
    });
    expect(series[0]?.series.schedules[0]?.frequency).toEqual({ unit: 'week', every: 1 });
    expect(codes('feed-normaliser/course-with-schedule.json')).toEqual([
      'frequency-inferred',
      'schedule-count-and-end',
    ]);
  });

  test('Sport4Kids: beta:timeZone and a type that is none', () => {
    expect(codes('feed-normaliser/course-schedule-httpday.json')).toEqual(
      expect.arrayContaining(['property-misnamed', 'scheduled-event-type-unexpected', 'vocabulary-spelling']),
    );
  });

  test('TeamUp: an Event under an EventSeries keeps its own calendar', () => {
    const { series } = join(input('feed-normaliser/event-with-superevent.json').records);
    expect(series[0]).toMatchObject({
      series: {
        id: 'https://goteamup.com/api/openactive/v1/id/event/25918324',
        details: { name: 'WOD Class', offers: [{ price: 5, currency: 'GBP' }], ageRange: { min: 14 } },
      },
      sessions: [{ end: Date.parse('2020-07-04T08:00:00Z'), remainingAttendeeCapacity: 0 }],
    });
  });

  test('Everyone Active: the name of the series, the words of its EventSeries', () => {
    const { series } = join(input('openactive-net-tests/RPDEGenericsTest-jsonRpdeEveryoneActive.json').records);
    expect(series[0]?.series.details).toMatchObject({
      name: 'Active Aqua Mon 15:15',
      description: expect.stringContaining('pregnant women'),
      location: { name: 'Wythenshawe Forum Leisure' },
    });
  });

  test('Everyone Active: slots when asked for', () => {
    const name = 'openactive-net-tests/RPDEGenericsTest-jsonRpdeSlotEveryoneActive.json';
    expect(input(name).records).toEqual([]);
    expect(join(input(name, true).records).slots).toMatchObject([
      { remainingUses: 1, end: Date.parse('2020-03-04T17:00:00Z') },
    ]);
  });

  test('imin: two parents, prefixed days, a location that points into the page', () => {
    const { series } = join(input('openactive-net-tests/SingleValuesTest-SuperEventJson.json').records);
    expect(series[0]).toMatchObject({
      series: {
        details: { organizer: { name: 'EveryoneActive' }, ageRange: { min: 11, max: 15 } },
        schedules: [{ partial: true, byDay: [0, 1, 2, 3, 4].map((day) => ({ day })) }],
      },
      sessions: [{ idStated: true }],
    });
  });

  test('Colchester, version 1: an Event with sub-events, offer, address as text, and a deleted item', () => {
    const { series } = join(input('openactive-rb/multiple-items.json').records);
    expect(series).toMatchObject([
      {
        series: {
          type: 'Event',
          details: {
            activity: ['Body Attack'],
            offers: [{ price: 5 }],
            location: { address: 'Leisure World Colchester, Cowdray Avenue, Colchester, CO1 1YH' },
          },
        },
        sessions: [{ idStated: false }],
      },
    ]);
  });

  test('British Triathlon: a date only, which its sub-events inherit', () => {
    expect(codes('feed-normaliser/headline-event-with-subevents.json')).toEqual(
      expect.arrayContaining(['start-without-time', 'start-inherited']),
    );
  });
});
