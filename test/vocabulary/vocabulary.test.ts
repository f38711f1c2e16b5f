import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsIn } from '../../src/vocabulary/folding.ts';
import { accessibilitySupport, activityList, facilityTypes } from '../../src/vocabulary/shipped.ts';
import {
  allBroader,
  allNarrower,
  type Concept,
  labelsOf,
  MOST_LABEL_WORDS,
  Vocabulary,
} from '../../src/vocabulary/vocabulary.ts';

const activities = activityList();
const YOGA = 'bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e';
const names = (concepts: readonly Concept[]): string[] => concepts.map(({ prefLabel }) => prefLabel);

test.each([
  ['activities', activityList, 768],
  ['types of facilities', facilityTypes, 35],
  ['accessibility support', accessibilitySupport, 6],
])('%s ship with the program, with their licence', (_name, vocabulary, count) => {
  expect(vocabulary().concepts).toHaveLength(count);
  expect(vocabulary().license).toBe('https://creativecommons.org/licenses/by/4.0/');
});

test.each([activityList, facilityTypes, accessibilitySupport])('every id and label finds its concept', (vocabulary) => {
  for (const concept of vocabulary().concepts) {
    expect(vocabulary().byId(concept.id)).toBe(concept);
    for (const label of labelsOf(concept)) expect([label, vocabulary().byLabel(label)]).toEqual([label, concept]);
  }
});

test('the longest label has as many words as queries are searched for', () => {
  const concepts = [activityList, facilityTypes, accessibilitySupport].flatMap((vocabulary) => vocabulary().concepts);
  const counts = concepts.flatMap(labelsOf).map((label) => wordsIn(label).length);
  expect(Math.max(...counts)).toBe(MOST_LABEL_WORDS);
});

describe('a concept by its id', () => {
  test.each([
    `https://openactive.io/activity-list#${YOGA}`,
    `http://openactive.io/activity-list#${YOGA}`,
    `https://www.openactive.io/activity-list/#${YOGA}`,
    `https://openactive.io/activity-list/#${YOGA}`,
    `https://openactive.io/activity-list/${YOGA}`,
    ` https://openactive.io/activity-list#${YOGA.toUpperCase()} `,
    `_:${YOGA}`,
    `#${YOGA}`,
    YOGA,
  ])('%s', (id) => expect(activities.byId(id)?.prefLabel).toBe('Yoga'));

  test.each([
    '',
    'Yoga',
    'https://openactive.io/activity-list',
    'https://example.org/x#yoga',
    `${YOGA}0`,
    'constructor',
  ])('not %s', (id) => expect(activities.byId(id)).toBeUndefined());
});

describe('a concept by its label', () => {
  test.each([
    ['yoga', 'Yoga'],
    ['  YOGA ', 'Yoga'],
    ['Foot-Ball', 'Football'],
    ['foot ball', 'Football'],
    ['5 a side', '5-a-side'],
    ['5aside', '5-a-side'],
    ['zumba', 'Zumba®'],
    ['Body Pump', 'Bodypump™'],
    ['bodypump', 'Bodypump™'],
    ['Body Attack', 'Body Attack'],
    ['BodyAttack', 'Bodyattack™'],
    ['Crossfit', 'Crossfit'],
    ['Cross Fit', 'Cross Fit'],
    ['Multi-sports', 'Multisports'],
    ['swim', 'Swimming'],
    ['Dancing', 'Dance'],
    ['keep fit', 'Group Exercise'],
    ['horse riding', 'Equestrian'],
    ['wild swim', 'Open Water Swimming'],
    ['gym', 'Gym Workout'],
    ['Gyms', 'Gym Workout'],
    ['Pétanque', 'Petanque'],
    ['jujitsu', 'Ju-Jitsu'],
    ['Chinese movement and dance', 'Chinese Movement & Dance'],
    ['rambles', 'Walking'],
  ])('%s is %s', (label, expected) => expect(activities.byLabel(label)?.prefLabel).toBe(expected));

  test.each(['', ' ', '®', 'General', 'knitting', 'constructor', '__proto__', 'x'.repeat(100_000)])('not %s', (label) =>
    expect(activities.byLabel(label)).toBeUndefined(),
  );
});

