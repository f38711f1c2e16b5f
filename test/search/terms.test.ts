import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { subjectOf } from '../../src/search/subject.ts';
import { queryTerms, termsOf, WEIGHTS } from '../../src/search/terms.ts';
import { wordsIn } from '../../src/vocabulary/folding.ts';
import { activityList } from '../../src/vocabulary/shipped.ts';
import { allBroader } from '../../src/vocabulary/vocabulary.ts';
import { anyText } from '../generate/any-text.ts';

const asked = (words: string) => queryTerms(words, activityList());
const texts = (words: string) => asked(words).map(({ terms }) => terms.join(' '));

test.each([
  ["Men's 5-a-side Swimming", ['men', '5', 'a', 'sid', 'swim', '5asid']],
  ['Drop-in Zumba®, Café', ['drop', 'in', 'zumba', 'caf', 'dropin']],
  ['swims swimming SWIM', ['swim', 'swim', 'swim']],
  ['Abs/Core', ['abs', 'cor']],
  ['--- !', []],
  ['', []],
])('terms of %j', (text, terms) => expect(termsOf(text)).toEqual(terms));

test('terms of terms are themselves', () => {
  fc.assert(
    fc.property(anyText(80), (text) => {
      expect(termsOf(termsOf(text).join(' '))).toEqual(termsOf(text));
    }),
  );
});

test('every word of a query is found in a document that has the same words', () => {
  const word = fc.constantFrom(
    'Yoga',
    'walking',
    'football',
    '5-a-side',
    'drop-in',
    'class',
    'the',
    'Dawn',
    "women's",
    'x',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const document = new Set(termsOf(words.join(' ')));
      for (const { terms } of asked(words.join(' '))) expect(terms.filter((term) => !document.has(term))).toEqual([]);
    }),
  );
});

