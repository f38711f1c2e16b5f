import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePage, type RpdeItem, rawData } from '../../src/opportunity/page.ts';
import { piecesOf } from '../../src/opportunity/pieces.ts';
import { runs } from './runs.ts';

const item = (data: string, id = 1) => `{"state":"updated","kind":"Event","id":${id},"modified":${id},"data":${data}}`;
const page = (...items: string[]) =>
  `{"next":"https://x.org/","license":"https://x.org/","items":[${items.join(',')}]}`;

/** The text that an item brought with it. */
function brought({ raw }: RpdeItem): string | undefined {
  return raw === undefined ? undefined : Buffer.from(raw).toString();
}

function itemsOf(text: string): RpdeItem[] {
  const pieces = piecesOf(Buffer.from(text));
  return pieces === undefined ? parsePage(text).items : pieces.page.items.map(pieces.open);
}

describe('raw data that the page has as it is kept', () => {
  it.each([
    ['{}'],
    ['{"a":"é\\"\\n — 😀 \u007f","b":[1,-2.5,0,0.5,true,false,null,[],{}],"":""}'],
    ['{"a":1152921504606846977,"b":[-1152921504606846977]}'],
    ['{"a":"{\\"b\\": 1}, [2]","items":[{"data":{}}],"data":{"a":1}}'],
    ['{"a":123456789.012345,"b":0.00001,"c":-1.9900000000000002,"d":0.000001}'],
  ])('is taken from it: %s', (data) => {
    const [one] = itemsOf(page(item(data)));
    expect(brought(one as RpdeItem)).toBe(data);
    expect(rawData(one as RpdeItem)).toBe(data);
  });

  it.each([
    ['blanks', '{"a": 1}'],
    ['a line end', '{"a":1\n}'],
    ['another way to write a character', '{"a":"https:\\/\\/x.org"}'],
    ['a number of an escape', '{"a":"\\u00e9"}'],
    ['half a character', '{"a":"\\ud800"}'],
    ['zeros at the end', '{"a":1.50}'],
    ['nothing behind the point but zero', '{"a":1.0}'],
    ['minus zero', '{"a":-0}'],
    ['an exponent', '{"a":1e3}'],
    ['a small number', '{"a":0.0000001}'],
    ['more digits than are kept', '{"a":51.75999999999999801}'],
    ['a property twice', '{"a":1,"a":2}'],
    ['a property twice, further down', '{"b":[{"a":{"c":1},"a":2}]}'],
    ['numbers for names', '{"b":1,"1":2}'],
    ['what marks wide integers', '{"a":"\u00901","b":1152921504606846977}'],
    ['no object', '"a"'],
  ])('is made again where there is %s', (_, data) => {
    expect(itemsOf(page(item(data))).map(brought)).toEqual([undefined]);
  });

  it('is the last one where an item has two', () => {
    const twice = '{"state":"updated","kind":"Event","id":1,"data":{"a":1},"data":{"b":2}}';
    expect(itemsOf(page(twice)).map(brought)).toEqual(['{"b":2}']);
    const disguised = twice.replace('"data":{"b"', '"d\\u0061ta":{"b"');
    expect(itemsOf(page(disguised)).map(brought)).toEqual([undefined]);
  });

  it('is found beside items that are none, and in whatever order and with whatever blanks the page has', () => {
    const text = ` {\n"items" : [ 7, ${item('{"a":1}')} ,null,{ "data" : {"b":[2]} , "id":"2","state":"updated"}\n],"next":{"items":[1]}}`;
    expect(itemsOf(text).map(brought)).toEqual(['{"a":1}', '{"b":[2]}']);
  });

  it('is what would be made of it, whatever is in it and however it is spelled', () => {
    const spelled = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(
          '1',
          '-0',
          '0.30000000000000004',
          '0.3000000000000000444',
          '0.1234567',
          '0.00000120',
          '1.0',
          '0.1',
          '1e2',
          '12345678901234567',
          '0.00000012',
          '[]',
          'null',
          'true',
        ),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
        fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
        fc.constantFrom('"\\u0041"', '"\\/"', '"\\\\"', '"\\""', '"\u0090"'),
        fc.array(tie('value'), { maxLength: 4 }).map((entries) => `[${entries.join(',')}]`),
        fc
          .array(fc.tuple(fc.constantFrom('a', 'b', 'data', 'items', '1', '', '__proto__'), tie('value')), {
            maxLength: 4,
          })
          .map((entries) => `{${entries.map(([name, value]) => `"${name}":${value}`).join(',')}}`),
        tie('value').map((value) => ` ${value}`),
      ),
    })).value;
    let taken = 0;
    fc.assert(
      fc.property(fc.array(spelled, { maxLength: 4 }), (values) => {
        for (const one of itemsOf(page(...values.map((value, id) => item(`{"is":${value}}`, id))))) {
          const own = brought(one);
          if (own === undefined) continue;
          taken += 1;
          expect(own).toBe(rawData(one));
        }
      }),
      runs(300),
    );
    expect(taken).toBeGreaterThan(20);
  });
});
