import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Details, Place } from '../../src/opportunity/records.ts';
import {
  conceptKey,
  currentVocabularies,
  districtOf,
  FIELD_NAMES,
  foldedKey,
  placeDocument,
  pricesOf,
  searchDocument,
  seriesDocument,
  shownPrices,
} from '../../src/search/document.ts';
import { activityList } from '../../src/vocabulary/shipped.ts';
import { anyText } from '../generate/any-text.ts';

const VOCABULARIES = currentVocabularies();
const documentOf = (details: Details, place?: Place) => searchDocument(details, place, VOCABULARIES);
const idOf = (label: string): string => activityList().byLabel(label)?.id as string;

const LEISURE: Place = {
  kind: 'place',
  id: 'https://example.org/places/1',
  name: 'Harbour Lane Leisure Centre',
  locality: 'Wexcombe',
  region: 'Vale',
  postalCode: 'EX99 9ZZ',
  address: '1 Harbour Lane, Wexcombe, Vale, EX99 9ZZ',
  latitude: 50.7,
  longitude: -3.5,
  hours: [],
  specialHours: [],
};

test.each([
  ['CourseInstance', 'swim course'],
  ['SessionSeries', 'swim'],
] as const)('a %s is found by what people call it', (type, category) => {
  const { fields } = seriesDocument({ type, details: { category: ['Swimming'] } }, undefined, VOCABULARIES);
  expect(fields.category).toBe(category);
});

test('a series with everything', () => {
  const document = documentOf(
    {
      name: "Women's Lane-Swimming",
      description: 'Two lanes are kept for women.',
      activity: ['Lane Swimming', 'swimming', 'Aqua Fit'],
      category: ['Pool'],
      programme: { name: 'This Girl Can' },
      leader: ['Ada Lovelace'],
      level: ['Beginner', 'All-Levels'],
      organizer: { name: 'Vale Leisure' },
      offers: [
        { name: 'Adult', price: 8, currency: 'GBP' },
        { name: 'Child', price: 0, currency: 'GBP' },
        { name: 'Tourist', price: 9.5, currency: 'EUR' },
        { name: 'Ask' },
      ],
      ageRange: { min: 16 },
      gender: 'FemaleOnly',
      accessibilitySupport: ['visual impairment', 'Quiet hour'],
      location: {
        id: LEISURE.id,
        name: 'Harbour Lane Leisure Centre',
        address: '1 Harbour Lane, Wexcombe, Vale, EX99 9ZZ',
      },
      attendance: 'offline',
    },
    LEISURE,
  );
  expect(document).toEqual({
    fields: {
      name: 'women lan swim laneswim',
      activity: 'lan swim swim aqua fit',
      broader: 'aqua aerobic water based class waterbased group exercise keep fit keepfit',
      category: 'pool this girl can',
      place: 'harbour lan leisur centr',
      town: 'wexcomb val ex99',
      organizer: 'val leisur',
      leader: 'ada lovelac',
      level: 'beginner all level alllevel',
      description: 'two lan are kept for women',
    },
    activities: [
      idOf('Swimming'),
      idOf('Aqua Fit'),
      idOf('Aqua Aerobics'),
      idOf('Water-Based Classes'),
      idOf('Group Exercise'),
      'lane swimming',
    ].sort(),
    levels: ['all levels', 'beginner'],
    accessibility: [VOCABULARIES.accessibility.byLabel('Visual impairment')?.id as string, 'quiet hour'].sort(),
    prices: [
      { currency: 'EUR', min: 9.5, max: 9.5 },
      { currency: 'GBP', min: 0, max: 8 },
    ],
    offers: ['free'],
    age: { min: 16 },
    gender: 'FemaleOnly',
    online: false,
    latitude: 50.7,
    longitude: -3.5,
    names: ['womens lane swimming'],
    organizers: ['vale leisure'],
    places: ['harbour lane leisure centre'],
    towns: ['vale', 'wexcombe'],
    districts: ['ex99'],
    words: ['centre', 'harbour', 'lane', 'leisure', 'lovelace', 'swimming', 'vale', 'wexcombe', 'womens'],
  });
});

test.each([
  [[{ price: 0 }, { price: 6.5, currency: 'GBP' }], [{ currency: 'GBP', min: 0, max: 6.5 }]],
  [[{ price: 20 }, { price: 5, currency: 'EUR' }, {}], [{ currency: 'EUR', min: 5, max: 20 }]],
  [[{ price: 0 }, { price: 2 }], [{ min: 0, max: 2 }]],
  [
    [{ price: 0 }, { price: 5, currency: 'EUR' }, { price: 4, currency: 'GBP' }],
    [
      { min: 0, max: 0 },
      { currency: 'EUR', min: 5, max: 5 },
      { currency: 'GBP', min: 4, max: 4 },
    ],
  ],
])('prices of %j', (offers, expected) => {
  expect(pricesOf(offers)).toEqual(expected);
});

const [EURO, POUND] = [
  { price: 5, currency: 'EUR' },
  { price: 4, currency: 'GBP' },
];

