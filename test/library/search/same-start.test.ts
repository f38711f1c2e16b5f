import { expect, test } from 'vitest';
import { readFilters } from '../../../src/search/query.ts';
import { item, served } from '../../server/stored-rig.ts';

/** Many places begin their classes at the same minute: pages of the list still have each of them once. */

const START = '2026-12-01T18:00:00Z';

/** Ids in another order than that in which items arrive. */
const idOf = (number: number): string => `https://example.org/s/${(number * 7919) % 10_007}`;

/** Every other one is of a Schedule with an idTemplate. */
async function together(count: number, limit: number, search: 'occurrences' | 'series' = 'occurrences') {
  const ids = Array.from({ length: count }, (_, number) => idOf(number));
  const rig = await served();
  try {
    await rig.feed(...ids.map((id, number) => (number % 2 === 0 ? sessionOf(id, number) : seriesOf(id))), headline());
    const pages: string[][] = [];
    for (let after: string | undefined; pages.length < 200; ) {
      const page = { limit, ...(after !== undefined && { after }) };
      const { filters } = readFilters(new URLSearchParams(search === 'series' ? 'day=tue' : 'q=yoga'));
      const found = await rig.library.search[search](filters, page);
      pages.push(found.items.map((one) => ('id' in one ? String(one.id) : 'key' in one ? one.key : '')));
      after = found.next;
      if (after === undefined) break;
    }
    return { ids, pages };
  } finally {
    await rig.close();
  }
}

function sessionOf(id: string, number: number) {
  return item('ScheduledSession', id, {
    '@id': id,
    startDate: START,
    duration: 'PT1H',
    superEvent: { '@type': 'SessionSeries', '@id': `https://example.org/series/${number % 97}`, name: 'Yoga' },
  });
}

function seriesOf(id: string, startDate = '2026-12-01') {
  return item('SessionSeries', id, {
    '@id': `${id}/series`,
    name: 'Yoga',
    eventSchedule: {
      startDate,
      startTime: '18:00',
      duration: 'PT1H',
      repeatFrequency: 'P1D',
      repeatCount: 1,
      scheduleTimezone: 'Europe/London',
      idTemplate: `${id}?{startDate}`,
      scheduledEventType: 'ScheduledSession',
    },
  });
}

/** Its own event comes before its part by id, and is left out. */
function headline() {
  const times = { name: 'Yoga', startDate: START, duration: 'PT1H' };
  const part = { '@type': 'Event', '@id': PART, ...times };
  const id = 'https://example.org/a';
  return item('HeadlineEvent', id, { '@id': id, ...times, subEvent: [part] });
}

const PART = 'https://example.org/z';

const shown = (ids: readonly string[]): string[] =>
  [PART, ...ids.map((id, number) => (number % 2 === 0 ? id : `${id}?${START}`))].toSorted();

test.each([
  [50, 60],
  [51, 60],
  [300, 60],
  [700, 7],
  [700, 500],
])('%i occurrences that start together come by id, %i on a page', async (count, limit) => {
  const { ids, pages } = await together(count, limit);
  expect(pages.flat()).toEqual(shown(ids));
});

test.each([40, 300])('%i series that are next on together are listed once each', async (count) => {
  const { pages } = await together(count, 30, 'series');
  const named = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? `${at % 97}` : `of ${at}`));
  const series = new Set([...named, 'headline']);
  expect(new Set(pages.flat()).size).toBe(series.size);
  expect(pages.flat()).toHaveLength(series.size);
});

test.each([3, 20])('by rank, those of one day are listed behind any number of others, %i on a page', async (limit) => {
  const rig = await served();
  try {
    const others = Array.from({ length: 150 }, (_, number) =>
      seriesOf(`https://example.org/a/${number}`, '2026-11-30'),
    );
    const tuesdays = Array.from({ length: 7 }, (_, number) => seriesOf(`https://example.org/b/${number}`));
    await rig.feed(...others, ...tuesdays);
    const { filters } = readFilters(new URLSearchParams('q=yoga&day=tue'));
    const keys: string[] = [];
    for (let after: string | undefined, page = 0; page < 9; page += 1) {
      const found = await rig.library.search.series(filters, { limit, ...(after !== undefined && { after }) });
      keys.push(...found.items.map(({ key }) => key));
      after = found.next;
      if (after === undefined) break;
    }
    expect(new Set(keys).size).toBe(7);
    expect(keys).toHaveLength(7);
  } finally {
    await rig.close();
  }
});
