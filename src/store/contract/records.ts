import type { Claimant } from '../../join/join.ts';
import type { OpportunityRecord, RecordKind } from '../../opportunity/records.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import type { ItemKey } from './items.ts';
import type { Deferred, Hash, StoredHash } from './stored-hash.ts';

/** A record or a stub: a record that something points to and that nobody has published yet (no `owner`). */
export interface RecordRow {
  id: number;
  kind: RecordKind;
  /** Identity for comparison: percent-decoded (semantics 1.3). */
  ident: string;
  /** Session → series, series → EventSeries, facility → place, slot → facility. */
  parent: number | undefined;
  /** The Place record this one takes its location from, when it names the place by address only. */
  place: number | undefined;
  /** The Place they are at, however they name it; of a series, also the one that it inherits. A session: if it says one itself. */
  venue: number | undefined;
  /** A session that may have a series of its own: the one that it names. */
  named: number | undefined;
  /** A session that says something itself by which it is searched (`saysOfItself`). */
  own: boolean;
  /** A session: the lowest price that it says itself. */
  price: number | undefined;
  owner: Owner | undefined;
  /** Whose it is, and all that hangs on it; undefined: nobody's yet. */
  publisherId: number | undefined;
  /** Records of other publishers name it too: they wait under stubs of their own (`strayIdent`). */
  strays: boolean;
  /** Sessions: hash of what a calendar shows of it, its SEQUENCE, and when that last changed. */
  hash: StoredHash;
  sequence: number;
  changed: Instant;
}

/** A record with what it says, as JSON text of the clean record. */
export interface RecordBody extends RecordRow {
  body: string;
  /** What the text says, once it was read: with `recordOf`. */
  record?: OpportunityRecord | undefined;
}

/** A record without what only its changes need. */
export interface ListedRecord
  extends Pick<RecordBody, 'id' | 'kind' | 'ident' | 'venue' | 'publisherId' | 'body' | 'record'> {
  /** The key of its calendar, where that is live. */
  key: string | undefined;
  /** The number of sessions in the calendar's row. */
  sessions: number;
}

export interface RecordWrite
  extends Pick<RecordRow, 'kind' | 'ident' | 'parent' | 'place' | 'venue' | 'publisherId'>,
    Partial<Pick<RecordRow, 'named' | 'own' | 'price'>> {
  /** The row to replace; undefined: a new one. */
  id: number | undefined;
  /** `id` is of `newRecordIds`: there is no row yet. */
  fresh?: boolean;
  item: number;
  rank: number;
  /** Sessions and slots: when; undefined otherwise. */
  start: Instant | undefined;
  end: Instant | undefined;
  /** Sessions whose times name no zone: the one they were read in; empty: the configured default. */
  zone?: string | undefined;
  cancelled: boolean;
  /** The clean record as its row keeps it: `packedBody` of its JSON (store/sql/body-text.ts). */
  packed: string;
  /** The row has this text already. */
  sameText?: boolean;
}

/** What a calendar last showed of a session. */
export type SessionStamp = Pick<RecordRow, 'id' | 'sequence' | 'changed'> & { hash: Hash | Deferred };

