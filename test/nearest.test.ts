import { describe, expect, test } from 'vitest';
import { didYouMean, nearest } from '../src/nearest.ts';

const WORDS = ['serve', 'sync', 'convert', 'expand', 'hours', 'check', 'baseUrl', 'confirmDeletes', 'from'];

describe('the nearest known word', () => {
  test.each([
    ['snyc', 'sync'],
    ['serv', 'serve'],
    ['Converts', 'convert'],
    ['base-url', 'baseUrl'],
    ['BASE_URL', 'baseUrl'],
    ['confirm.deletes', 'confirmDeletes'],
    ['form', 'from'],
    ['nope', undefined],
    ['x', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['s'.repeat(1_000_000), undefined],
  ])('to %s', (word, expected) => {
    expect(nearest(word, WORDS)).toBe(expected);
  });

  test('as a question, or nothing', () => {
    expect(didYouMean('snyc', WORDS)).toBe(' (did you mean sync?)');
    expect(didYouMean('nope', WORDS)).toBe('');
    expect(didYouMean('sync', [])).toBe('');
  });
});
