import { describe, expect, test } from 'vitest';
import { scopeOf } from '../../../src/opportunity/identity.ts';
import type { Place } from '../../../src/opportunity/records.ts';
import { seriesWith, sessionWith, through } from '../reader.ts';

const SCOPE = scopeOf('https://feed.example/rpde');

const at = (location: unknown) => through(seriesWith({ location }));
const place = (data: Record<string, unknown>) =>
  at({ '@type': 'Place', '@id': 'https://x.org/p', name: 'Hall', ...data });
const standIn = (data: Record<string, unknown>) =>
  at({ '@type': 'Place', ...data }).places[0]?.id.replace(`${SCOPE}#Place/`, '');

describe('an embedded place', () => {
  test('is a record of the least rank and a summary in the series', () => {
    const { records, places, series, codes } = place({
      url: 'https://x.org/hall',
      telephone: '01 23',
      email: 'a@x.org',
      description: 'Large',
      address: {
        '@type': 'PostalAddress',
        streetAddress: '1 High St',
        addressLocality: 'Bath',
        addressRegion: 'Bath',
        postalCode: 'BA1 1AA',
        addressCountry: 'GB',
      },
      geo: { '@type': 'GeoCoordinates', latitude: 51.4, longitude: -2.3 },
    });
    expect(records[0]).toEqual([0, 'place', 'https://x.org/p']);
    expect(places).toEqual([
      {
        kind: 'place',
        id: 'https://x.org/p',
        name: 'Hall',
        description: 'Large',
        url: 'https://x.org/hall',
        telephone: '01 23',
        email: 'a@x.org',
        address: '1 High St, Bath, BA1 1AA, GB',
        street: '1 High St',
        locality: 'Bath',
        region: 'Bath',
        postalCode: 'BA1 1AA',
        country: 'GB',
        latitude: 51.4,
        longitude: -2.3,
        hours: [],
        specialHours: [],
      },
    ]);
    expect(series[0]?.details.location).toEqual({
      id: 'https://x.org/p',
      name: 'Hall',
      address: '1 High St, Bath, BA1 1AA, GB',
      latitude: 51.4,
      longitude: -2.3,
      url: 'https://x.org/hall',
      telephone: '01 23',
    });
    expect(codes).toEqual([]);
  });

  test.each([
    ['identifier', { identifier: 'ESG', name: 'Hall', url: 'https://x.org' }, 'ESG'],
    ['url and name, for many give their home page', { name: 'Hall', url: 'https://x.org' }, 'https%3A%2F%2Fx.org/Hall'],
    [
      'name and postcode',
      { name: 'Hall', address: { postalCode: 'BA1 1AA' }, geo: { latitude: 51.4, longitude: -2.3 } },
      'Hall/BA1%201AA',
    ],
    [
      'name and coordinates, to a hundred metres',
      { name: 'Hall', geo: { latitude: 51.40001, longitude: -2.3 } },
      'Hall/51.400%2C-2.300',
    ],
    ['name and address', { name: 'Hall', address: 'Bath' }, 'Hall/Bath'],
    ['name alone', { name: 'Hall' }, 'Hall'],
    ['coordinates alone', { geo: { latitude: 51.4, longitude: -2.3 } }, '51.400%2C-2.300'],
  ])('without an @id it is known by %s', (_name, data, id) => {
    expect(standIn(data)).toBe(id);
  });

  test('a stand-in of any length is short', () => {
    expect(standIn({ name: 'x'.repeat(299), address: 'y'.repeat(299) })).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each([
    ['an address', 'https://x.org/p'],
    ['an object that only points', { '@type': 'Place', '@id': 'https://x.org/p' }],
    ['a pointer within the page', { type: 'Place', id: '#/summary/12' }],
    ['one with empty properties', { '@type': 'Place', '@id': 'https://x.org/p', name: null, address: '', geo: [] }],
  ])('%s is a reference, and no record', (_name, location) => {
    const { places, series } = at(location);
    expect(places).toEqual([]);
    expect(Object.keys(series[0]?.details.location ?? {})).toEqual(['id']);
  });

  test('nothing at all is nothing', () => {
    expect(at({ '@type': 'Place', address: { '@type': 'PostalAddress' } })).toMatchObject({ places: [], codes: [] });
  });

  test('a telephone does not make a place', () => {
    expect(at({ '@type': 'Place', telephone: '01 23' })).toMatchObject({
      places: [],
      codes: ['place-unknown'],
      series: [{ details: { location: { telephone: '01 23' } } }],
    });
  });

  test('words are a name', () => {
    expect(at('Town Hall')).toMatchObject({
      series: [{ details: { location: { name: 'Town Hall' } } }],
      codes: ['location-as-text'],
    });
  });

  test('a PostalAddress is a place without a name', () => {
    const address = { '@type': 'PostalAddress', streetAddress: '1 High St', postalCode: 'BA1 1AA' };
    expect(at(address)).toMatchObject({
      places: [{ address: '1 High St, BA1 1AA' }],
      series: [{ details: { location: { address: '1 High St, BA1 1AA' } } }],
      codes: ['location-is-address', 'place-without-id'],
    });
  });

  test('places without a name are as many as their addresses, of one postcode too', () => {
    const ids = ['1 High St', '2 High St', undefined].map(
      (streetAddress) => at({ '@type': 'PostalAddress', streetAddress, postalCode: 'BA1 1AA' }).places[0]?.id,
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('of several the first', () => {
    const { series, codes } = at([
      { '@type': 'Place', '@id': 'https://x.org/a', name: 'A' },
      { '@type': 'Place', '@id': 'https://x.org/b', name: 'B' },
    ]);
    expect(series[0]?.details.location?.name).toBe('A');
    expect(codes).toEqual(['several-values']);
  });

  test('coordinates as a name are no name', () => {
    expect(place({ name: '52.0383757, -0.7858541' })).toMatchObject({ codes: ['place-name-is-coordinates'] });
    expect(place({ name: '52.0383757, -0.7858541' }).places[0]).not.toHaveProperty('name');
  });
});

describe('a room within a place', () => {
  test('the place around it has the address, the calendar and the record', () => {
    const { series, places } = at({
      '@type': 'SportsActivityLocation',
      name: 'Court 1',
      containedInPlace: { '@type': 'Place', '@id': 'https://x.org/p', name: 'Hall', address: 'Bath' },
    });
    expect(places.map(({ id }) => id)).toEqual(['https://x.org/p']);
    expect(series[0]?.details).toMatchObject({
      location: { id: 'https://x.org/p', name: 'Hall', address: 'Bath' },
      room: 'Court 1',
    });
  });

  test('within a place named by address', () => {
    expect(at({ name: 'Court 1', containedInPlace: 'https://x.org/p' }).series[0]?.details).toMatchObject({
      location: { id: 'https://x.org/p' },
      room: 'Court 1',
    });
  });

  test.each([
    ['geo', { geo: { latitude: 50.72, longitude: -3.53 } }],
    ['telephone', { telephone: '01392 1' }],
    ['url', { url: 'https://x.org/bh' }],
    ['opening hours', { openingHoursSpecification: [{ dayOfWeek: 'Monday', opens: '09:00', closes: '17:00' }] }],
  ])('a place with %s is one of its own within another', (_, own) => {
    const park = { '@type': 'Place', '@id': 'https://x.org/park', name: 'Riverside Park', address: 'Exeter' };
    const { series, places } = at({
      '@type': 'Place',
      '@id': 'https://x.org/boathouse',
      name: 'Boathouse',
      containedInPlace: park,
      ...own,
    });
    expect(places).toMatchObject([
      { id: 'https://x.org/park', address: 'Exeter' },
      { id: 'https://x.org/boathouse', address: 'Riverside Park, Exeter' },
    ]);
    const { location, room } = series[0]?.details ?? {};
    expect(location).toMatchObject({ name: 'Boathouse', address: 'Riverside Park, Exeter' });
    expect(room).toBeUndefined();
  });

  test('the names of a hall and of its courts are both there', () => {
    const location = {
      name: 'Court 1',
      containedInPlace: { name: 'Sports Hall', containedInPlace: 'https://x.org/p' },
    };
    expect(at(location).series[0]?.details.room).toBe('Court 1, Sports Hall');
    const courts = [{ name: 'Court 1' }, { name: 'Court 2' }];
    const { series } = through(
      seriesWith({
        location: { name: 'Centre', containedInPlace: 'https://x.org/p' },
        'beta:sportsActivityLocation': courts,
      }),
    );
    expect(series[0]?.details.room).toBe('Court 1, Court 2, Centre');
  });

  test('beta:sportsActivityLocation names rooms', () => {
    const { series } = through(
      seriesWith({
        'beta:sportsActivityLocation': [
          { type: 'SportsActivityLocation', name: ['Court 1', 'Court 2'] },
          { name: 'Court 2' },
        ],
      }),
    );
    expect(series[0]?.details.room).toBe('Court 1, Court 2');
  });

  test.each<[what: string, value: unknown, room: string | undefined, codes: string[]]>([
    ['a text', 'Studio 1', 'Studio 1', []],
    ['texts', ['Studio 1', 'Studio 2'], 'Studio 1, Studio 2', []],
    ['a number', 3, undefined, ['value-of-wrong-type']],
    ['an object whose name is none', { name: { foo: 'x' } }, undefined, ['value-of-wrong-type']],
    ['an address', 'https://x.org/studio', undefined, ['value-of-wrong-type']],
  ])('beta:sportsActivityLocation as %s', (_, value, room, codes) => {
    const found = through(seriesWith({ 'beta:sportsActivityLocation': value }));
    expect([found.series[0]?.details.room, found.codes]).toEqual([room, codes]);
  });
});

describe('virtual locations', () => {
  const zoom = { '@type': 'VirtualLocation', name: 'Zoom', url: 'https://zoom.us/j/1', description: 'Mute your mic' };

  test.each([
    ['beta:virtualLocation', { 'beta:virtualLocation': zoom }],
    ['as location', { location: zoom }],
    ['among locations', { location: [zoom] }],
  ])('%s', (_name, data) => {
    expect(through(seriesWith(data)).series[0]?.details).toMatchObject({
      virtualLocation: { name: 'Zoom', url: 'https://zoom.us/j/1', description: 'Mute your mic' },
    });
  });

  test.each<[value: unknown, expected: object | undefined, codes: string[]]>([
    ['https://zoom.us/j/1', { url: 'https://zoom.us/j/1' }, []],
    ['By Zoom', { name: 'By Zoom' }, []],
    [5, undefined, ['value-of-wrong-type']],
    [[['x']], undefined, ['value-of-wrong-type']],
  ])('beta:virtualLocation as %j', (value, expected, codes) => {
    const found = through(seriesWith({ 'beta:virtualLocation': value }));
    expect([found.series[0]?.details.virtualLocation, found.codes]).toEqual([expected, codes]);
  });

  const hall = { '@type': 'Place', name: 'Hall' };
  const offline = 'https://schema.org/OfflineEventAttendanceMode';
  test.each<[what: string, own: object, attendance?: string]>([
    ['alone', { location: zoom }, 'online'],
    ['several alone', { location: [zoom, zoom] }, 'online'],
    ['that says nothing', { location: { '@type': 'https://schema.org/VirtualLocation' } }, 'online'],
    ['beside a place', { location: [zoom, hall] }],
    ['beside the place of its series', { 'beta:virtualLocation': zoom }],
    ['with an attendance mode', { location: zoom, eventAttendanceMode: offline }, 'offline'],
  ])('the location of a session that is a VirtualLocation %s', (_, own, attendance) => {
    expect(through(sessionWith({ ...own })).sessions[0]?.details.attendance).toBe(attendance);
  });

  test('a VirtualLocation takes the place of that of an EventSeries, and of no place', () => {
    const above = { '@type': 'EventSeries', '@id': 'https://x.org/all', name: 'All', location: hall };
    expect(through(seriesWith({ location: zoom, superEvent: above })).series[0]?.details.attendance).toBe('online');
    expect(through(seriesWith({ location: zoom })).series[0]?.details.attendance).toBeUndefined();
  });

  test('both kinds at once', () => {
    const { details } = at([zoom, { '@type': 'Place', '@id': 'https://x.org/p', name: 'Hall' }]).series[0] ?? {};
    expect(details).toMatchObject({ location: { name: 'Hall' }, virtualLocation: { name: 'Zoom' } });
  });
});

describe('addresses', () => {
  test.each([
    ['text', 'Cowdray Avenue, Colchester, CO1 1YH', 'Cowdray Avenue, Colchester, CO1 1YH'],
    ['text of several lines', 'Cowdray Avenue\r\nColchester\n\nCO1 1YH', 'Cowdray Avenue, Colchester, CO1 1YH'],
    [
      'empty parts',
      { streetAddress: ', Long Eaton', addressLocality: '', addressRegion: null, postalCode: 'NG10 4AD' },
      'Long Eaton, NG10 4AD',
    ],
    [
      'a country as an object',
      { addressLocality: 'Bath', addressCountry: { '@type': 'Country', name: 'GB' } },
      'Bath, GB',
    ],
    ['a country alone is no address', { addressCountry: 'GB' }, undefined],
    ['nothing', { '@type': 'PostalAddress' }, undefined],
    ['a number', 5, undefined],
  ])('%s', (_name, address, expected) => {
    expect(place({ address }).places[0]?.address).toBe(expected);
  });

  test('a country without a text is a finding where it is', () => {
    expect(place({ address: { addressCountry: { name: {} } } }).findings).toEqual([
      'value-not-text location.address.addressCountry.name',
    ]);
  });
});

describe('coordinates', () => {
  const geo = (latitude: unknown, longitude: unknown, country = 'GB') =>
    place({ geo: { latitude, longitude }, address: { addressCountry: country } });

  test.each([
    ['numbers', 51.5, -0.1],
    ['texts', '51.5', ' -0.1 '],
  ])('%s', (_name, latitude, longitude) => {
    expect(geo(latitude, longitude)).toMatchObject({ places: [{ latitude: 51.5, longitude: -0.1 }], codes: [] });
  });

  test.each([
    ['0, 0', 0, 0, 'GB', 'geo-zero'],
    ['texts of 0', '0', '0.0', 'GB', 'geo-zero'],
    ['a kilometre from 0, 0', 0.0099, -0.005, 'GB', 'geo-zero'],
    ['decimal commas', '51,5', '-0,1', 'GB', 'geo-invalid'],
    ['a kilometre from 0, 0', 0.0099, -0.005, 'GB', 'geo-zero'],
    ['decimal commas', '51,5', '-0,1', 'GB', 'geo-invalid'],
    ['out of range', 51.5, 200, 'GB', 'geo-invalid'],
    ['words', 'north', 1, 'GB', 'geo-invalid'],
    ['half', 51.5, undefined, 'GB', 'geo-invalid'],
    ['transposed beyond the poles', 151.2, -33.8, 'AU', 'geo-transposed'],
    ['transposed in Britain', -0.1, 51.5, 'GB', 'geo-transposed'],
    ['transposed, no country, in a British service', -0.1, 51.5, '', 'geo-transposed'],
  ])('%s: dropped', (_name, latitude, longitude, country, code) => {
    const { places, codes } = geo(latitude, longitude, country);
    expect(places[0]).not.toHaveProperty('latitude');
    expect(places[0]).not.toHaveProperty('longitude');
    expect(codes).toEqual([code]);
  });

  test.each([
    ['a pair', [51.38, -2.36]],
    ['a text', '51.38,-2.36'],
    ['GeoJSON', { type: 'Point', coordinates: [-2.36, 51.38] }],
    ['other names', { '@type': 'GeoCoordinates', lat: 51.38, lng: -2.36 }],
  ])('%s: not used, with a finding', (_name, value) => {
    const { places, codes } = place({ geo: value });
    expect(places[0]).not.toHaveProperty('latitude');
    expect(codes).toEqual(['geo-invalid']);
  });

  test('without any is nothing', () => {
    expect(geo(null, '').codes).toEqual([]);
    expect(place({ geo: { '@type': 'GeoCoordinates' } }).codes).toEqual([]);
  });

  test('on the meridian, and on the equator, are places', () => {
    expect([geo(51.478, 0).codes, geo(0, 32.5, 'UG').codes]).toEqual([[], []]);
  });

  test('Mogadishu’s sea is a place like others', () => {
    expect(geo(-0.1, 51.5, 'SO').codes).toEqual([]);
  });
});

describe('a Place item', () => {
  test('is a record of the first rank', () => {
    const { records, codes } = through({ '@type': 'Place', '@id': 'https://x.org/p', name: 'Hall' });
    expect(records).toEqual([[2, 'place', 'https://x.org/p']]);
    expect(codes).toEqual([]);
  });

  test('without any property is still a place', () => {
    const { places, codes } = through({ '@type': 'Place' });
    expect(places.map(({ id }: Place) => id)).toEqual([`${SCOPE}#Place/kind/1`]);
    expect(codes).toEqual(['place-without-id', 'name-missing']);
  });
});
