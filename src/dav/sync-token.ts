import { sha256 } from '../platform/hash.ts';
import { objectsName } from './address.ts';
import type { CalendarResource } from './resource.ts';

/**
 * Sync tokens: URIs (RFC 6578 4) that name a collection and the states of its members at a client. Usually all members have one
 * state. After an answer that was cut, members up to a name have one state, and members beyond it have earlier states.
 */
export interface SyncPoint {
  /** State of the members up to `upTo` that are beyond the point before; empty: the client has none of them. */
  state: string;
  /** Name of a member; absent in the last part alone. */
  upTo?: string;
}

const EMPTY_STATE = '-';
/** Most characters of a token. Each answer that is cut while the collection changes adds a point; a longer token is refused. */
const LONGEST = 1000;

/** The sync token of a calendar. `base`: the base address; a token is a name, and never requested by HTTP. */
export function syncToken(
  base: string,
  calendar: CalendarResource,
  points: readonly SyncPoint[] = [{ state: calendar.collection.state }],
): string {
  const parts = points.flatMap(({ state, upTo }) => [state || EMPTY_STATE, ...(upTo === undefined ? [] : [upTo])]);
  return `${base}/ns/sync/${collectionHash(calendar)}/${parts.map(encodeURIComponent).join('/')}`;
}

/** The points of a token, under any base address; undefined: it is no token of this collection. */
export function readSyncToken(text: string, calendar: CalendarResource): SyncPoint[] | undefined {
  if (text.length > LONGEST) return undefined;
  const [, hash, rest] = TOKEN.exec(text.trim()) ?? [];
  if (hash !== collectionHash(calendar) || rest === undefined) return undefined;
  const parts = rest.split('/');
  // States and names alternate, and the last part is a state.
  if (parts.length % 2 === 0) return undefined;
  return parts.flatMap((part, at): SyncPoint[] => {
    if (at % 2 === 1) return [];
    const [state, upTo] = [part === EMPTY_STATE ? '' : part, parts[at + 1]];
    return [upTo === undefined ? { state } : { state, upTo }];
  });
}

/** Whether a text is the token of the present state of a collection. */
export function isNow(text: string, calendar: CalendarResource): boolean {
  const [point, ...beyond] = readSyncToken(text, calendar) ?? [];
  return point?.state === calendar.collection.state && beyond.length === 0;
}

const TOKEN = /^https?:\/\/\S*\/ns\/sync\/([0-9a-f]{16})\/([\w.-]+(?:\/[\w.-]+)*)$/;

/** A hash of the name of a collection, the same for a calendar alone and in lists, because the members are the same. */
function collectionHash({ thing }: CalendarResource): string {
  return sha256(objectsName(thing)).slice(0, 16);
}
