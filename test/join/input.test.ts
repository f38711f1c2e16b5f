import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';
import { PageError } from '../../src/opportunity/page/page.ts';
import { seriesWith, sessionWith } from '../opportunity/reader.ts';
import { runs } from '../runs.ts';

const read = (value: unknown) =>
  readInput(typeof value === 'string' ? value : JSON.stringify(value), { zone: 'Europe/London', feed: 'input.json' });
const item = (data: unknown, changes: Record<string, unknown> = {}) => ({
  state: 'updated',
  kind: 'k',
  id: 1,
  modified: 1,
  data,
  ...changes,
});
const SLOT = { '@type': 'Slot', facilityUse: 'https://x.org/f', startDate: '2027-03-01T10:00:00Z', duration: 'PT1H' };
const ids = (value: unknown) => read(value).records.map(({ record }) => record.id);
const found = (value: unknown) => read(value).findings.map(({ code, item: name, path }) => `${name}: ${code} ${path}`);

describe('what may come in', () => {
  const series = seriesWith({});
  const session = sessionWith({});
  const both = ['https://x.org/s', 'https://x.org/s/1'];

  test.each([
    ['a page', { next: 'n', license: 'l', items: [item(series), item(session, { id: 2 })] }, both, 2],
    ['an array of items', [item(series), item(session, { id: 2 })], both, 2],
    ['an array of objects', [series, session], both, 2],
    ['one item', item(series), ['https://x.org/s'], 1],
    ['one object', series, ['https://x.org/s'], 1],
    ['a mix', [series, [item(session)]], both, 2],
    [
      'pages',
      [
        { next: 'n', license: 'l', items: [item(series)] },
        { next: 'n', license: 'l', items: [item(session, { id: 2 })] },
      ],
      both,
      2,
    ],
    ['data without an envelope’s rest', { data: series }, ['https://x.org/s'], 1],
    ['nothing', [], [], 0],
    ['a byte order mark', `\uFEFF${JSON.stringify(series)}`, ['https://x.org/s'], 1],
  ])('%s', (_name, value, expected, items) => {
    const { records, items: seen } = read(value);
    expect(records.map(({ record }) => record.id).sort()).toEqual(expected);
    expect(seen).toBe(items);
  });

  test.each([
    ['a word', '"yes"', 'not-a-page'],
    ['a number', '5', 'not-a-page'],
    ['null', 'null', 'not-a-page'],
    ['HTML', '<html>', 'html'],
    ['half', '[{"a":', 'truncated'],
  ])('%s cannot', (_name, text, code) => {
    expect(() => read(text)).toThrow(PageError);
    expect(() => read(text)).toThrow(expect.objectContaining({ code }));
  });
});

describe('items', () => {
  test('the newer copy wins, and a deleted one is gone', () => {
    const [older, newer] = [
      item(seriesWith({ name: 'old' }), { modified: 5 }),
      item(seriesWith({ name: 'new' }), { modified: 10 }),
    ];
    expect(read([newer, older]).records.map(({ record }) => 'details' in record && record.details.name)).toEqual([
      'new',
    ]);
    expect(ids([newer, { state: 'deleted', kind: 'k', id: 1, modified: 11 }])).toEqual([]);
    expect(ids([{ state: 'deleted', kind: 'k', id: 1, modified: 9 }, newer])).toEqual(['https://x.org/s']);
  });

  test.each([
    ['no data', undefined],
    ['data of no type', { foo: 1 }],
  ])('one that is followed by a copy with %s stays, with an error', (_, data) => {
    const items = [item(seriesWith({})), item(data, { modified: 2 })];
    for (const value of [items, { next: 'n', license: 'l', items }]) {
      expect(ids(value)).toEqual(['https://x.org/s']);
      expect(found(value)).toContain('k 1: item-lost-its-data $');
    }
  });

  test('integers past 2^53 keep apart', () => {
    const text = `[${['9007199254740992', '9007199254740993'].map((id) => `{"state":"updated","kind":"k","id":${id},"modified":1,"data":{"@type":"Place","name":"Hall","identifier":${id}}}`)}]`;
    expect(new Set(ids(text)).size).toBe(2);
  });

  test('findings name the item: kind and id, the @id, or the position', () => {
    const broken = { '@type': 'ScheduledSession' };
    expect(
      found([
        item(broken),
        { ...broken, '@id': 'https://x.org/1', superEvent: 'https://x.org/s' },
        broken,
        7,
        {},
      ]).filter((line) => !/id-missing|series/.test(line)),
    ).toEqual([
      '[3]: item-not-an-object $',
      'k 1: session-without-start $',
      'https://x.org/1: session-without-start $',
      'ScheduledSession [2]: session-without-start $',
      '[4]: type-missing $',
    ]);
  });

  test('the same object twice is one', () => {
    const session = sessionWith({ '@id': undefined });
    expect(read([session, session]).records).toHaveLength(1);
  });

  test('two objects of one @id: the order does not matter', () => {
    const two = [seriesWith({ name: 'a' }), seriesWith({ name: 'b' })];
    const nameOf = (input: unknown[]) => join(read(input).records).series[0]?.series.details.name;
    expect(nameOf(two)).toBe(nameOf(two.toReversed()));
  });
});

test('arrays of any depth', () => {
  expect(read(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toEqual({
    records: [],
    findings: [],
    items: 0,
    licenses: new Map(),
  });
});

test('any JSON: read, or refused with one line', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'large' }), (value) => {
      const scalar = typeof value !== 'object' || value === null;
      if (scalar) expect(() => read(JSON.stringify(value))).toThrow(PageError);
      else expect(() => read(JSON.stringify(value))).not.toThrow();
    }),
    { numRuns: runs(500) },
  );
});

test('slots that are left out are one finding', () => {
  const slots = [1, 2, 3].map((n) =>
    item({ ...SLOT, '@id': `https://x.org/f/${n}` }, { id: n, kind: 'FacilityUse/Slot' }),
  );
  const { findings } = read({ next: 'n', license: 'https://x.org/l', items: slots });
  expect(findings.map(({ code, item: name, message }) => [code, name, message])).toEqual([
    [
      'slots-not-harvested',
      'FacilityUse/Slot 1',
      'Change nothing: slots are not harvested from this feed, and 3 were left out.',
    ],
  ]);
});
