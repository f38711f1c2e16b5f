import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { changedDates, type ShownDate, summed } from '../../../src/calendar/changes/changed-dates.ts';
import type { Change } from '../../../src/calendar/changes/changes.ts';

const date = (id: string, start: number, over: Partial<ShownDate> = {}): ShownDate => ({
  id,
  start,
  state: 'on',
  ...over,
});

test.each<[name: string, before: ShownDate[], after: ShownDate[], changes: Change[]]>([
  ['nothing', [date('a', 1)], [date('a', 1)], []],
  [
    'moved',
    [date('a', 1, { end: 2 })],
    [date('a', 3, { end: 4 })],
    [{ what: 'moved', start: 3, end: 4, was: 1, wasEnd: 2 }],
  ],
  [
    'longer',
    [date('a', 1, { end: 2 })],
    [date('a', 1, { end: 3 })],
    [{ what: 'moved', start: 1, end: 3, was: 1, wasEnd: 2 }],
  ],
  ['cancelled', [date('a', 1)], [date('a', 1, { state: 'cancelled' })], [{ what: 'cancelled', start: 1 }]],
  ['moved and cancelled', [date('a', 1)], [date('a', 2, { state: 'cancelled' })], [{ what: 'cancelled', start: 1 }]],
  ['postponed', [date('a', 1)], [date('a', 1, { state: 'postponed' })], [{ what: 'postponed', start: 1 }]],
  ['still off', [date('a', 1, { state: 'postponed' })], [date('a', 1, { state: 'cancelled' })], []],
  ['on again', [date('a', 1, { state: 'cancelled' })], [date('a', 1)], [{ what: 'reinstated', start: 1 }]],
  [
    'on again later',
    [date('a', 1, { state: 'cancelled' })],
    [date('a', 2)],
    [{ what: 'reinstated', start: 2, was: 1 }],
  ],
  ['added', [], [date('a', 1, { name: 'Extra' })], [{ what: 'added', start: 1, name: 'Extra' }]],
  ['added as cancelled', [], [date('a', 1, { state: 'cancelled' })], []],
  ['removed', [date('a', 1)], [], [{ what: 'removed', start: 1 }]],
  ['removed when it was off', [date('a', 1, { state: 'cancelled' })], [], []],
  ['published anew under another id', [date('a', 1)], [date('b', 1)], []],
  [
    'published anew at another place',
    [date('a', 1, { place: 'Hall 1' })],
    [date('b', 1, { place: 'Hall 2' })],
    [{ what: 'place', start: 1, place: 'Hall 2', wasPlace: 'Hall 1' }],
  ],
  [
    'moved to another place',
    [date('a', 1, { place: 'Hall 1' })],
    [date('a', 2, { place: 'Hall 2' })],
    [{ what: 'moved', start: 2, was: 1, place: 'Hall 2', wasPlace: 'Hall 1' }],
  ],
  ['two that changed places', [date('a', 1), date('b', 2)], [date('a', 2), date('b', 1)], []],
  ['a session for an instance', [date('i1', 1)], [date('a', 1, { instance: 'i1' })], []],
  [
    'a session that moves an instance',
    [date('i1', 1)],
    [date('a', 2, { instance: 'i1' })],
    [{ what: 'moved', start: 2, was: 1 }],
  ],
  [
    'a session that cancels an instance',
    [date('i1', 1)],
    [date('a', 1, { instance: 'i1', state: 'cancelled' })],
    [{ what: 'cancelled', start: 1 }],
  ],
  [
    'a session taken away from its instance',
    [date('a', 2, { instance: 'i1' })],
    [date('i1', 1)],
    [{ what: 'moved', start: 1, was: 2 }],
  ],
])('%s', (_name, before, after, changes) => {
  expect(changedDates(before, after)).toEqual(changes);
});

const dates = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...'abcdefgh'),
    start: fc.integer({ min: 1, max: 6 }),
    end: fc.option(fc.integer({ min: 7, max: 8 }), { nil: undefined }),
    state: fc.constantFrom<ShownDate['state']>('on', 'on', 'cancelled', 'postponed'),
    place: fc.option(fc.constantFrom('Hall 1', 'Hall 2'), { nil: undefined }),
    instance: fc.option(fc.constantFrom(...'ijkl'), { nil: undefined }),
  }),
  { selector: ({ id }) => id },
);

/** Times of what is on. */
function timesOf(list: readonly ShownDate[]): string[] {
  return list
    .filter(({ state }) => state === 'on')
    .map(({ start, end }) => `${start} ${end}`)
    .toSorted();
}

function apply(changes: readonly Change[], times: readonly string[]): string[] {
  const left = [...times];
  const take = (start?: number, end?: number) => {
    const at = left.indexOf(`${start} ${end}`);
    expect(at).toBeGreaterThanOrEqual(0);
    left.splice(at, 1);
  };
  for (const { what, start, end, was, wasEnd } of changes) {
    if (what === 'moved') take(was, wasEnd);
    else if (what === 'removed' || what === 'cancelled' || what === 'postponed') take(start, end);
  }
  for (const { what, start, end } of changes)
    if (what === 'moved' || what === 'added' || what === 'reinstated') left.push(`${start} ${end}`);
  return left.toSorted();
}

describe('changes', () => {
  it('make the new times of the old ones', () => {
    fc.assert(
      fc.property(dates, dates, (before, after) => {
        expect(apply(changedDates(before, after), timesOf(before))).toEqual(timesOf(after));
      }),
      { numRuns: 500 },
    );
  });

  it('become one entry where there are more than twenty', () => {
    const changes = Array.from(
      { length: 21 },
      (_, index): Change => ({ what: index < 15 ? 'moved' : 'cancelled', start: index }),
    );
    expect(summed(changes.slice(1))).toHaveLength(20);
    expect(summed(changes)).toEqual([
      { what: 'many', counts: { moved: 15, cancelled: 6 }, first: changes.slice(0, 5) },
    ]);
  });
});
