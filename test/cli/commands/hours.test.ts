import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/cli/commands/hours.ts';
import { UsageError } from '../../../src/cli/io.ts';
import { ConfigError } from '../../../src/errors.ts';
import { Random } from '../../generate/random.ts';
import { randomVenueJson } from '../../hours/random-place.ts';
import { referencePeriods } from '../../hours/reference.ts';
import { UK_HOLIDAYS } from '../../hours/uk-holidays.ts';
import { runs } from '../../runs.ts';
import { samplesDir } from '../../samples.ts';
import { testIo } from '../io.ts';

const NOW = Date.parse('2026-11-21T15:00:00Z');
const PLACES = runs(60);

async function hours(input: unknown, ...args: string[]) {
  const io = testIo({ stdin: [typeof input === 'string' ? input : JSON.stringify(input)], now: () => NOW });
  const code = await command.run(['-', ...args], io);
  return { code, err: io.err(), lines: io.out().split('\n').slice(0, -1) };
}

async function rows(input: unknown, ...args: string[]): Promise<string[]> {
  const { lines } = await hours(input, ...args);
  return lines.map((line) => {
    const { place, start, end } = JSON.parse(line) as Record<string, string>;
    return `${place} ${start} ${end}`;
  });
}

const spec = (dayOfWeek: string[] | string, opens: string, closes: string) => ({
  '@type': 'OpeningHoursSpecification',
  dayOfWeek,
  opens,
  closes,
});
const place = (id: string, more: object) => ({ '@type': 'Place', '@id': id, name: id, ...more });
const monday = { openingHoursSpecification: [spec(['https://schema.org/Monday'], '09:00', '17:00')] };

describe('row for row what a literal reading of the JSON says', () => {
  test('random places and facilities, over two years with both clock changes', async () => {
    const venues = Array.from({ length: PLACES }, (_, n) => randomVenueJson(new Random(n + 7), n));
    const found = await rows(
      venues.map(({ json }) => json),
      '--from',
      '2026-01-01',
      '--to',
      '2028-01-01',
    );
    const iso = (at: number) => new Date(at).toISOString().replace('.000', '');
    const expected = venues.flatMap(({ id, hours: said, zone, nation }) => {
      const holidays = new Set(UK_HOLIDAYS[nation]);
      const periods = referencePeriods(said, zone, holidays, Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1));
      return periods.map(([start, end]) => `${id} ${iso(start)} ${iso(end)}`);
    });
    expect(found.length).toBeGreaterThan(5_000);
    expect(found).toEqual(expected);
  });
});

describe('lines', () => {
  test('have the place, both ends in UTC, and why', async () => {
    const { code, lines, err } = await hours(
      place('https://example.org/1', monday),
      '--from',
      '2026-06-15',
      '--to',
      '2026-06-16',
    );
    expect(code).toBe(0);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        place: 'https://example.org/1',
        start: '2026-06-15T08:00:00Z',
        end: '2026-06-15T16:00:00Z',
        because: ['standard hours, $.openingHoursSpecification[0]'],
      },
    ]);
    expect(err).toContain('with opening hours 1, periods 1');
  });

  test('are cut at both ends of the window, and say why only of what is in it', async () => {
    const always = place('p', {
      openingHoursSpecification: [
        spec('https://schema.org/Monday', '00:00', '23:59'),
        spec('https://schema.org/Tuesday', '00:00', '23:59'),
      ],
    });
    const { lines } = await hours(always, '--from', '2026-11-23', '--to', '2026-11-24');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        place: 'p',
        start: '2026-11-23T00:00:00Z',
        end: '2026-11-24T00:00:00Z',
        because: ['standard hours, $.openingHoursSpecification[0]'],
      },
    ]);
  });

  test('as a table are for people', async () => {
    const { lines } = await hours(
      place('p', monday),
      '--from',
      '2026-06-15',
      '--to',
      '2026-06-16',
      '--format',
      'table',
    );
    expect(lines).toEqual([
      'OPENS (Europe/London)  CLOSES  PLACE  BECAUSE',
      'Mon 15 Jun 2026 09:00  17:00   p      standard hours, $.openingHoursSpecification[0]',
    ]);
  });

  test('come in the order the places were given, an item before the place in it', async () => {
    const facility = {
      '@type': 'FacilityUse',
      '@id': 'court',
      name: 'Court',
      location: place('hall', monday),
      hoursAvailable: [spec('http://schema.org/Monday', '09:00', '12:59')],
    };
    const found = await rows(
      [place('z', monday), facility, place('a', monday)],
      '--from',
      '2026-06-15',
      '--to',
      '2026-06-16',
    );
    expect(found.map((row) => row.split(' ')[0])).toEqual(['z', 'court', 'hall', 'a']);
  });
});

