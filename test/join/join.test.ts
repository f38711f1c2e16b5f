import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { betterClaim, type Claim, type Claimant, join } from '../../src/join/join.ts';
import { NO_RIGHT } from '../../src/join/publishers.ts';
import { cleanItem } from '../../src/opportunity/clean.ts';
import type { Json } from '../../src/opportunity/item/json.ts';
import { seriesWith, sessionWith } from '../opportunity/reader.ts';
import { runs } from '../runs.ts';

let count = 0;

/** The claims of one item each. */
function claims(...items: Record<string, unknown>[]): Claim[] {
  return items.flatMap((data) => {
    count += 1;
    return claimsOf(data, String(count), '1');
  });
}

function claimsOf(data: Record<string, unknown>, rpdeId: string, modified: string): Claim[] {
  const item = { state: 'updated' as const, kind: 'k', id: rpdeId, modified, data: data as Json };
  const feed = 'https://feed.example/';
  const { records } = cleanItem(item, { zone: 'Europe/London', feed });
  return records.map(({ record, rank }) => ({ record, rank, publisher: 0, modified, feed, kind: 'k', rpdeId }));
}

const shape = (all: readonly Claim[]) => {
  const { series, orphans } = join(all);
  return {
    series: series.map(({ series: { id }, sessions }) => [id, sessions.map((session) => session.id)]),
    orphans: orphans.map(({ id }) => id),
  };
};

