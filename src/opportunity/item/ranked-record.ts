import type { Facts, FindingCode, RawFinding } from '../findings.ts';
import type { OpportunityRecord } from '../records.ts';

/** 2: the item itself. 1: embedded in a parent (`subEvent` …). 0: embedded in a child (`superEvent`, `location`). */
export type Rank = 0 | 1 | 2;

export interface RankedRecord {
  record: OpportunityRecord;
  rank: Rank;
  /** Other items embed the same: what is made of it further on, made once. */
  kept?: Kept;
}

export interface Kept {
  findings?: readonly RawFinding[];
  prepared?: unknown;
}

/** A finding as it was noted, before it was known whether it had been noted before. */
export interface Traced {
  once: boolean;
  code: FindingCode;
  path: string;
  facts: Facts | undefined;
}
