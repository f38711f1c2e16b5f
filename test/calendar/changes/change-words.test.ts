import { expect, test } from 'vitest';
import { changeWords } from '../../../src/calendar/changes/change-words.ts';
import type { Change } from '../../../src/calendar/changes/changes.ts';
import { type Zone, zone } from '../../../src/time/zone.ts';

const london = zone('Europe/London') as Zone;
const at = Date.UTC(2026, 10, 20, 9);
const tuesday = Date.UTC(2026, 10, 24, 18);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each<[words: string, change: Change]>([
  ['Moved: Tue 24 Nov 18:00 is now 19:00', { what: 'moved', start: tuesday + HOUR, was: tuesday }],
  ['Moved: Tue 24 Nov 18:00 is now Wed 25 Nov 18:00', { what: 'moved', start: tuesday + DAY, was: tuesday }],
  [
    'Moved: Tue 24 Nov 18:00 is now Thu 7 Jan 2027 18:00',
    { what: 'moved', start: Date.UTC(2027, 0, 7, 18), was: tuesday },
  ],
  [
    'Moved: Tue 24 Nov 18:00 is now 19:00, at Hall 2, not Hall 1',
    { what: 'moved', start: tuesday + HOUR, was: tuesday, place: 'Hall 2', wasPlace: 'Hall 1' },
  ],
  [
    'New end: Tue 24 Nov 18:00 to 19:00 is now to 19:30',
    { what: 'moved', start: tuesday, end: tuesday + 1.5 * HOUR, wasEnd: tuesday + HOUR },
  ],
  ['New end: Tue 24 Nov 18:00 to 19:00 is now open', { what: 'moved', start: tuesday, wasEnd: tuesday + HOUR }],
  [
    'Moved: Tue 24 Nov is now Wed 25 Nov',
    {
      what: 'moved',
      start: Date.UTC(2026, 10, 25),
      allDay: true,
      was: Date.UTC(2026, 10, 24),
      wasAllDay: true,
    },
  ],
  ['Cancelled: Tue 24 Nov 18:00', { what: 'cancelled', start: tuesday }],
  ['Cancelled: all dates', { what: 'cancelled' }],
  ['Postponed: Tue 24 Nov 18:00; no new date yet', { what: 'postponed', start: tuesday }],
  ['Postponed: all dates', { what: 'postponed' }],
  ['On again: Tue 24 Nov 19:00 (it was Tue 24 Nov 18:00)', { what: 'reinstated', start: tuesday + HOUR, was: tuesday }],
  ['Added: Tue 24 Nov 18:00', { what: 'added', start: tuesday }],
  ['Removed: Tue 24 Nov 18:00', { what: 'removed', start: tuesday }],
  [
    'New place: Tue 24 Nov 18:00 is at Hall 2, not Hall 1',
    { what: 'place', start: tuesday, place: 'Hall 2', wasPlace: 'Hall 1' },
  ],
  ['New place: Hall 2, not Hall 1', { what: 'place', place: 'Hall 2', wasPlace: 'Hall 1' }],
  [
    'New dates: Tuesdays 18:00–19:00. It was: Mondays 18:00–19:00',
    { what: 'schedule', words: ['Tuesdays 18:00–19:00'], wasWords: ['Mondays 18:00–19:00'] },
  ],
  ['New dates: Tuesdays 18:00–19:00', { what: 'schedule', words: ['Tuesdays 18:00–19:00'] }],
  [
    'No regular dates any more. It was: Mondays 18:00–19:00',
    { what: 'schedule', words: [], wasWords: ['Mondays 18:00–19:00'] },
  ],
  ['Withdrawn by its publisher', { what: 'withdrawn' }],
  ['24 dates changed: 20 moved, 4 on again', { what: 'many', counts: { moved: 20, reinstated: 4 } }],
])('%s', (words, change) => {
  expect(changeWords(change, london, at)).toBe(words);
});
