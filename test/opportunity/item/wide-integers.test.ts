import { describe, expect, it } from 'vitest';
import { parseJson, toJson, withoutWidePrefix } from '../../../src/opportunity/item/json.ts';

describe('integers past 2^53', () => {
  it('are found wherever they are in a text', () => {
    for (let before = 0; before < 40; before += 1) {
      for (let length = 15; length < 36; length += 1) {
        const digits = '9876543210'.repeat(4).slice(0, length);
        const text = `["${'x'.repeat(before)}",${digits},-${digits}]`;
        const { value, wide } = parseJson(text);
        expect(wide, text).toBe(length >= 16);
        expect((value as (string | number)[]).slice(1).map((one) => withoutWidePrefix(String(one)))).toEqual([
          digits,
          `-${digits}`,
        ]);
        expect(toJson(value, wide)).toBe(text);
      }
    }
  });

  it.each([
    ['one right after another', '[1152921504606846977,1152921504606846978]', true],
    ['a text that looks like one', '["a, 1152921504606846977","\\":1152921504606846977"]', true],
    ['the same beside a real one', '[", 1152921504606846977",1152921504606846978]', true],
    ['a text of digits', '["1152921504606846977"]', false],
    ['an escaped quotation mark before one', '["\\\\",1152921504606846977]', true],
  ])('%s', (_, text, wide) => {
    const parsed = parseJson(text);
    expect(parsed.wide).toBe(wide);
    expect(toJson(parsed.value, parsed.wide)).toBe(text);
  });

  it('may have blanks of all kinds before them', () => {
    const { value, wide } = parseJson('{"a": \n\r\t1152921504606846977}');
    expect(toJson(value, wide)).toBe('{"a":1152921504606846977}');
  });

  it('leave fractions and exponents alone', () => {
    const text = '[1152921504606846977.5,1152921504606846977e2]';
    expect(parseJson(text)).toEqual({ value: JSON.parse(text), wide: false });
  });
});
