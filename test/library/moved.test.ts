import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyOf } from '../../src/opportunity/identity.ts';
import { item, type Served, served } from '../server/stored-rig.ts';

const OLD = 'http://example.org/series/1';
const NEW = 'https://example.org/series/1';
const path = (kind: 'series' | 'facility', id: string): string =>
  `/${kind === 'series' ? 'series' : 'facilities'}/${keyOf(kind, id)}.ics`;

const series = (id: string, over: Record<string, unknown> = {}) =>
  item('SessionSeries', '1', {
    '@id': id,
    name: 'Yoga',
    subEvent: [{ '@type': 'ScheduledSession', '@id': `${NEW}/a`, startDate: '2026-12-01T10:00:00Z', duration: 'PT1H' }],
    ...over,
  });
const court = (id: string) =>
  item('FacilityUse', 'c', {
    '@id': id,
    name: 'Court',
    hoursAvailable: [
      { '@type': 'OpeningHoursSpecification', dayOfWeek: 'https://schema.org/Monday', opens: '09:00', closes: '10:00' },
    ],
  });

/** A publisher gives an object another @id: whoever subscribed follows (feed rule 22). */
describe('a moved calendar', () => {
  let one: Served;
  beforeEach(async () => {
    one = await served();
  });
  afterEach(() => one.close());

  const get = (url: string) => one.app.request(url);
  const number = (text: string, name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1]);

  it('answers 308 for ever, on calendar and page', async () => {
    await one.feed(series(OLD));
    await one.feed(series(NEW));
    for (const days of [0, 100]) {
      await one.roll(days);
      const old = await get(path('series', OLD));
      expect([old.status, old.headers.get('location')]).toEqual([308, path('series', NEW)]);
      expect((await get(path('series', OLD).replace('.ics', ''))).status).toBe(308);
      const json = await get(`/api${path('series', OLD).replace('.ics', '')}`);
      expect([json.status, json.headers.get('location')]).toEqual([
        308,
        `/api${path('series', NEW).replace('.ics', '')}`,
      ]);
    }
    expect((await get(path('series', NEW))).status).toBe(200);
  });

  it('goes on counting where it was: SEQUENCE and Last-Modified grow', async () => {
    await one.feed(series(OLD));
    for (const name of ['B', 'C', 'D']) await one.feed(series(OLD, { name }));
    const before = await get(path('series', OLD));
    await one.feed(series(NEW, { name: 'E' }));
    const after = await get(path('series', NEW));
    expect(number(await after.text(), 'SEQUENCE')).toBeGreaterThan(number(await before.text(), 'SEQUENCE'));
    const date = (response: Response): number => Date.parse(response.headers.get('last-modified') as string);
    expect(date(after)).toBeGreaterThan(date(before));
  });

  it('leads on where it moves again, and is itself again when it comes back', async () => {
    const third = 'https://example.org/series/one';
    await one.feed(series(OLD));
    await one.feed(series(NEW));
    await one.feed(series(third));
    expect((await get(path('series', OLD))).headers.get('location')).toBe(path('series', NEW));
    expect((await get(path('series', NEW))).headers.get('location')).toBe(path('series', third));
    await one.feed(series(OLD));
    expect((await get(path('series', OLD))).status).toBe(200);
    expect((await get(path('series', third))).headers.get('location')).toBe(path('series', OLD));
  });

  it('is not moved while another item still says the old @id', async () => {
    await one.feed(series(OLD), item('SessionSeries', '2', { '@id': OLD, name: 'Yoga, said twice' }));
    await one.feed(series(NEW));
    expect((await get(path('series', OLD))).status).toBe(200);
  });

  it('a facility moves with all its calendars', async () => {
    await one.feed(court(OLD));
    await one.feed(court(NEW));
    for (const part of ['.ics', '/hours.ics', '/availability.ics', '/freebusy.ics']) {
      const [from, to] = [OLD, NEW].map((id) => path('facility', id).replace('.ics', part));
      expect((await get(from as string)).headers.get('location')).toBe(to);
      expect((await get(to as string)).status).toBe(200);
    }
  });
});
