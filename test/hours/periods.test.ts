import { describe, expect, test } from 'vitest';
import { holidayCalendar } from '../../src/hours/holidays.ts';
import { openPeriods } from '../../src/hours/periods.ts';
import { type Zone, zone } from '../../src/time/zone.ts';
import { Random } from '../generate/random.ts';
import { runs } from '../runs.ts';
import { cleanHours } from './clean.ts';
import { randomHours } from './random-place.ts';
import { referencePeriods } from './reference.ts';
import { UK_HOLIDAYS } from './uk-holidays.ts';

const RUNS = runs(140);
const ZONES = [
  'Europe/London',
  'America/New_York',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Havana',
  'UTC',
];
const FROM = Date.UTC(2026, 0, 1);
const TO = Date.UTC(2028, 0, 1);

const show = (periods: readonly (readonly [number, number])[]): string[] =>
  periods.map(([start, end]) => `${new Date(start).toISOString()} ${new Date(end).toISOString()}`);

describe('open periods of random places over two years are what a literal reading says, row for row', () => {
  for (const name of ZONES) {
    test(name, () => {
      const nations = ['ENG', 'SCT', 'NIR'] as const;
      for (let run = 0; run < RUNS / ZONES.length; run++) {
        const random = new Random(run * 31 + ZONES.indexOf(name));
        const hours = randomHours(random);
        const nation = random.pick(nations);
        const holidays = holidayCalendar({ country: 'GB', region: nation });
        const ours = openPeriods(cleanHours(hours), { zone: zone(name) as Zone, holidays }, FROM, TO);
        const theirs = referencePeriods(hours, name, new Set(UK_HOLIDAYS[nation]), FROM, TO);
        expect(show(ours.map(({ start, end }) => [start, end])), JSON.stringify({ run, hours, nation })).toEqual(
          show(theirs),
        );
      }
    });
  }
});
