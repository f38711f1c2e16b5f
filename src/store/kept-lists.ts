import type { Instant } from '../time/instant.ts';

/** A list that somebody keeps here: what it holds changes, its address stays. */
export interface KeptListRow {
  /** Random; the address of its calendar. */
  token: string;
  /** Hash of the key that may change it. */
  editHash: string;
  /** What was chosen, as JSON text. */
  content: string;
  /** How often it was changed, and when last. */
  revision: number;
  changed: Instant;
  /** When somebody last asked for it; a day is exact enough. */
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
  /** Lists that nobody has asked for since; at most so many, and how many they were. */
  dropKeptLists(before: Instant, limit: number): Promise<number>;
}