describe('who is believed', () => {
  const claimant = (changes: Partial<Claimant>): Claimant => ({
    publisher: 0,
    rank: 2,
    modified: '5',
    feed: 'f',
    kind: 'k',
    rpdeId: '1',
    ...changes,
  });

  test.each([
    [
      'the publisher that may speak, whatever the others say',
      { publisher: 1, rank: 2, modified: '9223372036854775808' },
    ],
    ['the item itself, before what is embedded', { rank: 1, modified: '9' }],
    ['the larger modified', { modified: '4' }],
    ['the larger modified as a number', { modified: '-10' }],
    ['the feed that sorts first', { feed: 'g' }],
    ['the kind that sorts first', { kind: 'l' }],
    ['the id that sorts first', { rpdeId: '2' }],
  ])('%s', (_name, worse) => {
    expect(betterClaim(claimant({}), claimant(worse))).toBeLessThan(0);
    expect(betterClaim(claimant(worse), claimant({}))).toBeGreaterThan(0);
  });

  test('it is a total order', () => {
    const any = fc.record({
      publisher: fc.constantFrom(0, 1, NO_RIGHT),
      rank: fc.integer({ min: 0, max: 2 }),
      modified: fc.constantFrom('', '1', '10', 'x'),
      feed: fc.constantFrom('f', 'g'),
      kind: fc.constantFrom('k', 'l'),
      rpdeId: fc.constantFrom('1', '2'),
    });
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(Math.sign(betterClaim(a, b))).toBe(-Math.sign(betterClaim(b, a)) + 0);
        if (betterClaim(a, b) <= 0 && betterClaim(b, c) <= 0) expect(betterClaim(a, c)).toBeLessThanOrEqual(0);
        if (betterClaim(a, b) === 0) expect(a).toEqual(b);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('sessions and their series', () => {
  test('meet in any order, by start', () => {
    const late = sessionWith({
      '@id': 'https://x.org/s/2',
      startDate: '2027-03-08T10:00:00Z',
      endDate: '2027-03-08T11:00:00Z',
    });
    expect(shape(claims(late, seriesWith({}), sessionWith({})))).toEqual({
      series: [['https://x.org/s', ['https://x.org/s/1', 'https://x.org/s/2']]],
      orphans: [],
    });
  });

  test('meet by percent-decoded id', () => {
    expect(
      shape(claims(seriesWith({ '@id': 'https://x.org/a b' }), sessionWith({ superEvent: 'https://x.org/a%20b' })))
        .series,
    ).toEqual([['https://x.org/a b', ['https://x.org/s/1']]]);
  });

  test('that come both ways are one, as its own item says', () => {
    const both = claims(
      seriesWith({ subEvent: [{ '@id': 'https://x.org/s/1', startDate: '2027-03-01T18:00:00Z', duration: 'PT1H' }] }),
      sessionWith({}),
    );
    expect(join(both).series[0]?.sessions).toMatchObject([{ start: Date.parse('2027-03-01T10:00:00Z') }]);
  });

  test('without a series are orphans', () => {
    expect(shape(claims(sessionWith({}), sessionWith({ '@id': 'https://x.org/2', superEvent: undefined })))).toEqual({
      series: [],
      orphans: ['https://x.org/2', 'https://x.org/s/1'],
    });
  });

  test('a series item is believed before what its session embeds', () => {
    const session = sessionWith({
      superEvent: { '@type': 'SessionSeries', '@id': 'https://x.org/s', name: 'Embedded' },
    });
    expect(join(claims(session, seriesWith({ name: 'Item' }))).series[0]?.series.details.name).toBe('Item');
  });
});

describe('parents named by address', () => {
  const eventSeries = {
    '@type': 'EventSeries',
    '@id': 'https://x.org/es',
    name: 'Yoga for all',
    level: ['Easy'],
    offers: [{ price: 1 }],
  };

  test('lend what the series does not say, and are no calendar of their own', () => {
    const { series } = join(claims(eventSeries, seriesWith({ name: undefined, superEvent: 'https://x.org/es' })));
    expect(series).toHaveLength(1);
    expect(series[0]?.series.details).toEqual({ name: 'Yoga for all', level: ['Easy'] });
  });

  test('are a calendar when sessions point to them', () => {
    expect(shape(claims(eventSeries, sessionWith({ superEvent: 'https://x.org/es' }))).series).toEqual([
      ['https://x.org/es', ['https://x.org/s/1']],
    ]);
  });

  test('in a circle end', () => {
    const a = seriesWith({ '@id': 'https://x.org/a', superEvent: 'https://x.org/b', name: undefined });
    const b = seriesWith({ '@id': 'https://x.org/b', superEvent: 'https://x.org/a', name: 'B' });
    expect(join(claims(a, b)).series.map(({ series }) => series.details.name)).toEqual(['B', 'B']);
  });
});

describe('places and facilities', () => {
  const hall = { '@type': 'Place', '@id': 'https://x.org/p', name: 'Hall', address: 'Bath', telephone: '1' };

  test('a place named by address is filled in, for series, sessions and facilities', () => {
    const joined = join(
      claims(seriesWith({ location: 'https://x.org/p' }), hall, sessionWith({ location: 'https://x.org/p' }), {
        '@type': 'FacilityUse',
        '@id': 'https://x.org/f',
        name: 'F',
        location: 'https://x.org/p',
      }),
    );
    const location = { id: 'https://x.org/p', name: 'Hall', address: 'Bath', telephone: '1' };
    expect(joined.series[0]?.series.details.location).toEqual(location);
    expect(joined.series[0]?.sessions[0]?.details.location).toEqual(location);
    expect(joined.facilities[0]?.details.location).toEqual(location);
  });

  test('keep the order given', () => {
    const place = (id: string) => ({ '@type': 'Place', '@id': `https://x.org/${id}`, name: id });
    expect(join(claims(place('c'), place('a'), place('b'))).places.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  });

  test('a court takes from its facility what it does not say', () => {
    const hours = [
      {
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: ['https://schema.org/Monday'],
        opens: '09:00',
        closes: '17:00',
      },
    ];
    const { facilities } = join(
      claims(
        {
          '@type': 'IndividualFacilityUse',
          '@id': 'https://x.org/f/1',
          name: 'Court',
          aggregateFacilityUse: 'https://x.org/f',
        },
        {
          '@type': 'FacilityUse',
          '@id': 'https://x.org/f',
          name: 'Tennis',
          location: hall,
          hoursAvailable: hours,
          activity: ['Tennis'],
        },
      ),
    );
    expect(facilities[0]).toMatchObject({
      details: { name: 'Court', activity: ['Tennis'], location: { name: 'Hall' } },
      place: 'https://x.org/p',
      hours: [{ opens: 32_400 }],
    });
  });
});

test('the order of items does not matter', () => {
  const items = [
    seriesWith({ superEvent: 'https://x.org/es', location: 'https://x.org/p' }),
    seriesWith({
      name: 'Another',
      subEvent: [{ '@id': 'https://x.org/s/3', startDate: '2027-03-01T18:00:00Z', duration: 'PT1H' }],
    }),
    sessionWith({}),
    sessionWith({ '@id': 'https://x.org/s/3' }),
    sessionWith({ '@id': 'https://x.org/s/%31', name: 'The same, spelled otherwise' }),
    { '@type': 'EventSeries', '@id': 'https://x.org/es', name: 'ES', superEvent: 'https://x.org/es2' },
    { '@type': 'EventSeries', '@id': 'https://x.org/es2', description: 'Above' },
    { '@type': 'Place', '@id': 'https://x.org/p', name: 'Hall' },
    sessionWith({
      '@id': 'https://x.org/s/4',
      superEvent: { '@type': 'SessionSeries', '@id': 'https://x.org/s', name: 'Embedded' },
    }),
  ].map((data, index) => claimsOf(data, String(index), String(index % 3)));
  const expected = join(items.flat());
  fc.assert(
    fc.property(fc.shuffledSubarray(items, { minLength: items.length }), (shuffled) => {
      expect(join(shuffled.flat())).toEqual(expected);
    }),
    { numRuns: runs(200) },
  );
});
