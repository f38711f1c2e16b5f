import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { FEED, type Rig, rig } from '../rig.ts';

/** `modified` and ids past 2^53, where numbers of JavaScript run together, and `modified` in other forms (semantics 1.2): who is newer, who is who. */

let one: Rig;
beforeEach(async () => {
  one = await rig();
});
afterEach(() => one.close());

const item = (id: string, modified: string, name: string) =>
  `{"state":"updated","kind":"Place","id":${id},"modified":${modified},"data":{"@type":"Place","@id":"https://a.example/${id}","name":"${name}","openingHoursSpecification":[{"@type":"OpeningHoursSpecification","dayOfWeek":["https://schema.org/Monday"],"opens":"09:00","closes":"17:00"}]}}`;

async function take(...items: string[]): Promise<void> {
  const handle = await one.ingest.open(FEED, {});
  await one.ingest.commit(handle, parsePage(`{"next":"${FEED}","license":"x","items":[${items.join()}]}`), FEED);
}

async function nameOf(id: string): Promise<string | undefined> {
  const record = await one.store.read.recordByIdent('place', `https://a.example/${id}`);
  return record === undefined || record.body === '' ? undefined : (JSON.parse(record.body) as { name: string }).name;
}

describe('modified past 2^53', () => {
  const rows: [string, string, string][] = [
    ['neighbours that are one number as doubles', '9007199254740992', '9007199254740993'],
    ['rowversions', '1152921504606846976', '1152921504606846977'],
    ['.NET ticks', '638999999999999999', '639000000000000000'],
    ['more than 64 bits', '18446744073709551615', '18446744073709551616'],
    ['of other lengths: by value, not by letter', '9999999999999999', '10000000000000000'],
    ['fractions', '9.5', '10.5'],
    ['dates with a fraction of a second or none', '"2026-11-01T09:00:00Z"', '"2026-11-01T09:00:00.5Z"'],
    ['dates with an offset', '"2026-11-01T10:00:00+02:00"', '"2026-11-01T09:00:00Z"'],
  ];
  test.each(rows)('%s: an older copy does not win, whatever the order', async (_name, older, newer) => {
    await take(item('1', newer, 'new'));
    await take(item('1', older, 'old'));
    expect(await nameOf('1')).toBe('new');
    await take(item('2', older, 'old'));
    await take(item('2', newer, 'new'));
    expect(await nameOf('2')).toBe('new');
    await take(item('3', newer, 'new'), item('3', older, 'old'));
    expect(await nameOf('3')).toBe('new');
  });

  test('seeded: of two copies the newer stays', async () => {
    const big = fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 8n });
    let id = 10;
    await fc.assert(
      fc.asyncProperty(big, big, async (a, b) => {
        fc.pre(a !== b);
        const key = String(id++);
        await take(item(key, String(a), `at ${a}`));
        await take(item(key, String(b), `at ${b}`));
        const [newer] = [a, b].toSorted((x, y) => (x > y ? -1 : 1));
        expect(await nameOf(key)).toBe(`at ${newer}`);
      }),
      { numRuns: 40 },
    );
  });
});

test.each([
  ['dates, then numbers', '"2026-11-01T00:00:00Z"', '1796180000000'],
  ['numbers, then dates', '1796180000000', '"2026-11-01T00:00:00Z"'],
  ['texts, then numbers', '"b"', '5'],
  ['nothing, then numbers', 'null', '5'],
])('a feed whose modified changes its form, %s: the later copy is the newer one', async (_, earlier, later) => {
  const deleted = `{"state":"deleted","kind":"Place","id":2,"modified":${later}}`;
  const feed = async () => {
    await take(
      item('1', earlier, 'old'),
      item('2', earlier, 'old'),
      item('3', earlier, 'old'),
      item('3', later, 'new'),
    );
    await take(item('1', later, 'new'), deleted);
  };
  await feed();
  const names = async () => [await nameOf('1'), await nameOf('2'), await nameOf('3')];
  expect(await names()).toEqual(['new', undefined, 'new']);
  await feed();
  expect(await names()).toEqual(['new', undefined, 'new']);
});

test('ids past 2^53 that are one number as doubles are two items', async () => {
  await take(item('9007199254740992', '1', 'even'), item('9007199254740993', '1', 'odd'));
  expect([await nameOf('9007199254740992'), await nameOf('9007199254740993')]).toEqual(['even', 'odd']);
  await take('{"state":"deleted","kind":"Place","id":9007199254740993,"modified":2}');
  expect((await one.store.read.calendarByKey(keyOf('place', 'https://a.example/9007199254740992')))?.state).toBe(
    'live',
  );
  const { items } = await one.store.read.feedCounts(1);
  expect(items).toBe(1);
});
