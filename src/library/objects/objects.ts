import { colorOf } from '../../calendar/wording/colors.ts';
import { MOST_MOVES } from '../head.ts';
import { type CalendarHead, type CalendarName, type Library, venueName } from '../library.ts';
import { thingOf } from '../lists/list.ts';
import { isMerged, listName, searchName } from '../lists/names.ts';
import { collectionCache } from './collection-cache.ts';
import { membersOf, stateOfMembers } from './members.ts';
import type { KeptStates } from './states.ts';
import type { CollectionName, ObjectChanges, ObjectCollection, Objects } from './types.ts';

type Calendars = Pick<Library, 'head' | 'calendar' | 'chosenList'>;

interface ObjectsOptions {
  /** Zone and refresh of a calendar that is gone, of which only the head is known. */
  defaults: { zone: string; refresh: string };
  /** A version that changes whenever the calendar may; undefined: it is unknown. */
  version(name: CalendarName): Promise<string | undefined>;
  states: KeptStates;
}

/** How often a calendar is read again that changes meanwhile; then it is served as it was read. */
export const MOST_TRIES = 3;

/** Collections over the calendars of a library. */
export function storedObjects(calendars: Calendars, options: ObjectsOptions): Objects {
  const cache = collectionCache();

  /** The objects of a calendar. `use`: for `sync` its state is kept, so that a later answer can name what changed. */
  async function collection(
    name: CollectionName,
    use: 'sync' | 'read' = 'sync',
  ): Promise<ObjectCollection | undefined> {
    const calendar = calendarName(name);
    const collection = calendar === undefined ? undefined : await current(calendar);
    if (collection !== undefined && use === 'sync') await options.states.keep(calendar as string, collection);
    return collection;
  }

  async function changes(name: CollectionName, since: string): Promise<ObjectChanges | 'expired' | undefined> {
    const { states } = options;
    const calendar = calendarName(name);
    const collection = calendar === undefined ? undefined : await current(calendar);
    if (collection === undefined) return undefined;
    const changes = await states.changes(calendar as string, since, collection);
    await states.keep(calendar as string, collection);
    return changes === undefined ? 'expired' : { ...changes, collection };
  }

  /** The present collection. A calendar takes several reads, which are begun again if it changes between them. */
  async function current(name: CalendarName): Promise<ObjectCollection | undefined> {
    let version = await options.version(name);
    const cached = cache.get(name);
    if (cached !== undefined && cached.version === version) return cached.collection;
    for (let tries = 1; ; tries += 1) {
      const made = await makeCollection(name);
      const now = await options.version(name);
      if (made !== undefined && now !== undefined && now === version)
        cache.set(name, { version: now, collection: made });
      if (now === version || tries === MOST_TRIES) return made;
      version = now;
    }
  }

  async function makeCollection(name: CalendarName): Promise<ObjectCollection | undefined> {
    const stored = await calendars.calendar(name);
    if (stored === undefined) return goneCollection(name);
    const { events: _, ...calendar } = stored.calendar;
    const { members, omitted } = await membersOf(stored);
    const { head, more } = stored;
    const availability = more && { availability: more };
    return { head, calendar, ...availability, state: stateOfMembers(members), members, omitted };
  }

  async function goneCollection(name: CalendarName): Promise<ObjectCollection | undefined> {
    const head = isMerged(name) ? undefined : await calendars.head(name);
    if (head?.state !== 'gone') return undefined;
    const calendar = { name: head.key, color: colorOf(head.key), ...options.defaults };
    return { head, calendar, state: stateOfMembers([]), members: [], omitted: 0 };
  }

  async function chosen(token: string): Promise<CollectionName[] | undefined> {
    const list = await calendars.chosenList(token);
    if (list === undefined) return undefined;
    const names: CollectionName[] = [];
    for (const thing of list.things) {
      const name = thing.kind === 'search' ? `search/${thing.query}` : await nameNow(thing.kind, thing.key);
      if (name !== undefined) names.push(name);
    }
    return [...new Set(names)];
  }

  /** The present name of a calendar's collection; undefined: the calendar is gone, or never was. */
  async function nameNow(kind: CalendarHead['kind'], first: string): Promise<CollectionName | undefined> {
    let key: string | undefined = first;
    for (let moves = 0; key !== undefined && moves <= MOST_MOVES; moves += 1) {
      const name: CollectionName = `${kind}/${key}`;
      const head: CalendarHead | undefined = await calendars.head(calendarName(name) as CalendarName);
      if (head !== undefined && head.state !== 'gone') return name;
      key = head?.movedTo;
    }
    return undefined;
  }

  return { collection, changes, chosen };
}

const TOKEN = /^my\/([\w-]{1,6000})$/;

/** The name of the calendar of a collection; undefined: the name is invalid. */
export function calendarName(name: CollectionName): CalendarName | undefined {
  const token = TOKEN.exec(name)?.[1];
  if (token !== undefined) return listName(token);
  const thing = thingOf(name.replace(/^search\//, 'search?'));
  if (thing === undefined) return undefined;
  if (thing.kind === 'search') return searchName(thing.query);
  return thing.kind === 'series' ? thing.key : venueName(thing.kind, thing.key, 'all');
}
