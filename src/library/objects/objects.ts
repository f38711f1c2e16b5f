import { colorOf } from '../../calendar/wording/colors.ts';
import { type CalendarHead, type CalendarName, type Library, venueName } from '../library.ts';
import { thingOf } from '../lists/list.ts';
import { isMerged, listName, searchName } from '../lists/names.ts';
import { membersOf, stateOfMembers } from './members.ts';
import type { CollectionName, ObjectChanges, ObjectCollection, Objects } from './types.ts';

type Calendars = Pick<Library, 'head' | 'calendar' | 'chosenList'>;

/** Of a calendar that is gone, nothing is known but its head. */
interface HeaderDefaults {
  zone: string;
  refresh: string;
}

/** A publisher gives few items a new `@id`, and never in a circle. */
const MOST_MOVES = 10;

/** Collections over the calendars of a library. */
export class StoredObjects implements Objects {
  readonly #calendars: Calendars;
  readonly #defaults: HeaderDefaults;

  constructor(calendars: Calendars, defaults: HeaderDefaults) {
    this.#calendars = calendars;
    this.#defaults = defaults;
  }

  async collection(name: CollectionName): Promise<ObjectCollection | undefined> {
    const calendar = calendarName(name);
    const stored = calendar === undefined ? undefined : await this.#calendars.calendar(calendar);
    if (stored === undefined) return calendar === undefined ? undefined : this.#gone(calendar);
    const { events: _, ...header } = stored.calendar;
    const { members, omitted } = await membersOf(stored);
    const { head, more } = stored;
    return {
      head,
      calendar: header,
      ...(more !== undefined && { availability: more }),
      state: stateOfMembers(members),
      members,
      omitted,
    };
  }

  async #gone(name: CalendarName): Promise<ObjectCollection | undefined> {
    const head = isMerged(name) ? undefined : await this.#calendars.head(name);
    if (head?.state !== 'gone') return undefined;
    const calendar = { name: head.key, color: colorOf(head.key), ...this.#defaults };
    return { head, calendar, state: stateOfMembers([]), members: [], omitted: 0 };
  }

  async changes(name: CollectionName, since: string): Promise<ObjectChanges | 'expired' | undefined> {
    const collection = await this.collection(name);
    if (collection === undefined) return undefined;
    return collection.state === since ? { changed: [], removed: [], state: since } : 'expired';
  }

  async chosen(token: string): Promise<CollectionName[] | undefined> {
    const list = await this.#calendars.chosenList(token);
    if (list === undefined) return undefined;
    const names: CollectionName[] = [];
    for (const thing of list.things) {
      const name = thing.kind === 'search' ? `search/${thing.query}` : await this.#current(thing.kind, thing.key);
      if (name !== undefined) names.push(name);
    }
    return [...new Set(names)];
  }

  /** Where a calendar is now; undefined: it is gone, or never was. */
  async #current(kind: CalendarHead['kind'], first: string): Promise<CollectionName | undefined> {
    let key: string | undefined = first;
    for (let moves = 0; key !== undefined && moves <= MOST_MOVES; moves += 1) {
      const name: CollectionName = `${kind}/${key}`;
      const head: CalendarHead | undefined = await this.#calendars.head(calendarName(name) as CalendarName);
      if (head !== undefined && head.state !== 'gone') return name;
      key = head?.movedTo;
    }
    return undefined;
  }
}

const TOKEN = /^my\/([\w-]{1,6000})$/;

/** The calendar that a collection holds; undefined: none. */
export function calendarName(name: CollectionName): CalendarName | undefined {
  const token = TOKEN.exec(name)?.[1];
  if (token !== undefined) return listName(token);
  const thing = thingOf(name.replace(/^search\//, 'search?'));
  if (thing === undefined) return undefined;
  if (thing.kind === 'search') return searchName(thing.query);
  return thing.kind === 'series' ? thing.key : venueName(thing.kind, thing.key, 'all');
}
