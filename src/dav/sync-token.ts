import { sha256 } from '../platform/hash.ts';
import { objectsName } from './address.ts';
import type { CalendarResource } from './resource.ts';

/**
 * Sync tokens: URIs (RFC 6578 4) that name a collection and a state of it. A token of an answer that was cut short names two
 * states and a member: up to that member the client has the first, beyond it still the second.
 */
export interface SyncPoint {
  state: string;
  /** Where an answer was cut short. `since`: empty: it was an initial one. */
  partial?: { since: string; last: string };
}

const EMPTY_STATE = '-';
const LONGEST = 500;

/** `base`: the base address; a token is never asked for by HTTP. */
export function syncToken(base: string, calendar: CalendarResource, point?: SyncPoint): string {
  const { state, partial }: SyncPoint = point ?? { state: calendar.collection.state };
  const parts = partial === undefined ? [state] : [state, partial.since || EMPTY_STATE, partial.last];
  return `${base}/ns/sync/${collectionHash(calendar)}/${parts.map(encodeURIComponent).join('/')}`;
}

/** Undefined: it is none of this collection's. Under whatever base address it was given out. */
export function readSyncToken(text: string, calendar: CalendarResource): SyncPoint | undefined {
  if (text.length > LONGEST) return undefined;
  const [, hash, state, since, last] = TOKEN.exec(text.trim()) ?? [];
  if (hash !== collectionHash(calendar) || state === undefined) return undefined;
  if (since === undefined || last === undefined) return { state };
  return { state, partial: { since: since === EMPTY_STATE ? '' : since, last } };
}

const TOKEN = /^https?:\/\/\S*\/ns\/sync\/([0-9a-f]{16})\/([\w.-]+)(?:\/([\w.-]+)\/([\w.-]+))?$/;

/** A hash of the name of a collection: the same for a calendar alone and in lists, which hold the same. */
function collectionHash({ thing }: CalendarResource): string {
  return sha256(objectsName(thing)).slice(0, 16);
}
