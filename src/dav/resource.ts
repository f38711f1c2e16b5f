import {
  type ChosenList,
  type Library,
  type ObjectCollection,
  type ObjectMember,
  type Thing,
  thingOf,
} from '../library/index.ts';
import {
  type DavAddress,
  davAddress,
  listPath,
  memberSegment,
  objectsName,
  principalPath,
  thingAt,
  thingPath,
} from './address.ts';
import { Refusal } from './refusal.ts';

/** The root or a folder: a collection whose members are not listed. */

export interface Container {
  kind: 'root' | 'folder';
  path: string;
}

/** A principal, and the home of its calendars. */
export interface Home {
  kind: 'home';
  path: string;
  token: string;
  list: ChosenList;
}

export interface CalendarResource {
  kind: 'calendar';
  path: string;
  thing: Thing;
  collection: ObjectCollection;
  /** The path of its principal, in canonical form. */
  principal: string;
  /** The place of a calendar in a list, from 1 on. */
  order: number;
}

export interface ObjectResource {
  kind: 'object';
  path: string;
  calendar: CalendarResource;
  member: ObjectMember;
}

export type Resource = Container | Home | CalendarResource | ObjectResource;

export type DavLibrary = Pick<Library, 'objects' | 'chosenList' | 'freeBusy'>;

/** Whether an answer has sync tokens (`sync`), whose states the library then keeps. */
export type Use = 'sync' | 'read';

/**
 * The resource at a path. A path without the slash of a collection is that of the collection (RFC 4918 5.2).
 *
 * @throws Refusal: nothing is there (404), the calendar is gone (410), or has moved (308)
 */
export async function resourceAt(path: string, library: DavLibrary, use: Use): Promise<Resource> {
  const address = davAddress(path);
  const found = address && (await foundAt(address, path, library, use));
  if (found === undefined) throw new Refusal(404, 'There is nothing at this address.');
  return found;
}

/** The resource at a path; undefined: nothing is there. */
export async function resourceIfThere(path: string, library: DavLibrary, use: Use): Promise<Resource | undefined> {
  try {
    return await resourceAt(path, library, use);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function foundAt(
  address: DavAddress,
  path: string,
  library: DavLibrary,
  use: Use,
): Promise<Resource | undefined> {
  switch (address.kind) {
    case 'root':
    case 'folder':
      return { kind: address.kind, path: slashed(path) };
    case 'list':
      return homeAt(address.token, path, library);
    case 'calendar': {
      const { thing, file } = address;
      const principal = principalPath(thing);
      return inCalendar(file, path, (collection) => calendarAt(thing, collection, { library, use, principal }));
    }
    case 'member': {
      const { token, member, file } = address;
      return inCalendar(file, path, (collection) => listedAt(token, member, collection, { library, use }));
    }
  }
}

/** The path of a collection, with the slash at its end that a request may lack. */
function slashed(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

async function inCalendar(
  file: string | undefined,
  path: string,
  find: (path: string) => Promise<CalendarResource | undefined>,
): Promise<CalendarResource | ObjectResource | undefined> {
  if (file === undefined) return find(slashed(path));
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  const calendar = await find(bare.slice(0, bare.lastIndexOf('/') + 1));
  const member = calendar?.collection.members.find(({ name }) => name === file);
  return calendar && member && { kind: 'object', path: bare, calendar, member };
}

async function homeAt(token: string, path: string, library: DavLibrary): Promise<Home | undefined> {
  const list = await library.chosenList(token);
  return list && { kind: 'home', path: slashed(path), token, list };
}

interface ResourceContext {
  order?: number;
  library: DavLibrary;
  use: Use;
  principal: string;
  /** The path of a calendar under its new key, once it has moved. */
  movedPath?: (thing: Thing) => string;
}

async function calendarAt(
  thing: Thing,
  path: string,
  { library, use, principal, order = 1, movedPath = thingPath }: ResourceContext,
): Promise<CalendarResource | undefined> {
  const collection = await library.objects.collection(objectsName(thing), use);
  if (collection === undefined) return undefined;
  const { movedTo, state } = collection.head;
  if (movedTo !== undefined && thing.kind !== 'search') throw new Moved(movedPath({ ...thing, key: movedTo }));
  if (state === 'gone') throw new Refusal(410, 'This calendar has ended and is gone for good.');
  return { kind: 'calendar', path, thing, collection, principal, order };
}

/** The redirect of a calendar that has another key now (feed rule 22). `path`: without the path of the base address. */
export class Moved extends Refusal {
  readonly path: string;

  constructor(path: string) {
    super(308, 'This calendar has moved.');
    this.path = path;
  }
}

async function listedAt(
  token: string,
  member: string,
  path: string,
  { library, use }: Pick<ResourceContext, 'library' | 'use'>,
): Promise<CalendarResource | undefined> {
  const list = await library.chosenList(token);
  if (list === undefined) return undefined;
  const things = await thingsIn(token, library);
  const thing = thingAt({ things }, member) ?? thingAt(list, member);
  const home = listPath(token);
  const movedPath = (now: Thing) => `${home}${memberSegment(now)}/`;
  return (
    thing && calendarAt(thing, path, { library, use, principal: home, order: things.indexOf(thing) + 1, movedPath })
  );
}

/** The things of a list that still exist, under their present keys. */
async function thingsIn(token: string, { objects }: DavLibrary): Promise<Thing[]> {
  const names = (await objects.chosen(token)) ?? [];
  return names.flatMap((name) => thingOf(name.replace(/^search\//, 'search?')) ?? []);
}

/** The calendars of a home, in the order of its list. */
export async function calendarsIn(home: Home, library: DavLibrary, use: Use): Promise<CalendarResource[]> {
  const found: CalendarResource[] = [];
  for (const [index, thing] of (await thingsIn(home.token, library)).entries()) {
    const collection = await library.objects.collection(objectsName(thing), use);
    // A calendar may have gone or moved since the list was read; the next request finds out.
    if (collection === undefined || collection.head.state === 'gone') continue;
    const path = `${home.path}${memberSegment(thing)}/`;
    found.push({ kind: 'calendar', path, thing, collection, principal: listPath(home.token), order: index + 1 });
  }
  return found;
}

export function objectIn(calendar: CalendarResource, member: ObjectMember): ObjectResource {
  return { kind: 'object', path: `${calendar.path}${member.name}`, calendar, member };
}