/** Who says what a record says: an item, and how it says it. Ordered by `betterClaim` in `join/join.ts`. */
export interface Owner extends Omit<Claimant, 'publisher'> {
  item: number;
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

/** [from, to), at most `limit`. */
export type StartWindow = InstantWindow & { limit: number };

export interface RecordReader {
  /** Published ones only. */
  recordById(id: number): Promise<RecordBody | undefined>;
  /** Published records of many ids, in no order. */
  publishedRecords(ids: readonly number[]): Promise<RecordBody[]>;
  /** Published ones as lists show them, in no order. */
  listedRecords(ids: readonly number[]): Promise<ListedRecord[]>;
  listedByIdent(kind: RecordKind, idents: readonly string[]): Promise<ListedRecord[]>;
  /** Stubs too. */
  recordByIdent(kind: RecordKind, ident: string): Promise<RecordBody | undefined>;
  /**
   * Published records of a kind that were saved with one of these keys; of each key at most so many (-1: all), the first by
   * identity.
   * There may be others among them: keys are compared by their tags.
   */
  recordsByKey(kind: RecordKind, keys: readonly string[], most: number): Promise<RecordBody[]>;
  /** The children of one kind that have been published, by start then id. */
  children(kind: RecordKind, parent: number): Promise<RecordBody[]>;
  /** Children of any of the parents that start within the window, by start then id, at most `limit`. */
  childrenWithin(kind: RecordKind, parents: readonly number[], window: StartWindow): Promise<RecordBody[]>;
  /** What records say that have been published, by row. */
  bodies(records: readonly number[]): Promise<Map<number, string>>;
  /** Series at a place that have been published, by id. */
  seriesAt(venue: number): Promise<number[]>;
  /** How many, counted no further than `most`. */
  countChildren(kind: RecordKind, parent: number, most: number): Promise<number>;
  /** Series that sessions name and no feed has sent, with the number of their sessions, in the order they were first named. */
  awaited(after: number, limit: number): Promise<{ id: number; ident: string; sessions: number }[]>;
  /** Series, facilities or places that no feed has sent, in the order they were first named. The first that names each is of this feed. */
  awaitedBy(feed: number, kind: AwaitedKind, limit: number): Promise<AwaitedRecord[]>;
  /** Items of a feed that are the same thing as another item of it, which hides them. */
  repeatedItems(feed: number, limit: number): Promise<RepeatedItem[]>;
}

/** An item, the identity that it has in common with another one, and that item. */
export interface RepeatedItem extends ItemKey {
  ident: string;
  by: ItemKey;
}

/** Kinds of records that others wait for: sessions for series, slots for facilities, events and facilities for places. */
export type AwaitedKind = Extract<RecordKind, 'series' | 'facility' | 'place'>;

/** What is not here, how many name it, and the item of one of them. */
export interface AwaitedRecord extends ItemKey {
  ident: string;
  count: number;
}

export interface RecordWriter {
  records(kind: RecordKind, idents: readonly string[]): Promise<(RecordBody | undefined)[]>;
  recordsById(ids: readonly number[]): Promise<(RecordBody | undefined)[]>;
  /** Rows with ids in (after, upTo], stubs too, without what they say. */
  recordsBetween(after: number, upTo: number): Promise<RecordRow[]>;
  lastRecord(): Promise<number>;
  ownedBy(items: readonly number[]): Promise<RecordBody[]>;
  /** Rows of one kind, stubs too, after the given id. */
  recordIds(kind: RecordKind, after: number, limit: number): Promise<number[]>;
  /** Records without an owner after the given id. */
  unowned(after: number, limit: number): Promise<RecordRow[]>;
  /** Ids for rows that `saveRecords` is yet to make in this transaction. */
  newRecordIds(count: number): Promise<number[]>;
  /** The rows of these, in order. Stubs are made for what is not there; what is nobody's becomes the publisher's. */
  stubs(kind: RecordKind, wanted: readonly Wanted[]): Promise<Stub[]>;
  /** Returns the ids, in order. A row without one was not found in this transaction. */
  saveRecords(rows: readonly RecordWrite[]): Promise<number[]>;
  /** Published sessions that may have a series of their own, and name one of these. */
  sessionsNaming(series: readonly number[]): Promise<RecordBody[]>;
  saveVenues(rows: readonly Pick<RecordRow, 'id' | 'venue'>[]): Promise<void>;
  /** Removes owner and body; the row stays as a stub if something points to it or it has a calendar. */
  clearRecords(ids: readonly number[]): Promise<void>;
  /** What records are found by besides their identity (join/keys.ts): takes the place of what they had. */
  saveKeys(rows: readonly { record: number; keys: readonly string[] }[]): Promise<void>;
  /** Series and facilities that take from one of these: EventSeries, Places and FacilityUses. */
  dependents(records: readonly number[]): Promise<{ series: number[]; facilities: number[] }>;
}
