import fc from 'fast-check';
import { IANAZone } from 'luxon';
import { describe, expect, test } from 'vitest';
import {
  isRegular,
  offsetAt,
  TABLE_END,
  toInstant,
  toWall,
  type Wall,
  wallsAt,
  type Zone,
  zone,
} from '../../src/time/zone.ts';
import { offsetReader } from '../../src/time/zone-table.ts';
import { runs } from '../runs.ts';

const HOUR = 3_600_000;

function known(name: string): Zone {
  const found = zone(name);
  if (found === undefined) throw new Error(`no zone ${name}`);
  return found;
}

/** `2026-03-29T01:30` as wall time, or with Z as an instant. */
const at = (text: string) => Date.parse(text.endsWith('Z') ? text : `${text}Z`);
const text = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z');

describe('names', () => {
  test.each([
    ['a name', 'Europe/London', 'Europe/London'],
    ['UTC', 'UTC', 'UTC'],
    ['UTC in small letters', 'utc', 'UTC'],
    ['an old spelling', 'Asia/Calcutta', 'Asia/Calcutta'],
    ['its new spelling', 'Asia/Kolkata', 'Asia/Kolkata'],
    ['an old name that is an alias now', 'Europe/Kiev', 'Europe/Kiev'],
    ['a name of the old American sort', 'US/Eastern', 'US/Eastern'],
    ['a fixed zone of the database', 'Etc/GMT+5', 'Etc/GMT+5'],
    ['a fixed zone to the east', 'Etc/GMT-14', 'Etc/GMT-14'],
    ['a name with a digit', 'EST5EDT', 'EST5EDT'],
    ['a name of capitals', 'NZ-CHAT', 'NZ-CHAT'],
    ['an alias of many words', 'America/Knox_IN', 'America/Knox_IN'],
    ['an alias of a short name', 'America/Port-au-Prince', 'America/Port-au-Prince'],
    ['the wrong case', 'europe/london', 'Europe/London'],
    ['all capitals', 'AMERICA/NEW_YORK', 'America/New_York'],
    ['an alias in the wrong case gives way to what Intl calls it', 'us/eastern', 'America/New_York'],
  ])('%s', (_name, given, id) => {
    expect(zone(given)?.id).toBe(id);
  });

  test('a zone stays the one that was given, however many other names are asked for', () => {
    const [london, utc] = [known('Europe/London'), known('UTC')];
    for (let i = 0; i < 2500; i++) zone(`Europe/Nowhere${i}`);
    const inOddCase = (bits: number) =>
      [...'ndianapolis'].map((letter, i) => (bits & (1 << i) ? letter.toUpperCase() : letter)).join('');
    const spellings = Array.from({ length: 2048 }, (_, i) => zone(`US/East-I${inOddCase(i)}`));
    expect(new Set(spellings).size).toBeLessThan(4);
    expect(zone('Europe/London')).toBe(london);
    expect(zone('UTC')).toBe(utc);
    expect(zone('Europe/Guernsey')?.id).toBe('Europe/Guernsey');
  });

  test.each([
    ['a fixed offset', '+01:00'],
    ['a short fixed offset', '+01'],
    ['a Windows name', 'GMT Standard Time'],
    ['an abbreviation that ICU reads as Dhaka', 'BST'],
    ['an abbreviation that ICU reads as India', 'IST'],
    ['an abbreviation in small letters', 'pst'],
    ['a zone of ICU alone', 'SystemV/AST4'],
    ['an unknown place', 'Europe/Atlantis'],
    ['nothing', ''],
    ['a blank around it', ' Europe/London'],
    ['a line break in it', 'Europe/London\nX-EVIL:1'],
    ['a name of Object.prototype', '__proto__'],
    ['a very long name', `Europe/${'x'.repeat(10_000)}`],
  ])('%s is none', (_name, given) => {
    expect(zone(given)).toBeUndefined();
  });

  test('one zone is one object, and its aliases share one table', () => {
    expect(zone('europe/LONDON')).toBe(zone('Europe/London'));
    expect(zone('US/Eastern')?.transitions).toBe(zone('America/New_York')?.transitions);
  });

  test('thousands of spellings do not stay in memory as tables', () => {
    const tables = new Set<unknown>();
    for (let i = 0; i < 4096; i++) {
      const spelt = [...'europe/london'].map((c, k) => (i & (1 << k) ? c.toUpperCase() : c)).join('');
      tables.add(zone(spelt)?.transitions);
    }
    expect(tables.size).toBe(1);
  });
});