test.each([
  [[POUND, { price: 6, currency: 'GBP' }], [{ currency: 'GBP', min: 4, max: 6 }]],
  [
    [POUND, EURO],
    [
      { currency: 'EUR', min: 5, max: 5 },
      { currency: 'GBP', min: 4, max: 4 },
    ],
  ],
  // What is free is so in every currency, also where it states one.
  [
    [{ price: 0 }, EURO, POUND],
    [
      { currency: 'EUR', min: 0, max: 5 },
      { currency: 'GBP', min: 0, max: 4 },
    ],
  ],
  [[{ price: 0, currency: 'GBP' }, EURO], [{ currency: 'EUR', min: 0, max: 5 }]],
  [
    [
      { price: 0, currency: 'GBP' },
      { price: 0, currency: 'EUR' },
    ],
    [{ currency: 'EUR', min: 0, max: 0 }],
  ],
  [
    [{ price: 7 }, EURO, POUND],
    [
      { currency: 'EUR', min: 5, max: 5 },
      { currency: 'GBP', min: 4, max: 4 },
      { min: 7, max: 7 },
    ],
  ],
])('prices of %j as they are shown', (offers, expected) => {
  expect(shownPrices(offers)).toEqual(expected);
});

test('an amount is shown in its own currency alone, whatever other offers cost', () => {
  const price = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 }));
  const offers = fc.array(fc.record({ price, currency: fc.constantFrom('EUR', 'GBP', 'USD') }), { maxLength: 8 });
  fc.assert(
    fc.property(offers, (all) => {
      for (const { currency, min, max } of shownPrices(all)) {
        const own = all.filter((offer) => offer.currency === currency || offer.price === 0).map((offer) => offer.price);
        expect([min, max]).toEqual([Math.min(...own), Math.max(...own)]);
      }
      const paid = new Set(all.filter((offer) => offer.price > 0).map(({ currency }) => currency));
      const shown = shownPrices(all).filter(({ max }) => max > 0);
      expect(shown.map(({ currency }) => currency)).toEqual([...paid].sort());
    }),
  );
});

test('nothing stated is nothing searched', () => {
  expect(documentOf({})).toEqual({
    fields: Object.fromEntries(FIELD_NAMES.map((field) => [field, ''])),
    activities: [],
    levels: [],
    accessibility: [],
    names: [],
    organizers: [],
    places: [],
    towns: [],
    districts: [],
    words: [],
    prices: [],
    offers: [],
    online: false,
  });
});

test('without its Place, a location says where it is', () => {
  const document = documentOf({
    location: { name: 'Fit Barn', address: 'Mill Road, Upper Vale, EX1 1AA', latitude: 1, longitude: 2 },
  });
  expect(document).toMatchObject({ latitude: 1, longitude: 2, districts: ['ex1'], towns: ['upper vale'] });
  expect(document.fields.place).toBe('fit barn');
  expect(document.fields.town.split(' ')).toEqual(expect.arrayContaining(['upper', 'val', 'ex1']));
  expect(document.fields.town).not.toContain('mill');
});

test.each<[string, Details, boolean]>([
  ['in a room', { attendance: 'offline' }, false],
  ['on the net', { attendance: 'online' }, true],
  ['both', { attendance: 'mixed' }, true],
  ['with an address on the net', { virtualLocation: { url: 'https://example.org/' } }, true],
])('a session %s', (_name, details, online) => expect(documentOf(details).online).toBe(online));

test('a facility by its type, a place by its name', () => {
  const court = documentOf({ name: 'Court 1', activity: ['Badminton Court'] });
  expect(court.activities).toEqual([VOCABULARIES.facilities.byLabel('Badminton Court')?.id]);
  expect(placeDocument(LEISURE)).toMatchObject({
    fields: {
      name: 'harbour lan leisur centr',
      place: 'harbour lan leisur centr',
      town: 'wexcomb val ex99',
      activity: '',
    },
    districts: ['ex99'],
    towns: ['vale', 'wexcombe'],
    latitude: 50.7,
  });
});

describe('keys', () => {
  test.each([
    ['yoga', idOf('Yoga')],
    [idOf('Yoga').replace('https', 'http'), idOf('Yoga')],
    ['Lane-Swimming', 'lane swimming'],
    ['', ''],
  ])('of %s', (text, key) => expect(conceptKey(text, VOCABULARIES.activities, VOCABULARIES.facilities)).toBe(key));

  test('are the same in a document and in a question', () => {
    fc.assert(
      fc.property(anyText(40), (label) => {
        const key = conceptKey(label, VOCABULARIES.activities, VOCABULARIES.facilities);
        const { activities } = documentOf({ activity: [label] });
        if (key === '') expect(activities).toEqual([]);
        else expect(activities).toContain(key);
        expect(foldedKey(foldedKey(label))).toBe(foldedKey(label));
      }),
    );
  });
});

test.each([
  ['EX99 9ZZ', 'EX99'],
  ['ex999zz', 'EX99'],
  ['1 Lane, W1A 1AA, London', 'W1A'],
  ['EX99', undefined],
  ['', undefined],
  [undefined, undefined],
  [' 9'.repeat(100_000), undefined],
])('the district of %j', (text, district) => expect(districtOf(text)).toBe(district));

test('what is for everybody has no gender', () => {
  expect(documentOf({ gender: 'NoRestriction' })).not.toHaveProperty('gender');
});

test('a document is bounded, whatever is published', () => {
  const long = 'swimming-pools '.repeat(100_000);
  const many = Array.from({ length: 10_000 }, (_, index) => `label ${index}`);
  const document = documentOf({
    name: long,
    description: long,
    activity: many,
    level: many,
    leader: many,
    category: many,
  });
  expect(JSON.stringify(document).length).toBeLessThan(60_000);
  expect(documentOf({ name: long, description: long, activity: many })).toEqual(
    documentOf({ name: long, description: long, activity: many }),
  );
});
