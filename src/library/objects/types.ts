import type { Calendar, CalendarEvent, Revision } from '../../calendar/objects.ts';
import type { MoreComponents } from '../../calendar/venue/venue-calendar.ts';
import type { CalendarHead } from '../head.ts';

/** Calendars as collections of calendar object resources (RFC 4791, 4.1), with their changes (RFC 6578). */

/**
 * A collection, by the calendar that it holds: `series/{key}`, `places/{key}`, `facilities/{key}`, `search/{query}` with filters
 * as an address has them, `my/{token}`.
 */
export type CollectionName = string;

export interface ObjectCollection {
  /** The head of the calendar. `gone`, or moved: there are no members. */
  head: CalendarHead;
  calendar: Omit<Calendar, 'events'>;
  /** VAVAILABILITY of places and facilities: no members, but what RFC 7953 calls the availability of a collection. */
  availability?: MoreComponents;
  /** What a sync token names: another one exactly when a member was added, changed or removed. `[0-9a-f]{32}`. */
  state: string;
  /** In the order of their names: one for each UID. */
  members: readonly ObjectMember[];
  /** Events of so many UIDs cannot be written, and are no members. */
  omitted: number;
}

/** One UID: an event, or a master with its overrides (RFC 4791, 4.1). */
export interface ObjectMember {
  /** The last segment of its address: the same for the same UID in every collection; `[0-9a-f]{40}.ics`. */
  name: string;
  uid: string;
  /** Without quotes: another one exactly when its octets are others (`objectBytes`). */
  etag: string;
  revision: Revision;
  /** The master first, then its overrides. */
  events: readonly CalendarEvent[];
}

/**
 * What became of the members since a state, by name. Of what was changed and changed back since then it may be named too, and of
 * what came and went: as if the client had asked in between.
 */
export interface ObjectChanges {
  changed: string[];
  removed: string[];
  /** What they lead to. */
  collection: ObjectCollection;
}

export interface Objects {
  /**
   * Undefined: there is no such calendar, or its name cannot be read. Its state is kept for `changes`, unless it is for reading
   * alone: then nobody may be given it as a sync token.
   */
  collection(name: CollectionName, use?: 'sync' | 'read'): Promise<ObjectCollection | undefined>;
  /**
   * `expired`: the state was never given out for this collection, or another one took its place 90 days ago. Or so much has
   * changed, or so many other collections were asked for, that it is not kept any more. The client then loads everything. As
   * for `collection`, the state that the changes lead to is kept.
   */
  changes(name: CollectionName, since: string): Promise<ObjectChanges | 'expired' | undefined>;
  /** The collections of a list one by one, in its order, under the keys that they have now. Undefined: there is no such list. */
  chosen(token: string): Promise<CollectionName[] | undefined>;
}
