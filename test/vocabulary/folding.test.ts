import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { singular, stem, wordsIn } from '../../src/vocabulary/folding.ts';
import { anyText } from '../generate/any-text.ts';

test.each([
  ["Men's Zumba® & Café-Yoga", ['mens', 'zumba', 'and', 'cafe', 'yoga']],
  ['Bodypump™', ['bodypump']],
  ['Children’s', ['childrens']],
  ['5-a-side', ['5', 'a', 'side']],
  ['  ', []],
  ['ＹＯＧＡ', ['yoga']],
  ['İstanbul', ['istanbul']],
  ['Straße', ['straße']],
  ['太极', ['太极']],
  ['e\u0301te\u0301', ['ete']],
])('the words of %j', (text, words) => expect(wordsIn(text)).toEqual(words));

describe('stems', () => {
  test.each([
    ['swim', ['swims', 'swimming']],
    ['yoga', ['yogas']],
    ['danc', ['dance', 'dances', 'dancing']],
    ['run', ['runs', 'running']],
    ['class', ['classes']],
    ['cycl', ['cycle', 'cycles', 'cycling']],
    ['box', ['boxes', 'boxing']],
    ['roll', ['rolls', 'rolling']],
    ['ski', ['ski', 'skiing']],
    ['walk', ['walks', 'walking']],
    ['tennis', ['tennis']],
    ['hobby', ['hobbies']],
    ['spring', ['spring', 'springs']],
    ['king', ['king', 'kings']],
    ['runner', ['runner', 'runners']],
    ['bus', ['bus']],
    ['5k', ['5k']],
  ])('%s', (expected, words) => expect(words.map(stem)).toEqual(words.map(() => expected)));

  test('of stems are themselves, and never longer', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{0,12}(s|es|ies|ing|e|ings|inge)?$/), (word) => {
        expect(stem(stem(word))).toBe(stem(word));
        expect(stem(word).length).toBeLessThanOrEqual(word.length);
        expect(stem(singular(word))).toBe(stem(word));
      }),
    );
  });
});

test('words of words are themselves', () => {
  fc.assert(
    fc.property(anyText(60), (text) => {
      expect(wordsIn(wordsIn(text).join(' '))).toEqual(wordsIn(text));
    }),
  );
});
