import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CASES } from './cases.ts';
import { BEFORE, type Calendars, converted, items, pairs, served, servedAt } from './paths.ts';

/** One reading of the domain (semantics 2): every case in memory and through the store, in both orders of arrival. */
describe('the same octets in memory and from the store', () => {
  test.each(CASES)('$name', async ({ objects, says }) => {
    const all = items(...objects);
    const memory = await converted(all);
    const all3: Calendars[] = [
      await served(all),
      await served(...all.map((item) => [item])),
      await served(...all.toReversed().map((item) => [item])),
    ];
    for (const stored of all3) for (const [is, expected] of pairs(memory, stored, all)) expect(is).toEqual(expected);
    const text = [...memory.series, ...memory.availability, ...memory.hours].join('').replaceAll('\r\n ', '');
    for (const words of says) expect(text).toContain(words);
  });
});

const folder = new URL('../../fixtures/', import.meta.url);
const inputs = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('the fixtures are served as they are converted', () => {
  test.each(inputs)('%s', async (name) => {
    const all = itemsOf(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
    const { series } = await servedAt(BEFORE, all);
    const stored = { ...(await served(all)), series };
    for (const [is, expected] of pairs(await converted(all), stored, all)) expect(is).toEqual(expected);
  });
});

type Input = { items: Input[] } | { data: object } | Input[];

function itemsOf(input: Input): ReturnType<typeof items> {
  if (Array.isArray(input)) return input.flatMap(itemsOf);
  if ('items' in input) return itemsOf(input.items);
  return items('data' in input ? input.data : input);
}
