import { afterAll, beforeAll, expect, test } from 'vitest';
import { item, type Served, served } from '../../../server/stored-rig.ts';

/** Who is not wanted: what is for them is left out, and nothing else is. */

const AGES: Readonly<Record<string, { minValue?: number; maxValue?: number }>> = {
  Ducklings: { minValue: 0, maxValue: 1 },
  Splash: { minValue: 1, maxValue: 4 },
  Club: { minValue: 5, maxValue: 11 },
  Squad: { minValue: 8, maxValue: 15 },
  Crew: { minValue: 11, maxValue: 16 },
  Gala: { minValue: 8, maxValue: 18 },
  Masters: { minValue: 18 },
  Family: { minValue: 0 },
  Lanes: {},
};
const ALL = Object.keys(AGES).sort();

let one: Served;
beforeAll(async () => {
  one = await served();
  const series = Object.entries(AGES).map(([name, ages]) =>
    item('SessionSeries', name, {
      '@id': `https://x.example/series/${name}`,
      name,
      activity: [{ '@type': 'Concept', prefLabel: 'Swimming' }],
      ...(Object.keys(ages).length > 0 && { ageRange: { '@type': 'QuantitativeValue', ...ages } }),
      eventSchedule: [
        {
          '@type': 'Schedule',
          startDate: '2026-01-01',
          startTime: '18:00',
          repeatFrequency: 'P1D',
          duration: 'PT1H',
          scheduledTimezone: 'Europe/London',
        },
      ],
    }),
  );
  await one.rig.feed(series);
});
afterAll(() => one.close());

test.each([
  ['swimming not for babies', ['Ducklings']],
  ['swimming no toddlers', ['Splash']],
  ['swimming not for babies or toddlers', ['Ducklings', 'Splash']],
  ['swimming no teenagers', ['Crew']],
  ['swimming not for teens', ['Crew']],
  ['swimming no juniors', ['Club', 'Squad', 'Crew', 'Gala']],
  ['swimming no under 11s', ['Ducklings', 'Splash', 'Club']],
  ['swimming not for kids', ['Ducklings', 'Splash', 'Club', 'Squad', 'Crew', 'Gala']],
  ['swimming no babies no teenagers', ['Ducklings', 'Crew']],
])('%s', async (q, unwanted) => {
  const { items, leftOut, understood } = await one.library.search.occurrences({ q, to: '2026-12-03' }, { limit: 100 });
  const names = [...new Set(items.map(({ name }) => name))].sort();
  expect([names, leftOut]).toEqual([ALL.filter((name) => !unwanted.includes(name)), undefined]);
  expect(understood?.map(({ text }) => text).join(' ')).toBe(q.replace('swimming ', ''));
});

test('the chip is what was typed', async () => {
  const page = await one.text('/search?q=swimming+not+for+babies');
  expect([page.includes('<bdi>not for babies</bdi>'), page.includes('18 and over</bdi>')]).toEqual([true, false]);
});
