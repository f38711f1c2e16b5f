import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { latest as latestOf } from '../../../src/opportunity/page/copies.ts';
import {
  compareModified,
  PageError,
  parseData,
  parsePage,
  type RpdeItem,
  rawData,
} from '../../../src/opportunity/page/page.ts';
import { pageInPieces } from '../../../src/opportunity/page/pieces.ts';
import { runs } from '../../runs.ts';

const page = (items: string, rest = '"next":"https://x.org/?a=1","license":"https://x.org/l"') =>
  `{${rest},"items":[${items}]}`;
const latest = (items: readonly RpdeItem[]) => latestOf(items, ({ data }) => data !== undefined);
const codes = (text: string) => parsePage(text).findings.map(({ item, finding }) => [item, finding.code]);

/** A text of so many octets a character, low octet first, as UTF-8 reads it. */
function decoded(text: string, octets: 2 | 4): string {
  const units = octets === 2 ? new Uint16Array(text.length) : new Uint32Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return new TextDecoder().decode(new Uint8Array(units.buffer));
}

describe('a page that can be read', () => {
  test('an item keeps its id, modified and data', () => {
    const read = parsePage(page('{"state":"updated","kind":"Event","id":7,"modified":12,"data":{"@type":"Event"}}'));
    expect(read).toEqual({
      next: 'https://x.org/?a=1',
      license: 'https://x.org/l',
      items: [{ state: 'updated', kind: 'Event', id: '7', modified: '12', data: { '@type': 'Event' } }],
      findings: [],
    });
  });

  test.each([
    ['2^53 + 1', '9007199254740993'],
    ['a rowversion of 2^60', '1152921504606846977'],
    ['the largest of 64 bits', '9223372036854775807'],
    ['.NET ticks', '637134567890123456'],
    ['negative', '-9007199254740993'],
  ])('%s survives as modified, id and inside the data', (_name, digits) => {
    const text = `{"state":"updated","kind":"k","id":${digits},"modified": ${digits},"data":{"identifier":${digits},"list":[1,${digits},${digits}]}}`;
    const [item] = parsePage(page(text)).items as [RpdeItem];
    expect([item.id, item.modified]).toEqual([digits, digits]);
    expect(rawData(item)).toBe(`{"identifier":${digits},"list":[1,${digits},${digits}]}`);
    expect(rawData(parseData(rawData(item)))).toBe(rawData(item));
  });

  test.each([
    ['a colon', 'costs: 12345678901234567890, or more'],
    ['a bracket after an escaped quotation mark', 'say \\"[1234567890123456789]\\" twice'],
    ['backslashes at the end of another string', 'C:\\\\", "k2": "x, 12345678901234567890'],
  ])('digits inside a string are left alone: %s', (_name, inner) => {
    const data = `{"d":"${inner}","n":9007199254740993}`;
    const [item] = parsePage(page(`{"state":"updated","kind":"k","id":1,"modified":1,"data":${data}}`)).items as [
      RpdeItem,
    ];
    expect(rawData(item)).toBe(JSON.stringify(JSON.parse(data)).replace('9007199254740992', '9007199254740993'));
  });

  test('fractions and exponents are numbers, not wide integers', () => {
    const [item] = parsePage(
      page(
        '{"state":"updated","kind":"k","id":1,"modified":12345678901234567890,"data":[1234567890123456.5,12345678901234567e2]}',
      ),
    ).items as [RpdeItem];
    expect(item.data).toEqual(JSON.parse('[1234567890123456.5,12345678901234567e2]'));
  });

  test('a string with the prefix of wide integers does not become a number', () => {
    const [item] = parsePage(
      page(
        '{"state":"updated","kind":"k","id":1,"modified":12345678901234567890,"data":["\\u00901234567890123456","\u0090123"]}',
      ),
    ).items as [RpdeItem];
    expect(JSON.parse(rawData(item))).toEqual(['\uFFFD1234567890123456', '\uFFFD123']);
  });

  test('a byte order mark is no obstacle', () => {
    expect(codes(`\uFEFF${page('')}`)).toEqual([['', 'byte-order-mark']]);
  });

  test('a page with replacement characters keeps its items, and counts the characters', () => {
    const item = '{"state":"updated","kind":"k","id":1,"modified":1,"data":{"name":"Caf\uFFFD","d":"\uFFFD"}}';
    const read = parsePage(page(item));
    expect(read.items[0]?.data).toEqual({ name: 'Caf\uFFFD', d: '\uFFFD' });
    expect(read.findings).toEqual([{ item: '', finding: { code: 'characters-lost', path: '$', facts: { count: 2 } } }]);
    expect(pageInPieces(Buffer.from(page(item)))?.findings).toEqual(read.findings);
  });

  test('__proto__ as a key changes no prototype', () => {
    const [item] = parsePage(
      page('{"state":"updated","kind":"__proto__","id":"__proto__","modified":1,"data":{"__proto__":{"polluted":1}}}'),
    ).items as [RpdeItem];
    expect(latest([item])).toHaveLength(1);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(rawData(item)).toBe('{"__proto__":{"polluted":1}}');
  });

  test('a hundred thousand levels are read and written back', () => {
    const deep = `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`;
    const [item] = parsePage(page(`{"state":"updated","kind":"k","id":1,"modified":1,"data":${deep}}`)).items as [
      RpdeItem,
    ];
    expect(rawData(item)).toBe(deep);
  });

  test('what JSON says comes back from the raw data', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ depthSize: 'medium' }),
        fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }),
        (value, wide) => {
          const data = `{"v":${JSON.stringify(value)},"w":${wide},"t":${JSON.stringify(`x: ${wide}`)}}`;
          const [item] = parsePage(page(`{"state":"updated","kind":"k","id":1,"modified":${wide},"data":${data}}`))
            .items as [RpdeItem];
          expect(rawData(item)).toBe(data);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('a page that cannot be read', () => {
  test.each([
    [
      'an HTML page with 200',
      '<!DOCTYPE html><title>We will be back</title>',
      'html',
      'HTML page where JSON was expected (<!DOCTYPE html>',
    ],
    ['HTML behind a byte order mark', '\uFEFF  <html>', 'html', 'check the address'],
    ['nothing', '', 'truncated', 'empty'],
    ['only blanks', ' \r\n ', 'truncated', 'empty'],
    ['cut inside a string', '{"next":"https://exa', 'truncated', 'after 20 characters'],
    ['cut after a value', '{"next":"x","items":[{"id":1', 'truncated', 'ends in the middle'],
    [
      'cut after a wide integer',
      '{"next":"x","items":[{"id":1,"modified":12345678901234567890',
      'truncated',
      'ends in the middle',
    ],
    ['UTF-16', decoded('\uFEFF{"items":[]}', 2), 'not-utf-8', 'send JSON in UTF-8 (RFC 8259, 8.1)'],
    ['UTF-16 without a byte order mark', decoded('{"items":[]}', 2), 'not-utf-8', 'is in UTF-16'],
    ['UTF-16 with the high octet first', '\uFFFD\uFFFD\0{\0"', 'not-utf-8', 'is in UTF-16'],
    ['UTF-32', decoded('\uFEFF{}', 4), 'not-utf-8', 'or UTF-32'],
    ['a zero in a text', '{"a":"b\0"}', 'not-json', 'not JSON'],
    ['plain text', 'Service Unavailable', 'not-json', 'not JSON'],
    ['a stray comma', '{"items":[],}', 'not-json', 'not JSON'],
    ['an array', '[]', 'not-a-page', 'An array where an RPDE page was expected'],
    ['an object without items', '{"next":"x"}', 'not-a-page', 'without an "items" array'],
    ['items that are no array', '{"items":{}}', 'not-a-page', 'without an "items" array'],
    ['null', 'null', 'not-a-page', 'null where'],
  ])('%s', (_name, text, code, part) => {
    const error = caught(() => parsePage(text));
    expect(error).toBeInstanceOf(PageError);
    expect((error as PageError).code).toBe(code);
    expect((error as PageError).message).toContain(part);
    expect((error as PageError).message).not.toMatch(/[\r\n]/);
  });

  test('the error keeps what the parser threw', () => {
    expect((caught(() => parsePage('{')) as PageError).cause).toBeInstanceOf(SyntaxError);
  });
});

describe('broken items', () => {
  const good = '{"state":"updated","kind":"Event","id":"good","modified":1,"data":{}}';

  test.each([
    ['a number', '5', 'item-not-an-object'],
    ['null', 'null', 'item-not-an-object'],
    ['an array of arrays', '[[[]]]', 'item-not-an-object'],
    ['no id', '{"state":"updated","kind":"Event","modified":1,"data":{}}', 'item-without-id'],
    ['an empty id', '{"state":"updated","kind":"Event","id":"","modified":1,"data":{}}', 'item-without-id'],
    ['an object as id', '{"state":"updated","kind":"Event","id":{},"modified":1,"data":{}}', 'item-without-id'],
    [
      'an id of 10,000 characters',
      `{"state":"updated","kind":"Event","id":"${'x'.repeat(10_000)}","modified":1}`,
      'item-id-too-long',
    ],
    ['an unknown state', '{"state":"removed","kind":"Event","id":"1","modified":1}', 'item-state-invalid'],
    ['neither state nor data', '{"kind":"Event","id":"1","modified":1}', 'item-state-invalid'],
  ])('%s: left out with a finding that names its position, the other items live', (_name, item, code) => {
    const read = parsePage(page(`${item},${good}`));
    expect(read.items.map(({ id }) => id)).toEqual(['good']);
    expect(read.findings).toMatchObject([{ item: 'items[0]', finding: { code } }]);
  });

  test.each([
    ['state missing, but data', '{"kind":"k","id":1,"modified":1,"data":{}}', 'updated', 'item-state-missing'],
    ['state null', '{"state":null,"kind":"k","id":1,"modified":1,"data":{}}', 'updated', 'item-state-missing'],
    ['state empty', '{"state":"","kind":"k","id":1,"modified":1,"data":{}}', 'updated', 'item-state-missing'],
    [
      'state in capitals',
      '{"state":" Updated","kind":"k","id":1,"modified":1,"data":{}}',
      'updated',
      'item-state-spelling',
    ],
    ['no kind', '{"state":"updated","id":1,"modified":1,"data":{}}', 'updated', 'item-without-kind'],
    ['no modified', '{"state":"updated","kind":"k","id":1,"data":{}}', 'updated', 'modified-missing'],
    [
      'modified as a numeric string',
      '{"state":"updated","kind":"k","id":1,"modified":"12","data":{}}',
      'updated',
      'modified-as-text',
    ],
    [
      'modified of a thousand digits',
      `{"state":"updated","kind":"k","id":1,"modified":${'1'.repeat(1000)},"data":{}}`,
      'updated',
      'modified-missing',
    ],
  ])('%s: kept, with a finding of its own', (_name, item, state, code) => {
    const read = parsePage(page(item));
    expect(read.items).toMatchObject([{ state, findings: [{ code }] }]);
    expect(read.findings).toEqual([]);
  });

  test('a deleted item with data is deleted; the finding is the page’s', () => {
    const read = parsePage(page('{"state":"deleted","kind":"k","id":1,"modified":1,"data":{"a":1}}'));
    expect(read.items).toEqual([{ state: 'deleted', kind: 'k', id: '1', modified: '1' }]);
    expect(read.findings).toMatchObject([{ item: 'k 1', finding: { code: 'deleted-with-data' } }]);
  });

  test('a licence in an array is that one', () => {
    const rest = '"next":"https://x.org/?a=1","license":["https://x.org/l"]';
    expect(parsePage(page('', rest))).toMatchObject({ license: 'https://x.org/l', findings: [] });
  });

  test.each([
    ['an object with its address', { '@type': 'CreativeWork', url: 'https://x.org/l' }, 'https://x.org/l'],
    ['an object with an @id', { '@id': 'https://x.org/l' }, 'https://x.org/l'],
    ['an object with an id, in an array', [{ type: 'CreativeWork', id: 'https://x.org/l' }], 'https://x.org/l'],
    ['an object that is no address', { '@id': 'javascript:alert(1)' }, undefined],
    ['an object without any', { name: 'CC BY' }, undefined],
    ['a number', 4, undefined],
  ])('a licence that is %s is read, and a finding', (_, license, read) => {
    const text = JSON.stringify({ next: 'https://x.org/?a=1', license, items: [] });
    expect(parsePage(text).license).toBe(read);
    expect(codes(text)).toEqual([['', 'license-not-url']]);
  });

  test('next and license are asked for', () => {
    expect(codes('{"items":[]}')).toEqual([
      ['', 'next-missing'],
      ['', 'license-missing'],
    ]);
  });

  test('no JSON crashes the reader', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (items) => {
        const read = parsePage(JSON.stringify({ next: 'x', license: 'y', items }));
        expect(read.items.length + read.findings.filter(({ item }) => item.startsWith('items[')).length).toBe(
          items.length,
        );
      }),
      { numRuns: runs(300) },
    );
  });
});

