import { describe, expect, test } from 'vitest';
import { quietWait } from '../../../src/fetch/back-off.ts';
import {
  mayResync,
  onlyTimesDiffer,
  outdated,
  passEnded,
  passFailed,
  waitLeft,
} from '../../../src/harvest/visit/states.ts';
import { NEW_FEED } from '../../../src/store/contract/feeds.ts';
import type { FeedState } from '../../../src/store/index.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
const state = (more: Partial<FeedState>): FeedState => ({ ...NEW_FEED, ...more });

describe('whether a cursor is trusted', () => {
  test.each<[string, Partial<FeedState>, boolean]>([
    ['never read', {}, true],
    ['read to its end a moment ago', { lastSuccess: NOW - 1 }, true],
    ['seven days ago', { lastSuccess: NOW - 7 * DAY }, true],
    ['a moment longer', { lastSuccess: NOW - 7 * DAY - 1 }, false],
    ['never to its end, the last page yesterday', { lastPage: NOW - DAY }, true],
    ['never to its end, the last page long ago', { lastPage: NOW - 8 * DAY }, false],
    ['pages since, but not the end', { lastSuccess: NOW - 8 * DAY, lastPage: NOW - DAY }, false],
    ['begun again since', { lastSuccess: NOW - 8 * DAY, lastResync: NOW - DAY }, true],
    ['Slots, two days', { lastSuccess: NOW - 2 * DAY, slots: true }, true],
    ['Slots, longer', { lastSuccess: NOW - 2 * DAY - 1, slots: true }, false],
    ['a clock set back by an hour', { lastSuccess: NOW + 3_600_000 }, true],
    ['a clock set back by a month', { lastSuccess: NOW + 30 * DAY }, false],
  ])('%s', (_name, known, trusted) => {
    expect(outdated(state(known), NOW) === undefined).toBe(trusted);
  });

  test.each<[string, number | undefined, boolean]>([
    ['never before', undefined, true],
    ['a week ago', NOW - 7 * DAY, true],
    ['less', NOW - 7 * DAY + 1, false],
    ['in a future that was none', NOW + 30 * DAY, true],
  ])('read from its start again: %s', (_name, lastResync, may) => {
    expect(mayResync(state({ lastResync }), NOW)).toBe(may);
  });
});

test.each<[string, Partial<FeedState>, number]>([
  ['a new feed', {}, 0],
  ['in the middle of its wait', { lastAttempt: NOW - 1000, nextVisit: NOW + 7000 }, 7000],
  ['due', { lastAttempt: NOW - 9000, nextVisit: NOW - 1000 }, 0],
  ['a clock set back', { lastAttempt: NOW + 300 * DAY, nextVisit: NOW + 300 * DAY + 8000 }, 8000],
  ['a clock set ahead', { lastAttempt: NOW - 300 * DAY, nextVisit: NOW - 300 * DAY + 8000 }, 0],
  ['a clock set back in between', { lastAttempt: NOW, nextVisit: NOW + 300 * DAY }, DAY],
])('what is left of a wait: %s', (_name, known, left) => {
  expect(waitLeft(state(known), NOW)).toBe(left);
});

test('the pace of a quiet feed never falls below its pace nor grows beyond its limit', () => {
  for (const random of [0, 0.5, 1]) {
    const waits = Array.from({ length: 100 }, (_, visits) => quietWait(visits, 8000, 300_000, random));
    expect(waits.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 8000));
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
    expect(waits.at(-1)).toBe(300_000 * (1 - random / 10));
  }
  expect(quietWait(50, 8000, 1000, 1)).toBe(8000);
});

test('a failure stays until the next success, and all are counted', () => {
  const visit = { start: NOW, now: NOW + 1, wait: 8000 };
  const once = passFailed(state({}), { ...visit, state: 'failing', error: 'broken' });
  const twice = passFailed(once, { ...visit, state: 'gone', error: 'gone' });
  expect(twice).toMatchObject({
    state: 'gone',
    failures: 2,
    totalFailures: 2,
    lastError: 'gone',
    nextVisit: NOW + 8001,
  });
  const over = passEnded(twice, visit);
  expect(over).toMatchObject({
    state: 'ended',
    failures: 0,
    totalFailures: 2,
    lastError: undefined,
    lastSuccess: NOW + 1,
  });
  expect(onlyTimesDiffer(over, passEnded(over, { ...visit, now: NOW + 9 }))).toBe(true);
  expect(onlyTimesDiffer(once, twice)).toBe(false);
});
