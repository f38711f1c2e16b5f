import { describe, expect, test } from 'vitest';
import { repeatedItems } from '../../../src/cli/check/repeated-items.ts';
import { readInput } from '../../../src/join/input.ts';
import { cli } from '../io.ts';

const ID = 'https://a.example/sessions/77';
const SERIES = 'https://a.example/series/9';
const session = {
  '@type': 'ScheduledSession',
  superEvent: SERIES,
  startDate: '2026-12-01T18:00:00Z',
  duration: 'PT1H',
};
const item = (id: string, modified: number, data: object = { ...session, '@id': ID }) => ({
  state: 'updated',
  kind: 'ScheduledSession',
  id,
  modified,
  data,
});

const OPTIONS = { zone: 'UTC', feed: 'https://a.example/feed' };
const found = (...items: object[]) =>
  repeatedItems(readInput(JSON.stringify(items), OPTIONS).records).map(({ item, message }) => [item, message]);

describe('items of one feed with one "@id"', () => {
  const words = `Give each item its own "@id", or delete one of them: ScheduledSession c has "${ID}" too and is used, so this item is left out.`;

  test.each([[['a', 'b', 'c']], [['c', 'b', 'a']], [['b', 'c', 'a']]])('%j: each but the newest', (order) => {
    const items = order.map((id) => item(id, id.charCodeAt(0)));
    expect(found(...items).sort()).toEqual([
      ['ScheduledSession a', words],
      ['ScheduledSession b', words],
    ]);
  });

  test('one item that came again is one', () => {
    expect(found(item('a', 1), item('a', 2))).toEqual([]);
  });

  test('what is embedded is said by many items', () => {
    const parent = { '@type': 'SessionSeries', '@id': SERIES, name: 'Yoga' };
    const of = (id: string) => item(id, 1, { ...session, '@id': `${ID}/${id}`, superEvent: parent });
    expect(found(of('a'), of('b'))).toEqual([]);
  });

  test('objects without an envelope', () => {
    const [first, second] = ['Yoga', 'Tai chi'].map((name) => ({ ...session, '@id': ID, name }));
    expect(found(first as object, second as object)).toEqual([[ID, expect.stringContaining('another object has ')]]);
  });
});

test.each(['expand', 'convert'])('%s counts it', async (command) => {
  const counts = async (...items: object[]) =>
    Number(/warnings (\d+)/.exec((await cli([command, '-'], { stdin: [JSON.stringify(items)] })).err)?.[1]);
  const one = item('a', 1, { ...session, '@id': ID });
  expect(await counts(one, { ...one, id: 'b', modified: 2 })).toBe(2 * (await counts(one)) + 1);
});

test('check tells it once', async () => {
  const stdin = [JSON.stringify([item('a', 1), item('b', 2)])];
  const { out } = await cli(['check', '-', '--format', 'jsonl'], { stdin });
  expect(out.split('\n').filter((line) => line.includes('"repeated-in-feed"'))).toHaveLength(1);
});
