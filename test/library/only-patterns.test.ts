import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyOf } from '../../src/opportunity/identity.ts';
import { type Served, served } from '../server/stored-rig.ts';

/** A series that has only patterns is listed with them; neither page nor JSON offers its empty calendar (semantics 3). */

const ID = 'https://example.org/s';
const KEY = keyOf('series', ID);
const PATTERN = { '@type': 'PartialSchedule', startTime: '18:00', byDay: ['https://schema.org/Monday'] };
const RULE = { ...PATTERN, '@type': 'Schedule', startDate: '2026-11-23', duration: 'PT1H', scheduleTimezone: 'UTC' };

let one: Served;
let modified = 0;
beforeEach(async () => {
  one = await served();
  await series(PATTERN);
});
afterEach(() => one.close());

function item(kind: string, data: Record<string, unknown>) {
  modified += 1;
  return one.feed({ state: 'updated', kind, id: '1', modified, data: { '@type': kind, ...data } });
}

const series = (schedule: object) => item('SessionSeries', { '@id': ID, name: 'Yoga', eventSchedule: [schedule] });

/** What offers the calendar: the page of the series, and in JSON the series and the list. */
async function offered(): Promise<boolean[]> {
  const page = await one.text(`/series/${KEY}`);
  const [own, all] = [await one.text(`/api/series/${KEY}`), await one.text('/api/series')];
  for (const text of [page, own, all]) expect(text).toContain('Yoga');
  return [page, own, all].map((text) => text.includes(`/series/${KEY}.ics`));
}

const NOWHERE = [false, false, false];
const EVERYWHERE = [true, true, true];

test('the calendar of a series of only patterns is not offered, though it answers', async () => {
  expect(await offered()).toEqual(NOWHERE);
  expect(await one.text(`/series/${KEY}`)).toContain('Usually every Monday, 18:00');
  expect(await one.text(`/series/${KEY}.ics`)).toContain('BEGIN:VCALENDAR');
});

test('after a session has arrived it is', async () => {
  await item('ScheduledSession', {
    '@id': 'https://example.org/s/1',
    superEvent: ID,
    startDate: '2026-11-30T18:00:00Z',
    duration: 'PT1H',
  });
  expect(await offered()).toEqual(EVERYWHERE);
});

test('after a Schedule has arrived it is, and after it has gone it is not', async () => {
  await series(RULE);
  expect(await offered()).toEqual(EVERYWHERE);
  await series(PATTERN);
  expect(await offered()).toEqual(NOWHERE);
});
