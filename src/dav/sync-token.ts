import { sha256 } from '../platform/hash.ts';
import { objectsName } from './address.ts';
import type { CalendarResource } from './resource.ts';

/**
 * Sync tokens: URIs (RFC 6578 4) that name a collection and what a client has of it. That is one state of all members. After an
 * answer that was cut short it is one state of those up to a name, and earlier ones of those beyond it.
 */
export interface SyncPoint {
  /** State of the members up to `upTo`, and beyond the part before; empty: the client has none of them. */
  state: string;
  /** Name of a member; absent in the last part alone. */
  upTo?: string;
}

const EMPTY_STATE = '-';
/** A collection that changes with each answer adds a part. Beyond this the token is refused, and the client begins again. */
const LONGEST = 1000;

/** `base`: the base address; a token is never asked for by HTTP. */
export function syncToken(
  base: string,
  calendar: CalendarResource,
  points: readonly SyncPoint[] = [{ state: calendar.collection.state }],
): string {
  const parts = points.flatMap(({ state, upTo }) => [state || EMPTY_STATE, ...(upTo === undefined ? [] : [upTo])]);
  return `${base}/ns/sync/${collectionHash(calendar)}/${parts.map(encodeURIComponent).join('/')}`;
}

/** Undefined: it is none of this collection's. Under whatever base address it was given out. */
export function readSyncToken(text: string, calendar: CalendarResource): SyncPoint[] | undefined {
  if (text.length > LONGEST) return undefined;
  const [, hash, rest] = TOKEN.exec(text.trim()) ?? [];
  if (hash !== collectionHash(calendar) || rest === undefined) return undefined;
  const parts = rest.split('/');
  // States and names take turns, and a state is the last.
  if (parts.length % 2 === 0) return undefined;
  return parts.flatMap((part, at): SyncPoint[] => {
    if (at % 2 === 1) return [];
    const [state, upTo] = [part === EMPTY_STATE ? '' : part, parts[at + 1]];
    return [upTo === undefined ? { state } : { state, upTo }];
  });
}

/** Whether a text is the token of a collection as it is. */
export function isNow(text: string, calendar: CalendarResource): boolean {
  const [point, ...beyond] = readSyncToken(text, calendar) ?? [];
  return point?.state === calendar.collection.state && beyond.length === 0;
}

const TOKEN = /^https?:\/\/\S*\/ns\/sync\/([0-9a-f]{16})\/([\w.-]+(?:\/[\w.-]+)*)$/;

/** A hash of the name of a collection: the same for a calendar alone and in lists, which hold the same. */
function collectionHash({ thing }: CalendarResource): string {
  return sha256(objectsName(thing)).slice(0, 16);
}