test.each([
  ['yooga', 'Yoga'],
  ['badmington', 'Badminton'],
  ['pilaties', 'Pilates'],
  ['swiming', 'Swimming'],
  ['zmuba', 'Zumba®'],
  ['trampoling', 'Trampolining'],
  ['quidditch and other things', undefined],
  ['x'.repeat(100_000), undefined],
])('the nearest label to %s is that of %s', (text, expected) => {
  expect(activities.nearest(text)?.prefLabel).toBe(expected);
});

describe('broader and narrower', () => {
  const by = (label: string): Concept => activities.byLabel(label) as Concept;

  test('narrower comes of broader', () => {
    for (const concept of activities.concepts) {
      for (const above of concept.broader) expect(above.narrower).toContain(concept);
      for (const below of concept.narrower) expect(below.broader).toContain(concept);
    }
  });

  test('reach as far as the hierarchy does, the nearest first', () => {
    expect(names(allNarrower(by('Football')))).toEqual(
      expect.arrayContaining(['Small Sided Football', '5-a-side', 'Walking Football']),
    );
    expect(names(allBroader(by('5-a-side')))).toEqual(['Small Sided Football', 'Football']);
    expect(names(allBroader(by('Voga')))).toEqual(['Yoga', 'Street Dance Fitness', 'Group Exercise', 'Dance Fitness']);
    expect(allBroader(by('Football'))).toEqual([]);
  });

  test('agree', () => {
    for (const concept of activities.concepts) {
      for (const above of allBroader(concept)) expect(allNarrower(above)).toContain(concept);
    }
  });
});

describe('a document of a vocabulary', () => {
  test('is read as its address serves it, and replaces the shipped one', () => {
    const id = 'https://openactive.io/activity-list';
    const vocabulary = Vocabulary.read({
      '@context': 'https://openactive.io/',
      id,
      license: 'https://creativecommons.org/licenses/by/4.0/',
      concept: [
        { id: `${id}#a`, type: 'Concept', prefLabel: 'Quidditch', altLabel: 'Quadball' },
        { '@id': `${id}#b`, prefLabel: 'Beach Quidditch', broader: `${id}#a` },
        { id: '#c', prefLabel: 'Circular', broader: ['#d', '#d', '#c', '#none'] },
        { id: '#d', prefLabel: 'Round', broader: ['#c'] },
        { id: `${id}#e` },
        { prefLabel: 'No id' },
        null,
        7,
      ],
    }) as Vocabulary;
    expect(names(vocabulary.concepts)).toEqual(['Quidditch', 'Beach Quidditch', 'Circular', 'Round']);
    expect(names(vocabulary.byLabel('quadball')?.narrower ?? [])).toEqual(['Beach Quidditch']);
    const circular = vocabulary.byId(`http://www.openactive.io/activity-list/#c`) as Concept;
    expect(names(allBroader(circular))).toEqual(['Round']);
    expect(names(allNarrower(circular))).toEqual(['Round']);
  });

  test.each([
    undefined,
    null,
    [],
    '',
    {},
    { id: 'x' },
    { id: 'x', concept: [] },
    { id: 'x', concept: {} },
    { concept: [{ id: 'a', prefLabel: 'A' }] },
    { id: 'x', concept: [{ id: 'a', prefLabel: 'A'.repeat(1000) }] },
  ])('is not %j', (document) => expect(Vocabulary.read(document)).toBeUndefined());

  test('is never more than it can be, whatever it holds', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.anything()), fc.string(), (value, concepts, text) => {
        expect(() => Vocabulary.read(value)).not.toThrow();
        const vocabulary = Vocabulary.read({ id: 'x', concept: [{ id: 'a', prefLabel: 'A' }, ...concepts] });
        for (const one of [vocabulary?.byId(text), vocabulary?.byLabel(text), vocabulary?.nearest(text)]) {
          if (one !== undefined) expect(vocabulary?.concepts).toContain(one);
        }
      }),
    );
  });
});
