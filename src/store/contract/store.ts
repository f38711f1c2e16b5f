/**
 * The store, as the rest of the program sees it: the contract of a database. SQLite and PostgreSQL implement it.
 *
 * `Store.write` is one transaction: everything that a page changes (items, records, occurrences, revisions, the feed's cursor)
 * goes in together or not at all. `Store.read` sees only what was committed.
 *
 * Over a network each call is a round trip. What a page needs for each of its items or records is asked for in batches, a few
 * calls a page. Some methods are of one series, record or item, and cost a call for each: above all `recordByIdent`, `children`,
 * `sessions`, `findingsOf` and `replaceOccurrences`.
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

/** Reading, on committed data. */
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
  /** Another one after every change of anything, by whomever; compared for equality, on one connection. */
  version(): Promise<string>;
}

/** Writing, inside one transaction; also reads, and then sees its own writes. */
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
   * Everything as it was before this transaction, in a second connection. The database must let one transaction write at a
   * time, of all processes (`BEGIN IMMEDIATE` in SQLite): else another process could change what is read here meanwhile.
   */
  readonly before: Reader;
  /** Takes the owner from every record, and claims and occurrences away; revisions stay: the start of a rebuild. */
  clearDerived(): Promise<void>;
  /** Takes the occurrences of these series away, and says of all these that nothing is searched of them: to be made again. */
  clearDerivedOf(records: readonly number[]): Promise<void>;
  setMeta(key: string, value: string): Promise<void>;
}

/** What is committed, and what is the matter with it, as far as anybody has met it. */
export interface StoreReading {
  readonly read: Reader;
  readonly troubles: Troubles;
}

/** The store of a process that writes nothing. */
export interface ReadStore extends StoreReading {
  /**
   * Reads all of it for damage, beside everything else, until stopped. SQLite ends what it has begun all the same.
   * @throws StoreError, `signal.reason`
   */
  check(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A store that is also written. */
export interface Store extends ReadStore {
  /**
   * Runs `work` in one transaction; one at a time, in call order. Waits while another process writes. A throw rolls everything
   * back and is passed on. Where the database ended it because another was in its way, `work` is called again.
   */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /** How often that was. */
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
  /** The first ids of the last stored days (JSON of `first-ids.ts`): what is newer than a week. */
  firstIds: 'first-ids',
  /** The last days that were stored when the clock was set (JSON list): the clock was wrong before that, or after. */
  daysBefore: 'days-before',
  /** `RULES_VERSION` (`revision/context.ts`) that records were made with; another one means a rebuild. */
  rules: 'rules',
  /** Vocabularies that documents were made with in the place of those that ship (JSON of `useVocabularies`). */
  vocabularies: 'vocabularies',
  /** Vocabularies as their addresses last gave them; others than `vocabularies` mean a rebuild. */
  newerVocabularies: 'newer-vocabularies',
  /** How far the records are made again, of other rules or vocabularies (JSON of `harvest/ingest/rebuild.ts`); empty: they are. */
  rebuild: 'rebuild',
  /** Fingerprint of the settings and release that calendars were rendered with. */
  rendering: 'rendering',
  /** The last content of dataset sites and catalogues (JSON of `harvest/discovery`): a start needs none of them. */
  discovered: 'discovered',
  /** Who may speak of which `@id`, as all records were last decided by, and how far they are (JSON of `harvest/ingest/publishers.ts`). */
  publishers: 'publishers',
  /** Random key for what processes of this store give each other through others' hands (`secretOf`). */
  secret: 'secret',
  /** Who harvested last, and does so still while its lock is held (JSON of `cli/serve/harvest-turn.ts`). */
  harvester: 'harvester',
  /** Addresses of feeds that somebody had forgotten, and no process has named at its start since (JSON list). */
  forgotten: 'forgotten',
  /** When a process that harvests began to read the whole database for damage (`cli/serve/every`): milliseconds. */
  checked: 'checked',
} as const;
