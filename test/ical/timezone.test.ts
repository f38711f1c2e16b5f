import fc from 'fast-check';
import ICAL from 'ical.js';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { vtimezone } from '../../src/ical/timezone.ts';
import type { Component } from '../../src/ical/tree.ts';
import { utcValue } from '../../src/ical/values.ts';
import { write } from '../../src/ical/write.ts';
import { TABLE_END, type Zone, zone } from '../../src/time/zone.ts';
import { runs } from '../runs.ts';

const DAY = 86_400_000;
const ZONES = Intl.supportedValuesOf('timeZone');

function zoneNamed(name: string): Zone {
  const z = zone(name);
  if (z === undefined) throw new Error(name);
  return z;
}

function linesOf(name: string, from: string, to: string): string[] {
  const component = vtimezone(zoneNamed(name), Date.parse(from), Date.parse(to));
  return component.components.map((one) => [one.name, ...one.properties.map(({ value }) => value)].join(' '));
}

/** The instant of a wall time by ical.js, which is reported nothing but the VTIMEZONE. */
function readBy(component: Component): (wall: DateTime) => number {
  const tzid = component.properties[0]?.value as string;
  const timezone = new ICAL.Timezone({ component: new ICAL.Component(ICAL.parse(write(component))), tzid });
  return ({ year, month, day, hour, minute, second }) => {
    const time = ICAL.Time.fromData({ year, month, day, hour, minute, second }, timezone);
    return time.toUnixTime() * 1000;
  };
}

/** What ical.js makes of the wall time that luxon sees at an instant; undefined where that comes twice. */
function expectSame(name: string, instant: number, read: (wall: DateTime) => number): void {
  const wall = DateTime.fromMillis(instant, { zone: name });
  if (wall.getPossibleOffsets().length > 1) return;
  expect([name, utcValue(read(wall))]).toEqual([name, utcValue(instant)]);
}

