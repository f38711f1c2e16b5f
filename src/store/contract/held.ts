import type { RecordKind } from '../../opportunity/records.ts';
import type { ItemKey } from './items.ts';

/** Instead of an item's hash: a later copy had no usable data, and the raw data is that of the last good one. */
export const DAMAGED_DATA = 'lost';

/**
 * Losses that are held back: what a feed sent last of an item that would take more calendars or sessions from subscribers
 * than is believed unasked (semantics 1.5). The item stays as it was until the loss is confirmed, or sent again as good.
 */
export interface HeldCopy extends Loss {
  /** The row of the item, which is as it was. */
  item: number;
  feed: number;
  /** `modified` of the copy that is held back. */
  modified: string;
  /** The hash of its data; undefined: it says that the item is deleted. */
  hash: string | undefined;
  raw: string | undefined;
}

/** With the name of its item. */
export type NamedHeldCopy = HeldCopy & ItemKey;

/** Calendars and sessions that subscribers would lose. */
export interface Loss {
  calendars: number;
  sessions: number;
}

/** `400 of 400 calendars and 12 of 90 sessions`. `shown`: how a number is written. */
export function lossWords(loss: Loss, of: Loss, shown: (count: number) => string = String): string {
  const parts = (['calendars', 'sessions'] as const).filter((what) => loss[what] > 0);
  return parts.map((what) => `${shown(loss[what])} of ${shown(of[what])} ${what}`).join(' and ');
}

/**
 * What subscribers have of a record with this rank. A place has a calendar worth the name where somebody
 * publishes it; what is only embedded as a location comes and goes with the event. Slots come and go all day.
 */
export function lossOf(kind: RecordKind, rank: number): Loss {
  const isCalendar = kind === 'series' || ((kind === 'place' || kind === 'facility') && rank > 0);
  return { calendars: isCalendar ? 1 : 0, sessions: kind === 'session' ? 1 : 0 };
}

/** All that is held back of a feed. */
export interface HeldSum extends Loss {
  items: number;
}

export interface HeldReader {
  /** Calendars that items of the feed own, and sessions: its own and those of its series. */
  ownedIn(feed: number): Promise<Loss>;
}

/** The part of a store's writer that keeps what is held back. */
export interface HeldWriter {
  /** What is held back of these items, by item. */
  heldOf(items: readonly number[]): Promise<Map<number, HeldCopy>>;
  /** What is held back of a feed, by item. */
  heldIn(feed: number, limit: number): Promise<NamedHeldCopy[]>;
  sumHeld(feed: number): Promise<HeldSum>;
  /** Replaces what is held back of the same items. */
  saveHeld(rows: readonly HeldCopy[]): Promise<void>;
  dropHeld(items: readonly number[]): Promise<void>;
}
