import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RpdeJson } from '../../../generate/series.ts';
import { item, type Served, served } from '../../../server/stored-rig.ts';

/** What is not wanted, in a town where words of activities are in names of places and people too. */

const DAILY = { '@type': 'Schedule', startTime: '18:00', repeatFrequency: 'P1D', duration: 'PT1H' };
const HALF = { ...DAILY, startDate: '2026-01-01', duration: 'PT30M', scheduledTimezone: 'Europe/London' };
const PLACES = ['Yoga Barn', 'Bridge Street Hall', 'Harbour Lane', 'Wexcombe Park'] as const;
type PlaceName = (typeof PLACES)[number];

const placed = (name: PlaceName) => {
  const at = PLACES.indexOf(name);
  return {
    '@type': 'Place',
    '@id': `https://x.example/places/${at}`,
    name,
    address: {
      '@type': 'PostalAddress',
      streetAddress: '1 Lane',
      addressLocality: at === 2 ? 'Ashbury' : 'Wexcombe',
      postalCode: `EX9${at} 1AA`,
    },
    geo: { '@type': 'GeoCoordinates', latitude: 50.7 + at / 10, longitude: -3.5 },
  };
};

const series = (name: string, at: PlaceName, leader: string, more: object = {}): RpdeJson =>
  item('SessionSeries', name, {
    '@id': `https://x.example/series/${encodeURIComponent(name)}`,
    name,
    location: placed(at),
    leader: [{ '@type': 'Person', name: leader }],
    eventSchedule: [{ ...DAILY, startDate: '2026-01-01', scheduledTimezone: 'Europe/London' }],
    ...more,
  });
const concept = (prefLabel: string) => ({ activity: [{ '@type': 'Concept', prefLabel }] });
const by = (name: string) => ({ organizer: { '@type': 'Organization', name } });

let one: Served;
beforeAll(async () => {
  one = await served();
  await one.rig.feed([
    series('Morning Flow', 'Bridge Street Hall', 'Anna Bell', concept('Yoga')),
    series('Evening Flow', 'Harbour Lane', 'Ben Carter', concept('Yoga')),
    series('Mat Class', 'Yoga Barn', 'Anna Bell', { ...concept('Pilates'), ...by('Vale Leisure') }),
    series('Lane Swimming', 'Wexcombe Park', 'Cy Lane', { ...concept('Swimming'), ...by('Swim Wexcombe') }),
    series('Bridge Street Bootcamp', 'Wexcombe Park', 'Dee Bridge', by('Vale Leisure')),
    series('Futsal', 'Bridge Street Hall', 'Eve Hall', {
      ...concept('Futsal'),
      genderRestriction: 'https://openactive.io/FemaleOnly',
    }),
    series('Kids Club', 'Harbour Lane', 'Flo Kidd', {
      ...by('Wexcombe Clubs Together'),
      ageRange: { '@type': 'QuantitativeValue', minValue: 5, maxValue: 11 },
      eventSchedule: [HALF],
    }),
    series('Lads Gym', 'Harbour Lane', 'Gil Moss', {
      genderRestriction: 'https://openactive.io/MaleOnly',
      eventSchedule: [HALF],
    }),
  ]);
});
afterAll(() => one.close());

const ALL = 'Bridge Street Bootcamp|Evening Flow|Futsal|Kids Club|Lads Gym|Lane Swimming|Mat Class|Morning Flow'.split(
  '|',
);
const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));

