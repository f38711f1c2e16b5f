import {
  type CalendarName,
  type ChosenList,
  calendarName,
  listName,
  type Thing,
  thingOf,
  thingText,
  tokenOf,
} from '../library/index.ts';
import { sha256 } from '../platform/hash.ts';

/** The addresses under `/dav/` (docs/architecture.md, "A REPORT"), and back. */

const FOLDERS = ['series', 'places', 'facilities', 'search', 'my'] as const;
export type Folder = (typeof FOLDERS)[number];

export type DavAddress =
  /** `/dav/`: a principal that has no calendars. */
  | { kind: 'root' }
  /** `/dav/series/`: its members are not listed. */
  | { kind: 'folder'; folder: Folder }
  /** `/dav/my/{token}/`: a principal, and the home of its calendars. */
  | { kind: 'list'; token: string }
  /** `thing`: of one alone; in a list, `member` is its last segment. */
  | { kind: 'calendar'; thing: Thing; file?: string }
  | { kind: 'member'; token: string; member: string; file?: string };

const MOST_CHARACTERS = 8000;

/** What a path is the address of, with or without a slash at its end; undefined: of nothing that can exist. */
export function davAddress(path: string): DavAddress | undefined {
  const [empty, dav, ...rest] = path.length > MOST_CHARACTERS ? [] : path.split('/');
  if (empty !== '' || dav !== 'dav') return undefined;
  if (rest.at(-1) === '') rest.pop();
  const segments = rest.map(decodedSegment);
  if (segments.some((segment) => segment === undefined || segment === '')) return undefined;
  const [folder, key, ...more] = segments as string[];
  if (folder === undefined) return { kind: 'root' };
  if (!isFolder(folder)) return undefined;
  if (key === undefined) return { kind: 'folder', folder };
  return folder === 'my' ? inList(key, more) : ofThing(folder, key, more);
}

function ofThing(folder: Exclude<Folder, 'my'>, key: string, more: string[]): DavAddress | undefined {
  const thing = thingOf(folder === 'search' ? `search?${key}` : `${folder}/${key}`);
  const [file, ...beyond] = more;
  if (thing === undefined || beyond.length > 0) return undefined;
  return { kind: 'calendar', thing, ...(file !== undefined && { file }) };
}

function inList(token: string, [member, file, ...beyond]: string[]): DavAddress | undefined {
  if (beyond.length > 0 || !/^[\w-]{1,6000}$/.test(token)) return undefined;
  if (member === undefined) return { kind: 'list', token };
  return { kind: 'member', token, member, ...(file !== undefined && { file }) };
}

function isFolder(name: string): name is Folder {
  return (FOLDERS as readonly string[]).includes(name);
}

/** Undefined: it cannot be decoded, or is not what one segment can be. */
export function decodedSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return text.includes('/') || text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** `/dav/series/{key}/`. */
export function thingPath(thing: Thing): string {
  return thing.kind === 'search'
    ? `/dav/search/${encodeURIComponent(thing.query)}/`
    : `/dav/${thing.kind}/${thing.key}/`;
}

/** The principal of a calendar that was asked for alone: the list that holds it alone, so that it has a home too. */
export function principalPath(thing: Thing): string {
  return listPath(tokenOf([thing]));
}

export function listPath(token: string): string {
  return `/dav/my/${token}/`;
}

/** The last segment of a calendar within a list: `series-{key}`. */
export function memberSegment(thing: Thing): string {
  if (thing.kind === 'search') return `search-${sha256(thing.query).slice(0, 16)}`;
  return `${thing.kind}-${thing.key}`;
}

/** The thing of a list that a segment names. */
export function thingAt({ things }: Pick<ChosenList, 'things'>, member: string): Thing | undefined {
  return things.find((thing) => memberSegment(thing) === member);
}

/**
 * Names of the calendars that answers at a path depend on: they stay as they are for as long as none of them changes. `all`: on
 * any; undefined: there is nothing at this address, or an object, which nobody asks for in the same way as others.
 */
export function calendarsOf(path: string): readonly CalendarName[] | 'all' | undefined {
  const address = davAddress(path);
  if (address === undefined || ('file' in address && address.file !== undefined)) return undefined;
  switch (address.kind) {
    case 'root':
    case 'folder':
      return [];
    case 'list':
      return 'all';
    case 'calendar':
      return withName(address.thing);
    case 'member': {
      const [kind = '', key = ''] = address.member.split(/-(.*)/);
      const thing = kind === 'search' ? undefined : thingOf(`${kind}/${key}`);
      // Its place in the list, where another calendar of it has gone, shows a minute later.
      return thing === undefined ? 'all' : withName(thing, listName(address.token));
    }
  }
}

function withName(thing: Thing, ...others: CalendarName[]): CalendarName[] | 'all' {
  const name = thing.kind === 'search' ? undefined : calendarName(objectsName(thing));
  return name === undefined ? 'all' : [name, ...others];
}

/** The name by which the library knows the objects of a thing. */
export function objectsName(thing: Thing): string {
  return thing.kind === 'search' ? `search/${thing.query}` : thingText(thing);
}

/** The address of the same calendar as one file. */
export function filePath(thing: Thing): string {
  return thing.kind === 'search' ? `/search.ics?${thing.query}` : `/${thing.kind}/${thing.key}.ics`;
}

/** The path of the page for people. */
export function pagePath(thing: Thing): string {
  return thing.kind === 'search' ? `/search?${thing.query}` : `/${thing.kind}/${thing.key}`;
}
