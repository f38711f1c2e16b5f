import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RpdeJson } from '../../../generate/series.ts';
import { item, type Served, served } from '../../../server/stored-rig.ts';

/** How long something lasts: a length is one wherever it stands, and where nothing is as long, the answer says so. */

const PLACES = { Hall: ['Wexcombe', 'EX99 1AA', 50.7], Barn: ['Ashbury', 'EX98 1AA', 50.72] } as const;

interface More {
  at: keyof typeof PLACES;
  minutes: number;
  day?: string;
  ages?: object;
  description?: string;
}

const yoga = (name: string, { at, minutes, day = 'Monday', ages, description }: More): RpdeJson => {
  const [town, postalCode, latitude] = PLACES[at];
  return item('SessionSeries', name, {
    '@id': `https://x.example/series/${encodeURIComponent(name)}`,
    name,
    activity: [{ '@type': 'Concept', prefLabel: 'Yoga' }],
    location: {
      '@type': 'Place',
      '@id': `https://x.example/places/${at}`,
      name: at,
      address: { '@type': 'PostalAddress', streetAddress: '1 Lane', addressLocality: town, postalCode },
      geo: { '@type': 'GeoCoordinates', latitude, longitude: -3.5 },
    },
    ...(ages && { ageRange: { '@type': 'QuantitativeValue', ...ages } }),
    ...(description && { description }),
    eventSchedule: [
      {
        '@type': 'Schedule',
        startDate: '2026-01-01',
        startTime: '18:00',
        repeatFrequency: 'P1W',
        byDay: [`https://schema.org/${day}`],
        duration: `PT${minutes}M`,
        scheduledTimezone: 'Europe/London',
      },
    ],
  });
};

let one: Served;
beforeAll(async () => {
  one = await served();
  await one.rig.feed([
    yoga('Long Flow', { at: 'Hall', minutes: 60, day: 'Tuesday', description: 'Please come half an hour early.' }),
    yoga('Short Flow', { at: 'Barn', minutes: 30 }),
    yoga('First Flow', { at: 'Hall', minutes: 20, ages: { minValue: 0, maxValue: 1 } }),
  ]);
});
afterAll(() => one.close());

test.each([
  ['yoga in Wexcombe', ['First Flow', 'Long Flow'], undefined],
  ['yoga 30 minutes', ['Short Flow'], undefined],
  // Near Wexcombe, as nothing in it is as long.
  ['yoga 30 minutes in Wexcombe', ['Short Flow'], undefined],
  ['yoga 30 min on Monday', ['Short Flow'], undefined],
  ['yoga 30 minutes on Tuesday', ['Long Flow'], ['30 minutes']],
  ['yoga for two hours', ['First Flow', 'Long Flow', 'Short Flow'], ['for two hours']],
  // All ages, where some of them are those of adults.
  ['yoga at most half an hour', ['First Flow', 'Short Flow'], undefined],
  ['half an hour', ['Short Flow'], undefined],
  ['an hour', ['Long Flow'], undefined],
  ['yoga 75+ minutes', ['First Flow', 'Long Flow', 'Short Flow'], ['75+ minutes']],
  ['yoga 45+ minutes', ['Long Flow'], undefined],
])('%s', async (q, names, unmatched) => {
  const found = await one.library.search.occurrences({ q, to: '2026-12-03' }, { limit: 50 });
  expect([[...new Set(found.items.map(({ name }) => name))].sort(), found.unmatched]).toEqual([names, unmatched]);
  expect([found.leftOut, found.forChildren]).toEqual([undefined, undefined]);
});

test('a length of babies alone is no length of those who do not speak of them', async () => {
  const search = (q: string) => one.library.search.occurrences({ q, to: '2026-12-03' }, { limit: 50 });
  const found = await search('yoga 20 minutes');
  expect([found.items.length > 1, found.unmatched, found.forChildren]).toEqual([true, ['20 minutes'], true]);
  const page = await one.text('/search?q=yoga+20+minutes&to=2026-12-03');
  expect(page).toContain('age=0-17&amp;q=yoga+20+minutes&amp;to=2026-12-03">Show what is for children</a>');
  const calendar = (await one.text('/search.ics?q=yoga+20+minutes')).replaceAll('\r\n ', '');
  expect(calendar).toContain('DESCRIPTION:Nothing for adults has all of it. Shown without “20 minutes”.');
  const children = JSON.parse(await one.text('/api/occurrences?q=yoga+20+minutes&age=0-17&limit=1')) as {
    items: unknown[];
  };
  expect(children).toMatchObject({
    items: [{ name: 'First Flow' }],
    understood: [{ text: '20 minutes', rest: 'yoga' }],
  });
  const ofBabies = await search('yoga for babies 20 minutes');
  expect([ofBabies.items.map(({ name }) => name)[0], ofBabies.unmatched]).toEqual(['First Flow', undefined]);
});
