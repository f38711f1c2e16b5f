import type { OpportunityRecord, RecordKind } from '../../opportunity/records.ts';
import type { Instant } from '../../time/instant.ts';
import type { Bundled } from '../bundles.ts';
import type { Deferred, Hash, StoredHash } from './stored-hash.ts';

export interface ItemKey {
  kind: string;
  /** The RPDE `id`, as text. */
  rpdeId: string;
}

/** An item as it is stored. A deleted one stays as a tombstone, so that an older copy cannot bring it back (semantics 1). */
export interface ItemRow extends ItemKey {
  id: number;
  modified: string;
  deleted: boolean;
  /** Hash of the raw data; undefined for a tombstone; `DAMAGED_DATA`. */
  hash: string | undefined;
}

export interface ItemWrite extends ItemKey {
  /** The row to replace; undefined: a new item. */
  id: number | undefined;
  modified: string;
  hash: string | undefined;
  /** The item's `data` as JSON text, alone or in a bundle; undefined: deleted, or unchanged where `keepRaw`. */
  raw: string | Bundled | undefined;
  /** The data that the store has stays: only `modified` changes; of `DAMAGED_DATA` the hash and the findings too. */
  keepRaw?: boolean;
  /** Findings as JSON text; undefined: none. */
  findings: string | undefined;
}

/** A record or a stub: a record that something points to and that nobody has published yet (no `owner`). */
export interface RecordRow {
  id: number;
  kind: RecordKind;
  /** Identity for comparison: percent-decoded (semantics 1). */
  ident: string;
  /** Session → series, series → EventSeries, facility → place, slot → facility. */
  parent: number | undefined;
  /** The Place record this one takes its location from, when it names the place by address only. */
  place: number | undefined;
  /** Series and facilities: the Place they are at, however they name it. */
  venue: number | undefined;
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

export interface RecordWrite {
  /** The row to replace; undefined: a new one. */
  id: number | undefined;
  /** `id` is of `newRecordIds`: there is no row yet. */
  fresh?: boolean;
  kind: RecordKind;
  ident: string;
  parent: number | undefined;
  place: number | undefined;
  /** Series and facilities: the Place they are at, however they name it. */
  venue: number | undefined;
  item: number;
  rank: number;
  publisherId: number | undefined;
  /** Sessions and slots: when; undefined otherwise. */
  start: Instant | undefined;
  end: Instant | undefined;
  /** Sessions whose times name no zone: the one they were read in; empty: the configured default. */
  zone?: string | undefined;
  cancelled: boolean;
  /** The clean record as JSON. */
  text: string;
  /** The row has this text already. */
  sameText?: boolean;
}

/** What a calendar last showed of a session. */
export type SessionStamp = Pick<RecordRow, 'id' | 'sequence' | 'changed'> & { hash: Hash | Deferred };

/** Who says what a record says: an item, and how it says it. Ordered by `betterClaim` in `join/join.ts`. */
export interface Owner extends ItemKey {
  item: number;
  rank: number;
  modified: string;
  feed: string;
}
