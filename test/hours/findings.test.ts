import { describe, expect, test } from 'vitest';
import { cleanWithHours, hoursFindings } from '../../src/hours/findings.ts';
import { cleanHours } from './clean.ts';
import type { PlaceHours, Specification } from './reference.ts';

const monday = (more: Partial<Specification> = {}): Specification => ({
  dayOfWeek: ['Monday'],
  opens: '09:00',
  closes: '17:00',
  ...more,
});
const season = (validFrom: string, validThrough: string) => ({ validFrom, validThrough });

const CASES: [name: string, hours: Partial<PlaceHours>, country: string | undefined, expected: string[]][] = [
  ['nothing odd', { standard: [monday(), monday({ opens: '18:00', closes: '20:00' })] }, undefined, []],
  [
    'seasons one after the other',
    { standard: [monday(season('2026-01-01', '2026-03-31')), monday(season('2026-04-01', '2026-12-31'))] },
    undefined,
    [],
  ],
  [
    'several periods in one season',
    {
      standard: [
        monday(season('2026-01-01', '2026-03-31')),
        monday({ ...season('2026-01-01', '2026-03-31'), opens: '18:00' }),
      ],
    },
    undefined,
    [],
  ],
  [
    'a season within all year',
    { standard: [monday(), monday(season('2026-06-01', '2026-08-31'))] },
    undefined,
    ['hours-seasons-overlap $.openingHoursSpecification[1] Monday 2026-06-01'],
  ],
  [
    'seasons that share a day',
    { standard: [monday(season('2026-01-01', '2026-04-01')), monday(season('2026-04-01', '2026-12-31'))] },
    undefined,
    ['hours-seasons-overlap $.openingHoursSpecification[1] Monday 2026-04-01'],
  ],
  [
    'overlapping seasons of different weekdays',
    { standard: [monday(), monday({ dayOfWeek: ['Tuesday'], ...season('2026-06-01', '2026-08-31') })] },
    undefined,
    [],
  ],
  [
    'hours of one date among the standard ones',
    { standard: [monday(), monday(season('2026-12-24', '2026-12-24'))] },
    undefined,
    ['standard-hours-look-special $.openingHoursSpecification[1] 2026-12-24'],
  ],
  [
    'a closure among the standard ones',
    { standard: [monday(), monday({ opens: '00:00', closes: '00:00', ...season('2021-01-01', '2021-01-31') })] },
    undefined,
    ['standard-hours-look-special $.openingHoursSpecification[1] 2021-01-01 to 2021-01-31'],
  ],
  ['a weekday that is always closed', { standard: [monday({ opens: '00:00', closes: '00:00' })] }, undefined, []],
  [
    'public holidays without a country',
    { standard: [monday(), monday({ dayOfWeek: ['PublicHolidays'] })] },
    undefined,
    ['hours-holidays-without-country $.openingHoursSpecification[1]'],
  ],
  [
    'periods of one day that overlap',
    { standard: [monday(), monday({ opens: '16:00', closes: '20:00' })] },
    undefined,
    ['hours-overlap $.openingHoursSpecification[1] Monday 09:00–17:00 16:00–20:00'],
  ],
  ['periods that touch', { standard: [monday(), monday({ opens: '17:00', closes: '20:00' })] }, undefined, []],
  [
    'special periods that overlap',
    { special: [monday(season('2026-12-24', '2026-12-24')), monday(season('2026-12-24', '2026-12-24'))] },
    undefined,
    ['hours-overlap $.specialOpeningHoursSpecification[1] Monday 09:00–17:00 09:00–17:00'],
  ],
  [
    'open and closed at once',
    { standard: [monday(), monday({ opens: '00:00', closes: '00:00' })] },
    undefined,
    ['hours-contradict $.openingHoursSpecification[1] Monday 09:00–17:00'],
  ],
  ['public holidays of a country', { standard: [monday(), monday({ dayOfWeek: ['PublicHolidays'] })] }, 'GB', []],
  [
    'special hours on public holidays',
    { special: [monday({ dayOfWeek: ['PublicHolidays'] })] },
    undefined,
    ['hours-holidays-without-country $.specialOpeningHoursSpecification[0]'],
  ],
];

