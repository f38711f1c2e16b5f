import type { Instant } from '../../time/instant.ts';

/**
 * The log behind published feeds: the objects of each feed in the order of their last change (RPDE 1.0, "Ordering": by change
 * number). One log has one counter for all its feeds. No number is given twice: a changed object moves to the end with a new
 * one, so that a reader that continues after its last number misses nothing.
 *
 * One process at a time writes a log; others may read it. Numbers are committed in their order: a smaller number never
 * appears after a larger one.
 */
export interface ChangeLog {
  /**
   * Makes each of these feeds hold exactly these objects, in one transaction. An unchanged object keeps its number; new and
   * changed objects go to the end in their order, and tombstones of missing ones after them.
   */
  replace(contents: Readonly<Record<string, readonly LogObject[]>>, now: Instant): Promise<LogOutcome>;
  /** Saves these objects, as tombstones where `data` is undefined, and a value, in one transaction. Other objects stay. */
  merge(changes: readonly LogChange[], now: Instant, value?: LogValue): Promise<LogOutcome>;
  /** Deletes tombstones past their time. Returns how many. */
  expire(now: Instant): Promise<number>;
  /** The entries after a number, ascending. `feed`: a feed, or a type (`slots`) for the feeds `…/slots` of all publishers. */
  page(feed: string, after: number, limit: number): Promise<LogEntry[]>;
  /**
   * The version of a `page`, without reading it. Entries leave a page, and none is added below the newest number, so that
   * count and last number identify its entries.
   */
  pageVersion(feed: string, after: number, limit: number): Promise<PageVersion>;
  /** Live objects of a feed whose id has the prefix, in the order of octets. */
  liveOf(feed: string, prefix: string, limit: number): Promise<LogObject[]>;
  /** The feeds with an object or tombstone. */
  feeds(): Promise<string[]>;
  /** The feeds in which an object is live. */
  feedsOf(id: string): Promise<string[]>;
  /** The numbers of live objects and tombstones. */
  count(feed: string): Promise<{ live: number; deleted: number }>;
  value(key: string): Promise<string | undefined>;
  setValue(value: LogValue): Promise<void>;
  close(): Promise<void>;
}

/** A live object of a feed. Ids are unique within a feed. */
export interface LogObject {
  id: string;
  kind: string;
  /** RPDE `data`, as JSON text. */
  data: string;
}

/** A change of an object; `data` undefined: it is deleted. */
export interface LogChange {
  feed: string;
  id: string;
  kind: string;
  data: string | undefined;
}

/** An object with its number; `data` undefined: a tombstone. */
export interface LogEntry extends Omit<LogChange, 'feed'> {
  number: number;
}

export interface PageVersion {
  count: number;
  /** The last number; 0: none. */
  last: number;
}

/** A text kept beside the log under a key of its own, and written with it. */
export interface LogValue {
  key: string;
  value: string;
}

export interface LogOutcome {
  added: number;
  updated: number;
  deleted: number;
  unchanged: number;
}
