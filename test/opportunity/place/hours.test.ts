import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpeningHours } from '../../../src/opportunity/records.ts';
import { samplesDir } from '../../samples.ts';
import { through } from '../reader.ts';

const EVERY = [0, 1, 2, 3, 4, 5, 6];
const place = (data: Record<string, unknown>) =>
  through({ '@type': 'Place', '@id': 'https://x.org/p', name: 'Hall', ...data });

function entry(data: Record<string, unknown>, special = false) {
  const proper = {
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: ['https://schema.org/Monday'],
    opens: '09:00',
    closes: '17:00',
  };
  const property = special ? 'specialOpeningHoursSpecification' : 'openingHoursSpecification';
  const { places, findings } = place({ [property]: [{ ...proper, ...data }] });
  const hours = special ? places[0]?.specialHours : places[0]?.hours;
  return {
    hours: hours as OpeningHours[],
    findings: findings.map((finding) => finding.replace(`${property}[0]`, '').replace(' .', ' ').trim()),
  };
}

test('a proper entry', () => {
  expect(entry({ validFrom: '2027-01-01', validThrough: '2027-12-31' })).toEqual({
    hours: [
      {
        days: [0],
        publicHolidays: false,
        opens: 32_400,
        closes: 61_200,
        validFrom: '2027-01-01',
        validThrough: '2027-12-31',
        path: '$.openingHoursSpecification[0]',
      },
    ],
    findings: [],
  });
});

describe('dayOfWeek', () => {
  test.each([
    ['several, in any order', ['https://schema.org/Sunday', 'https://schema.org/Monday'], [0, 6], false, []],
    ['one text', 'https://schema.org/Monday', [0], false, ['single-value dayOfWeek']],
    ['http', ['http://schema.org/Monday'], [0], false, ['vocabulary-spelling dayOfWeek']],
    ['a list in one text', ['Monday, Tuesday'], [0, 1], false, ['vocabulary-spelling dayOfWeek']],
    ['holidays beside days', ['https://schema.org/Sunday', 'https://schema.org/PublicHolidays'], [6], true, []],
    ['holidays alone', ['http://schema.org/PublicHolidays'], [], true, []],
    ['an object', [{ '@id': 'https://schema.org/Monday' }], [0], false, []],
    ['unknown among others', ['https://schema.org/Monday', 'Someday'], [0], false, ['hours-day-unknown dayOfWeek']],
    ['nothing: every day', undefined, EVERY, false, ['hours-without-days']],
    ['empty: every day', [], EVERY, false, ['hours-without-days']],
  ])('%s', (_name, dayOfWeek, days, publicHolidays, found) => {
    const { hours, findings } = entry({ dayOfWeek });
    expect(hours).toMatchObject([{ days, publicHolidays }]);
    expect(findings).toEqual(found);
  });

  test('when none can be read the entry is left out', () => {
    expect(entry({ dayOfWeek: ['Someday', 7] })).toEqual({
      hours: [],
      findings: ['hours-day-unknown dayOfWeek', 'hours-day-unknown dayOfWeek', 'hours-days-unusable dayOfWeek'],
    });
  });

  test('special hours need no days', () => {
    expect(entry({ dayOfWeek: undefined, validFrom: '2027-12-25', validThrough: '2027-12-25' }, true)).toMatchObject({
      hours: [{ days: [] }],
      findings: [],
    });
  });
});

