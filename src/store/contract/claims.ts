import type { Owner } from './records.ts';

/** A claim of an item on a record that another item owns, or none. */
export interface Claim {
  record: number;
  item: number;
  rank: number;
  /** The record belongs to another publisher. */
  refused: boolean;
}

/** The identity of a stray: the stub to which children of a publisher refer while another publisher has their parent. */
export function strayIdent(ident: string, publisherId: number): string {
  return `${ident}\n${publisherId}`;
}

/** The identity of the parent that the children of a stub or stray name. */
export function identWaitedFor(ident: string): string {
  return ident.split('\n', 1)[0] as string;
}

/** Claims on records, and the publishers of records. */
export interface ClaimWriter {
  claimsOn(records: readonly number[]): Promise<(Claim & { owner: Owner })[]>;
  claimsBy(items: readonly number[]): Promise<Claim[]>;
  claimsBetween(after: number, upTo: number): Promise<(Claim & { owner: Owner })[]>;
  saveClaims(claims: readonly Claim[]): Promise<void>;
  dropClaims(claims: readonly Pick<Claim, 'record' | 'item'>[]): Promise<void>;
  /** Notes that these records have strays. */
  saveStrays(records: readonly number[]): Promise<void>;
  /** Leaves these records without an owner. */
  disown(records: readonly number[]): Promise<void>;
  /** Items that own children of these records, sessions that name them, or records at these places. */
  itemsOn(records: readonly number[]): Promise<number[]>;
  /**
   * Gives records with ids in (after, upTo] the publisher of their feed. Records with keys, which name the publisher
   * (revision/records/session-series.ts), stay as they are: their items are returned.
   */
  followFeeds(after: number, upTo: number): Promise<number[]>;
  /** Items of records with ids in (after, upTo] whose parent, place or named series is of another publisher, or a stray. */
  misplaced(after: number, upTo: number): Promise<number[]>;
}
