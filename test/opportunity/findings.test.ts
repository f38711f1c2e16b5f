import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { FINDINGS, type FindingCode, finish, shown } from '../../src/opportunity/findings.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const sources = (readdirSync(src, { recursive: true }) as string[])
  .filter((name) => name.endsWith('.ts') && !name.includes('codes/'))
  .map((name) => readFileSync(join(src, name), 'utf8'))
  .join('\n');

describe('the table of codes', () => {
  test.each(Object.keys(FINDINGS) as FindingCode[])('%s', (code) => {
    expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    // A code that nothing finds promises a check that is not made.
    expect(sources).toContain(`'${code}'`);
    const { message, rule } = finish({ code, path: '$' }, 'feed', 'item');
    expect(message).toMatch(/^\S.*\.$/);
    expect(rule).not.toBe('');
  });
});

test('a finding is finished with its feed, item and sentence', () => {
  expect(
    finish(
      { code: 'schedule-count-too-large', path: '$.x', facts: { value: 12_345, most: 10_000 } },
      'https://f.example',
      'k 1',
    ),
  ).toEqual({
    code: 'schedule-count-too-large',
    severity: 'warning',
    feed: 'https://f.example',
    item: 'k 1',
    path: '$.x',
    message: 'Set "repeatCount" to 10000 at most; found 12345.',
    rule: 'Modelling Opportunity Data 2.0, Publishing event schedules',
  });
});

describe('values in sentences', () => {
  test.each([
    ['text', 'text'],
    ['a\r\nb\u001b[31m\u0090c', 'a b [31m c'],
    ['x'.repeat(100), `${'x'.repeat(79)}…`],
    [5, '5'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'nothing'],
    [{ a: 1 }, 'an object'],
    [[1], 'an array'],
  ])('%j', (value, expected) => {
    expect(shown(value)).toBe(expected);
  });

  test('half an emoji is none', () => {
    expect(shown(`${'x'.repeat(9)}🏃🏃`, 10).isWellFormed()).toBe(true);
  });
});
