import { describe, expect, it } from 'vitest';
import { changesSince, type History, historyAfter, type MemberListing } from '../../../src/library/objects/history.ts';

const DAY = 86_400_000;

/** `a1 b2`: members a and b with ETags 1 and 2. */
function listing(text: string): MemberListing {
  const members = text.split(' ').flatMap((one) => (one === '' ? [] : [{ name: one.slice(0, 1), etag: one.slice(1) }]));
  return { state: text, members };
}

function historyOf(...texts: string[]): History {
  return texts.reduce<History | undefined>(
    (history, text, at) => historyAfter(history, listing(text), at * DAY),
    undefined,
  ) as History;
}

const asked = (history: History, since: string, now: string, at = history.states.length * DAY) =>
  changesSince(history, since, listing(now), at);

describe('the history of a collection', () => {
  const history = historyOf('a1 b1', 'a1 b2 c1', 'a1 c1');

  it.each([
    ['a1 b1', 'a1 c1', ['c'], ['b']],
    ['a1 b2 c1', 'a1 c1', [], ['b']],
    ['a1 c1', 'a1 c1', [], []],
    // The last state that was kept is not the last there is.
    ['a1 c1', 'a2 d1', ['a', 'd'], ['c']],
    ['a1 b1', 'a1 b1', ['b'], []],
    ['a1 b1', '', [], ['a', 'b', 'c']],
  ])('from "%s" to "%s"', (since, now, changed, removed) => {
    const found = asked(history, since, now);
    // What came and went may be named too.
    expect(found?.changed).toEqual(changed);
    expect(found?.removed).toEqual(expect.arrayContaining(removed));
    expect(found?.removed.filter((name) => !removed.includes(name))).toEqual(
      since === 'a1 b1' && now === 'a1 b1' ? ['c'] : [],
    );
  });

  it('knows a state that comes again by its last place', () => {
    const again = historyOf('a1', 'a2', 'a1', 'a3');
    expect(again.states.map(([state]) => state)).toEqual(['a2', 'a1', 'a3']);
    expect(asked(again, 'a1', 'a3')).toEqual({ changed: ['a'], removed: [] });
    expect(asked(again, 'a2', 'a1')).toEqual({ changed: ['a'], removed: [] });
  });

  it('knows no state that it never had, and none that another one replaced 90 days ago', () => {
    expect(asked(history, 'a9', 'a1')).toBeUndefined();
    // The second state was kept on day 1, in the place of the first.
    expect(asked(history, 'a1 b1', 'a1 c1', 91 * DAY)).toEqual({ changed: ['c'], removed: ['b'] });
    expect(asked(history, 'a1 b1', 'a1 c1', 91 * DAY + 1)).toBeUndefined();
    expect(asked(history, 'a1 c1', 'a1 c1', 900 * DAY)).toEqual({ changed: [], removed: [] });
  });

  it('is the same object where nothing changed', () => {
    expect(historyAfter(history, listing('a1 c1'), 900 * DAY)).toBe(history);
  });

  it('lets go of removals that no state needs', () => {
    const later = historyAfter(history, listing('a1'), 200 * DAY);
    expect(later.states.map(([state]) => state)).toEqual(['a1 c1', 'a1']);
    expect(later.removed.map(([name]) => name)).toEqual(['c']);
  });

  it('keeps 2,000 states', () => {
    let long: History | undefined;
    for (let at = 0; at < 2_010; at += 1) long = historyAfter(long, listing(`a${at}`), at);
    expect(long?.states.length).toBe(2_000);
    expect(changesSince(long as History, 'a9', listing('a2009'), 3_000)).toBeUndefined();
    expect(changesSince(long as History, 'a10', listing('a2009'), 3_000)).toEqual({ changed: ['a'], removed: [] });
  });

  it('keeps no more than 20,000 removals, and only the states that need no others', () => {
    const many = (round: number): MemberListing => ({
      state: `round ${round}`,
      members: Array.from({ length: 3_000 }, (_, at) => ({ name: `${round} ${at}`, etag: '1' })),
    });
    let long: History | undefined;
    for (let round = 0; round < 12; round += 1) long = historyAfter(long, many(round), round);
    const { removed, states } = long as History;
    expect(removed.length).toBeLessThanOrEqual(20_000);
    expect(states.map(([state]) => state)).toEqual([5, 6, 7, 8, 9, 10, 11].map((round) => `round ${round}`));
    for (const [state] of states) {
      const gone = changesSince(long as History, state, many(11), 20)?.removed ?? [];
      expect(gone.length).toBe((11 - Number(state.slice(6))) * 3_000);
    }
  });

  it('holds 20,000 members', () => {
    const members = Array.from({ length: 20_000 }, (_, at) => ({ name: String(at), etag: '1' }));
    const first = historyAfter(undefined, { state: 'one', members }, 0);
    const other = members.slice(1).concat({ name: 'new', etag: '1' });
    const second = historyAfter(first, { state: 'two', members: other }, 1);
    expect(changesSince(second, 'one', { state: 'two', members: other }, 2)).toEqual({
      changed: ['new'],
      removed: ['0'],
    });
  });
});
