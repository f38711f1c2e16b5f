import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson } from '../../../src/opportunity/item/json.ts';
import {
  type Page,
  PageError,
  parseData,
  parsePage,
  type RpdeItem,
  rawData,
} from '../../../src/opportunity/page/page.ts';
import { piecesOf } from '../../../src/opportunity/page/pieces.ts';
import { runs } from '../../runs.ts';
import { samplesDir } from '../../samples.ts';

/** All that a page says; the order of properties counts too. */
function comparable({ items, ...page }: Page): object {
  return {
    ...page,
    items: items.map((item) => ({ ...envelope(item), data: item.data, text: toJson(item.data ?? null, true) })),
  };
}

function envelope({ data: _, raw: __, wide: ___, ...rest }: RpdeItem): object {
  return rest;
}

function inPieces(text: string): Page | undefined {
  try {
    const pieces = piecesOf(Buffer.from(text));
    return pieces && { ...pieces.page, items: pieces.page.items.map(pieces.open) };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return undefined;
  }
}

function whole(text: string): Page | undefined {
  try {
    return parsePage(text);
  } catch (error) {
    expect(error).toBeInstanceOf(PageError);
    return undefined;
  }
}

/** Whether the text could be read in pieces: then they say what the whole says. */
function agrees(text: string): boolean {
  const pieces = inPieces(text);
  if (pieces === undefined) return false;
  const page = whole(text);
  expect(page, text).toBeDefined();
  expect(comparable(pieces), text).toEqual(comparable(page as Page));
  pieces.items.forEach((item, index) => {
    const kept = rawData(page?.items[index] as RpdeItem);
    expect(rawData(item), text).toBe(kept);
    if (item.raw === undefined) return;
    const own = Buffer.from(item.raw).toString();
    expect(text).toContain(own);
    expect(own).not.toContain('\n');
    expect(rawData(parseData(own)), text).toBe(kept);
  });
  return true;
}

