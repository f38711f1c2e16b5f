/**
 * The contract of a store, which SQLite and PostgreSQL implement.
 *
 * `Store.write` is one transaction: everything that a page changes (items, records, occurrences, revisions, the feed's cursor)
 * goes in together or not at all. `Store.read` sees only committed rows.
 *
 * Over a network each call is a round trip. Rows for the items and records of a page are read in batches, a few calls a page.
 * Some methods take one series, record or item, and cost a call for each: above all `recordByIdent`, `children`, `sessions`,
 * `findingsOf` and `replaceOccurrences`.
 *
 * A `limit` is no less than 0. `most` of `recordsByKey` alone may be -1: all of them. An absent limit of a window means the same.
 *
 * `test/store/contract.ts` and `test/store/search-contract.ts` run against every store; the first fails where no case calls a
 * method.
 */

import type { KeptListReader, KeptListWriter } from '../kept-lists.ts';
import type { Troubles } from '../trouble.ts';
import type { CalendarReader, CalendarWriter } from './calendars.ts';
import type { ChangeReader, ChangeWriter } from './changes.ts';
import type { ClaimWriter } from './claims.ts';
import type { FeedReader, FeedWriter } from './feeds.ts';
import type { HeldReader, HeldWriter } from './held.ts';
import type { ItemReader, ItemWriter } from './items.ts';
import type { RecordReader, RecordWriter } from './records.ts';
import type { SearchReader } from './search.ts';
import type { SessionReader, SessionWriter } from './sessions.ts';

/** Reads committed rows. */
export interface Reader
  extends FeedReader,
    ItemReader,
    RecordReader,
    SessionReader,
    CalendarReader,
    HeldReader,
    ChangeReader,
    KeptListReader,
    SearchReader {
  meta(key: string): Promise<string | undefined>;
  /** A text that changes with every commit of any process; compared for equality, on one connection. */
  version(): Promise<string>;
}

/** Writes within one transaction; its reads see its own writes. */
export interface Writer
  extends Reader,
    FeedWriter,
    ItemWriter,
    RecordWriter,
    SessionWriter,
    CalendarWriter,
    ClaimWriter,
    HeldWriter,
    ChangeWriter,
    KeptListWriter {
  /**
   * Reads rows as they were before this transaction, in a second connection. The database must let one transaction of all
   * processes write at a time (`BEGIN IMMEDIATE` in SQLite): else another process could change these rows meanwhile.
   */
  readonly before: Reader;
  /** Begins a rebuild: removes owners, claims and occurrences of all records; revisions stay. */
  clearDerived(): Promise<void>;
  /** Removes the occurrences and the document hashes of these records, so that both are made again. */
  clearDerivedOf(records: readonly number[]): Promise<void>;
  setMeta(key: string, value: string): Promise<void>;
}

/** Committed rows, and the faults of the store that were met. */
export interface StoreReading {
  readonly read: Reader;
  readonly troubles: Troubles;
}

/** The store of a process that writes nothing. */
export interface ReadStore extends StoreReading {
  /**
   * Reads the whole store for damage, beside all other work, until aborted. SQLite finishes a check that it has begun.
   * @throws StoreError, `signal.reason`
   */
  check(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The store of a process that writes. */
export interface Store extends ReadStore {
  /**
   * Runs `work` in one transaction; one at a time, in the order of calls. Waits while another process writes. A throw rolls
   * the transaction back and is passed on. Where the database ends it for a conflict with another, `work` is called again.
   */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /** How often `work` was called again. */
  retries(): number;
}

/** The lock of the one process that harvests a store, or publishes from a folder. */
export interface HarvestLock {
  release(): void;
}

/** Keys of `meta`. */
export const META = {
  /** The stored day: the only "today" that calendars know (semantics 6). */
  today: 'today',
  /** The first ids of the last stored days (JSON of `first-ids.ts`), by which rows of the last week are found. */
  firstIds: 'first-ids',
  /** Stored days before the clock was set (JSON list): the clock was wrong before that, or is now. */
  daysBefore: 'days-before',
  /** `RULES_VERSION` (`revision/context.ts`) that records were made with; another one means a rebuild. */
  rules: 'rules',
  /** Vocabularies that documents were made with in place of those that ship (JSON of `useVocabularies`). */
  vocabularies: 'vocabularies',
  /** The newest vocabularies of their addresses; where they differ from `vocabularies`, a rebuild follows. */
  newerVocabularies: 'newer-vocabularies',
  /** The progress of a rebuild by other rules or vocabularies (JSON of `harvest/ingest/rebuild.ts`); empty: none is under way. */
  rebuild: 'rebuild',
  /** Fingerprint of the settings and release that calendars were rendered with. */
  rendering: 'rendering',
  /** The last content of dataset sites and catalogues (JSON of `harvest/discovery`): a start does not request them. */
  discovered: 'discovered',
  /** The fingerprint of the publishers by which records were assigned, and the progress (JSON of `harvest/ingest/publishers.ts`). */
  publishers: 'publishers',
  /** The random key of MACs on values that processes of this store share outside it (`secretOf`). */
  secret: 'secret',
  /** The process that harvested last, or still does while its lock is held (JSON of `cli/serve/harvest-turn.ts`). */
  harvester: 'harvester',
  /** Addresses of feeds that an operator had forgotten, and no process has named at its start since (JSON list). */
  forgotten: 'forgotten',
  /** When a process that harvests began to read the whole database for damage (`cli/serve/every`): milliseconds. */
  checked: 'checked',
} as const;