describe('tables', () => {
  test.each([
    ['London, March', 'Europe/London', '2026-03-29T01:00:00Z', 0, 1],
    ['London, October', 'Europe/London', '2026-10-25T01:00:00Z', 1, 0],
    ['London, when all the year was summer', 'Europe/London', '1971-10-31T02:00:00Z', 1, 0],
    ['Sydney, April', 'Australia/Sydney', '2026-04-04T16:00:00Z', 11, 10],
    ['Lord Howe, half an hour', 'Australia/Lord_Howe', '2026-04-04T15:00:00Z', 11, 10.5],
    ['Rothera, where the change falls on a probe', 'Antarctica/Rothera', '1976-12-01T00:00:00Z', 0, -3],
    ['Recife, a week of summer in 2000', 'America/Recife', '2000-10-15T02:00:00Z', -2, -3],
    ['Liberia, to the second', 'Africa/Monrovia', '1972-01-07T00:44:30Z', -(44 * 60 + 30) / 3600, 0],
    ['Apia leaves out a day', 'Pacific/Apia', '2011-12-30T10:00:00Z', -10, 14],
  ])('%s', (_name, name, when, before, after) => {
    const z = known(name);
    const index = z.transitions.indexOf(at(when));
    expect(index).toBeGreaterThanOrEqual(0);
    expect(z.offsets[index]).toBeCloseTo(before * HOUR, 0);
    expect(z.offsets[index + 1]).toBeCloseTo(after * HOUR, 0);
    expect(offsetAt(z, at(when) - 1000)).toBe(z.offsets[index]);
    expect(offsetAt(z, at(when))).toBe(z.offsets[index + 1]);
  });

  test('UTC and Kolkata never change', () => {
    expect(known('UTC')).toEqual({ id: 'UTC', transitions: [], offsets: [0] });
    expect(known('Asia/Kolkata')).toMatchObject({ transitions: [], offsets: [5.5 * HOUR] });
  });

  test('are ascending, and every change changes something', () => {
    for (const name of ['Europe/London', 'Africa/Casablanca', 'America/St_Johns', 'Asia/Gaza']) {
      const { transitions, offsets } = known(name);
      expect(offsets).toHaveLength(transitions.length + 1);
      expect(transitions).toEqual([...transitions].sort((a, b) => a - b));
      expect(offsets.some((offset, i) => offset === offsets[i + 1])).toBe(false);
    }
  });
});

