import { afterEach, expect, test } from 'vitest';
import type { OccurrenceItem, StoredLibrary } from '../../../src/library/index.ts';
import { openLibrary } from '../../../src/library/stored-library.ts';
import type { Filters } from '../../../src/search/filters.ts';
import { momentText } from '../../../src/time/instant.ts';
import { cli } from '../../cli/io.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { withWholeDays } from '../../generate/whole-days.ts';
import { type Rig, rig, START } from '../../harvest/rig.ts';

/** What is found is what `expand` lists, on random feeds. */

const DAY = 86_400_000;
let one: Rig;
let library: StoredLibrary;

afterEach(() => one.close());

async function opened(items: readonly RpdeJson[]): Promise<void> {
  one = await rig();
  await one.feed(items);
  library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
}

async function everything(filters: Filters, limit: number): Promise<OccurrenceItem[]> {
  const items: OccurrenceItem[] = [];
  let after: string | undefined;
  do {
    const page = await library.search.occurrences(filters, { limit, ...(after !== undefined && { after }) });
    expect(page.problems).toEqual([]);
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}

async function expanded(items: readonly RpdeJson[], to: number): Promise<string[]> {
  const window = [
    '--from',
    new Date(START).toISOString().slice(0, 10),
    '--to',
    new Date(to).toISOString().slice(0, 10),
  ];
  const { out } = await cli(['expand', '-', ...window], { stdin: [JSON.stringify({ items })] });
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, string | null>)
    .filter(({ end, start }) => Date.parse(end ?? '') > START || (start === end && Date.parse(start ?? '') >= START))
    .map(({ id, start, end, name, status, url }) => JSON.stringify([id, start, end, name, status, url]))
    .sort();
}

const line = ({ id, start, end, allDay, name, status, url }: OccurrenceItem): string =>
  JSON.stringify([id ?? null, momentText(start, allDay), momentText(end, allDay), name || null, status, url ?? null]);

test.each([1, 2, 3, 4, 5, 6])('random feed %i', async (seed) => {
  const items = seed % 2 === 0 ? randomFeed(seed, 30) : withWholeDays(randomFeed(seed, 30));
  await opened(items);
  const to = START - (START % DAY) + 120 * DAY;
  const found = await everything({ cancelled: true, to: new Date(to).toISOString().slice(0, 10) }, 50);
  const inside = found.filter(({ start }) => start < to);
  const expected = await expanded(items, to);
  expect(expected.length).toBeGreaterThan(20);
  expect(inside.map(line).sort()).toEqual(expected);
});

test.each([11, 12])('few or many at once, feed %i: the same in the same order', async (seed) => {
  await opened(randomFeed(seed, 60));
  const whole = await everything({ cancelled: true }, 500);
  expect(whole.length).toBeGreaterThan(100);
  expect((await everything({ cancelled: true }, 7)).map(line)).toEqual(whole.map(line));
  const shown = whole.filter(({ status }) => status !== 'EventCancelled');
  expect((await everything({}, 33)).map(line)).toEqual(shown.map(line));
});