describe('times', () => {
  test.each([
    ['all day as the guide has it', '00:00', '23:59', 0, 86_340, []],
    ['closed', '00:00', '00:00', 0, 0, []],
    ['closed, at the end of the day', '24:00', '24:00', 0, 0, []],
    ['until midnight', '18:00', '24:00', 64_800, 86_400, []],
    ['past midnight', '18:00', '03:00', 64_800, 10_800, []],
    ['the last minute, as Gladstone has it', '09:00', '12:59', 32_400, 46_740, []],
    ['seconds', '08:30:00', '17:00:00', 30_600, 61_200, []],
    ['one digit', '9:00', '17:00', 32_400, 61_200, ['time-without-leading-zero opens']],
    ['a zone', '09:00Z', '17:00', 32_400, 61_200, ['time-with-zone opens']],
  ])('%s', (_name, opens, closes, from, to, found) => {
    const { hours, findings } = entry({ opens, closes });
    expect(hours).toMatchObject([{ opens: from, closes: to }]);
    expect(findings).toEqual(found);
  });

  test.each([
    ['unreadable', { opens: 'early' }, ['time-invalid opens']],
    ['too late', { closes: '24:01' }, ['time-invalid closes']],
    ['no opens', { opens: undefined }, ['hours-time-missing']],
    ['no closes', { closes: '' }, ['hours-time-missing']],
    ['neither', { opens: null, closes: null }, ['hours-time-missing']],
  ])('%s: the entry is left out', (_name, data, found) => {
    expect(entry(data)).toEqual({ hours: [], findings: found });
  });
});

test('openingHours, the texts of schema.org, are reported where there are no others', () => {
  expect(place({ openingHours: ['Mo-Fr 09:00-17:00'] }).findings).toEqual(['property-misnamed openingHours']);
});

describe('validity', () => {
  test.each([
    ['from only', { validFrom: '2027-01-01' }, { validFrom: '2027-01-01' }, []],
    ['through only', { validThrough: '2027-01-01' }, { validThrough: '2027-01-01' }, []],
    ['date-times', { validFrom: '2027-01-01T00:00:00Z' }, { validFrom: '2027-01-01' }, ['date-with-time validFrom']],
    [
      'midnights of the place in UTC',
      { validFrom: '2027-03-31T23:00:00Z', validThrough: '2027-09-29T23:00:00Z' },
      { validFrom: '2027-04-01', validThrough: '2027-09-30' },
      ['date-with-time validFrom', 'date-with-time validThrough'],
    ],
    [
      'the last second of a day, in UTC or there',
      { validThrough: '2027-06-30T23:59:59Z', validFrom: '2027-06-01T00:00:00+01:00' },
      { validFrom: '2027-06-01', validThrough: '2027-06-30' },
      ['date-with-time validFrom', 'date-with-time validThrough'],
    ],
    [
      'the last second of a day, of a closure',
      { opens: '00:00', closes: '00:00', validThrough: '2027-06-30T23:59:59Z' },
      { validThrough: '2027-06-30' },
      ['date-with-time validThrough'],
    ],
    ['for ever', { validThrough: '9999-12-31' }, {}, ['date-out-of-range validThrough']],
  ])('%s', (_name, data, expected, found) => {
    const { hours, findings } = entry(data);
    const [{ validFrom, validThrough } = {} as OpeningHours] = hours;
    expect({ ...(validFrom && { validFrom }), ...(validThrough && { validThrough }) }).toEqual(expected);
    expect(findings).toEqual(found);
  });

  test.each([
    ['reversed', { validFrom: '2027-02-01', validThrough: '2027-01-01' }, ['hours-dates-reversed']],
    ['unreadable', { validFrom: 'summer' }, ['date-invalid validFrom']],
  ])('%s: the entry is left out', (_name, data, found) => {
    expect(entry(data)).toEqual({ hours: [], findings: found });
  });

  const CHRISTMAS = { validFrom: '2027-12-25', validThrough: '2027-12-25' };
  test.each([
    ['of one date', { ...CHRISTMAS, dayOfWeek: ['https://schema.org/Saturday'] }, []],
    ['of a year', { validFrom: '2027-01-01', validThrough: '2027-12-31' }, []],
    [
      'of a Saturday, for Mondays',
      { ...CHRISTMAS, dayOfWeek: ['https://schema.org/Monday'] },
      ['special-hours-on-no-day'],
    ],
    ['of years', { validFrom: '2027-01-01', validThrough: '2029-12-31' }, ['special-hours-look-standard']],
    ['without an end', { validFrom: '2027-01-01' }, ['special-hours-without-dates']],
    ['of holidays', { ...CHRISTMAS, dayOfWeek: ['https://schema.org/PublicHolidays'] }, ['special-hours-on-holidays']],
  ])('special hours %s', (_, data, findings) => {
    expect(entry(data, true).findings).toEqual(findings);
  });

  test.each([
    ['09:00', '09:00', ['hours-same-times']],
    ['00:00', '00:00', []],
    ['18:00', '03:00', []],
  ])('%s to %s', (opens, closes, findings) => {
    expect(entry({ opens, closes }).findings).toEqual(findings);
  });

  test.each([
    ['left out', {}],
    ['null', { opens: null, closes: null }],
    ['empty', { opens: '', closes: '' }],
    ['one left out, one empty', { closes: '' }],
  ])('a closure whose times are %s is one', (_, times) => {
    const data = { ...CHRISTMAS, dayOfWeek: undefined, opens: undefined, closes: undefined, ...times };
    expect(entry(data, true)).toMatchObject({
      hours: [{ opens: 0, closes: 0 }],
      findings: ['special-hours-without-times'],
    });
  });

  test('special hours without dates are kept, with a finding', () => {
    expect(entry({}, true)).toMatchObject({ hours: [{ days: [0] }], findings: ['special-hours-without-dates'] });
  });
});