/** luxon asks Intl anew each time, one instant after the other. */
describe('beside luxon', () => {
  const names = Intl.supportedValuesOf('timeZone');
  const anyZone = fc.constantFrom(...names);

  test('every zone has the same offset, at random instants and on both sides of its changes', () => {
    const instants = fc.integer({ min: -100_000, max: 5_000_000 }).map((n) => n * 600_000);
    fc.assert(
      fc.property(anyZone, instants, fc.nat(), (name, instant, pick) => {
        const z = known(name);
        const change = z.transitions[pick % Math.max(1, z.transitions.length)] ?? 0;
        for (const when of [instant, change - 1000, change, change + 1000]) {
          // luxon's offsets are whole minutes; Liberia had seconds until 1972.
          if (name === 'Africa/Monrovia' && when < at('1972-01-08T00:00:00Z')) continue;
          expect([name, text(when), offsetAt(z, when) / 60_000]).toEqual([
            name,
            text(when),
            IANAZone.create(name).offset(when),
          ]);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test('no change is missed between the probes', () => {
    fc.assert(
      fc.property(anyZone, fc.integer({ min: 0, max: 29_000 }), (name, day) => {
        const z = known(name);
        const luxon = IANAZone.create(name);
        if (name === 'Africa/Monrovia' && day < 800) return;
        for (let when = day * 24 * HOUR; when < (day + 60) * 24 * HOUR; when += 24 * HOUR) {
          expect(offsetAt(z, when) / 60_000).toBe(luxon.offset(when));
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('wall time to instant', () => {
  test.each([
    ['London in winter', 'Europe/London', '2026-01-05T18:00', '2026-01-05T18:00:00Z', true],
    ['London in summer', 'Europe/London', '2026-07-05T18:00', '2026-07-05T17:00:00Z', true],
    ['London, last second before the gap', 'Europe/London', '2026-03-29T00:59:59', '2026-03-29T00:59:59Z', true],
    ['London, gap begins: offset before it', 'Europe/London', '2026-03-29T01:00', '2026-03-29T01:00:00Z', false],
    ['London, in the gap', 'Europe/London', '2026-03-29T01:30', '2026-03-29T01:30:00Z', false],
    ['London, gap has ended', 'Europe/London', '2026-03-29T02:00', '2026-03-29T01:00:00Z', true],
    ['London, last second before the fold', 'Europe/London', '2026-10-25T00:59:59', '2026-10-24T23:59:59Z', true],
    ['London, in the fold: the first', 'Europe/London', '2026-10-25T01:30', '2026-10-25T00:30:00Z', false],
    ['London, fold has ended', 'Europe/London', '2026-10-25T02:00', '2026-10-25T02:00:00Z', true],
    ['New York, in the gap', 'America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00Z', false],
    ['New York, in the fold: the first', 'America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00Z', false],
    ['Sydney, in the gap', 'Australia/Sydney', '2026-10-04T02:30', '2026-10-03T16:30:00Z', false],
    ['Sydney, in the fold: the first', 'Australia/Sydney', '2026-04-05T02:30', '2026-04-04T15:30:00Z', false],
    ['Lord Howe, in the gap of half an hour', 'Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00Z', false],
    ['Lord Howe, after it', 'Australia/Lord_Howe', '2026-10-04T02:30', '2026-10-03T15:30:00Z', true],
    ['Lord Howe, in the fold: the first', 'Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00Z', false],
    ['Auckland, in the gap', 'Pacific/Auckland', '2026-09-27T02:30', '2026-09-26T14:30:00Z', false],
    ['Auckland, in the fold: the first', 'Pacific/Auckland', '2026-04-05T02:30', '2026-04-04T13:30:00Z', false],
    ['Kolkata has neither', 'Asia/Kolkata', '2026-03-29T01:30', '2026-03-28T20:00:00Z', true],
    ['UTC has neither', 'UTC', '2026-03-29T01:30', '2026-03-29T01:30:00Z', true],
    ['Apia, on the day that was not', 'Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00Z', false],
    ['London in 2099, beyond the table', 'Europe/London', '2099-07-05T18:00', '2099-07-05T17:00:00Z', true],
    ['London, in the gap of 2099', 'Europe/London', '2099-03-29T01:30', '2099-03-29T01:30:00Z', false],
    ['London, in the fold of 2099', 'Europe/London', '2099-10-25T01:30', '2099-10-25T00:30:00Z', false],
    ['London in 1960, before the table', 'Europe/London', '1960-07-05T18:00', '1960-07-05T17:00:00Z', true],
  ])('%s', (_name, name, wall, instant, regular) => {
    const z = known(name);
    expect(text(toInstant(z, at(wall)))).toBe(instant);
    expect(isRegular(z, at(wall))).toBe(regular);
  });

  /** Asks all instants around a wall time what the clock shows: what RFC 5545 3.3.5 means, without thinking. */
  function readings(z: Zone, wall: Wall, step: number): number[] {
    const found: number[] = [];
    for (let instant = wall - 26 * HOUR; instant <= wall + 26 * HOUR; instant += step) {
      if (instant + IANAZone.create(z.id).offset(instant) * 60_000 === wall) found.push(instant);
    }
    return found;
  }

  test('gives the first instant that shows the wall time; where none does, the clock has just jumped over it', () => {
    const places = fc.constantFrom('Europe/London', 'Australia/Lord_Howe', 'America/St_Johns', 'Africa/Casablanca');
    fc.assert(
      fc.property(places, fc.nat(), fc.integer({ min: -20, max: 20 }), (name, pick, quarters) => {
        const z = known(name);
        const change = z.transitions[pick % z.transitions.length] as number;
        const wall = Math.round((change + offsetAt(z, change - 1000)) / 900_000 + quarters) * 900_000;
        const shown = readings(z, wall, 60_000);
        const instant = toInstant(z, wall);
        expect(isRegular(z, wall)).toBe(shown.length === 1);
        if (shown.length > 0) expect(instant).toBe(shown[0]);
        else expect(wall - instant).toBe(offsetAt(z, change - 1000));
      }),
      { numRuns: runs(40) },
    );
  });

  test('every instant knows the wall times that lead to it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Europe/London', 'Pacific/Apia'),
        fc.nat(),
        fc.integer({ min: -100, max: 100 }),
        (name, pick, n) => {
          const z = known(name);
          const wall = (z.transitions[pick % z.transitions.length] as number) + n * 900_000;
          const instant = toInstant(z, wall);
          expect(wallsAt(z, instant)).toContain(wall);
          for (const other of wallsAt(z, instant)) expect(toInstant(z, other)).toBe(instant);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('the second half of a fold has no wall time that leads to it', () => {
    const z = known('Europe/London');
    expect(wallsAt(z, at('2026-10-25T01:30:00Z'))).toEqual([]);
    expect(toWall(z, at('2026-10-25T01:30:00Z'))).toBe(at('2026-10-25T01:30'));
  });

  test('the edges of what Date can hold do not throw', () => {
    const z = known('Europe/London');
    for (const wall of [TABLE_END, -1, 8.64e15, -8.64e15, Infinity, -Infinity]) {
      expect(toInstant(z, wall)).not.toBeNaN();
      expect(typeof isRegular(z, wall)).toBe('boolean');
    }
  });
});

test('before 1970 and after 2050 a zone has the offset that Intl tells, also where it is asked day after day', () => {
  const YEAR = 365.25 * 86_400_000;
  fc.assert(
    fc.property(
      fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
      fc.oneof(fc.double({ min: -170, max: 0, noNaN: true }), fc.double({ min: 81, max: 300, noNaN: true })),
      fc.integer({ min: 60, max: 90_000 }),
      (name, year, step) => {
        const [z, read] = [zone(name) as Zone, offsetReader(name)];
        const from = Math.floor(year * YEAR);
        for (let n = 0; n < 300; n += 1) {
          const instant = from + n * step * 1000;
          if (instant < 0 || instant >= TABLE_END) expect(offsetAt(z, instant)).toBe(read(instant));
        }
      },
    ),
    { numRuns: 100 },
  );
});
