import { expect, test } from 'vitest';
import { FAMILIES, familyOf } from '../../src/vocabulary/families.ts';
import { activityList } from '../../src/vocabulary/shipped.ts';
import { Vocabulary } from '../../src/vocabulary/vocabulary.ts';

test('every activity has a family', () => {
  expect(activityList().concepts.filter((concept) => familyOf(concept) === undefined)).toEqual([]);
  expect(new Set(activityList().concepts.map(familyOf))).toEqual(new Set(FAMILIES));
});

test.each([
  ['Hatha Yoga', 'mind'],
  ['Tai Chi', 'mind'],
  ['Judo', 'gym'],
  ['Aqua Aerobics', 'water'],
  ['Swimming Lessons', 'water'],
  ['Indoor Cycling', 'gym'],
  ['Road Cycling', 'outdoors'],
  ['5-a-side', 'ball'],
  ['Walking Football', 'ball'],
  ['Nordic Walking', 'outdoors'],
  ['Tea Dance', 'dance'],
  ['Zumba®', 'gym'],
  ['Soft Play', 'dance'],
])('%s is %s', (label, family) => expect(familyOf(activityList().byLabel(label))).toBe(family));

test('concepts of a newer list have that of what is broader', () => {
  const yoga = activityList().byLabel('Yoga')?.id as string;
  const newer = Vocabulary.read({
    id: 'https://openactive.io/activity-list',
    concept: [
      { id: yoga, prefLabel: 'Yoga' },
      { id: '#goat', prefLabel: 'Goat Yoga', broader: [yoga] },
      { id: '#quidditch', prefLabel: 'Quidditch' },
    ],
  });
  expect(familyOf(newer?.byLabel('Goat Yoga'))).toBe('mind');
  expect(familyOf(newer?.byLabel('Quidditch'))).toBeUndefined();
  expect(familyOf(undefined)).toBeUndefined();
});
