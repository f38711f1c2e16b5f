import type { RecordKind } from '../../opportunity/records.ts';
import type { ItemKey } from './rows.ts';

/** Instead of an item's hash: a later copy had no usable data, and the raw data is that of the last good one. */
export const DAMAGED_DATA = 'lost';

/**
 * Losses that are set aside: what a feed sent last of an item that would take more calendars or sessions from subscribers
 * than is believed unasked (semantics 1). The item stays as it was until the loss is confirmed, or sent again as good.
 */
export interface AsideRow extends Loss {
  /** The row of the item, which is as it was. */
  item: number;
  feed: number;
  /** Of the copy that is set aside. */
  modified: string;
  /** Of its data; undefined: it says that the item is deleted. */
  hash: string | undefined;
  raw: string | undefined;
}

/** With the name of its item. */
export type NamedAside = AsideRow & ItemKey;

/** Calendars and sessions that subscribers would lose. */
export interface Loss {
  calendars: number;
  sessions: number;
}

/**
 * What subscribers have of a record with this rank. A place has a calendar worth the name where somebody
 * publishes it; what is only embedded as a location comes and goes with the event. Slots come and go all day.
 */
export function lossOf(kind: RecordKind, rank: number): Loss {
  const isCalendar = kind === 'series' || ((kind === 'place' || kind === 'facility') && rank > 0);
  return { calendars: isCalendar ? 1 : 0, sessions: kind === 'session' ? 1 : 0 };
}

/** All that is set aside of a feed. */
export interface AsideSum extends Loss {
  items: number;
}

export interface AsideReader {
  /** Calendars and sessions of records that items of the feed own. */
  ownedIn(feed: number): Promise<Loss>;
}

/** The part of a store's writer that keeps what is set aside. */
export interface AsideWriter {
  /** What is set aside of these items, by item. */
  asideOf(items: readonly number[]): Promise<Map<number, AsideRow>>;
  /** What is set aside of a feed, by item. */
  asideIn(feed: number, limit: number): Promise<NamedAside[]>;
  sumAside(feed: number): Promise<AsideSum>;
  /** Replaces what is set aside of the same items. */
  saveAside(rows: readonly AsideRow[]): Promise<void>;
  dropAside(items: readonly number[]): Promise<void>;
}