const blank = fc.constantFrom('', '', '', ' ', '\n\t');
const value = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      '1',
      '-0',
      '1.0',
      '1e2',
      '1152921504606846977',
      '-1152921504606846977',
      '1234567890123456.5',
      'null',
      'true',
      '[]',
    ),
    fc.constantFrom(
      '"a"',
      '"\\/"',
      '"\\"data\\":{"',
      '", 1152921504606846977"',
      '"“é”"',
      '"\\u0090d0"',
      '"\u0090d0"',
      '"}"',
      '"\\\\"',
    ),
    fc.array(tie('value'), { maxLength: 3 }).map((entries) => `[${entries.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .tuple(
      blank,
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'data', 'items', '1', '__proto__'), tie('value'), blank), {
        maxLength: 4,
      }),
    )
    .map(([first, entries]) => `{${first}${entries.map(([name, one, gap]) => `"${name}":${gap}${one}`).join(',')}}`),
}));

/** Properties of envelopes, such as publishers write and such as none should. */
const property = fc.oneof(
  { weight: 4, arbitrary: value.object.map((data) => `"data":${data}`) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('updated', 'updated', 'deleted', 'Updated', 'other')
      .map((state) => `"state":"${state}"`),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('1', '2', '"2"', '1152921504606846977', '""', 'null').map((id) => `"id":${id}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('1', '1152921504606846977', '"x"').map((modified) => `"modified":${modified}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('data', 'kind', 'd\\u0061ta', '__proto__'), value.value)
      .map(([name, one]) => `"${name}":${one}`),
  },
);
const usual = fc
  .tuple(fc.nat(9), value.object)
  .map(([id, data]) => `{"state":"updated","kind":"Event","id":${id},"modified":${id},"data":${data}}`);
const item = fc.oneof(
  { weight: 3, arbitrary: usual },
  { weight: 3, arbitrary: fc.array(property, { maxLength: 6 }).map((properties) => `{${properties.join(',')}}`) },
  { weight: 1, arbitrary: value.value },
);
/** Items that one program wrote: their properties in one order, with blanks in the same places. */
const alike = fc
  .tuple(
    fc.shuffledSubarray(['state', 'kind', 'id', 'modified', 'data'], { minLength: 5 }),
    blank,
    fc.array(fc.option(value.object), { maxLength: 4 }),
  )
  .map(([order, gap, all]) => all.map((data, id) => written(order, gap, id, data)));

function written(order: readonly string[], gap: string, id: number, data: string | null): string {
  const state = data === null ? 'deleted' : 'updated';
  const values: Record<string, unknown> = { state: `"${state}"`, kind: '"Event"', id, modified: id, data };
  const names = order.filter((name) => name !== 'data' || data !== null);
  return `{${names.map((name) => `${gap}"${name}":${gap}${values[name]}`).join(',')}${gap}}`;
}

const page = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: alike }, { weight: 1, arbitrary: fc.array(item, { maxLength: 4 }) }),
    blank,
    fc.constantFrom('', '', '', '"items":[],', '"items":7,', '"other":{"data":{}},'),
    fc.constantFrom('', '', ',"more":1', ',"more":[{}]'),
  )
  .map(
    ([items, gap, first, last]) =>
      `${gap}{${first}"next":"https://x.org/","license":${gap}"https://x.org/","items":${gap}[${items.join(`,${gap}`)}]${last}}`,
  );

/** What may stand in a text instead of something else, so that it is JSON no more, or another. */
const stray = fc.constantFrom(
  '',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  't',
  '.0',
  '"data":{}',
  '1152921504606846977',
  ',1152921504606846977:"',
  ' ',
  '\uFEFF',
);

describe('a page in pieces', () => {
  it('says what the whole says', () => {
    let read = 0;
    fc.assert(
      fc.property(page, (text) => {
        if (agrees(text)) read += 1;
      }),
      { numRuns: runs(1_500) },
    );
    expect(read).toBeGreaterThan(200);
  });

  it('is not taken for a page where the whole is none, or is another', () => {
    let read = 0;
    let refused = 0;
    fc.assert(
      fc.property(page, stray, fc.nat(), fc.nat(3), (text, put, at, gone) => {
        const begin = at % text.length;
        if (agrees(text.slice(0, begin) + put + text.slice(begin + gone))) read += 1;
        else refused += 1;
      }),
      { numRuns: runs(2_000) },
    );
    expect(Math.min(read, refused)).toBeGreaterThan(50);
  });

  it.each([
    [
      'a name that is a wide integer',
      '{"state":"updated","id":1,"x":{"a":1,1152921504606846977:"q,\\"data\\":{"},"data":{"a":1}}',
    ],
    ['the same in data', '{"state":"updated","id":1,"data":{"a":1,1152921504606846977:"b}"}}'],
    ['an escaped quotation mark before the name', '{"state":"updated","id":1,"a\\"data":{"b":1}}'],
    ['something behind the data', '{"state":"updated","id":1,"data":{"a":1}.0}'],
    ['a word that ends early', '{"state":"updated","id":1,"a":t"data":{}}'],
  ])('is what it is: %s', (_, text) => {
    agrees(`{"items":[${text}]}`);
  });

  it('is read so where nothing is unusual, and as a whole where a text could be taken for something else', () => {
    const one = (data: string) => `{"items":[{"state":"updated","id":1,"data":${data}}]}`;
    expect(agrees(one('{ "a":"https:\\/\\/x.org", "b":1152921504606846977}'))).toBe(true);
    expect(agrees(one('{"a":"\u0090d0"}'))).toBe(false);
    expect(agrees(one('"\\u0090d0"'))).toBe(false);
    expect(agrees(`\uFEFF${one('{}')}`)).toBe(false);
  });

  it.skipIf(samplesDir === undefined)('says what the whole says of real pages', () => {
    const names = (readdirSync(samplesDir as string, { recursive: true }) as string[]).filter((name) =>
      name.endsWith('.json'),
    );
    const read = names.filter((name) => agrees(readFileSync(join(samplesDir as string, name), 'utf8')));
    expect(read.length).toBeGreaterThan(3);
  });
});