const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((one) => one.toISOString());
const anyModified = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  date,
  fc.string(),
  fc.constant(''),
);

describe('the order of modified', () => {
  test.each([
    ['9', '10', -1],
    ['9007199254740993', '9007199254740992', 1],
    ['-5', '3', -1],
    ['007', '7', 0],
    ['5', '2014-09-15T09:12:51.706+01:00', 1],
    ['2026-11-01T09:00:00Z', '2026-11-01T09:00:00.5Z', -1],
    ['2026-11-01T09:00:00.1234567Z', '2026-11-01T09:00:00.1234568Z', -1],
    ['2026-11-01T10:00:00+02:00', '2026-11-01T09:00:00Z', -1],
    ['2026-11-01T10:00:00+01:00', '2026-11-01T09:00:00Z', 0],
    ['9.5', '10.5', -1],
    ['9007199254740993', '9007199254740992.5', 1],
    ['b', '2026-11-01', -1],
    ['b', '5', -1],
    ['2014-09-15T09:12:51.706+01:00', '2014-09-16', -1],
    ['', '0', -1],
    ['', 'a', -1],
    ['a', 'a', 0],
  ])('%s to %s: %i', (a, b, order) => {
    expect(Math.sign(compareModified(a, b))).toBe(order);
    expect(Math.sign(compareModified(b, a))).toBe(-order + 0);
  });

  test('it is a total order', () => {
    const value = anyModified;
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        expect(Math.sign(compareModified(a, b))).toBe(-Math.sign(compareModified(b, a)) + 0);
        if (compareModified(a, b) <= 0 && compareModified(b, c) <= 0)
          expect(compareModified(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('one key twice in a page', () => {
  const item = (id: string, modified: string, data: number): RpdeItem => ({
    state: 'updated',
    kind: 'k',
    id,
    modified,
    data,
  });

  test('the larger modified wins, whatever the order', () => {
    expect(latest([item('a', '10', 1), item('b', '1', 2), item('a', '9', 3)]).map(({ data }) => data)).toEqual([1, 2]);
    expect(latest([item('a', '9', 3), item('b', '1', 2), item('a', '10', 1)]).map(({ data }) => data)).toEqual([2, 1]);
  });

  test.each([
    ['a time', '2026-11-01T00:00:00Z', '1796180000000'],
    ['a number', '1796180000000', '2026-11-01T00:00:00Z'],
    ['a text', 'b', '5'],
    ['a text, also before one', 'b', 'a'],
    ['nothing', '', '5'],
    ['something, before nothing', '5', ''],
  ])('after %s in another form the later wins', (_, earlier, later) => {
    expect(latest([item('a', earlier, 1), item('a', later, 2)]).map(({ data }) => data)).toEqual([2]);
  });

  test('a feed that is read again ends with the same copies', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyModified, fc.constantFrom('1', '2', '2026-11-01', 'b'))), (values) => {
        const feed = values.map((modified, at) => item('a', modified, at));
        const once = latest(feed);
        expect(latest([...once, ...feed])).toEqual(once);
      }),
      { numRuns: runs(500) },
    );
  });

  test('of equal ones the later', () => {
    expect(latest([item('a', '1', 1), item('a', '1', 2)]).map(({ data }) => data)).toEqual([2]);
  });

  const empty = (modified: string): RpdeItem => ({ state: 'updated', kind: 'k', id: 'a', modified });
  test.each<[string, RpdeItem[], (number | undefined)[]]>([
    ['keeps the good one before it', [item('a', '1', 1), empty('2')], [1, undefined]],
    ['keeps the newest good one', [item('a', '1', 1), item('a', '2', 2), empty('3'), empty('4')], [2, undefined]],
    ['goes where a good one follows', [item('a', '1', 1), empty('2'), item('a', '3', 3)], [3]],
    ['is left out as an older copy', [item('a', '2', 1), empty('1')], [1]],
    ['stands alone without a good one', [empty('1'), empty('2')], [undefined]],
  ])('an empty copy %s', (_, items, left) => {
    expect(latest(items).map(({ data }) => data)).toEqual(left);
  });

  test('kind and id together are the key', () => {
    expect(latest([item('a', '1', 1), { ...item('a', '1', 2), kind: 'l' }])).toHaveLength(2);
  });
});

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
