import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { textsUnder } from './citations.ts';
import { commentsOf, longSentences, paragraphsOf, riddles } from './prose.ts';

/** How comments and pages are written. Ceilings only fall: whoever gets below one lowers it. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const texts = textsUnder(ROOT);
const sources = texts.filter(({ path }) => /^src\/.*\.tsx?$/.test(path));
const pages = texts.filter(({ path }) => /^(?:docs\/.*|[A-Z]+)\.md$/.test(path));

/** Docstrings that begin with "Of", "The same", "It" and the like. */
const MOST_RIDDLES = 0;
/** Sentences of comments and pages that have more words than a sentence shall have, and more than one may have. */
const LONG = [
  { words: 25, sentences: 195 },
  { words: 30, sentences: 3 },
];

test('docstrings begin with the noun that they are about', () => {
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap(riddles);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(MOST_RIDDLES);
});

test.each(LONG)('few sentences have more than $words words', ({ words, sentences }) => {
  expect(pages.length).toBeGreaterThan(40);
  const all = [
    ...sources.map(({ path, text }) => ({ path, prose: commentsOf(text) })),
    ...pages.map(({ path, text }) => ({ path, prose: paragraphsOf(text) })),
  ];
  const found = all.flatMap(({ path, prose }) => longSentences(prose, words).map((sentence) => `${path}: ${sentence}`));
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(sentences);
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

  test('counts the words of each sentence, code and addresses as one', () => {
    const four = 'One two `a b` [three](https://a.example/b c).';
    expect(longSentences([`${four} ${four}`, 'One (two) three.'], 3)).toEqual([four, four]);
    expect(longSentences([`${four} ${four}`, 'One (two) three.'], 4)).toEqual([]);
  });

  test('reads comments, and neither strings nor examples', () => {
    const text = "const a = '// no';\n/**\n * One\n * two.\n *\n * @example\n * no();\n */\n// Three\n// four.\n";
    expect(commentsOf(text).filter((one) => one !== '')).toEqual(['One two.', 'Three four.']);
  });

  test('reads paragraphs, items and cells, and nothing in fences', () => {
    const page = '# Head\n\nOne\ntwo.\n\n- Three\n\n| a | b |\n\n```\nno\n```\n';
    expect(paragraphsOf(page).filter((one) => one !== '')).toEqual(['# Head', 'One two.', '- Three', 'a', 'b']);
  });
});
