import type { RawFinding } from './findings.ts';
import type { RpdeItem } from './page.ts';
import type { OpportunityRecord } from './records.ts';

export interface CleanOptions {
  /** IANA name: the zone of times that name none. */
  zone: string;
  /** The feed's address; stand-in ids are made of it. */
  feed: string;
  /** Make Slot records. */
  slots?: boolean;
}

/** 2: the item itself. 1: embedded in a parent (`subEvent` …). 0: embedded in a child (`superEvent`, `location`). */
export type Rank = 0 | 1 | 2;

export interface RankedRecord {
  record: OpportunityRecord;
  rank: Rank;
}

export interface Cleaned {
  records: RankedRecord[];
  findings: RawFinding[];
}

/**
 * Makes clean records of an updated item. Never throws on bad data: what cannot be used is a finding, and an item that
 * yields no record has a finding that says why.
 */
export function cleanItem(_item: RpdeItem, _options: CleanOptions): Cleaned {
  throw new Error('to come');
}
