import type { Instant } from '../../time/instant.ts';
import type { Change, ChangeKind } from './changes.ts';

/** Where something is, as calendars show it. */
export interface ShownPlace {
  /** Room and name. */
  place?: string | undefined;
  address?: string | undefined;
}

/** One date of a series as a calendar shows it. */
export interface ShownDate extends ShownPlace {
  /** The id of the session; of a generated instance any text that no session has. */
  id: string;
  start: Instant;
  end?: Instant | undefined;
  allDay?: true | undefined;
  state: 'on' | 'cancelled' | 'postponed';
  name?: string | undefined;
  /** `id` of the generated instance that the session replaces. */
  instance?: string | undefined;
}

type Pair = [was: ShownDate | undefined, now: ShownDate | undefined];

/**
 * The changes between two lists of dates, which may leave out unchanged ones. A date is paired with its earlier form by its
 * id, then by the instance that it replaces, then by its start. Pure.
 */
export function changedDates(before: readonly ShownDate[], after: readonly ShownDate[]): Change[] {
  const was = new Set(before);
  const now = new Set(after);
  const pairs: Pair[] = [];
  const pair = (ofWas: (date: ShownDate) => unknown, ofNow: (date: ShownDate) => unknown, isKept = true): void => {
    if (was.size === 0 || now.size === 0) return;
    const open = Map.groupBy(was, ofWas);
    for (const one of now) {
      const key = ofNow(one);
      const found = key === undefined ? undefined : open.get(key)?.shift();
      if (found === undefined) continue;
      was.delete(found);
      now.delete(one);
      if (isKept) pairs.push([found, one]);
    }
  };
  pair(shownAs, shownAs, false);
  pair(idOf, idOf);
  pair(idOf, (date) => date.instance);
  pair((date) => date.instance ?? date, idOf);
  pair(startOf, startOf);
  for (const one of was) pairs.push([one, undefined]);
  for (const one of now) pairs.push([undefined, one]);
  return pairs
    .flatMap((one) => changeOf(one) ?? [])
    .toSorted((a, b) => (a.was ?? a.start ?? 0) - (b.was ?? b.start ?? 0));
}

const idOf = (date: ShownDate): string => date.id;
const startOf = (date: ShownDate): Instant => date.start;
const shownAs = ({ start, end, allDay, state, place, address, name }: ShownDate): string =>
  `${start} ${end} ${allDay} ${state} ${JSON.stringify([place, address])} ${name}`;

function changeOf([was, now]: Pair): Change | undefined {
  const wasOn = was?.state === 'on';
  const isOn = now?.state === 'on';
  // A date that is off is listed at the time that its subscribers know.
  if (was !== undefined && wasOn && !isOn) return { what: offWord(now), ...timesOf(was), ...named(was) };
  if (now === undefined || !isOn) return undefined;
  if (was === undefined) return { what: 'added', ...timesOf(now), ...named(now) };
  const isMoved = was.start !== now.start || was.end !== now.end || was.allDay !== now.allDay;
  const places = newPlace(was, now);
  if (wasOn && !isMoved && places === undefined) return undefined;
  const what: ChangeKind = wasOn ? (isMoved ? 'moved' : 'place') : 'reinstated';
  return {
    what,
    ...timesOf(now),
    ...(isMoved && wasTimes(was)),
    ...places,
    ...named(now),
  };
}

function offWord(now: ShownDate | undefined): ChangeKind {
  if (now === undefined) return 'removed';
  return now.state === 'postponed' ? 'postponed' : 'cancelled';
}

function timesOf({ start, end, allDay }: ShownDate): Pick<Change, 'start' | 'end' | 'allDay'> {
  return { start, ...(end !== undefined && { end }), ...(allDay && { allDay }) };
}

function wasTimes({ start, end, allDay }: ShownDate): Pick<Change, 'was' | 'wasEnd' | 'wasAllDay'> {
  return { was: start, ...(end !== undefined && { wasEnd: end }), ...(allDay && { wasAllDay: allDay }) };
}

/** The new place and the former one; undefined where the place is the same. Places of one name are compared by address. */
export function newPlace(was: ShownPlace, now: ShownPlace): Pick<Change, 'place' | 'wasPlace'> | undefined {
  if (was.place !== now.place)
    return { ...(now.place && { place: now.place }), ...(was.place && { wasPlace: was.place }) };
  if (!isOtherAddress(was.address, now.address)) return undefined;
  return { place: `${now.place}, ${now.address}`, wasPlace: `${was.place}, ${was.address}` };
}

/** Whether addresses differ. Capitals make no difference, nor do words, such as a postcode, that only one of them has. */
function isOtherAddress(was = '', now = ''): boolean {
  const [before, after] = [was, now].map((address) => new Set(address.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  return before?.isSubsetOf(after as Set<string>) === false && after?.isSubsetOf(before) === false;
}

function named({ name }: ShownDate): Pick<Change, 'name'> {
  return name === undefined ? {} : { name };
}

/** Most changes of one revision that are listed one by one. */
const MOST_AT_ONCE = 20;
const FIRST = 5;

/** Many changes as one, with their number and the first of them. */
export function summed(changes: readonly Change[]): readonly Change[] {
  if (changes.length <= MOST_AT_ONCE) return changes;
  const counts: Partial<Record<ChangeKind, number>> = {};
  for (const { what } of changes) counts[what] = (counts[what] ?? 0) + 1;
  return [{ what: 'many', counts, first: changes.slice(0, FIRST) }];
}
