import type { Instant } from '../time/instant.ts';

/** A list that a person keeps here: its content changes, and its address stays. */
export interface KeptListRow {
  /** Random; the address of its calendar. */
  token: string;
  /** Hash of the key that allows changes. */
  editHash: string;
  /** The choice of its owner, as JSON text. */
  content: string;
  /** The number of changes, and the time of the last. */
  revision: number;
  changed: Instant;
  /** The last request for the list, to within a day. */
  asked: Instant;
}

export interface KeptListReader {
  keptList(token: string): Promise<KeptListRow | undefined>;
  /** Lists saved after `seq`, ascending. */
  keptListsSince(seq: number, limit: number): Promise<{ token: string; seq: number }[]>;
  lastKeptListSeq(): Promise<number>;
}

export interface KeptListWriter {
  /** Adds a list, or replaces one that is there; either gets the next seq. */
  saveKeptList(row: KeptListRow): Promise<void>;
  askedForKeptList(token: string, at: Instant): Promise<void>;
  /** Deletes at most `limit` lists without a request since `before`. Returns how many. */
  dropKeptLists(before: Instant, limit: number): Promise<number>;
}
