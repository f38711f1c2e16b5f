import { expect, test } from 'vitest';
import { calendarAt } from '../../../src/server/calendars/address.ts';

const long = 'a'.repeat(64);
const table: [path: string, name: string | undefined][] = [
  ['/series/abc.ics', 'abc'],
  [`/series/${long}.ics`, long],
  ['/places/p1.ics', 'places/p1/all'],
  ['/places/p1/availability.ics', 'places/p1/availability'],
  ['/places/p1/freebusy.ics', 'places/p1/freebusy'],
  ['/places/p1/hours.ics', 'places/p1/hours'],
  ['/places/p1/sessions.ics', 'places/p1/sessions'],
  ['/facilities/f1.ics', 'facilities/f1/all'],
  ['/facilities/f1/hours.ics', 'facilities/f1/hours'],
  // Each calendar has one address.
  ['/places/p1/all.ics', undefined],
  ['/series/places/p1/all.ics', undefined],
  ['/series/abc/hours.ics', undefined],
  ['/places/p1/hours', undefined],
  ['/places/p1/hours.ics/', undefined],
  ['/places/p1/hours.ics?x', undefined],
  ['/places//hours.ics', undefined],
  ['/places/hours.icss', undefined],
  ['/place/p1.ics', undefined],
  ['/places/P1.ics', undefined],
  ['/places/p-1.ics', undefined],
  ['/places/../p1.ics', undefined],
  [`/places/${long}a.ics`, undefined],
  ['places/p1.ics', undefined],
  ['http://x/places/p1.ics', undefined],
  ['/places/p1.ics\n', undefined],
  ['', undefined],
];
test.each(table)('%s', (path, name) => expect(calendarAt(path)?.name).toBe(name));
