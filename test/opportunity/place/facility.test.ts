import { describe, expect, test } from 'vitest';
import { through } from '../reader.ts';

const HOURS = [
  { '@type': 'OpeningHoursSpecification', dayOfWeek: ['https://schema.org/Monday'], opens: '09:00', closes: '12:59' },
];
const facility = (data: Record<string, unknown>, slots = false) =>
  through({ '@type': 'FacilityUse', '@id': 'https://x.org/f', name: 'Tennis', ...data }, { slots });

describe('a facility', () => {
  test('with provider, place and hours', () => {
    const { records, facilities, codes } = facility({
      provider: { '@type': 'Organization', name: 'Council' },
      facilityType: [{ '@type': 'Concept', prefLabel: 'Tennis Court' }],
      location: { '@type': 'Place', '@id': 'https://x.org/p', name: 'Park' },
      hoursAvailable: HOURS,
      url: 'https://x.org/f.html',
    });
    expect(records).toEqual([
      [0, 'place', 'https://x.org/p'],
      [2, 'facility', 'https://x.org/f'],
    ]);
    expect(facilities).toMatchObject([
      {
        type: 'FacilityUse',
        url: 'https://x.org/f.html',
        place: 'https://x.org/p',
        hours: [{ days: [0], opens: 32_400, closes: 46_740, path: '$.hoursAvailable[0]' }],
        details: { name: 'Tennis', activity: ['Tennis Court'], organizer: { name: 'Council' } },
      },
    ]);
    expect(codes).toEqual([]);
  });

  test('the courts in it are facilities of their own, which take what they do not say', () => {
    const { records, facilities } = facility({
      hoursAvailable: HOURS,
      location: 'https://x.org/p',
      individualFacilityUse: [
        { '@type': 'IndividualFacilityUse', '@id': 'https://x.org/f/1', name: 'Court 1' },
        {
          '@type': 'IndividualFacilityUse',
          '@id': 'https://x.org/f/2',
          hoursAvailable: [{ ...HOURS[0], closes: '20:00' }],
        },
        'https://x.org/f/3',
      ],
    });
    expect(records.map(([rank, , id]) => [rank, id])).toEqual([
      [2, 'https://x.org/f'],
      [1, 'https://x.org/f/1'],
      [1, 'https://x.org/f/2'],
    ]);
    expect(facilities.slice(1)).toMatchObject([
      {
        type: 'IndividualFacilityUse',
        aggregate: 'https://x.org/f',
        place: 'https://x.org/p',
        details: { name: 'Court 1' },
        hours: [{ closes: 46_740 }],
      },
      { aggregate: 'https://x.org/f', details: { name: 'Tennis' }, hours: [{ closes: 72_000 }] },
    ]);
  });

  test('a court that embeds the facility around it', () => {
    const { records, facilities } = through({
      '@type': 'IndividualFacilityUse',
      '@id': 'https://x.org/f/1',
      aggregateFacilityUse: { '@type': 'FacilityUse', '@id': 'https://x.org/f', name: 'Tennis', hoursAvailable: HOURS },
    });
    expect(records.map(([rank, , id]) => [rank, id])).toEqual([
      [0, 'https://x.org/f'],
      [2, 'https://x.org/f/1'],
    ]);
    expect(facilities[1]).toMatchObject({
      aggregate: 'https://x.org/f',
      details: { name: 'Tennis' },
      hours: [{ closes: 46_740 }],
    });
  });

  test('the item itself counts before the same thing embedded in it', () => {
    const { records, facilities } = through({
      '@type': 'IndividualFacilityUse',
      '@id': 'https://x.org/f',
      name: 'Item',
      aggregateFacilityUse: { '@type': 'FacilityUse', '@id': 'https://x.org/f', name: 'Embedded' },
    });
    expect(records).toEqual([[2, 'facility', 'https://x.org/f']]);
    expect(facilities[0]?.details.name).toBe('Item');
  });

  test('a court that names it', () => {
    const { facilities } = through({
      '@type': 'IndividualFacilityUse',
      '@id': 'https://x.org/f/1',
      name: 'Court',
      aggregateFacilityUse: 'https://x.org/f',
    });
    expect(facilities).toMatchObject([{ aggregate: 'https://x.org/f', hours: [] }]);
  });

  test('courts without ids: distinguished by what they say, whatever their order', () => {
    const courts = [
      { name: 'A', maximumUses: 1 },
      { name: 'A', maximumUses: 2 },
    ];
    const idsOf = (list: unknown[]) => facility({ individualFacilityUse: list }).facilities.map(({ id }) => id);
    expect(new Set(idsOf(courts)).size).toBe(3);
    expect(idsOf(courts).sort()).toEqual(idsOf(courts.toReversed()).sort());
  });

  test('courts that share an identifier cannot be distinguished: a finding', () => {
    const { facilities, codes } = facility({
      individualFacilityUse: [
        { name: 'A', identifier: 1 },
        { name: 'B', identifier: 1 },
      ],
    });
    expect(facilities).toHaveLength(2);
    expect(codes).toContain('repeated-within-item');
  });

  test('hours under the name they have on places', () => {
    const { facilities, codes } = facility({ openingHoursSpecification: HOURS });
    expect([facilities[0]?.hours.length, codes]).toEqual([1, ['property-misnamed']]);
  });

  test('without an @id', () => {
    const { facilities, codes } = facility({ '@id': undefined, identifier: 'ESGCRECHE' });
    expect(facilities[0]?.id).toBe('https://feed.example/~cae06712dfb010f8#FacilityUse/ESGCRECHE');
    expect(codes).toEqual(['id-missing']);
  });
});

