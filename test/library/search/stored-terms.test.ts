import { expect, test } from 'vitest';
import { matchesDocument } from '../../../src/library/search/query/matching.ts';
import { FIELD_NAMES, type Field, KIND_FIELDS, type SearchDocument } from '../../../src/search/document.ts';
import type { TermGroup } from '../../../src/store/index.ts';
import { storedTerms, termsCheck } from '../../../src/store/sql/search/stored-terms.ts';
import { Random } from '../../generate/random.ts';

/** The terms of a row and the plain reading of a document agree, also on names that are not meant. */

const TERMS = ['walk', 'football', 'yoga', 'hatha', 'hall'];

function randomFields(random: Random): Record<Field, string> {
  const text = () => Array.from({ length: random.int(0, 3) }, () => random.pick(TERMS)).join(' ');
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, random.int(0, 2) === 0 ? text() : ''])) as Record<
    Field,
    string
  >;
}

function randomGroup(random: Random): TermGroup {
  const terms = () => Array.from({ length: random.int(1, 2) }, () => random.pick(TERMS));
  return {
    any: [terms(), terms()],
    ...(random.int(0, 3) === 0 && { phrase: true }),
    ...(random.int(0, 3) === 0 && { within: random.pick(['names', 'kind'] as const) }),
    ...(random.int(0, 1) === 0 && { not: [terms()] }),
  };
}

test('random documents and groups', () => {
  const random = new Random(7);
  let found = 0;
  for (let run = 0; run < 4000; run += 1) {
    const fields = randomFields(random);
    const words = Array.from({ length: random.int(1, 2) }, () => randomGroup(random));
    const expected = matchesDocument({ fields } as SearchDocument, { words });
    expect(termsCheck({ words })(storedTerms(fields, '')), JSON.stringify({ fields, words })).toBe(expected);
    found += Number(expected);
  }
  expect([found > 500, found < 3500]).toEqual([true, true]);
});

test.each(FIELD_NAMES)('a name that is not meant, in %s', (field) => {
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, name === field ? 'walk football' : '']));
  const stored = storedTerms(fields as Record<Field, string>, '');
  const isKind = (KIND_FIELDS as readonly Field[]).includes(field);
  expect(termsCheck({ words: [{ any: [['walk']], not: [['walk', 'football']] }] })(stored)).toBe(!isKind);
});
