import type { RecordKind } from '../../opportunity/records.ts';
import type { ItemRow, Owner, RecordRow } from './rows.ts';

/** An item that says something of a record without being its owner. */
export interface Claim {
  record: number;
  item: number;
  rank: number;
  /** Another publisher may speak of the record, and this one may not. */
  refused: boolean;
}

/** A record that somebody names. */
export interface Wanted {
  ident: string;
  /** Who hangs something on it; undefined: nobody, or somebody who may not speak of it. */
  publisherId: number | undefined;
}

/** The row of what is named. */
export interface Stub {
  id: number;
  publisherId: number | undefined;
  /** Somebody has published it. */
  owned: boolean;
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
  saveClaims(claims: readonly Claim[]): Promise<void>;
  dropClaims(claims: readonly Pick<Claim, 'record' | 'item'>[]): Promise<void>;
  /** The rows of these, in order. Stubs are made for what is not there; what is nobody's becomes the publisher's. */
  stubs(kind: RecordKind, wanted: readonly Wanted[]): Promise<Stub[]>;
  /** Other publishers name these records. */
  saveStrays(records: readonly number[]): Promise<void>;
  /** Leaves these records without an owner. */
  disown(records: readonly number[]): Promise<void>;
  /** Items that own what hangs on one of these records, or is at it. */
  itemsOn(records: readonly number[]): Promise<number[]>;
  /** Live items among these. */
  itemsById(ids: readonly number[]): Promise<(ItemRow & { feed: number })[]>;
  lastRecord(): Promise<number>;
  /** Rows with ids in (after, upTo], stubs too, without what they say. */
  recordsBetween(after: number, upTo: number): Promise<RecordRow[]>;
  claimsBetween(after: number, upTo: number): Promise<(Claim & { owner: Owner })[]>;
  /**
   * Records with ids in (after, upTo] become those of the publisher of the feed that they come from. Returns the items of
   * those that are found by keys, which name the publisher (revision/records/session-series.ts): they stay as they are.
   */
  followFeeds(after: number, upTo: number): Promise<number[]>;
  /** Items of records with ids in (after, upTo] that hang on a record of another publisher, or on a stub beside it. */
  misplaced(after: number, upTo: number): Promise<number[]>;
  /** The feed may not speak any more (`publisherId` 0): it is being forgotten. */
  beginForgetting(feed: number): Promise<void>;
  /** Items of a feed, deleted ones too. */
  itemsOf(feed: number, limit: number): Promise<ItemRow[]>;
  /** Rows of items, with their claims; nothing of them is published any more. */
  dropItems(items: readonly number[]): Promise<void>;
  /** The row of a feed without items, with all that was found of its pages. */
  dropFeed(feed: number): Promise<void>;
  /** Publishers without a feed are forgotten. */
  prunePublishers(): Promise<void>;
}
