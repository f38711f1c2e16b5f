import { describe, expect, test } from 'vitest';
import { countryCode, countryZone } from '../../src/time/countries.ts';
import { placeZone, type Whereabouts } from '../../src/time/place-zone.ts';
import { type Zone, zone } from '../../src/time/zone.ts';

const CASES: [name: string, place: Whereabouts, expected: string][] = [
  ['coordinates', { latitude: 40.71, longitude: -74.0 }, 'America/New_York'],
  ['coordinates in India', { latitude: 22.57, longitude: 88.36 }, 'Asia/Kolkata'],
  ['coordinates go before the country', { latitude: -33.87, longitude: 151.2, country: 'GB' }, 'Australia/Sydney'],
  ['a country with one clock', { country: 'India' }, 'Asia/Kolkata'],
  ['a country whose mainland has one clock', { country: 'ES' }, 'Europe/Madrid'],
  ['a country with several clocks: the default', { country: 'US' }, 'Europe/London'],
  ['a country nobody knows: the default', { country: 'Atlantis' }, 'Europe/London'],
  ['0, 0 says nothing', { latitude: 0, longitude: 0, country: 'FR' }, 'Europe/Paris'],
  ['the open sea says nothing', { latitude: 35, longitude: -40, country: 'PT' }, 'Europe/Lisbon'],
  ['half a pair says nothing', { latitude: 40.71 }, 'Europe/London'],
  ['beyond the poles says nothing', { latitude: 91, longitude: 0 }, 'Europe/London'],
  ['no number says nothing', { latitude: Number.NaN, longitude: 0 }, 'Europe/London'],
  ['a pier', { latitude: 50.815, longitude: -0.137 }, 'Europe/London'],
  ['nothing', {}, 'Europe/London'],
];

test.each(CASES)('the zone of a place: %s', (_, place, expected) => {
  expect(placeZone(place, zone('Europe/London') as Zone).id).toBe(expected);
});

describe('countries', () => {
  test('every zone of the table is one this runtime knows', () => {
    const codes = Array.from({ length: 676 }, (_, i) => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26)));
    const known = codes.filter((code) => countryCode(code) === code);
    expect(known.length).toBe(250);
    const zones = known.flatMap((code) => countryZone(code) ?? []);
    expect(zones.length).toBeGreaterThan(220);
    expect(zones.filter((name) => zone(name) === undefined)).toEqual([]);
  });

  test.each([
    ['GB', 'GB'],
    ['gbr', 'GB'],
    [' United  Kingdom ', 'GB'],
    ['U.S.A.', 'US'],
    ['Éire', 'IE'],
    ['Türkiye', 'TR'],
    ['Czech Republic', 'CZ'],
    ["Côte d'Ivoire", 'CI'],
    ['toString', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (text, code) => {
    expect(countryCode(text)).toBe(code);
  });
});