describe('terms of a query', () => {
  test.each([
    ['hatha yoga classes', ['hatha yoga', 'class']],
    ['walking football', ['walk football']],
    ["what's on", []],
    ['something for me', []],
    ['swimming and yoga', ['swim', 'yoga']],
    ['drop-in badminton', ['drop in', 'badminton']],
    ['5 a side', ['5 a sid']],
    ['Dawn Yoga Flow', ['dawn', 'yoga', 'flow']],
    ['"dawn yoga" flow', ['dawn yoga', 'flow']],
    ['"dawn yoga', ['dawn', 'yoga']],
    ['', []],
    ['😀 !', []],
  ])('%s', (words, expected) => expect(texts(words)).toEqual(expected));

  test.each([
    ['yoga or pilates', ['yoga'], ['pilat']],
    ['Yoga OR Pilates classes', ['yoga', 'class'], ['pilat']],
    ['yoga class or pilates', ['yoga', 'class'], ['pilat']],
    ['evening yoga or knitting', ['even', 'yoga'], ['knit']],
    ['"hot yoga" or knitting', ['hot yoga'], ['knit']],
    ['yoga, pilates', ['yoga'], ['pilat']],
    ['yoga/pilates', ['yoga'], ['pilat']],
    ['yoga, knitting', ['yoga', 'knit'], []],
    ['knitting, yoga', ['knit', 'yoga'], []],
    ['yoga or', ['yoga'], []],
    ['or yoga', ['yoga'], []],
    ['or', [], []],
    ['and', [], []],
    ['und', [], []],
  ])('either side of or: %s', (words, expected, alternatives) => {
    expect(texts(words)).toEqual(expected);
    const others = asked(words).flatMap((term) => term.others);
    for (const terms of alternatives) expect(others).toContainEqual({ terms: [terms], weight: WEIGHTS.label });
  });

  test('is of activities alone where both sides of or are', () => {
    expect(asked('yoga or pilates')[0]?.concept?.prefLabel).toBe('Yoga');
    expect(asked('yoga or knitting')[0]?.concept).toBeUndefined();
    expect(asked('knitting or yoga')[0]?.concept).toBeUndefined();
  });

  test.each([
    ['yoga', 'yoga'],
    ['I am looking for a swimming session', 'swimming'],
    ['swimming lessons', 'swimming'],
    ['Yoga or Pilates classes', 'Yoga or Pilates'],
    ['couch to 5k', 'couch to 5k'],
    ["please show me Ines's candlelight yoga", "Ines's candlelight yoga"],
    ['my knees hurt so I would like some gentle yoga', 'yoga'],
    ['my knees hurt so I would like to do something', ''],
    ['Hi there! would love to try gymnastics', 'gymnastics'],
    ['family swim', 'family swim'],
    ['soft play', 'soft play'],
    ['soft play sessions', 'soft play'],
    ['drop in', 'drop in'],
    ['learn to swim', 'learn to swim'],
    ['learn to skate', 'skate'],
    ['learn to swim stage 4', 'learn to swim stage 4'],
    ['age 999', 'age 999'],
    ['something to do', ''],
    ['classes', ''],
    ['', ''],
  ])('%s is about %s', (words, subject) => expect(subjectOf(words, activityList())).toBe(subject));

  test('are optional where they say little, and a phrase where they are quoted', () => {
    expect(asked('yoga class').map(({ optional }) => optional)).toEqual([undefined, true]);
    expect(asked('"yoga class"')).toEqual([{ terms: ['yoga', 'class'], phrase: true, others: [] }]);
  });

  test('name concepts, with other labels, narrower and broader ones', () => {
    const [term] = asked('football');
    expect(term?.concept?.prefLabel).toBe('Football');
    expect(term?.others).toContainEqual({ terms: ['walk', 'football'], weight: WEIGHTS.narrower });
    const [yoga] = asked('hatha yoga');
    expect(yoga?.others).toContainEqual({ terms: ['yoga'], weight: WEIGHTS.broader, label: 'Yoga' });
    const [riding] = asked('horse riding');
    expect(riding?.others[0]).toEqual({ terms: wordsIn('equestrian'), weight: WEIGHTS.label });
    expect(asked('foot ball')[0]?.others).toContainEqual({ terms: ['football'], weight: WEIGHTS.label });
    expect(asked('knitting')[0]).toEqual({ terms: ['knit'], others: [] });
  });

  test.each([
    ['ping pong', 'Table Tennis'],
    ['ping-pong', 'Table Tennis'],
    ['Soccer', 'Football'],
  ])('%s is %s', (words, label) => {
    const [term, ...more] = asked(words);
    expect([term?.concept?.prefLabel, more]).toEqual([label, []]);
    expect(term?.others.map(({ terms }) => terms.join(' '))).toContain(texts(label)[0]);
  });

  test('know what people say otherwise', () => {
    const [spin] = asked('spin class');
    expect(spin?.others).toContainEqual({ terms: ['indoor', 'cycl'], weight: WEIGHTS.label });
    const [parkrun] = asked('parkrun');
    expect(parkrun).toMatchObject({ terms: ['parkrun'], text: 'parkrun' });
    expect(parkrun?.others).toEqual([
      { terms: ['park', 'run'], weight: WEIGHTS.label },
      { terms: ['run'], weight: WEIGHTS.broader, label: 'running' },
    ]);
    expect(texts('early years gymnastics')).toEqual(['early year', 'gymnastic']);
    expect(asked('early years')[0]?.others).toContainEqual({ terms: ['tot'], weight: WEIGHTS.label });
  });

  test('know which names of other activities begin with theirs', () => {
    expect(asked('walks')[0]?.not).toContainEqual(['walk', 'football']);
    expect(asked('tennis')[0]?.not).toContainEqual(['tabl', 'tennis']);
    expect(asked('walking football')[0]?.not ?? []).not.toContainEqual(['walk', 'football']);
    for (const words of ['football', 'yoga', 'swimming', 'gym'])
      for (const terms of asked(words)[0]?.not ?? []) expect(texts(terms.join(' '))).not.toEqual(texts(words));
  });

  test('know for each activity what is broader', () => {
    for (const concept of activityList().concepts) {
      const [term] = asked(concept.prefLabel);
      expect(term?.concept?.prefLabel).toBe(concept.prefLabel);
      expect(term?.others.filter(({ weight }) => weight === WEIGHTS.broader).length).toBeLessThanOrEqual(
        allBroader(concept).flatMap(({ prefLabel, altLabel }) => [prefLabel, ...altLabel]).length,
      );
    }
  });

  test('are few, however long the query is', () => {
    for (const words of ['yoga '.repeat(20_000), 'a-'.repeat(50_000), '"a'.repeat(50_000), 'x'.repeat(100_000)]) {
      expect(asked(words.slice(0, 5000)).length).toBeLessThanOrEqual(40);
    }
  });
});
