import { afterEach, beforeEach, expect, test } from 'vitest';
import { item, type Served, served } from '../stored-rig.ts';

/** A standing search takes of a series no session that is otherwise than what was asked for. */

const PLACE = { '@type': 'Place', '@id': 'https://x.example/places/1', name: 'Town Hall' };
const ELSEWHERE = { '@type': 'Place', '@id': 'https://x.example/places/2', name: 'Old Mill' };
const offer = (price: number) => ({ offers: [{ '@type': 'Offer', price, priceCurrency: 'GBP' }] });
const SERIES = {
  '@id': 'https://x.example/numbat',
  name: 'Numbat class',
  location: PLACE,
  level: ['Beginner'],
  ageRange: { '@type': 'QuantitativeValue', minValue: 18 },
  ...offer(5.5),
  eventSchedule: {
    '@type': 'Schedule',
    startDate: '2026-12-01',
    endDate: '2026-12-22',
    startTime: '18:00',
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    byDay: ['https://schema.org/Tuesday'],
    scheduleTimezone: 'Europe/London',
    scheduledEventType: 'ScheduledSession',
    idTemplate: 'https://x.example/numbat/{startDate}',
  },
};
const session = (more: object) => ({
  '@id': 'https://x.example/numbat/2026-12-15T18:00:00Z',
  superEvent: SERIES['@id'],
  startDate: '2026-12-15T18:00:00Z',
  endDate: '2026-12-15T19:00:00Z',
  ...more,
});

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const found = async (query: string) => {
  const { items } = JSON.parse(await one.text(`/api/occurrences?${query}`)) as { items: { start: string }[] };
  return items.map(({ start }) => start.slice(8, 10)).sort();
};
/** The days of the events of a calendar, and whether one of them repeats. */
const shown = async (path: string) => {
  const text = (await one.text(path)).replace(/BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE/, '');
  const days = [...text.matchAll(/^DTSTART[^:\n]*:\d{6}(\d\d)/gm)].map(([, day]) => day);
  return { days: days.sort(), repeats: text.includes('RRULE') };
};

test.each([
  ['q=numbat&day=tue&maxPrice=8', offer(50)],
  ['q=numbat&maxPrice=8', offer(50)],
  ['q=numbat under £6', offer(50)],
  ['level=Beginner', { level: ['Advanced'] }],
  ['age=20', { ageRange: { '@type': 'QuantitativeValue', minValue: 5, maxValue: 9 } }],
  ['place=Town Hall', { location: ELSEWHERE }],
])('%s leaves out a session with %j', async (query, more) => {
  await one.feed(item('SessionSeries', 'numbat', SERIES), item('ScheduledSession', 'numbat/15', session(more)));
  const path = `/search.ics?${encodeURI(query)}`;
  expect(await found(encodeURI(query))).toEqual(['01', '08', '22']);
  expect(await shown(path)).toEqual({ days: ['01', '08', '22'], repeats: false });
  await one.feed(item('ScheduledSession', 'numbat/15', session({ description: 'Bring a towel.' })));
  expect((await shown(path)).repeats).toBe(true);
});

test('a session that is off, or that something else is said of, leaves the series whole', async () => {
  const off = session({ ...offer(50), eventStatus: 'https://schema.org/EventCancelled' });
  await one.feed(item('SessionSeries', 'numbat', SERIES), item('ScheduledSession', 'numbat/15', off));
  expect((await shown('/search.ics?q=numbat&maxPrice=8')).repeats).toBe(true);
  await one.feed(item('ScheduledSession', 'numbat/15', session({ level: ['Advanced'] })));
  expect((await shown('/search.ics?q=numbat&maxPrice=8')).repeats).toBe(true);
});
