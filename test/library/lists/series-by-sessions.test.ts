import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readFilters } from '../../../src/search/query.ts';
import { item, type Served, served } from '../../server/stored-rig.ts';

/** Lists of series of which sessions alone have what is asked for. */

const id = (path: string) => `https://example.org/${path}`;
const series = (name: string, over: Record<string, unknown> = {}) =>
  item('SessionSeries', name, { '@id': id(name), name, ...over });
const session = (of: string, at: string, over: Record<string, unknown> = {}) =>
  item('ScheduledSession', `${of} ${at}`, {
    '@id': id(`${of}/${at}`),
    superEvent: id(of),
    startDate: at,
    duration: 'PT1H',
    ...over,
  });
const daily = (of: string, from: string, count: number, over: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, day) =>
    session(of, new Date(Date.parse(from) + day * 86_400_000).toISOString(), over),
  );
const led = { leader: [{ '@type': 'Person', name: 'Zebedee' }] };

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

async function listed(q: string, limit = 20) {
  const { items, next } = await one.library.search.series(readFilters(new URLSearchParams(q)).filters, { limit });
  return { names: items.map(({ name }) => name), next };
}

test('a session that is over takes nothing away', async () => {
  await one.feed(
    series('Stretch', { description: 'Bring a blanket.' }),
    session('Stretch', '2026-12-01T10:00:00Z'),
    series('Crafts'),
    session('Crafts', '2024-01-05T10:00:00Z', { name: 'Blanket making' }),
  );
  expect((await listed('q=blanket')).names).toEqual(['Stretch']);
});

test('sessions of one series, and those that are over, hide no other series', async () => {
  await one.feed(
    series('Past'),
    ...daily('Past', '2023-01-01T10:00:00Z', 1100, led),
    series('Often'),
    ...daily('Often', '2026-11-25T10:00:00Z', 300, led),
    series('Now'),
    session('Now', '2027-01-10T10:00:00Z', led),
  );
  expect((await listed('q=zebedee')).names).toEqual(['Often', 'Now']);
});

test('they come after all others, also where a word only ranks and times leave others out', async () => {
  const mondays = Array.from({ length: 30 }, (_, at) => `Yoga ${at}`);
  await one.feed(
    ...mondays.flatMap((name) => [series(name), session(name, '2026-11-30T10:00:00Z')]),
    series('Mixed'),
    session('Mixed', '2026-12-01T10:00:00Z', { name: 'Yoga' }),
  );
  for (const q of ['q=yoga&day=tue', 'q=yoga classes&day=tue'])
    for (const limit of [1, 20]) expect((await listed(q, limit)).names, `${q} ${limit}`).toEqual(['Mixed']);
  expect((await listed('q=yoga classes', 40)).names.at(-1)).toBe('Mixed');
});

test('the first of many dates is asked of the index', async () => {
  await one.feed(
    series('Slots'),
    ...daily('Slots', '2026-11-25T10:00:00Z', 200),
    session('Slots', '2027-07-01T10:00:00Z', led),
  );
  const asked = vi.spyOn(one.rig.store.read, 'bodies');
  expect((await listed('q=zebedee')).names).toEqual(['Slots']);
  expect(asked.mock.calls.length).toBeLessThan(10);
});
