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
  /** VAVAILABILITY of places and facilities: a property of the collection (RFC 7953), and no member. */
  availability?: MoreComponents;
  /** The state in sync tokens. It changes exactly when a member was added, changed or removed. `[0-9a-f]{32}`. */
  state: string;
  /** One member for each UID, in the order of their names. */
  members: readonly ObjectMember[];
  /** Number of UIDs whose events cannot be written, and which are no members. */
  omitted: number;
}

/** One UID: an event, or a master with its overrides (RFC 4791, 4.1). */
export interface ObjectMember {
  /** The last segment of its address: the same for the same UID in every collection; `[0-9a-f]{40}.ics`. */
  name: string;
  uid: string;
  /** The entity tag without quotes. It changes exactly when the octets do (`objectBytes`). */
  etag: string;
  revision: Revision;
  /** The master first, then its overrides. */
  events: readonly CalendarEvent[];
}

/**
 * The names of members that changed since a state. A member that was changed and changed back, or came and went, may be named
 * too, as if the client had synchronised in between.
 */
export interface ObjectChanges {
  changed: string[];
  removed: string[];
  /** The collection after these changes. */
  collection: ObjectCollection;
}

export interface Objects {
  /**
   * The collection of a name; undefined: there is no such calendar, or the name is invalid. With `sync` its state is kept for
   * `changes`. With `read` it is not, and must not go into a sync token.
   */
  collection(name: CollectionName, use?: 'sync' | 'read'): Promise<ObjectCollection | undefined>;
  /**
   * The changes since a state. `expired`: the state is none of this collection, or another state replaced it 90 days ago. Or it
   * was dropped after many changes, or after requests for many other collections. The client then loads everything. The new
   * state is kept, as for `collection`.
   */
  changes(name: CollectionName, since: string): Promise<ObjectChanges | 'expired' | undefined>;
  /** The collections of a list one by one, in its order, under the keys that they have now. Undefined: there is no such list. */
  chosen(token: string): Promise<CollectionName[] | undefined>;
}
