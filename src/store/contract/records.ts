import type { Claimant } from '../../join/join.ts';
import type { OpportunityRecord, RecordKind } from '../../opportunity/records.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import type { ItemKey } from './items.ts';
import type { Deferred, Hash, StoredHash } from './stored-hash.ts';

/** A record, or a stub: a record without an `owner`, to which other records refer. */
export interface RecordRow {
  id: number;
  kind: RecordKind;
  /** Identity for comparison: percent-decoded (semantics 1.3). */
  ident: string;
  /** Session → series, series → EventSeries, facility → place, slot → facility. */
  parent: number | undefined;
  /** The Place that the record inherits its location from, where it only names the Place. */
  place: number | undefined;
  /** The Place of the record, named or embedded; a series may inherit it, a session has only its own. */
  venue: number | undefined;
  /** The series that a session names which may have a series of its own. */
  named: number | undefined;
  /** The session has details of its own that are searched (`hasOwnDetails`). */
  own: boolean;
  /** The lowest price among a session's own offers. */
  price: number | undefined;
  owner: Owner | undefined;
  /** The publisher of the record and its children; undefined: not decided yet. */
  publisherId: number | undefined;
  /** Records of other publishers name it as parent: they refer to stubs of their own (`strayIdent`). */
  strays: boolean;
  /** The stamp of a session: hash of its event, its SEQUENCE, and when it last changed. */
  hash: StoredHash;
  sequence: number;
  changed: Instant;
}

/** A record with its text: JSON of the clean record. */
export interface RecordBody extends RecordRow {
  body: string;
  /** The parsed text, once `recordOf` has read it. */
  record?: OpportunityRecord | undefined;
}

/** The columns of a record that lists need. */
export interface ListedRecord
  extends Pick<RecordBody, 'id' | 'kind' | 'ident' | 'venue' | 'publisherId' | 'body' | 'record'> {
  /** The key of its live calendar. */
  key: string | undefined;
  /** The number of sessions in the calendar's row. */
  sessions: number;
}

export interface RecordWrite
  extends Pick<RecordRow, 'kind' | 'ident' | 'parent' | 'place' | 'venue' | 'publisherId'>,
    Partial<Pick<RecordRow, 'named' | 'own' | 'price'>> {
  /** The row to replace; undefined: a new one. */
  id: number | undefined;
  /** `id` comes from `newRecordIds`, and has no row yet. */
  fresh?: boolean;
  item: number;
  rank: number;
  /** The times of a session or slot; undefined for other kinds. */
  start: Instant | undefined;
  end: Instant | undefined;
  /** The zone in which times without a zone were read; empty: the configured default. */
  zone?: string | undefined;
  cancelled: boolean;
  /** The text of the clean record, packed: `packedBody` of its JSON (store/sql/body-text.ts). */
  packed: string;
  /** The row has this text already. */
  sameText?: boolean;
}

/** The stamp of a session's event. */
export type SessionStamp = Pick<RecordRow, 'id' | 'sequence' | 'changed'> & { hash: Hash | Deferred };

/** The item that owns a record, with all that orders claims (`betterClaim` in `join/join.ts`). */
export interface Owner extends Omit<Claimant, 'publisher'> {
  item: number;
}

/** A record that other records name. */
export interface Wanted {
  ident: string;
  /** The publisher of a child; undefined: there is no child, or its publisher has no right to the identity. */
  publisherId: number | undefined;
}

/** The row of a named record. */
export interface Stub {
  id: number;
  publisherId: number | undefined;
  /** The record has an owner. */
  owned: boolean;
}

/** A window of starts: [from, to), at most `limit`. */
export type StartWindow = InstantWindow & { limit: number };

