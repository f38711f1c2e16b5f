import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import type { ObjectMember } from './types.ts';

/**
 * What became of the members of a collection, from one state that was kept to the next. A state is known by what it is of: one
 * that comes again is the same, whatever clock, process or rebuild was between.
 */
export interface History {
  /** The last one at the end. `number`: of the change that led to it. `until`: when another one was kept; null: none was. */
  states: [state: string, number: number, until: Instant | null][];
  /** Members of the last state. `number`: of the change that last changed the member. */
  members: [name: string, etag: string, number: number][];
  /** What is no member any more, with the change that removed it. */
  removed: [name: string, number: number][];
}

export interface MemberListing {
  state: string;
  members: readonly Pick<ObjectMember, 'name' | 'etag'>[];
}

/** A client that was away for longer loads everything. */
export const STATE_DAYS = 90;
/** A client that asks every quarter of an hour sees as many in three weeks, if something has changed each time. */
const MOST_STATES = 2_000;
/** Twenty times the members of a large calendar. */
const MOST_REMOVED = 20_000;

/** A history with another state at its end. */
export function historyAfter(before: History | undefined, { state, members }: MemberListing, now: Instant): History {
  const last = before?.states.at(-1);
  if (before === undefined || last === undefined)
    return { states: [[state, 0, null]], members: members.map(({ name, etag }) => [name, etag, 0]), removed: [] };
  if (last[0] === state) return before;
  const number = last[1] + 1;
  const known = new Map(before.members.map((member) => [member[0], member]));
  const next = members.map(({ name, etag }): History['members'][number] => {
    const was = known.get(name);
    return was?.[1] === etag ? was : [name, etag, number];
  });
  const names = new Set(members.map(({ name }) => name));
  const gone = before.members.filter(([name]) => !names.has(name));
  const removed = [...before.removed.filter(([name]) => !names.has(name)), ...gone.map(([name]) => [name, number])];
  // A state that comes again is known by its last place: the members are the same.
  const earlier = before.states.filter(([one]) => one !== state).map(([one, at, until]) => [one, at, until ?? now]);
  return bounded({ states: [...earlier, [state, number, null]], members: next, removed } as History, now);
}

/** A history within its limits of age and size, without removals that happened before all its states. */
function bounded({ states, members, removed }: History, now: Instant): History {
  let kept = states.filter(([, , until]) => isKnown(until, now)).slice(-MOST_STATES);
  // The newest removals that there is room for, and the states that need no others.
  const [, tooMany = -1] = removed.at(-MOST_REMOVED - 1) ?? [];
  kept = kept.filter(([, number]) => number >= tooMany);
  const first = kept[0]?.[1] ?? 0;
  return { states: kept, members, removed: removed.filter(([, number]) => number > first) };
}

function isKnown(until: Instant | null, now: Instant): boolean {
  return until === null || now - until <= STATE_DAYS * DAY_MS;
}

/**
 * What is otherwise now than it was in a state. More than that is named where something was changed and changed back. Undefined:
 * the state is not known.
 */
export function changesSince(
  history: History,
  since: string,
  { members }: MemberListing,
  now: Instant,
): { changed: string[]; removed: string[] } | undefined {
  const from = history.states.findLast(([state]) => state === since);
  if (from === undefined || !isKnown(from[2], now)) return undefined;
  const [, number] = from;
  const differing = new Set(history.removed.filter((one) => one[1] > number).map(([name]) => name));
  for (const [name, , changed] of history.members) if (changed > number) differing.add(name);
  // From the last state that was kept to what there is now.
  const last = new Map(history.members.map(([name, etag]) => [name, etag]));
  const names = new Set<string>();
  for (const { name, etag } of members) {
    names.add(name);
    if (last.get(name) !== etag) differing.add(name);
  }
  for (const name of last.keys()) if (!names.has(name)) differing.add(name);
  const all = [...differing].sort();
  return { changed: all.filter((name) => names.has(name)), removed: all.filter((name) => !names.has(name)) };
}
