import { describe, expect, it } from 'vitest';
import { parsePage, type RpdeItem, rawData } from '../../../src/opportunity/page/page.ts';
import { pageInPieces } from '../../../src/opportunity/page/pieces.ts';

const item = (data: string, id = 1) => `{"state":"updated","kind":"Event","id":${id},"modified":${id},"data":${data}}`;
const page = (...items: string[]) =>
  `{"next":"https://x.org/","license":"https://x.org/","items":[${items.join(',')}]}`;

/** The text that an item brought with it. */
function brought({ raw }: RpdeItem): string | undefined {
  return raw === undefined ? undefined : Buffer.from(raw).toString();
}

/** What a page that can be read in pieces says, which is what it says as a whole. */
function piecesOf(text: string): RpdeItem[] {
  const { items } = pageInPieces(Buffer.from(text)) as { items: RpdeItem[] };
  expect(items.map(withoutRaw)).toEqual(parsePage(text).items.map(withoutRaw));
  return items;
}

const withoutRaw = ({ raw: _, wide: __, ...item }: RpdeItem) => item;

const isWhole = (text: string) => pageInPieces(Buffer.from(text)) === undefined;

describe('raw data', () => {
  it.each([
    ['nothing in it', '{}'],
    ['characters of all kinds', '{"a":"é\\"\\n — 😀 \u007f","b":[1,-2.5,0,0.5,true,false,null,[],{}],"":""}'],
    ['wide integers', '{"a":1152921504606846977,"b":[-1152921504606846977]}'],
    ['names that a page has too', '{"a":"{\\"b\\": 1}, [2]","items":[{"data":{}}],"data":{"a":1}}'],
    ['text that looks like the next item', '{"a":"},{\\"state\\":\\"updated\\""}'],
    ['blanks', '{"a": 1}'],
    ['characters that are spelled', '{"a":"https:\\/\\/x.org \\u00e9 \\ud800"}'],
    ['numbers of any form', '{"a":[1.50,1.0,-0,1e3,0.0000001,51.75999999999999801]}'],
    ['a property twice', '{"b":[{"a":{"c":1},"a":2}]}'],
    ['numbers for names', '{"b":1,"1":2}'],
  ])('is kept as it was written, with %s', (_, data) => {
    const [one] = piecesOf(page(item(data)));
    expect(brought(one as RpdeItem)).toBe(data);
  });

  it('is written anew where it is not in one line: a line end parts what is kept together', () => {
    const [one] = piecesOf(page(item('{"a":1\n}')));
    expect(brought(one as RpdeItem)).toBeUndefined();
    expect(rawData(one as RpdeItem)).toBe('{"a":1}');
  });
});

describe('items of a page are found', () => {
  const expected = ['{"a":1}', '{"b":[2]}', undefined];

  it.each([
    [
      'names in the usual order',
      page(
        '{"state":"updated","id":1,"data":{"a":1}},{"state":"updated","id":2,"data":{"b":[2]}},{"state":"deleted","id":3}',
      ),
    ],
    [
      'something behind the data, and the page behind its items',
      '{"items":[{"id":1,"data":{"a":1},"state":"updated"},{"id":2,"data":{"b":[2]},"state":"updated"},{"id":3,"state":"deleted"}],"next":"https://x.org/"}',
    ],
    [
      'the data first',
      page(
        '{"data":{"a":1},"id":1,"state":"updated"},{"data":{"b":[2]},"id":2,"state":"updated"},{"data":null,"id":3,"state":"deleted"}',
      ),
    ],
    [
      'blanks as Python writes them',
      '{"next": "https://x.org/", "items": [{"state": "updated", "id": 1, "data": {"a":1}}, {"state": "updated", "id": 2, "data": {"b":[2]}}, {"state": "deleted", "id": 3}]}',
    ],
    [
      'a line for each property',
      ` {\n"items" : [\n {\n  "state": "updated",\n  "id": 1,\n  "data": {"a":1}\n },\n {\n  "state": "updated",\n  "id": 2,\n  "data": {"b":[2]}\n },\n {\n  "state": "deleted",\n  "id": 3\n }\n ]\n}\n`,
    ],
    [
      'a deleted one first',
      page(
        '{"state":"deleted","id":3},{"state":"updated","id":1,"data":{"a":1}},{"state":"updated","id":2,"data":{"b":[2]}}',
      ),
    ],
  ])('with %s', (_, text) => {
    const found = piecesOf(text).toSorted((a, b) => Number(a.id) - Number(b.id));
    expect(found.map(brought)).toEqual(expected);
  });

  it('also where one has data that is none', () => {
    expect(piecesOf(page(item('{"a":1}'), item('"x"', 2), item('[3]', 3))).map(brought)).toEqual([
      '{"a":1}',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['that are not written alike', page(item('{"a":1}'), '{"id":2,"state":"updated","data":{"b":2}}')],
    ['whose data looks like them', page(item('{"a":[{"state":1},{"state":2}]}'))],
    ['with two of what there is one of', page('{"state":"updated","id":1,"data":{"a":1},"data":{"b":2}}')],
    ['with something else before the data', page('{"state":"updated","id":1,"x":{"data":{}},"data":{"b":2}}')],
    ['which are none', page('7', 'null')],
    ['of which there are none', page()],
    ['in a list within', '{"x":{"items":[{"state":"updated","id":1,"data":{}}]},"items":[]}'],
    ['in two lists', '{"items":[{"state":"updated","id":1,"data":{}}],"items":[{"state":"updated","id":2,"data":{}}]}'],
    ['before another list of objects', '{"items":[{"state":"updated","id":1,"data":{}}],"x":[{}]}'],
    ['which end in the middle', '{"items":[{"state":"updated","id":1,"data":{}},{"state":"upd'],
    ['without an end of their name', '{"items":[{"sta'],
  ])('but not those %s: such a page is read as a whole', (_, text) => {
    expect(isWhole(text)).toBe(true);
  });
});