describe('entries', () => {
  test('broken ones leave the others alone', () => {
    const good = { dayOfWeek: 'https://schema.org/Monday', opens: '09:00', closes: '17:00' };
    const { places, codes } = place({ openingHoursSpecification: ['Mo-Fr 09:00-17:00', null, good] });
    expect(places[0]?.hours).toHaveLength(1);
    expect(codes).toEqual(expect.arrayContaining(['hours-not-an-object']));
  });

  test('one without an array', () => {
    expect(
      place({
        openingHoursSpecification: { dayOfWeek: ['https://schema.org/Monday'], opens: '09:00', closes: '17:00' },
      }).places[0]?.hours,
    ).toHaveLength(1);
  });

  test('ten thousand are cut', () => {
    const { places, codes } = place({
      openingHoursSpecification: Array.from({ length: 10_000 }, () => ({
        dayOfWeek: ['https://schema.org/Monday'],
        opens: '09:00',
        closes: '17:00',
      })),
    });
    expect(places[0]?.hours).toHaveLength(600);
    expect(codes).toEqual(['capped']);
  });
});

describe.skipIf(samplesDir === undefined)('the worked examples of the opening-hours guide', () => {
  const examples = () =>
    JSON.parse(
      readFileSync(join(samplesDir as string, 'developer-docs-worked-examples/opening-hours-page.json'), 'utf8'),
    ) as Record<string, Record<string, unknown>>;

  test('come through without a finding', () => {
    for (const [name, example] of Object.entries(examples())) {
      if (name === 'source') continue;
      const { places, codes } = place(example);
      const [one] = places;
      expect([name, codes]).toEqual([name, []]);
      expect([...(one?.hours ?? []), ...(one?.specialHours ?? [])].length).toBe(Object.values(example).flat().length);
    }
  });
});

test.each([
  ['Place', 'openingHoursSpecification', { geo: { '@type': 'GeoCoordinates', latitude: 48.85, longitude: 2.35 } }],
  ['Place', 'openingHoursSpecification', { address: { '@type': 'PostalAddress', addressCountry: 'FR' } }],
  [
    'FacilityUse',
    'hoursAvailable',
    { location: { '@type': 'Place', name: 'Stade', address: { '@type': 'PostalAddress', addressCountry: 'FR' } } },
  ],
])('a date written as an instant is one of the zone of the %s', (type, property, where) => {
  const monday = { dayOfWeek: 'https://schema.org/Monday', opens: '09:00', closes: '17:00' };
  const hours = [{ ...monday, validFrom: '2027-03-31T22:00:00Z' }];
  const { places, facilities } = through({
    '@type': type,
    '@id': 'https://example.org/1',
    name: 'Stade',
    ...where,
    [property]: hours,
  });
  expect([...places, ...facilities].flatMap((venue) => venue.hours)).toMatchObject([{ validFrom: '2027-04-01' }]);
});
