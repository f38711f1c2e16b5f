import { expect, test } from 'vitest';
import { stateWords } from '../../src/library/feed-words.ts';
import { feed } from '../server/made.ts';

const resync = { since: 0, reason: 'somebody asked for it' };
const none = { resync: undefined as never };

test.each([
  ['Not visited yet', { state: 'new', ...none }],
  ['Being read', { state: 'reading', ...none }],
  ['Being read again from the start', { state: 'reading', resync }],
  ['Up to date', { state: 'ended', ...none }],
  // The end was reached; what was not met goes when that end is certain.
  ['Read again from the start; what it no longer has goes soon', { state: 'ended', resync }],
  ['Failing: the last pass', { state: 'failing', failures: 1 }],
  ['Failing: 1,200 passes in a row', { state: 'failing', failures: 1200 }],
  ['Up to date, but for what waits to be confirmed', { state: 'held' }],
  ['Gone from its address (404 or 410); looked at once a day', { state: 'gone' }],
  ['Paused by somebody since Sat 21 Nov 2026 09:30 UTC', { state: 'paused', paused: Date.UTC(2026, 10, 21, 9, 30) }],
  ['Not read any more: the settings do not name it', { state: 'retired' }],
] as const)('%s', (words, more) => {
  expect(stateWords(feed(more))).toBe(words);
});

test('a moment is told in the zone of who reads it', () => {
  const paused = feed({ state: 'paused', paused: Date.UTC(2026, 6, 1, 9, 30) });
  expect(stateWords(paused, 'Europe/London')).toBe('Paused by somebody since Wed 1 Jul 2026 10:30 Europe/London');
});