describe('what is odd about the hours as a whole', () => {
  test.each(CASES)('%s', (_, { standard = [], special = [] }, country, expected) => {
    const found = hoursFindings(cleanHours({ standard, special }), country === undefined ? {} : { country });
    const shown = found.map(({ code, path, facts = {} }) => [code, path, ...Object.values(facts)].join(' '));
    expect(shown).toEqual(expected);
  });

  test('hundreds of overlapping seasons are one finding each', () => {
    const standard = Array.from({ length: 600 }, (_, i) => monday({ validThrough: `20${30 + (i % 60)}-01-01` }));
    expect(hoursFindings(cleanHours({ standard, special: [] }), {}).length).toBeLessThanOrEqual(2 * 600);
  });
});

describe('at the reader, with the rest of what is found about an item', () => {
  const holidays = [{ dayOfWeek: ['https://schema.org/PublicHolidays'], opens: '09:00', closes: '17:00' }];
  const codes = (data: object) => {
    const item = { state: 'updated', kind: 'x', id: '1', modified: '1', data } as never;
    const { findings } = cleanWithHours(item, { zone: 'Europe/London', feed: 'https://example.org/feed' });
    return findings.filter(({ code }) => code.includes('hours')).map(({ code, path }) => `${code} ${path}`);
  };
  const location = { '@type': 'Place', '@id': 'https://example.org/hall', name: 'Hall' };
  const facility = {
    '@type': 'FacilityUse',
    '@id': 'https://example.org/court',
    name: 'Court',
    hoursAvailable: holidays,
  };
  const found = ['hours-holidays-without-country $.hoursAvailable[0]'];

  test.each([
    [
      'a place',
      { ...location, openingHoursSpecification: holidays },
      ['hours-holidays-without-country $.openingHoursSpecification[0]'],
    ],
    ['a facility without a place', facility, found],
    ['a facility whose place says no country', { ...facility, location }, found],
    [
      'a facility whose place says one',
      { ...facility, location: { ...location, address: { addressCountry: 'GB' } } },
      [],
    ],
    [
      'courts that share the hours of a facility',
      { ...facility, individualFacilityUse: [{ '@id': 'https://example.org/1', name: '1' }] },
      found,
    ],
    [
      'the place embedded in a series',
      {
        '@type': 'SessionSeries',
        '@id': 'https://example.org/s',
        name: 'S',
        location: { ...location, openingHoursSpecification: holidays },
      },
      ['hours-holidays-without-country $.location.openingHoursSpecification[0]'],
    ],
  ])('%s', (_, data, expected) => {
    expect(codes(data)).toEqual(expected);
  });
});

test.each([
  [
    'Australia without coordinates: Perth was read as London without a word',
    { addressCountry: 'AU' },
    {},
    ['zone-assumed $'],
  ],
  ['Australia with coordinates', { addressCountry: 'AU' }, { geo: { latitude: -31.95, longitude: 115.86 } }, []],
  ['a country with one zone', { addressCountry: 'Ireland' }, {}, []],
  ['no country', {}, {}, []],
])('the zone of a place: %s', (_, address, more, expected) => {
  const openingHoursSpecification = [{ ...monday(), dayOfWeek: ['https://schema.org/Monday'] }];
  const data = {
    '@type': 'Place',
    '@id': 'https://e.org/p',
    name: 'Hall',
    address,
    openingHoursSpecification,
    ...more,
  };
  const item = { state: 'updated' as const, kind: 'Place', id: '1', modified: '1', data };
  const { findings } = cleanWithHours(item, { zone: 'Europe/London', feed: 'f' });
  const zones = findings.filter(({ code }) => code === 'zone-assumed');
  expect(zones.map(({ code, path }) => `${code} ${path}`)).toEqual(expected);
});