/** What a person means by each: all that is on and is not named is found. */
const MEANT: readonly (readonly [q: string, names: readonly string[]])[] = [
  // An activity is one, and no place or person that is called so.
  ['not yoga', without('Morning Flow', 'Evening Flow')],
  ['anything but swimming', without('Lane Swimming')],
  ['not lanes', without('Lane Swimming')],
  // Where something is.
  ['yoga not at Bridge Street Hall', ['Evening Flow']],
  ['anything but Bridge Street Hall', without('Morning Flow', 'Futsal')],
  ['not Yoga Barn', without('Mat Class')],
  ['yoga not in Ashbury', ['Morning Flow']],
  ['not in EX91', without('Morning Flow', 'Futsal')],
  ['not at Bridge Street Hall or Harbour Lane', ['Bridge Street Bootcamp', 'Lane Swimming', 'Mat Class']],
  ['not at Bridge Street Hall, not at Harbour Lane', ['Bridge Street Bootcamp', 'Lane Swimming', 'Mat Class']],
  ['not at Yoga Barn, not at Wexcombe Park', ['Evening Flow', 'Futsal', 'Kids Club', 'Lads Gym', 'Morning Flow']],
  ['yoga at Harbour Lane, not at Bridge Street Hall', ['Evening Flow']],
  ['yoga or pilates not in the barn', ['Evening Flow', 'Morning Flow']],
  // A name of both is neither: who says no more of it means the street.
  ['not bridge street', without('Bridge Street Bootcamp', 'Futsal', 'Morning Flow')],
  // Who is behind it.
  ['yoga not with Anna Bell', ['Evening Flow']],
  ['yoga not with Anna', ['Evening Flow']],
  ['yoga without Anna Bell', ['Evening Flow']],
  ['yoga not led by Anna Bell', ['Evening Flow']],
  ['not run by Vale Leisure', without('Bridge Street Bootcamp', 'Mat Class')],
  ['not Ben Carter', without('Evening Flow')],
  // Only those who are called so: the hall of Bridge Street is no Eve Hall.
  ['not with Eve Hall', without('Futsal')],
  ['not with Bridge', without('Bridge Street Bootcamp')],
  // When: everything begins at six.
  ['not after 6pm', ALL],
  ['not later than 18:00', ALL],
  ['not before 18:00', ALL],
  ['not after 17:59', []],
  ['not in the morning or afternoon', ALL],
  ['not in the afternoon or evening', []],
  ['not in the morning or evening', []],
  ['not on saturday or at Yoga Barn', without('Mat Class')],
  // Several.
  ['no yoga no pilates', without('Morning Flow', 'Evening Flow', 'Mat Class')],
  ['not yoga and not pilates', without('Morning Flow', 'Evening Flow', 'Mat Class')],
  ['not at Yoga Barn and not at Wexcombe Park', ['Evening Flow', 'Futsal', 'Kids Club', 'Lads Gym', 'Morning Flow']],
  ['not yoga, pilates or swimming', without('Morning Flow', 'Evening Flow', 'Mat Class', 'Lane Swimming')],
  ['not yoga & pilates', without('Morning Flow', 'Evening Flow', 'Mat Class')],
  ['not yoga / pilates', without('Morning Flow', 'Evening Flow', 'Mat Class')],
  ['neither yoga nor pilates', without('Morning Flow', 'Evening Flow', 'Mat Class')],
  ['not by Swim Wexcombe', without('Lane Swimming')],
  ['not by Wexcombe Clubs Together', without('Kids Club')],
  ['anything but yoga, pilates', without('Morning Flow', 'Evening Flow', 'Mat Class')],
  ['anything but yoga, pilates and swimming', without('Morning Flow', 'Evening Flow', 'Mat Class', 'Lane Swimming')],
  ['anything but yoga or pilates', without('Morning Flow', 'Evening Flow', 'Mat Class')],
  ['anything but yoga or Bridge Street Hall', without('Morning Flow', 'Evening Flow', 'Futsal')],
  ['anything except Bridge Street Hall and Harbour Lane', ['Bridge Street Bootcamp', 'Lane Swimming', 'Mat Class']],
  ['anything but yoga, Bridge Street Hall', without('Morning Flow', 'Evening Flow', 'Futsal')],
  ['not with Anna and Ben', without('Morning Flow', 'Mat Class', 'Evening Flow')],
  ['not women only not men only', without('Futsal', 'Lads Gym')],
  ['not women only', without('Futsal')],
  ['anything but kids', without('Kids Club')],
  ['anything but kids or futsal', without('Kids Club', 'Futsal')],
];

const namesIn = async (q: string) => {
  const found = await one.library.search.occurrences({ q, to: '2026-12-03' }, { limit: 100 });
  return { ...found, names: [...new Set(found.items.map(({ name }) => name))].sort() };
};

test('everything is on', async () => {
  expect((await namesIn('class')).names.length).toBeGreaterThan(0);
  const { items } = await one.library.search.occurrences({}, { limit: 8 });
  expect(items.map(({ name }) => name).sort()).toEqual(ALL);
});

test.each(MEANT)('%s', async (q, names) => {
  const found = await namesIn(q);
  expect([found.names, found.leftOut]).toEqual([names, undefined]);
  expect(found.understood?.length).toBeGreaterThan(0);
});

describe('what no search can ask for is said, and nothing of it is searched for', () => {
  test.each([
    ['yoga not near Harbour Lane', ['not near Harbour Lane']],
    ['yoga not with Zoe', ['not with Zoe']],
    ['yoga not at Atlantis', ['not at Atlantis']],
    ['yoga not free', ['not free']],
    ['yoga without coffee', ['without coffee']],
    ['yoga no Anna', ['no Anna']],
    ['yoga not pilates or free', ['free']],
  ])('%s', async (q, leftOut) => {
    const found = await namesIn(q);
    expect([found.names, found.leftOut]).toEqual([['Evening Flow', 'Morning Flow'], leftOut]);
  });
});

test.each([
  ['classes at most 45 minutes', ['Kids Club', 'Lads Gym']],
  ['kids up to half an hour', ['Kids Club']],
  ['kids between 20 and 40 minutes', ['Kids Club']],
  ['yoga at least an hour', ['Evening Flow', 'Morning Flow']],
  ['yoga between 30 and 60 minutes', ['Evening Flow', 'Morning Flow']],
  ['yoga 45-75 min', ['Evening Flow', 'Morning Flow']],
  ['yoga up to an hour', ['Evening Flow', 'Morning Flow']],
])('%s lasts as long', async (q, names) => {
  const found = await namesIn(q);
  expect([found.names, found.leftOut]).toEqual([names, undefined]);
});

