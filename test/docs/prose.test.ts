import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { textsUnder } from './citations.ts';
import { riddles } from './prose.ts';

/** How comments and pages are written. Ceilings only fall: whoever gets below one lowers it. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const texts = textsUnder(ROOT);
const sources = texts.filter(({ path }) => /^src\/.*\.tsx?$/.test(path));

/** Docstrings that begin with "Of", "The same", "It" and the like. */
const MOST_RIDDLES = 14;

test('docstrings begin with the noun that they are about', () => {
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap(riddles);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(MOST_RIDDLES);
});

describe('this test itself', () => {
  const docstring = (words: string): string[] => riddles({ path: 'a.ts', text: `const x = 1;\n/** ${words} */\nx();` });

  test.each(['Of a calendar.', 'The same for many.', 'As written.', 'It was mistyped.', 'So many at most.'])(
    'finds: %s',
    (words) => expect(docstring(words)).toEqual(['a.ts:2']),
  );

  test.each(['Offers of a facility.', 'The sameness of two.', 'Item by item.', 'Whether it is.'])(
    'leaves be: %s',
    (words) => expect(docstring(words)).toEqual([]),
  );
});
