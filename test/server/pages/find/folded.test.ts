import { describe, expect, test } from 'vitest';
import type { OccurrenceItem } from '../../../../src/library/index.ts';
import { folded, isRepetitive } from '../../../../src/server/pages/find/folded.ts';
import { setUp } from '../../fake.ts';
import { DAY, HOUR } from '../../made.ts';
import { item, SIX, words } from './items.ts';

const LONDON = 'Europe/London';
const WEEK = 7 * DAY;

/** Clocks go forward on 28 March 2027, and back on 31 October. */
function onTheClock(time: number): number {
  const isSummer = time >= Date.UTC(2027, 2, 28, 1) && time < Date.UTC(2027, 9, 31, 1);
  return isSummer ? time - HOUR : time;
}

/** A series on as many dates, Saturdays unless they are so far apart. */
function series(key: string, count: number, { apart = WEEK, from = SIX } = {}): OccurrenceItem[] {
  return Array.from({ length: count }, (_, at) =>
    item({ start: onTheClock(from + at * apart), name: key, series: { key, id: key, name: key } }),
  );
}

const inOrder = (items: OccurrenceItem[]) => items.sort((a, b) => a.start - b.start);
const foldedNames = (items: OccurrenceItem[], next?: string) =>
  folded({ items, ...(next && { next }) }, LONDON).items.map((one) => one.name);
const further = (items: OccurrenceItem[], next?: string) => [
  ...folded({ items, ...(next && { next }) }, LONDON).further.values(),
];

describe('dates of one series after the other', () => {
  test('each series is shown once, at its next date', () => {
    const items = inOrder([...series('yoga', 20), ...series('judo', 5, { from: SIX + DAY }), ...series('fete', 1)]);
    expect(isRepetitive(items)).toBe(true);
    expect(foldedNames(items)).toEqual(['yoga', 'fete', 'judo']);
    expect(further(items)).toEqual([
      'and every Saturday until Sat 3 Apr 2027, 19 more dates',
      'and every Sunday until Sun 20 Dec, 4 more dates',
    ]);
  });

  test('every date is shown or counted, whatever the list', () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const items = inOrder([
        ...series('a', seed * 3, { apart: DAY }),
        ...series('b', seed, { apart: 3 * DAY }),
        ...series('c', 9, { from: SIX + HOUR }),
      ]);
      const found = folded({ items }, LONDON);
      const counts = [...found.further.values()].map((one) => Number(/(\d+) more date/.exec(one)?.[1]));
      expect(found.items.length + counts.reduce((sum, count) => sum + count, 0)).toBe(items.length);
    }
  });

  test.each([
    [
      'two days a week',
      [...series('a', 4), ...series('a', 4, { from: SIX + 3 * DAY })],
      'and every Tuesday and Saturday',
    ],
    ['a week is left out', series('a', 5).toSpliced(2, 1), 'and 3 more dates'],
    ['at other times', series('a', 4, { apart: WEEK + HOUR }), 'and 3 more dates'],
    ['two dates are no rule', series('a', 2), 'and 1 more date'],
    ['every day', series('a', 21, { apart: DAY }), 'and every day until Fri 11 Dec, 20 more dates'],
    ['for longer than is known', series('a', 52), 'and every Saturday, 51 more dates'],
  ])('%s', (_, items, said) => {
    expect(further(inOrder(items))[0]).toContain(said);
  });

  test('clocks that change keep the time of the place', () => {
    const summer = Date.UTC(2026, 9, 3, 17);
    const items = [summer, summer + WEEK, summer + 2 * WEEK, summer + 3 * WEEK, summer + 4 * WEEK + HOUR];
    const all = items.map((start) => item({ start }));
    expect(further(all)).toEqual(['and every Saturday until Sat 31 Oct, 4 more dates']);
  });

  test('a date that is cancelled or moved is a row of its own', () => {
    const items = series('yoga', 8);
    items[2] = { ...(items[2] as OccurrenceItem), status: 'EventCancelled' };
    items[4] = { ...(items[4] as OccurrenceItem), was: SIX };
    expect(foldedNames(items)).toEqual(['yoga', 'yoga', 'yoga']);
    expect(further(items)).toEqual(['and 5 more dates']);
  });

  test.each<[string, Partial<OccurrenceItem>]>([
    ['name', { name: 'yoga at dusk' }],
    ['price', { price: { currency: 'GBP', min: 9, max: 9, free: false } }],
    ['level', { level: ['Advanced'] }],
    ['age', { age: { min: 60 } }],
    ['leader', { details: { leader: ['Tom'] } }],
    ['place', { elsewhere: true }],
  ])('a date with another %s is a row of its own', (_, other) => {
    const items = series('yoga', 8);
    items[3] = { ...(items[3] as OccurrenceItem), ...other };
    expect(folded({ items }, LONDON).items).toEqual([items[0], items[3]]);
    expect(further(items)).toEqual(['and 6 more dates']);
  });

  test('of a list that goes on, the last day is left to what follows, and nothing is counted', () => {
    const items = series('yoga', 8);
    const found = folded({ items, next: 'cursor' }, LONDON);
    expect(found.next).toBe(Math.floor((SIX + 7 * WEEK) / DAY));
    expect([...found.further.values()]).toEqual(['and every Saturday after that']);
  });

  test('few rows, and rows of many series, stay', () => {
    expect(isRepetitive(series('yoga', 6))).toBe(false);
    expect(isRepetitive(Array.from({ length: 20 }, (_, at) => series(String(at), 1)).flat())).toBe(false);
  });
});

describe('the page', () => {
  async function page(path: string): Promise<string> {
    const { app, library } = setUp();
    library.search.items = inOrder([...series('yoga', 40), ...series('judo', 40, { from: SIX + DAY })]);
    return (await app.request(path)).text();
  }
  const rows = (text: string) => text.match(/<li class="row/g)?.length;

  test('shows 80 dates of two classes in two rows', async () => {
    const text = await page('/search?q=club');
    expect([rows(text), words(text).includes('and every Saturday, 39 more dates')]).toEqual([2, true]);
    expect(text).not.toContain('rel="next"');
  });

  test.each([
    ['days are asked for', '/search?q=club&from=2026-11-21&to=2027-11-21'],
    ['it goes on with a long day', '/search?q=club&more=1'],
  ])('all dates where %s', async (_, path) => {
    expect(rows(await page(path))).toBeGreaterThan(20);
  });

  test('a week of one class on seven days is not folded', async () => {
    const { app, library } = setUp();
    library.search.items = series('yoga', 40, { apart: DAY });
    const text = await (await app.request('/search?q=club&view=week')).text();
    expect(text.match(/class="when"/g)).toHaveLength(7);
  });
});
