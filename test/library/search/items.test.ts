import { expect, test } from 'vitest';
import { item, served } from '../../server/stored-rig.ts';

/** What is not as usual: a session says other times and places than its series. */

const SERIES = 'https://example.org/series';
const hall = (name: string) => ({ '@type': 'Place', '@id': `https://example.org/${name}`, name });

function sessionOf(at: number, data: object) {
  const id = `${SERIES}/${at}`;
  return item('ScheduledSession', id, { '@id': id, superEvent: SERIES, duration: 'PT1H', ...data });
}

test('another time and another place than usual', async () => {
  const rig = await served();
  try {
    await rig.feed(
      item('SessionSeries', SERIES, {
        '@id': SERIES,
        name: 'Yoga',
        location: hall('Hall'),
        eventSchedule: {
          '@type': 'Schedule',
          startDate: '2026-12-01',
          startTime: '18:00',
          duration: 'PT1H',
          repeatFrequency: 'P1W',
          repeatCount: 4,
          scheduleTimezone: 'Europe/London',
          idTemplate: `${SERIES}/{startDate}`,
          scheduledEventType: 'ScheduledSession',
        },
      }),
      item('ScheduledSession', 'a', {
        '@id': `${SERIES}/2026-12-01T18:00:00Z`,
        superEvent: SERIES,
        startDate: '2026-12-01T19:30:00Z',
        duration: 'PT1H',
      }),
      item('ScheduledSession', 'b', {
        '@id': `${SERIES}/2026-12-08T18:00:00Z`,
        superEvent: SERIES,
        startDate: '2026-12-08T18:00:00Z',
        duration: 'PT1H',
        location: hall('Park'),
      }),
      sessionOf(3, { startDate: '2026-12-10T09:00:00Z', location: hall('Hall') }),
    );
    const { items } = await rig.library.search.occurrences({}, { limit: 10 });
    expect(items.map(({ start, was, elsewhere }) => [new Date(start).toISOString(), was, elsewhere])).toEqual([
      ['2026-12-01T19:30:00.000Z', Date.UTC(2026, 11, 1, 18), undefined],
      ['2026-12-08T18:00:00.000Z', undefined, true],
      ['2026-12-10T09:00:00.000Z', undefined, undefined],
      ['2026-12-15T18:00:00.000Z', undefined, undefined],
      ['2026-12-22T18:00:00.000Z', undefined, undefined],
    ]);
  } finally {
    await rig.close();
  }
});

test('offers in two currencies: both, and free in each', async () => {
  const rig = await served();
  try {
    const offer = (price: number, priceCurrency?: string) => ({ '@type': 'Offer', price, priceCurrency });
    const dates = { startDate: '2026-12-01T18:00:00Z', endDate: '2026-12-01T19:00:00Z', name: 'Yoga' };
    const id = (name: string) => ({ '@id': `${SERIES}/${name}`, ...dates });
    await rig.feed(
      item('Event', 'a', { ...id('a'), offers: [offer(5, 'GBP'), offer(6, 'EUR'), offer(7, 'GBP')] }),
      item('Event', 'b', { ...id('b'), offers: [offer(5, 'GBP'), offer(6, 'EUR'), offer(0)] }),
    );
    const { items } = await rig.library.search.occurrences({}, { limit: 10 });
    expect(items.map(({ price }) => price)).toEqual([
      { currency: 'EUR', min: 6, max: 6, free: false, others: [{ currency: 'GBP', min: 5, max: 7 }] },
      { currency: 'EUR', min: 0, max: 6, free: true, others: [{ currency: 'GBP', min: 0, max: 5 }] },
    ]);
    const found = await rig.library.search.occurrences({ maxPrice: 5 }, { limit: 10 });
    expect(found.items).toHaveLength(2);
  } finally {
    await rig.close();
  }
});
