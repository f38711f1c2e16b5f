import type { RecordKind } from '../../opportunity/records.ts';
import { FEED_TYPE } from '../contract.ts';

/** The feeds of what was harvested, and which records are in them. The log names them `{dataset}/{feed}`. */

export type RepublishedFeed = keyof typeof FEED_TYPE;

/** The feeds of what was harvested. */
export const REPUBLISHED_FEEDS = Object.keys(FEED_TYPE) as RepublishedFeed[];

/** The feed of the objects of a type. */
export function feedOfType(type: (typeof FEED_TYPE)[RepublishedFeed]): RepublishedFeed {
  return REPUBLISHED_FEEDS.find((feed) => FEED_TYPE[feed] === type) as RepublishedFeed;
}

/** Where a record of a kind can be: in one of them, or after a change of its type in another. */
export const FEEDS_OF_KIND: Readonly<Record<RecordKind, readonly RepublishedFeed[]>> = {
  series: ['session-series', 'events', 'headline-events', 'course-instances', 'event-series'],
  session: ['scheduled-sessions', 'events'],
  place: ['places'],
  facility: ['facility-uses', 'individual-facility-uses'],
  slot: ['slots'],
};

/** What hangs on a record, and is published beside it. */
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

/** The kinds of RPDE are the types, but for slots: theirs say of what. */
export function kindOf(type: string): string {
  return type === 'Slot' ? 'FacilityUse/Slot' : type;
}