test.each([
  ['yoga over 60 minutes', ['Evening Flow', 'Morning Flow'], ['over 60 minutes']],
  [
    'yoga over 60 minutes at most 45 minutes',
    ['Evening Flow', 'Morning Flow'],
    ['over 60 minutes', 'at most 45 minutes'],
  ],
])('a length that nothing has is said to be left out: %s', async (q, names, unmatched) => {
  const found = await namesIn(q);
  expect([found.names, found.leftOut, found.unmatched]).toEqual([names, undefined, unmatched]);
  expect([found.understood, found.forChildren]).toEqual([undefined, undefined]);
});

test('what is taken off is the rest of the words', async () => {
  const { understood } = await namesIn('yoga not with Anna Bell at most 90 minutes');
  expect(understood).toEqual([
    { text: 'not with Anna Bell', rest: 'yoga at most 90 minutes' },
    { text: 'at most 90 minutes', rest: 'yoga not with Anna Bell' },
  ]);
});

test('a filter names what is asked alone, and what is left out is named beside it', async () => {
  const { understood, leftOut } = await namesIn('yoga not pilates or free');
  expect([understood, leftOut]).toEqual([[{ text: 'not pilates', rest: 'yoga' }], ['free']]);
  const page = await one.text('/search?q=yoga+not+pilates+or+free&to=2026-12-03');
  expect([page.includes('<bdi>not pilates</bdi>'), page.includes('not pilates or free</bdi>')]).toEqual([true, false]);
});

test('where nothing is left, what is not wanted is offered once, in quotation marks', async () => {
  const page = await one.text('/search?q=yoga+not+yoga&to=2026-12-03');
  const offered = page.match(/Without <bdi>[^<]*/g);
  expect(offered).toEqual(['Without <bdi>“yoga”', 'Without <bdi>“not yoga”']);
});

test('places and facilities are left out by where they are', async () => {
  const places = async (q: string) =>
    (await one.library.search.venues('places', { q }, { limit: 9 })).items.map(({ name }) => name).sort();
  expect(await places('not in Ashbury')).toEqual(['Bridge Street Hall', 'Wexcombe Park', 'Yoga Barn']);
  expect(await places('anything but Yoga Barn')).toEqual(['Bridge Street Hall', 'Harbour Lane', 'Wexcombe Park']);
});

describe('the page, JSON and a calendar show the same', () => {
  test.each(['yoga not at Bridge Street Hall', 'not with Anna Bell at most 30 minutes', 'anything but yoga, pilates'])(
    '%s',
    async (q) => {
      const query = new URLSearchParams({ q }).toString();
      const page = await one.text(`/search?${query}&to=2026-12-03`);
      const json = JSON.parse(await one.text(`/api/occurrences?${query}&to=2026-12-03&limit=500`)) as {
        items: { name: string }[];
        understood: { text: string }[];
      };
      const calendar = (await one.text(`/search.ics?${query}&to=2026-12-03`)).replaceAll('\r\n ', '');
      const { names } = await namesIn(q);
      const inPage = ALL.filter((name) => page.includes(`>${name}<`));
      const inJson = ALL.filter((name) => json.items.some((found) => found.name === name));
      const inCalendar = ALL.filter((name) => calendar.includes(`SUMMARY:${name}`));
      expect([inPage, inJson, inCalendar]).toEqual([names, names, names]);
      expect(page.includes('no search can ask for it')).toBe(false);
      for (const { text } of json.understood) expect([text, page.includes(`<bdi>${text}</bdi>`)]).toEqual([text, true]);
    },
  );
});

test('a session with another leader, or at another place, is found by itself', async () => {
  const own = await served();
  try {
    const session = (id: string, day: number, more: object): RpdeJson =>
      item('ScheduledSession', id, {
        '@id': `https://x.example/sessions/${id}`,
        superEvent: 'https://x.example/series/Flow',
        startDate: `2026-12-0${day}T18:00:00Z`,
        endDate: `2026-12-0${day}T19:00:00Z`,
        ...more,
      });
    await own.rig.feed([
      series('Flow', 'Yoga Barn', 'Anna Bell', { ...concept('Yoga'), eventSchedule: undefined }),
      session('usual', 1, {}),
      session('cover', 2, { leader: [{ '@type': 'Person', name: 'Ben Carter' }] }),
      session('elsewhere', 3, { location: placed('Harbour Lane') }),
    ]);
    const days = async (q: string) =>
      (await own.library.search.occurrences({ q }, { limit: 9 })).items.map(({ start }) =>
        new Date(start).getUTCDate(),
      );
    expect(await days('yoga')).toEqual([1, 2, 3]);
    expect(await days('yoga not with Anna Bell')).toEqual([2]);
    expect(await days('yoga not with Ben Carter')).toEqual([1, 3]);
    expect(await days('yoga not at Yoga Barn')).toEqual([3]);
    expect(await days('yoga not at Harbour Lane')).toEqual([1, 2]);
    expect((await own.library.search.series({ q: 'not with Anna Bell' }, { limit: 9 })).items).toHaveLength(1);
  } finally {
    await own.close();
  }
});
