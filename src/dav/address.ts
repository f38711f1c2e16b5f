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
  /** `/dav/series/`, without a list of its members. */
  | { kind: 'folder'; folder: Folder }
  /** `/dav/my/{token}/`: a principal, and the home of its calendars. */
  | { kind: 'list'; token: string }
  /** A calendar alone (`thing`), or one in a list (`member`: its last segment). `file`: of an object within it. */
  | { kind: 'calendar'; thing: Thing; file?: string }
  | { kind: 'member'; token: string; member: string; file?: string };

const MOST_CHARACTERS = 8000;

/** The address that a path has, with or without a slash at its end; undefined: nothing can exist at the path. */
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

/** A segment, percent-decoded; undefined: it cannot be decoded, or holds a slash or NUL. */
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

/** The principal of a calendar outside lists: the list that holds this calendar alone, so that it has a home too. */
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

/** The thing of a list with a last segment. */
export function thingAt({ things }: Pick<ChosenList, 'things'>, member: string): Thing | undefined {
  return things.find((thing) => memberSegment(thing) === member);
}

/**
 * Names of the calendars on which answers at a path depend: an answer is valid until one of them changes. `all`: any calendar.
 * Undefined: answers are not kept, as nothing can exist at the path, or an object does, whose requests seldom repeat.
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
      // A new `calendar-order`, where another calendar of the list has gone, may show a minute later.
      return thing === undefined ? 'all' : withName(thing, listName(address.token));
    }
  }
}

function withName(thing: Thing, ...others: CalendarName[]): CalendarName[] | 'all' {
  const name = thing.kind === 'search' ? undefined : calendarName(objectsName(thing));
  return name === undefined ? 'all' : [name, ...others];
}

/** The name of a thing's collection in the library. */
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
