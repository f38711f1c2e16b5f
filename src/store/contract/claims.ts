import type { Owner } from './records.ts';

/** An item that says something of a record without being its owner. */
export interface Claim {
  record: number;
  item: number;
  rank: number;
  /** Another publisher may speak of the record, and this one may not. */
  refused: boolean;
}

/** Where what a publisher hangs on a record of somebody else waits: under a stub that nobody ever publishes. */
export function strayIdent(ident: string, publisherId: number): string {
  return `${ident}\n${publisherId}`;
}

/** The identity that is waited for. */
export function identWaitedFor(ident: string): string {
  return ident.split('\n', 1)[0] as string;
}

/** Who speaks of a record, and whose it is. */
export interface ClaimWriter {
  claimsOn(records: readonly number[]): Promise<(Claim & { owner: Owner })[]>;
  claimsBy(items: readonly number[]): Promise<Claim[]>;
  claimsBetween(after: number, upTo: number): Promise<(Claim & { owner: Owner })[]>;
  saveClaims(claims: readonly Claim[]): Promise<void>;
  dropClaims(claims: readonly Pick<Claim, 'record' | 'item'>[]): Promise<void>;
  /** Other publishers name these records. */
  saveStrays(records: readonly number[]): Promise<void>;
  /** Leaves these records without an owner. */
  disown(records: readonly number[]): Promise<void>;
  /** Items that own what hangs on one of these records, or is at it. */
  itemsOn(records: readonly number[]): Promise<number[]>;
  /**
   * Records with ids in (after, upTo] become those of the publisher of the feed that they come from. Returns the items of
   * those that are found by keys, which name the publisher (revision/records/session-series.ts): they stay as they are.
   */
  followFeeds(after: number, upTo: number): Promise<number[]>;
  /** Items of records with ids in (after, upTo] that hang on a record of another publisher, or on a stub beside it. */
  misplaced(after: number, upTo: number): Promise<number[]>;
}