export interface RecordReader {
  /** A published record. */
  recordById(id: number): Promise<RecordBody | undefined>;
  /** Published records of many ids, in no order. */
  publishedRecords(ids: readonly number[]): Promise<RecordBody[]>;
  /** Published records for lists, in no order. */
  listedRecords(ids: readonly number[]): Promise<ListedRecord[]>;
  listedByIdent(kind: RecordKind, idents: readonly string[]): Promise<ListedRecord[]>;
  /** A record or stub. */
  recordByIdent(kind: RecordKind, ident: string): Promise<RecordBody | undefined>;
  /**
   * Published records of a kind that were saved with one of these keys; for each key the first `most` by identity (-1: all).
   * Other records may be among them, as keys are compared by their tags.
   */
  recordsByKey(kind: RecordKind, keys: readonly string[], most: number): Promise<RecordBody[]>;
  /** The published children of one kind, by start then id. */
  children(kind: RecordKind, parent: number): Promise<RecordBody[]>;
  /** Children of any of the parents that start within the window, by start then id, at most `limit`. */
  childrenWithin(kind: RecordKind, parents: readonly number[], window: StartWindow): Promise<RecordBody[]>;
  /** Texts of published records, by row. */
  bodies(records: readonly number[]): Promise<Map<number, string>>;
  /** Published series at a place, by id. */
  seriesAt(venue: number): Promise<number[]>;
  /** The number of published children, at most `most`; sessions without a start do not count. */
  countChildren(kind: RecordKind, parent: number, most: number): Promise<number>;
  /** Unpublished series that sessions name, with the number of their sessions, in the order in which they were first named. */
  awaited(after: number, limit: number): Promise<{ id: number; ident: string; sessions: number }[]>;
  /**
   * Unpublished series, facilities or places whose first child is of this feed, in the order in which they were first named.
   */
  awaitedBy(feed: number, kind: AwaitedKind, limit: number): Promise<AwaitedRecord[]>;
  /** Items of a feed that another item of the feed hides, as both are one thing. */
  repeatedItems(feed: number, limit: number): Promise<RepeatedItem[]>;
}

/** A hidden item, the identity that it shares with another item, and that item. */
export interface RepeatedItem extends ItemKey {
  ident: string;
  by: ItemKey;
}

/** Kinds of records that children wait for: series, facilities, and the places of events and facilities. */
export type AwaitedKind = Extract<RecordKind, 'series' | 'facility' | 'place'>;

/** An unpublished record, the number of records that name it, and the item of one of these. */
export interface AwaitedRecord extends ItemKey {
  ident: string;
  count: number;
}

export interface RecordWriter {
  records(kind: RecordKind, idents: readonly string[]): Promise<(RecordBody | undefined)[]>;
  recordsById(ids: readonly number[]): Promise<(RecordBody | undefined)[]>;
  /** Rows with ids in (after, upTo], stubs too, without their texts. */
  recordsBetween(after: number, upTo: number): Promise<RecordRow[]>;
  lastRecord(): Promise<number>;
  ownedBy(items: readonly number[]): Promise<RecordBody[]>;
  /** Rows of one kind, stubs too, after the given id. */
  recordIds(kind: RecordKind, after: number, limit: number): Promise<number[]>;
  /** Records without an owner after the given id. */
  unowned(after: number, limit: number): Promise<RecordRow[]>;
  /** Ids for rows that `saveRecords` will make in this transaction. */
  newRecordIds(count: number): Promise<number[]>;
  /** The rows of named records, in order. Stubs are made for absent ones; a row without a publisher gets that of `wanted`. */
  stubs(kind: RecordKind, wanted: readonly Wanted[]): Promise<Stub[]>;
  /** Returns the ids, in order. `id` of a row may be undefined only where this transaction has not found the record. */
  saveRecords(rows: readonly RecordWrite[]): Promise<number[]>;
  /** Published sessions that may have a series of their own, and name one of these. */
  sessionsNaming(series: readonly number[]): Promise<RecordBody[]>;
  saveVenues(rows: readonly Pick<RecordRow, 'id' | 'venue'>[]): Promise<void>;
  /** Removes owner and text; the row stays as a stub if other rows refer to it or it has a calendar. */
  clearRecords(ids: readonly number[]): Promise<void>;
  /** Replaces the keys of records (join/keys.ts). */
  saveKeys(rows: readonly { record: number; keys: readonly string[] }[]): Promise<void>;
  /** Series and facilities that inherit from one of these EventSeries, Places and FacilityUses. */
  dependents(records: readonly number[]): Promise<{ series: number[]; facilities: number[] }>;
}
