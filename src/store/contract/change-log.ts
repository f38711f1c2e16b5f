import type { Instant } from '../../time/instant.ts';

/**
 * The log behind published feeds: what each feed holds, in the order in which it changed (RPDE 1.0, "Ordering": by change
 * number). One log has one counter for all its feeds. A number is given once: an object that changes leaves its place and
 * stands at the end, so whoever reads on from the last number they saw misses nothing.
 *
 * One process at a time writes a log; others may read it. Numbers are committed in their order: whoever has read one finds
 * no smaller one later on.
 */
export interface ChangeLog {
  /**
   * Makes each of these feeds hold exactly these objects, in one transaction. What is the same keeps its number; what is new or
   * changed goes to the end in the order given, what is missing becomes a tombstone there.
   */
  replace(contents: Readonly<Record<string, readonly LogObject[]>>, now: Instant): Promise<LogOutcome>;
  /** Only these objects: each is there after it as given, or a tombstone where `data` is undefined. And a value with them. */
  merge(changes: readonly LogChange[], now: Instant, value?: LogValue): Promise<LogOutcome>;
  /** Lets go of tombstones that are older than they have to be; how many. */
  expire(now: Instant): Promise<number>;
  /** The entries after a number, ascending. Of a type (`slots`): those of all feeds of that name, whosever they are (`…/slots`). */
  page(feed: string, after: number, limit: number): Promise<LogEntry[]>;
  /**
   * What tells one state of `page` from another without reading it. Numbers only ever leave what lies behind the newest one,
   * so the count and the last of them say which they are.
   */
  pageVersion(feed: string, after: number, limit: number): Promise<PageVersion>;
  /** Live objects of a feed whose id begins so, in the order of their octets. */
  liveOf(feed: string, prefix: string, limit: number): Promise<LogObject[]>;
  /** The feeds that ever held something. */
  feeds(): Promise<string[]>;
  /** The feeds in which an object is live. */
  feedsOf(id: string): Promise<string[]>;
  /** How many live objects and tombstones. */
  count(feed: string): Promise<{ live: number; deleted: number }>;
  value(key: string): Promise<string | undefined>;
  setValue(value: LogValue): Promise<void>;
  close(): Promise<void>;
}

/** An object as it stands in a feed. Ids are unique within a feed. */
export interface LogObject {
  id: string;
  kind: string;
  /** RPDE `data`, as JSON text. */
  data: string;
}

/** `data` undefined: the object is gone. */
export interface LogChange {
  feed: string;
  id: string;
  kind: string;
  data: string | undefined;
}

/** An object at its place; `data` undefined: a tombstone. */
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
