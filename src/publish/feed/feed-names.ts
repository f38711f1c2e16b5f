import type { RecordKind } from '../../opportunity/records.ts';
import { FEED_TYPE } from '../contract.ts';

/** The feeds of harvested data, and the records in them. The log names them `{dataset}/{feed}`. */

export type RepublishedFeed = keyof typeof FEED_TYPE;

/** The feeds of harvested data. */
export const REPUBLISHED_FEEDS = Object.keys(FEED_TYPE) as RepublishedFeed[];

/** The feed of the objects of a type. */
export function feedOfType(type: (typeof FEED_TYPE)[RepublishedFeed]): RepublishedFeed {
  return REPUBLISHED_FEEDS.find((feed) => FEED_TYPE[feed] === type) as RepublishedFeed;
}

/** The feeds that a record of a kind can be in; a change of its type may move it from one to another. */
export const FEEDS_OF_KIND: Readonly<Record<RecordKind, readonly RepublishedFeed[]>> = {
  series: ['session-series', 'events', 'headline-events', 'course-instances', 'event-series'],
  session: ['scheduled-sessions', 'events'],
  place: ['places'],
  facility: ['facility-uses', 'individual-facility-uses'],
  slot: ['slots'],
};

/** The kind of records that belong to a record and are republished beside it. */
export const PARTS_OF: Partial<Record<RecordKind, RecordKind>> = { series: 'session', facility: 'slot' };

/** `slots` of `…/slots`. */
export function typeOf(feed: string): string {
  return feed.slice(feed.lastIndexOf('/') + 1);
}

/** The kinds of the records that a feed may have. */
export function kindsOf(feed: string): RecordKind[] {
  const type = typeOf(feed) as RepublishedFeed;
  return (Object.keys(FEEDS_OF_KIND) as RecordKind[]).filter((kind) => FEEDS_OF_KIND[kind].includes(type));
}

/** The RPDE kind of a type: the type itself, but with the facility type for slots. */
export function kindOf(type: string): string {
  return type === 'Slot' ? 'FacilityUse/Slot' : type;
}
