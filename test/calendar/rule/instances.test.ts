import { expect, test } from 'vitest';
import type { CalendarEvent } from '../../../src/calendar/objects.ts';
import { instancesOf } from '../../../src/calendar/rule/instances.ts';
import { type Zone, zone } from '../../../src/time/zone.ts';

const at = (day: number, hour: number): number => Date.UTC(2026, 0, day, hour);
const event: CalendarEvent = {
  uid: 'a',
  span: { zone: 'Europe/London', start: at(1, 9), end: at(1, 10) },
  status: 'CONFIRMED',
  summary: 'Yoga',
  rrule: { freq: 'DAILY' },
};

test.each([
  ['the end of an instance', at(10, 10)],
  ['later on that day', at(10, 12)],
])('one instance is found though two days of them came before: from %s', (_name, from) => {
  const found = instancesOf([event], { from, to: at(20, 0) }, zone('Europe/London') as Zone, 1);
  expect(found.map(({ start }) => start)).toEqual([at(11, 9)]);
});