describe('slots', () => {
  const slot = (data: Record<string, unknown>, slots = true) =>
    through(
      {
        '@type': 'Slot',
        '@id': 'https://x.org/f/s',
        facilityUse: 'https://x.org/f',
        startDate: '2027-03-01T10:00:00Z',
        duration: 'PT30M',
        remainingUses: 1,
        maximumUses: 4,
        ...data,
      },
      { slots },
    );

  test('are left out, with a finding, unless asked for', () => {
    expect(slot({}, false)).toMatchObject({ all: [], codes: ['slots-not-harvested'] });
    expect(facility({ event: [{ '@type': 'Slot' }, {}] })).toMatchObject({ slots: [], codes: ['slots-not-harvested'] });
  });

  test('that are no objects are findings', () => {
    const found = facility({ event: [true], individualFacilityUse: 5 }, true);
    expect(found.codes.toSorted()).toEqual(['reference-not-url', 'reference-unusable']);
  });

  test('are records', () => {
    expect(slot({})).toMatchObject({
      all: [
        {
          kind: 'slot',
          id: 'https://x.org/f/s',
          facility: 'https://x.org/f',
          start: Date.parse('2027-03-01T10:00:00Z'),
          end: Date.parse('2027-03-01T10:30:00Z'),
          remainingUses: 1,
          maximumUses: 4,
        },
      ],
      codes: [],
    });
  });

  test.each([
    [
      'what it costs',
      { offers: [{ price: 8, priceCurrency: 'GBP', name: 'Adult' }] },
      [{ name: 'Adult', price: 8, currency: 'GBP' }],
      [],
    ],
    ['several', { offers: [{ price: 8 }, { price: 5.5 }] }, [{ price: 8 }, { price: 5.5 }], []],
    ['free', { isAccessibleForFree: true }, [{ price: 0 }], []],
    ['another name', { offer: { price: 8 } }, [{ price: 8 }], ['property-misnamed']],
    ['no number', { offers: [{ price: 'ask' }] }, undefined, ['price-invalid']],
    ['a text', { offers: '£8' }, undefined, ['offer-not-an-object']],
    ['none', { offers: [] }, undefined, []],
  ])('offers: %s', (_name, data, offers, found) => {
    const { slots, codes } = slot(data);
    expect([slots[0]?.offers, codes]).toEqual([offers, found]);
  });

  test('within their facility', () => {
    const event = [
      {
        '@type': 'Slot',
        '@id': 'https://x.org/f/s',
        startDate: '2027-03-01T10:00:00Z',
        endDate: '2027-03-01T10:30:00Z',
        remainingUses: 0,
      },
    ];
    expect(facility({ event }, true).slots).toMatchObject([{ facility: 'https://x.org/f', remainingUses: 0 }]);
  });

  test('of a court that is embedded under the older names', () => {
    const { facilities } = slot({
      facilityUse: { type: 'IndividualFacilityUse', id: 'https://x.org/c', name: 'Court' },
    });
    expect(facilities).toMatchObject([{ id: 'https://x.org/c', type: 'IndividualFacilityUse' }]);
  });

  test('with the facility embedded', () => {
    const { records } = slot({ facilityUse: { '@type': 'FacilityUse', '@id': 'https://x.org/f', name: 'Tennis' } });
    expect(records).toEqual([
      [0, 'facility', 'https://x.org/f'],
      [2, 'slot', 'https://x.org/f/s'],
    ]);
  });

  test.each([
    ['no uses: full', { remainingUses: undefined }, [{ remainingUses: 0 }], ['slot-without-uses']],
    ['negative uses: full', { remainingUses: -1 }, [{ remainingUses: 0 }], ['number-invalid', 'slot-without-uses']],
    ['half a use: full', { remainingUses: 0.5 }, [{ remainingUses: 0 }], ['number-invalid']],
    ['two uses and a half: two', { remainingUses: 2.5 }, [{ remainingUses: 2 }], ['number-invalid']],
    ['more uses than there are', { remainingUses: 5 }, [{ remainingUses: 5 }], ['slot-uses-exceed-maximum']],
    [
      'cancelled: full',
      { eventStatus: 'https://schema.org/EventCancelled' },
      [{ remainingUses: 0, maximumUses: 4 }],
      ['slot-cancelled'],
    ],
    ['scheduled', { eventStatus: 'https://schema.org/EventScheduled' }, [{ remainingUses: 1 }], []],
    ['no facility', { facilityUse: undefined }, [{ id: 'https://x.org/f/s' }], ['slot-without-facility']],
    ['no start', { startDate: undefined }, [], ['slot-unusable']],
    ['a date only', { startDate: '2027-03-01' }, [], ['slot-unusable']],
    ['no end', { duration: undefined }, [], ['slot-unusable']],
    [
      'an end before the start: its duration',
      { endDate: '2027-03-01T09:00:00Z' },
      [{ end: Date.parse('2027-03-01T10:30:00Z') }],
      ['end-before-start'],
    ],
    [
      'an end before the start, and no duration',
      { endDate: '2027-03-01T09:00:00Z', duration: undefined },
      [],
      ['end-before-start', 'slot-unusable'],
    ],
    [
      'an end a month after the start: its duration',
      { endDate: '2027-04-01T10:30:00Z' },
      [{ end: Date.parse('2027-03-01T10:30:00Z') }],
      ['session-end-far-off'],
    ],
    [
      'an end that is not that of its duration',
      { endDate: '2027-03-01T13:00:00Z' },
      [{ end: Date.parse('2027-03-01T13:00:00Z') }],
      ['end-differs-from-duration'],
    ],
    [
      'an end in the last second of a minute',
      { endDate: '2027-03-01T10:29:59Z' },
      [{ end: Date.parse('2027-03-01T10:30:00Z') }],
      ['end-at-59-seconds'],
    ],
    [
      'an end that is a date',
      { endDate: '2027-03-01' },
      [{ end: Date.parse('2027-03-01T10:30:00Z') }],
      ['end-without-time'],
    ],
    ['a day', { duration: undefined, endDate: '2027-03-03T10:00:00Z' }, [{}], []],
    ['years', { duration: undefined, endDate: '2029-03-03T10:00:00Z' }, [], ['session-too-long', 'slot-unusable']],
  ])('%s', (_name, data, expected, found) => {
    const { slots, codes } = slot(data);
    expect(slots).toMatchObject(expected);
    expect(slots).toHaveLength(expected.length);
    expect(codes).toEqual(found);
  });
});