describe('where a place says nothing', () => {
  const bare = place('p', {
    openingHoursSpecification: [spec(['https://schema.org/PublicHolidays'], '09:00', '17:00')],
  });

  test.each([
    [
      'the clock is --timezone, the holidays --holidays',
      bare,
      ['--timezone', 'Asia/Kolkata', '--holidays', 'GB-SCT'],
      ['2026-11-30T03:30:00Z'],
    ],
    ['or else London and England', bare, [], []],
    [
      'but what it says goes first',
      { ...bare, address: { addressCountry: 'IN', addressRegion: 'West Bengal' } },
      ['--holidays', 'GB-SCT'],
      [],
    ],
  ])('%s', async (_, input, args, starts) => {
    const found = await rows(input, '--from', '2026-11-29', '--to', '2026-12-02', ...args);
    expect(found.map((row) => row.split(' ')[1])).toEqual(starts);
  });

  test('a facility takes the clock and the country of its place, but not its hours', async () => {
    const [hallId, openId] = ['https://example.org/hall', 'https://example.org/open'];
    const hall = place(hallId, { ...monday, address: { addressCountry: 'GB', postalCode: 'EH1 1YZ' } });
    const court = { '@type': 'FacilityUse', '@id': 'https://example.org/court', name: 'Court', location: hallId };
    const open = {
      ...court,
      '@id': openId,
      hoursAvailable: [spec('https://schema.org/PublicHolidays', '09:00', '10:00')],
    };
    expect(await rows([court, open, hall], '--from', '2026-11-30', '--to', '2026-12-01')).toEqual([
      `${openId} 2026-11-30T09:00:00Z 2026-11-30T10:00:00Z`,
      `${hallId} 2026-11-30T09:00:00Z 2026-11-30T17:00:00Z`,
    ]);
  });

  test('without a window eight weeks from today', async () => {
    const found = await rows(place('p', monday));
    expect([found.at(0), found.at(-1), found.length]).toEqual([
      'p 2026-11-23T09:00:00Z 2026-11-23T17:00:00Z',
      'p 2027-01-11T09:00:00Z 2027-01-11T17:00:00Z',
      8,
    ]);
  });
});

describe('misuse is reported in one line', () => {
  test.each<[what: string, args: string[], kind?: typeof UsageError | typeof ConfigError]>([
    ['a zone nobody knows', ['--timezone', 'Mars/Base'], ConfigError],
    ['holidays of nowhere', ['--holidays', 'England'], ConfigError],
    ['a date that is none', ['--from', '2026-02-30']],
    ['an end before the beginning', ['--from', '2026-02-02', '--to', '2026-02-01']],
    ['an end before today', ['--to', '2026-02-01']],
    ['more years than anybody can read', ['--from', '1000-01-01', '--to', '9000-01-01']],
  ])('%s', async (_, args, kind = UsageError) => {
    await expect(hours([], ...args)).rejects.toThrow(kind);
  });
});

describe.skipIf(samplesDir === undefined)('real samples', () => {
  const sample = (name: string) => readFileSync(join(samplesDir as string, name), 'utf8');

  test('Fusion: each day as one http:// text, ends a minute short', async () => {
    const found = await rows(sample('feed-normaliser/facilityuse.json'), '--from', '2026-11-16', '--to', '2026-11-23');
    expect(found.map((row) => row.split(' ').slice(1).join(' '))).toEqual([
      '2026-11-16T09:00:00Z 2026-11-16T13:00:00Z',
      '2026-11-17T00:00:00Z 2026-11-18T00:00:00Z',
      '2026-11-18T09:00:00Z 2026-11-18T13:00:00Z',
      '2026-11-19T09:00:00Z 2026-11-19T13:00:00Z',
      '2026-11-20T00:00:00Z 2026-11-23T00:00:00Z',
    ]);
  });

  test('the official Place: special hours close it for January 2021', async () => {
    const found = await rows(
      sample('data-models-examples/place_example_1.json'),
      '--from',
      '2020-12-31',
      '--to',
      '2021-02-02',
    );
    expect(found.map((row) => row.split(' ').slice(1).join(' '))).toEqual([
      '2020-12-31T06:30:00Z 2020-12-31T22:00:00Z',
      '2021-02-01T06:30:00Z 2021-02-01T22:00:00Z',
    ]);
  });

  test('the official FacilityUse and its two courts by their own hours, the place by its holidays', async () => {
    const text = sample('data-models-examples/facilityuse_example_1.json');
    const found = await rows(text, '--from', '2021-05-03', '--to', '2021-05-04');
    expect(found.map((row) => row.split(' ').slice(1).join(' '))).toEqual([
      '2021-05-03T05:30:00Z 2021-05-03T20:30:00Z',
      '2021-05-03T05:30:00Z 2021-05-03T20:30:00Z',
      '2021-05-03T05:30:00Z 2021-05-03T20:30:00Z',
      '2021-05-03T07:00:00Z 2021-05-03T11:00:00Z',
    ]);
  });
});
