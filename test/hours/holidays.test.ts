import { describe, expect, test } from 'vitest';
import { holidayRegionOf, placeHolidays } from '../../src/hours/holiday-region.ts';
import { holidayCalendar, parseHolidays } from '../../src/hours/holidays.ts';
import { countryOfPostcode, nationAt, postcodeIn } from '../../src/hours/nations.ts';
import { dateOfDay, dayOfDate } from '../../src/time/days.ts';
import type { Whereabouts } from '../../src/time/place-zone.ts';
import { UK_HOLIDAYS } from './uk-holidays.ts';

const id = (place: Whereabouts, otherwise?: string): string => {
  const { region } = holidayRegionOf(place, otherwise === undefined ? undefined : parseHolidays(otherwise));
  return region === undefined ? 'none' : [region.country, region.region].filter(Boolean).join('-');
};

describe('the bank holidays of each nation are those that gov.uk lists, with the weekend days they stand in for', () => {
  test.each(['ENG', 'WLS', 'SCT', 'NIR'] as const)('%s', (nation) => {
    const calendar = holidayCalendar({ country: 'GB', region: nation });
    const days: string[] = [];
    for (let day = dayOfDate('2026-01-01'); day <= dayOfDate('2028-01-01'); day++) {
      if (calendar?.on(day) !== undefined) days.push(dateOfDay(day));
    }
    expect(days).toEqual([...UK_HOLIDAYS[nation]].sort());
  });
});

describe('calendars elsewhere', () => {
  const on = (region: string, date: string) =>
    holidayCalendar(parseHolidays(region) ?? { country: '??' })?.on(dayOfDate(date));

  test.each([
    ['US', '2026-07-04', 'Independence Day'],
    ['US', '2026-07-03', 'Independence Day (substitute day)'],
    ['US-CA', '2026-03-31', 'César Chávez Day'],
    ['US', '2026-03-31', undefined],
    ['AU-NSW', '2026-10-05', "King's Birthday|Labour Day"],
    ['IN', '2026-08-15', 'Independence Day'],
    ['SA', '2026-03-21', 'End of Ramadan'],
    ['IE', '2026-03-17', "St. Patrick’s Day|St. Patrick's Day"],
  ])('%s %s', (region, date, name) => {
    if (name === undefined) expect(on(region, date)).toBeUndefined();
    else expect(on(region, date) ?? 'none').toMatch(new RegExp(name.replace(/[().]/g, '\\$&')));
  });

  test.each([
    ['a day on which only the banks rest', 'DE', '2026-12-24'],
    ['a day of observance', 'US', '2026-02-14'],
    ['any day before there were lunar tables', 'CN', '0001-01-01'],
    ['any day far ahead', 'GB-ENG', '9999-12-25'],
  ])('not a holiday: %s', (_, region, date) => {
    expect(on(region, date)).toBeUndefined();
  });

  test('a half day, which begins at noon, is a working day', () => {
    expect(on('CN', '2026-03-08')).toBeUndefined();
  });

  test('the same day of different years, asked in any order, is reported apart', () => {
    const calendar = holidayCalendar({ country: 'GB', region: 'ENG' });
    const asked = ['2027-03-26', '2026-04-03', '2027-04-03', '2026-03-26', '2027-03-26'];
    expect(asked.map((date) => calendar?.on(dayOfDate(date)))).toEqual([
      'Good Friday',
      'Good Friday',
      undefined,
      undefined,
      'Good Friday',
    ]);
  });
});