describe('a VTIMEZONE', () => {
  test('gives the offset of each instant of its range, for every zone, as luxon knows it', () => {
    const zones = fc.oneof(
      fc.constantFrom(
        'Europe/London',
        'America/New_York',
        'Africa/Casablanca',
        'America/Santiago',
        'Asia/Jerusalem',
        'Africa/Cairo',
      ),
      fc.constantFrom(...ZONES),
    );
    const instants = fc.integer({ min: Date.UTC(1975, 0, 1) / 60_000, max: Date.UTC(2045, 0, 1) / 60_000 });
    fc.assert(
      fc.property(
        zones,
        instants,
        fc.integer({ min: 0, max: 4000 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        (name, minute, days, parts) => {
          const from = minute * 60_000;
          // Beyond TABLE_END a VTIMEZONE goes on with its last rules.
          const length = Math.min(days * DAY, TABLE_END - DAY - from);
          const read = readBy(vtimezone(zoneNamed(name), from, from + length + 60_000));
          for (const part of [0, 1, ...parts]) {
            // ICU puts some changes of Jerusalem's a second late.
            expectSame(name, from + Math.floor((part * length) / 60_000) * 60_000 + 30_000, read);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('is right on both sides of every change in its range', () => {
    for (const name of [
      'Europe/London',
      'Australia/Lord_Howe',
      'America/Santiago',
      'Africa/Casablanca',
      'Europe/Moscow',
      'Asia/Gaza',
    ]) {
      const z = zoneNamed(name);
      const [from, to] = [Date.UTC(2009, 0, 1), Date.UTC(2040, 0, 1)];
      const read = readBy(vtimezone(z, from, to));
      for (const change of z.transitions.filter((one) => one > from && one < to)) {
        for (const minutes of [-61, -31, -1, 1, 31, 61, 121]) expectSame(name, change + minutes * 60_000, read);
      }
    }
  });

  test('has only observances that Outlook can read: no RDATE, whole minutes, one nth weekday of one month a year', () => {
    for (const name of ZONES) {
      const { components } = vtimezone(zoneNamed(name), Date.UTC(2026, 0, 1), TABLE_END);
      expect(components.some((one) => one.name === 'STANDARD')).toBe(true);
      for (const { properties } of components) {
        const values = Object.fromEntries(properties.map((property) => [property.name, property.value as string]));
        expect(
          Object.keys(values).filter((key) => !['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO', 'RRULE'].includes(key)),
        ).toEqual([]);
        expect(values.DTSTART).toMatch(/^\d{8}T\d{4}00$/);
        expect(values.TZOFFSETTO).toMatch(/^[+-]\d{4}$/);
        expect(values.RRULE ?? 'FREQ=YEARLY;BYMONTH=1;BYDAY=1SU').toMatch(
          /^FREQ=YEARLY;(UNTIL=\d{8}T\d{6}Z;)?BYMONTH=\d+;BYDAY=(-1|[1-4])(MO|TU|WE|TH|FR|SA|SU)$/,
        );
      }
    }
  });

  test.each<[string, string, string, string, string[]]>([
    [
      'has one pair, dated back to 1970, where one pair of rules holds',
      'Europe/London',
      '2026-01-01',
      '2050-01-01',
      [
        'DAYLIGHT 19700329T010000 +0000 +0100 FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
        'STANDARD 19701025T020000 +0100 +0000 FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      ],
    ],
    [
      'has the pair of its own time',
      'America/New_York',
      '1997-09-02',
      '1997-09-11',
      [
        'STANDARD 19701025T020000 -0400 -0500 FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
        'DAYLIGHT 19700405T020000 -0500 -0400 FREQ=YEARLY;BYMONTH=4;BYDAY=1SU',
      ],
    ],
    [
      'has the newest pair with the largest DTSTART where the rules have changed',
      'America/New_York',
      '2006-01-01',
      '2030-01-01',
      [
        'STANDARD 19701025T020000 -0400 -0500 FREQ=YEARLY;UNTIL=20061029T060000Z;BYMONTH=10;BYDAY=-1SU',
        'DAYLIGHT 19700405T020000 -0500 -0400 FREQ=YEARLY;UNTIL=20060402T070000Z;BYMONTH=4;BYDAY=1SU',
        'DAYLIGHT 20070311T020000 -0500 -0400 FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
        'STANDARD 20071104T020000 -0400 -0500 FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
      ],
    ],
    [
      'is one STANDARD without a rule where the clocks stand still',
      'Asia/Kolkata',
      '2026-01-01',
      '2050-01-01',
      ['STANDARD 19700101T000000 +0530 +0530'],
    ],
    [
      'forgets summer times that are over',
      'Europe/Istanbul',
      '2026-01-01',
      '2050-01-01',
      ['STANDARD 19700101T000000 +0300 +0300'],
    ],
    [
      'writes negative summer time as positive',
      'Europe/Dublin',
      '2026-01-01',
      '2030-01-01',
      [
        'DAYLIGHT 19700329T010000 +0000 +0100 FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
        'STANDARD 19701025T020000 +0100 +0000 FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      ],
    ],
    [
      'ends a pair that was given up',
      'Europe/Moscow',
      '2010-01-01',
      '2012-01-01',
      [
        'DAYLIGHT 19700329T020000 +0300 +0400 FREQ=YEARLY;UNTIL=20100327T230000Z;BYMONTH=3;BYDAY=-1SU',
        'STANDARD 19701025T030000 +0400 +0300 FREQ=YEARLY;UNTIL=20101030T230000Z;BYMONTH=10;BYDAY=-1SU',
        'STANDARD 20110327T020000 +0300 +0400',
      ],
    ],
    [
      'names each change where there is no rule',
      'Africa/Casablanca',
      '2026-01-01',
      '2026-12-31',
      [
        'STANDARD 19700101T000000 +0100 +0100',
        'STANDARD 20260215T030000 +0100 +0000',
        'DAYLIGHT 20260322T020000 +0000 +0100',
        'STANDARD 20260920T020000 +0100 +0000',
      ],
    ],
    ['knows UTC', 'Etc/UTC', '2026-01-01', '2050-01-01', ['STANDARD 19700101T000000 +0000 +0000']],
  ])('%s', (_, name, from, to, expected) => {
    expect(linesOf(name, from, to)).toEqual(expected);
  });
});
