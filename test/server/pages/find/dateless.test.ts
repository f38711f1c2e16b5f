import { afterAll, beforeAll, expect, test } from 'vitest';
import { item, type Served, served } from '../../stored-rig.ts';
import { words } from './items.ts';

/** Series of which no dates are known: a search that names one leads to its page, and says why nothing is listed. */

let one: Served;
let key = '';
beforeAll(async () => {
  one = await served();
  const ended = {
    '@type': 'Schedule',
    startDate: '2026-05-04',
    endDate: '2026-06-01',
    startTime: '10:00',
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    byDay: ['https://schema.org/Monday'],
    scheduleTimezone: 'Europe/London',
    scheduledEventType: 'ScheduledSession',
  };
  const weekly = { ...ended, startDate: '2026-01-05', endDate: '2027-12-31' };
  await one.feed(
    item('SessionSeries', 'paddle', { name: 'Summer Paddle Club', eventSchedule: ended }),
    item('SessionSeries', 'choir', { name: 'Choir' }),
    item('SessionSeries', 'rowing', { name: 'River Rowing', eventSchedule: weekly }),
    item('SessionSeries', 'old', { name: 'Old River Rowing', eventSchedule: ended }),
  );
  key = (await one.library.search.series({ q: 'Summer Paddle Club' }, { limit: 1 })).items[0]?.key ?? '';
});
afterAll(() => one.close());

const page = (q: string): Promise<string> => one.text(`/search?${new URLSearchParams({ q })}`);

test.each(['Summer Paddle Club', 'paddle', 'summer padle club', 'summer paddle club tomorrow', 'paddle monday 10am'])(
  '%s leads to the series, without dates',
  async (q) => {
    const html = await page(q);
    expect(words(html)).toContain('No dates are known');
    expect(html).toMatch(new RegExp(`href="/series/${key}">\\s*<bdi>Summer Paddle Club</bdi>`));
    expect(html).not.toContain('Try fewer or other words');
  },
);

test('a list of series has it', async () => {
  expect(key).not.toBe('');
  const { items } = await one.library.search.series({ q: 'paddle' }, { limit: 1 });
  expect(items.map((found) => [found.key, found.next])).toEqual([[key, undefined]]);
});

test('one that never had dates is found too', async () => {
  expect(words(await page('choir'))).toContain('No dates are known Choir');
});

test.each(['rowing', 'xylophone', ''])('none is shown beside what is on, or of other words: %s', async (q) => {
  expect(words(await page(q))).not.toContain('No dates are known');
});
