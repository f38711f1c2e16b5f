import { afterEach, expect, test } from 'vitest';
import { currentVocabularies } from '../../src/search/document.ts';
import {
  activityList,
  conceptLabel,
  documentOf,
  facilityTypes,
  LISTS,
  useVocabularies,
} from '../../src/vocabulary/shipped.ts';
import { Vocabulary } from '../../src/vocabulary/vocabulary.ts';

afterEach(() => useVocabularies(undefined));

const NEWER = { id: 'https://openactive.io/activity-list', concept: [{ id: '#1', prefLabel: 'Zorbing' }] };

test('the label of an address is that of the lists that ship', () => {
  const yoga = activityList().byLabel('Yoga')?.id ?? '';
  useVocabularies(JSON.stringify([NEWER]));
  expect([yoga, yoga.replace('https:', 'http:'), 'https://x.example/#1'].map(conceptLabel)).toEqual([
    'Yoga',
    'Yoga',
    undefined,
  ]);
});

test('a newer vocabulary takes the place of the one that ships, and gives it back', () => {
  const before = currentVocabularies();
  expect(currentVocabularies()).toBe(before);
  useVocabularies(JSON.stringify([NEWER, { id: 'https://a.example/', concept: [{ id: '#1', prefLabel: 'X' }] }]));
  expect(activityList().byLabel('zorbing')?.id).toBe('https://openactive.io/activity-list#1');
  expect(facilityTypes()).toBe(before.facilities);
  expect(currentVocabularies()).not.toBe(before);
  useVocabularies(undefined);
  expect(currentVocabularies()).toEqual(before);
  expect(activityList()).toBe(before.activities);
});

test.each(['', '{}', 'null', '[null, 5, {}]', '[{"id": "https://openactive.io/activity-list", "concept": []}]'])(
  'the one that ships stays where %j is kept',
  (kept) => {
    const before = activityList();
    useVocabularies(kept);
    expect(activityList()).toBe(before);
  },
);

test('a document says all that is read of a vocabulary', () => {
  for (const { shipped } of LISTS.map((list) => ({ shipped: list.shipped() }))) {
    const again = Vocabulary.read(JSON.parse(JSON.stringify(documentOf(shipped)))) as Vocabulary;
    expect(documentOf(again)).toEqual(documentOf(shipped));
    for (const concept of shipped.concepts) {
      const same = again.byId(concept.id);
      expect(same?.altLabel).toEqual(concept.altLabel);
      expect(same?.broader.map(({ id }) => id)).toEqual(concept.broader.map(({ id }) => id));
      expect(again.byLabel(concept.prefLabel)).toBe(same);
    }
  }
});
