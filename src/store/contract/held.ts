import type { RecordKind } from '../../opportunity/records.ts';
import type { ItemKey } from './items.ts';

/** Stands for an item's hash where a later copy had no usable data: the raw data is that of the last good copy. */
export const DAMAGED_DATA = 'lost';

/**
 * The last copy of an item that is held back, because its feed would lose too many calendars or sessions at once
 * (semantics 1.5). The item stays as it was until an operator confirms the loss, or the feed sends a good copy.
 */
export interface HeldCopy extends Loss {
  /** The row of the item. */
  item: number;
  feed: number;
  /** `modified` of the held copy. */
  modified: string;
  /** The hash of its data; undefined: it is a deletion. */
  hash: string | undefined;
  raw: string | undefined;
}

/** A held copy with the kind and id of its item. */
export type NamedHeldCopy = HeldCopy & ItemKey;

/** Calendars and sessions that subscribers would lose. */
export interface Loss {
  calendars: number;
  sessions: number;
}

/** A loss in words: `400 of 400 calendars and 12 of 90 sessions`. `shown`: formats a number. */
export function lossWords(loss: Loss, of: Loss, shown: (count: number) => string = String): string {
  const parts = (['calendars', 'sessions'] as const).filter((what) => loss[what] > 0);
  return parts.map((what) => `${shown(loss[what])} of ${shown(of[what])} ${what}`).join(' and ');
}

/**
 * What subscribers lose with a record of this rank. The calendar of a place counts where an item publishes the place; a
 * place that is only embedded comes and goes with its events. Slots come and go all day.
 */
export function lossOf(kind: RecordKind, rank: number): Loss {
  const isCalendar = kind === 'series' || ((kind === 'place' || kind === 'facility') && rank > 0);
  return { calendars: isCalendar ? 1 : 0, sessions: kind === 'session' ? 1 : 0 };
}

/** The sums of a feed's held copies. */
export interface HeldSum extends Loss {
  items: number;
}

export interface HeldReader {
  /** Counts the calendars that items of the feed own, and the sessions of the feed and of its series. */
  ownedIn(feed: number): Promise<Loss>;
}

/** Keeps held copies. */
export interface HeldWriter {
  /** Held copies of these items, by item. */
  heldOf(items: readonly number[]): Promise<Map<number, HeldCopy>>;
  /** Held copies of a feed, in the order of items. */
  heldIn(feed: number, limit: number): Promise<NamedHeldCopy[]>;
  sumHeld(feed: number): Promise<HeldSum>;
  /** Saves held copies; each replaces that of its item. */
  saveHeld(rows: readonly HeldCopy[]): Promise<void>;
  dropHeld(items: readonly number[]): Promise<void>;
}
