import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import type { ObjectMember } from './types.ts';

/**
 * The changes of a collection's members from one kept state to the next. A state is named by a hash of its members, so that
 * equal members are the same state, whatever clock, process or rebuild was between.
 */
export interface History {
  /** States, the last one at the end. `number`: of the change that led to the state. `until`: when the next was kept; null: none. */
  states: [state: string, number: number, until: Instant | null][];
  /** Members of the last state. `number`: of the change that last changed the member. */
  members: [name: string, etag: string, number: number][];
  /** Former members, with the number of the change that removed each. */
  removed: [name: string, number: number][];
}

export interface MemberListing {
  state: string;
  members: readonly Pick<ObjectMember, 'name' | 'etag'>[];
}

/** Days that a state is kept; a client that was away for longer loads everything. */
export const STATE_DAYS = 90;
/** Most states of a collection: three weeks of a change in every quarter of an hour. */
const MOST_STATES = 2_000;
/** Most removed members: twenty times the members of a large calendar. */
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
  // A state that returns moves to the end: its members are the same.
  const earlier = before.states.filter(([one]) => one !== state).map(([one, at, until]) => [one, at, until ?? now]);
  return bounded({ states: [...earlier, [state, number, null]], members: next, removed } as History, now);
}

/** A history within its limits of age and size, without removals that happened before all its states. */
function bounded({ states, members, removed }: History, now: Instant): History {
  let kept = states.filter(([, , until]) => isKnown(until, now)).slice(-MOST_STATES);
  // States stay whose later removals are all among the newest `MOST_REMOVED`.
  const [, tooMany = -1] = removed.at(-MOST_REMOVED - 1) ?? [];
  kept = kept.filter(([, number]) => number >= tooMany);
  const first = kept[0]?.[1] ?? 0;
  return { states: kept, members, removed: removed.filter(([, number]) => number > first) };
}

function isKnown(until: Instant | null, now: Instant): boolean {
  return until === null || now - until <= STATE_DAYS * DAY_MS;
}

/**
 * The members that differ from an earlier state. A member that was changed and changed back may be named too. Undefined: the
 * state is not known.
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
  // Differences between the last kept state and the present members.
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