describe('--holidays', () => {
  test.each([
    ['GB-ENG', { country: 'GB', region: 'ENG' }],
    ['gb-sct', { country: 'GB', region: 'SCT' }],
    ['FR', { country: 'FR' }],
    ['DE-BY', { country: 'DE', region: 'BY' }],
    ['GB-XYZ', undefined],
    ['US-ZZ', undefined],
    ['XX', undefined],
    ['England', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['GB-ENG; rm', undefined],
  ])('%s', (text, expected) => {
    expect(parseHolidays(text)).toEqual(expected);
  });
});

describe('whose holidays a place keeps', () => {
  test.each([
    ['a country code', { country: 'FR' }, 'FR'],
    ['in lower case', { country: 'gb' }, 'GB'],
    ['three letters', { country: 'GBR', postalCode: 'M12 4TF' }, 'GB-ENG'],
    ['a name', { country: 'United Kingdom', region: 'Scotland' }, 'GB-SCT'],
    ['a name with accents', { country: 'Österreich' }, 'AT'],
    ['an English name', { country: 'Germany' }, 'DE'],
    ['UK, which is no ISO code', { country: 'UK', postalCode: 'CF10 1AA' }, 'GB-WLS'],
    ['a nation as the country', { country: 'Scotland' }, 'GB-SCT'],
    ['a subdivision as the country', { country: 'GB-NIR' }, 'GB-NIR'],
    ['a state by code', { country: 'AU', region: 'NSW' }, 'AU-NSW'],
    ['a state by name', { country: 'US', region: 'New York' }, 'US-NY'],
    ['a subdivision as the region', { country: 'AU', region: 'AU-VIC' }, 'AU-VIC'],
    ['a state nobody knows', { country: 'US', region: 'Atlantis' }, 'US'],
    ['a council area', { country: 'GB', region: 'City of Edinburgh' }, 'GB-SCT'],
    ['a county with its title', { country: 'GB', region: 'Co. Antrim' }, 'GB-NIR'],
    ['a postcode goes before the region', { country: 'GB', region: 'England', postalCode: 'EH1 1YZ' }, 'GB-SCT'],
    ['the region before coordinates', { country: 'GB', region: 'Wales', latitude: 51.5, longitude: -0.1 }, 'GB-WLS'],
    ['coordinates alone', { country: 'GB', latitude: 54.6, longitude: -5.93 }, 'GB-NIR'],
    ['coordinates out of the country say nothing', { country: 'GB', latitude: 48.85, longitude: 2.35 }, 'GB'],
    ['a postcode without a country', { postalCode: 'G2 1DY' }, 'GB-SCT'],
    ['a postcode in an address line', { address: '1 Donegall Square, Belfast, BT1 5GS' }, 'GB-NIR'],
    ['half a postcode without a country may be anything', { postalCode: 'M5' }, 'none'],
    ['a Canadian postcode is no British one', { postalCode: 'M5V 3L9' }, 'none'],
    ['Man is a country of its own', { country: 'GB', postalCode: 'IM1 1EE' }, 'IM'],
    ['nothing at all', {}, 'none'],
  ])('%s', (_, place, expected) => {
    expect(id(place)).toBe(expected);
  });

  test.each([
    ['nothing said: the default', {}, 'GB-SCT', 'GB-SCT'],
    ['the country of the default, no nation said: the default', { country: 'GB' }, 'GB-SCT', 'GB-SCT'],
    ['another country: not the default', { country: 'FR' }, 'GB-SCT', 'FR'],
    [
      'nothing said, but where it lies in the default country',
      { latitude: 55.95, longitude: -3.19 },
      'GB-ENG',
      'GB-SCT',
    ],
    ['coordinates do not name a country', { latitude: 40.71, longitude: -74.0 }, 'GB-ENG', 'GB-ENG'],
  ])('%s', (_, place, otherwise, expected) => {
    expect(id(place, otherwise)).toBe(expected);
  });

  test('whether the place itself says so is reported apart from a guess', () => {
    expect(holidayRegionOf({ latitude: 55.95, longitude: -3.19 }, { country: 'GB', region: 'ENG' }).stated).toBe(false);
    expect(holidayRegionOf({ postalCode: 'G2 1DY' }, undefined).stated).toBe(true);
  });

  test('the UK without a nation is England', () => {
    expect(placeHolidays({ country: 'GB' }, undefined).id).toBe('GB-ENG');
  });

  test('nobody knows: no day is a holiday', () => {
    expect(placeHolidays({}, undefined).on(dayOfDate('2026-12-25'))).toBeUndefined();
  });
});

describe('UK postcodes', () => {
  test.each([
    ['EH1 1YZ', 'SCT'],
    ['eh11yz', 'SCT'],
    ['G1', 'SCT'],
    ['TD15 1AA', 'ENG'],
    ['TD9 0AA', 'SCT'],
    ['CH7 1AA', 'WLS'],
    ['CH1 1AA', 'ENG'],
    ['SY23 1AA', 'WLS'],
    ['SY1 1AA', 'ENG'],
    ['SW1A 1AA', 'ENG'],
    ['EC1A 1BB', 'ENG'],
    ['W1A0AX', 'ENG'],
    ['BT1 5GS', 'NIR'],
    ['JE2 3QR', 'JE'],
    ['10001', undefined],
    ['QQ1 1AA', undefined],
    ['', undefined],
  ])('%s', (postcode, expected) => {
    expect(countryOfPostcode(postcode)).toBe(expected);
  });

  test('the last one of an address, and in time for any text', () => {
    expect(postcodeIn('EH1 House, 5 High St, London SW1A 1AA, UK')).toBe('SW1A 1AA');
    expect(postcodeIn('A1 '.repeat(100_000))).toBeUndefined();
  });
});

describe('nations by coordinates', () => {
  test.each([
    ['Edinburgh', 55.95, -3.19, 'SCT'],
    ['Berwick-upon-Tweed', 55.77, -2.0, 'ENG'],
    ['Coldstream', 55.652, -2.252, 'SCT'],
    ['Carlisle', 54.89, -2.93, 'ENG'],
    ['Gretna', 54.995, -3.07, 'SCT'],
    ['Stranraer', 54.9, -5.03, 'SCT'],
    ['Islay', 55.75, -6.25, 'SCT'],
    ['Lerwick', 60.15, -1.14, 'SCT'],
    ['Belfast', 54.6, -5.93, 'NIR'],
    ['Derry', 55.0, -7.32, 'NIR'],
    ['Ballycastle', 55.2, -6.24, 'NIR'],
    ['Cardiff', 51.48, -3.18, 'WLS'],
    ['Chepstow', 51.642, -2.675, 'WLS'],
    ['Bristol', 51.45, -2.59, 'ENG'],
    ['Chester', 53.19, -2.89, 'ENG'],
    ['Wrexham', 53.046, -2.99, 'WLS'],
    ['Oswestry', 52.86, -3.05, 'ENG'],
    ['Welshpool', 52.66, -3.147, 'WLS'],
    ['Anglesey', 53.25, -4.3, 'WLS'],
    ['Ilfracombe', 51.21, -4.11, 'ENG'],
    ['Isles of Scilly', 49.92, -6.3, 'ENG'],
    ['Dover', 51.13, 1.31, 'ENG'],
  ] as const)('%s', (_, latitude, longitude, nation) => {
    expect(nationAt(latitude, longitude)).toBe(nation);
  });
});
