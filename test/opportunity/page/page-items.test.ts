import { describe, expect, test } from 'vitest';
import { advice } from '../../../src/opportunity/page/item-findings.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';

type Change = Record<string, unknown>;
const item = (id: unknown, modified: unknown, more: Change = {}) => ({
  state: 'deleted',
  kind: 'SessionSeries',
  id,
  modified,
  ...more,
});
const pageOf = (items: object[], more: Change = {}) =>
  parsePage(JSON.stringify({ items, next: 'https://a.example/2', license: 'https://a.example/licence', ...more }));

const CASES: [name: string, items: object[], found: string[]][] = [
  ['nothing', [], []],
  ['items in order', [item('a', 1), item('b', 1), item('c', 10)], []],
  ['numbers past 2^53 in order', [item('a', 2 ** 60), item('b', 2 ** 60 + 1024)], []],
  [
    'times in order or not: they may be spelled in several ways',
    [item('a', '2026-02-01'), item('b', '2026-01-01')],
    [],
  ],
  [
    'times, then numbers',
    [item('a', '2026-02-01'), item('b', 1796180000000), item('c', 1796180000001)],
    ['modified-form-changes SessionSeries b'],
  ],
  ['a number, then a text', [item('a', 5), item('b', 'b')], ['modified-form-changes SessionSeries b']],
  ['one item twice', [item('a', 1), item('a', 2), item('a', 3)], ['item-repeated SessionSeries a']],
  ['one id in two kinds', [item(1, 1), item(1, 2, { kind: 'Place' })], ['item-id-shared Place 1']],
  ['items that go back', [item('a', 10), item('b', 9), item('c', 8)], ['items-not-in-order SessionSeries b']],
  [
    'items that go back, then another form',
    [item('a', 20), item('b', 5), item('c', '2026-11-27T00:00:00Z')],
    ['items-not-in-order SessionSeries b', 'modified-form-changes SessionSeries c'],
  ],
];

describe('the items of a page together', () => {
  test.each(CASES)('%s', (_, items, found) => {
    expect(pageOf(items).findings.map((one) => `${one.finding.code} ${one.item}`)).toEqual(found);
  });

  test('a licence that is no address', () => {
    expect(pageOf([], { license: 'CC-BY' }).findings).toEqual([
      { item: '', finding: { code: 'license-not-url', path: '$.license', facts: { value: 'CC-BY' } } },
    ]);
  });
});

describe('advice', () => {
  test.each([
    ['a kind of the model', [item('a', 1, { kind: 'FacilityUse/Slot' })], []],
    [
      'another kind',
      [item('a', 1), item('b', 2, { kind: 'session' }), item('c', 3, { kind: 'league' })],
      ['kind-unofficial'],
    ],
    ['times for numbers', [item('a', '2026-01-01')], ['modified-not-integer']],
    ['a number below 0', [item('a', -1)], []],
  ])('%s', (_, items, found) => {
    expect(advice(pageOf(items)).map(({ finding }) => finding.code)).toEqual(found);
  });
});
