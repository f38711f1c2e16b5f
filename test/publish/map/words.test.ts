import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasWords, isTitle } from '../../../src/publish/map/choice/words.ts';

test.each<[string, string, boolean]>([
  ['run', 'Fun RUN!', true],
  ['run', 'Brunch', false],
  ['run*', 'Running', true],
  ['drop-in', 'Yoga (drop-in)', true],
  ['5-a-side', '15-a-side', false],
  ['keep fit', 'Keep\n fit', true],
  ['c++', 'C++ (code)', true],
  ['[a|b]', 'x [A|B] y', true],
])('%j in %j: %s', (words, text, expected) => {
  expect(hasWords([words], text)).toBe(expected);
});

test('any text is in itself, as words and as a title, and never an error', () => {
  const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(texts, (text) => {
      expect(hasWords([text.trim()], ` ${text.trim()} `)).toBe(true);
      expect(isTitle([text.trim()], text)).toBe(true);
    }),
  );
});
