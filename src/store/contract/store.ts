/**
 * The store, as the rest of the program sees it: the contract of a database. SQLite and PostgreSQL implement it.
 *
 * Writing happens inside `Store.write`: everything a page changes (items, records, occurrences, revisions, the feed's cursor)
 * goes in together or not at all. Methods that a page needs for each of its items or records take and give batches, so that a
 * store across a network costs a few round trips a page. Methods of one series, record or item cost one for each call: above
 * all `recordByIdent`, `children`, `sessions`, `findingsOf` and `replaceOccurrences`. Reading (`Store.read`) sees
 * only what was committed.
 *
 * A `limit` is no less than 0. `most` of `recordsByKey` alone may be -1: all of them. An absent limit of a window means the same.
 *
 * `test/store/contract.ts` and `test/store/search-contract.ts` run against every store; the first fails where no case calls a
 * method.
 */

import type { PageFinding } from '../../opportunity/page/page.ts';
import type { RecordKind } from '../../opportunity/records.ts';
import type { Instant } from '../../time/instant.ts';
import type { KeptListReader, KeptListWriter } from '../kept-lists.ts';
import type { CalendarPart, CalendarRow, CalendarTouch, CalendarWrite, DocumentWrite } from './calendar-row.ts';
import type { ChangeReader, ChangeWriter } from './changes.ts';
import type { ClaimWriter } from './claims.ts';
import type { FeedState } from './feed-state.ts';
import type { HeldReader, HeldWriter } from './held.ts';
import type {
  ItemKey,
  ItemRow,
  ItemWrite,
  ListedRecord,
  RecordBody,
  RecordRow,
  RecordWrite,
  SessionStamp,
} from './rows.ts';
import type { SearchReader, TermGroup } from './search.ts';
import type { BareSession, OccurrenceRow, SessionRow, SessionWindow, Upcoming } from './sessions.ts';
import type { Troubles } from './trouble.ts';

/** A feed and how far it has been read. */
export interface FeedRow {
  id: number;
  url: string;
  name: string | undefined;
  publisher: string | undefined;
  publisherUrl: string | undefined;
  license: string | undefined;
  /** The address of the page to ask for next; undefined: from the beginning of time. */
  cursor: string | undefined;
  /** Whose feed it is: `join/publishers.ts`. 0: it is being forgotten. */
  publisherId: number;
  /** How that publisher is called in settings: its dataset, or the origin of its feeds. */
  publisherKey: string | undefined;
  /** A dataset site names its address, so that anybody may know it. */
  listed: boolean;
}

/** What an operator or a dataset site says of a feed. */
export type FeedMeta = Partial<
  Pick<FeedRow, 'name' | 'publisher' | 'publisherUrl' | 'license' | 'publisherKey' | 'listed'>
>;

/** When a session takes place whose times name no zone, and the zone that they were read in. */
export type SessionTimes = Pick<RecordWrite, 'start' | 'end' | 'zone'> & { id: number };

/** A session whose times name no zone, with its series. */
export type ZonedSession = SessionTimes & Pick<RecordBody, 'place' | 'body' | 'record'> & { parent: number };

/** The counts a feed's summary shows; kept up as items come and go, so asking costs nothing. */
export interface FeedCounts {
  /** Live ones. */
  items: number;
  deleted: number;
  findings: number;
  /** Octets of its items' data, compressed, and of what is odd about its pages. */
  bytes: number;
}

/** A feed, how it is doing and what it holds. */
export type FeedReport = FeedRow & FeedState & FeedCounts;

export interface CalendarQuery {
  kind: RecordKind;
  /** What the document of the calendar has of each. */
  words: readonly TermGroup[];
  venue?: number;
}

/** [from, to), at most `limit`. */
export interface StartWindow {
  from: Instant;
  to: Instant;
  limit: number;
}

/** Reading, on committed data. */
export interface Reader extends HeldReader, ChangeReader, KeptListReader, SearchReader {
  feeds(): Promise<FeedRow[]>;
  feedCounts(feed: number): Promise<FeedCounts>;
  feedStates(): Promise<FeedReport[]>;
  feedState(url: string): Promise<FeedReport | undefined>;
  /** Live items of a feed, with ids in (after, upTo], that the pass from its start has not met; by id. */
  unseen(feed: number, after: number, upTo: number): Promise<ItemRow[]>;
  lastItem(): Promise<number>;
  /** Findings of a feed's items: `[kind, rpdeId, findings JSON]`, in item order, after the given item id. */
  itemFindings(
    feed: number,
    after: number,
    limit: number,
  ): Promise<{ id: number; kind: string; rpdeId: string; findings: string }[]>;
  /** How often each code of finding is there: of pages, and of the first so many items that have some. */
  findingCodes(feed: number, items: number): Promise<{ code: string; count: number }[]>;
  /** What is odd about the newest pages, and items that cannot be kept under a key, with their raw text. */
  pageFindings(feed: number): Promise<PageFinding[]>;
  /** Raw `data` of live items, by item id. */
  raw(items: readonly number[]): Promise<Map<number, string>>;
  /** Live items after the given id, ascending: for a rebuild. */
  liveItems(after: number, limit: number): Promise<(ItemRow & { feed: number })[]>;
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
  /** Children that start within the window, at most `limit`. */
  childrenWithin(kind: RecordKind, parent: number, window: StartWindow): Promise<RecordBody[]>;
  /** The published sessions of a series, by start then id. */
  sessions(series: number, window?: SessionWindow): Promise<SessionRow[]>;
  bareSessions(series: number, window?: SessionWindow): Promise<BareSession[]>;
  /** What records say that have been published, by row. */
  bodies(records: readonly number[]): Promise<Map<number, string>>;
  /** When the instances start that these sessions replace, by row of the session. */
  replacedStarts(sessions: readonly number[]): Promise<Map<number, Instant>>;
  /** Whether sessions of a series name no zone for their times, and nothing says it. */
  assumesZone(series: number): Promise<boolean>;
  /** Series at a place that have been published, by id. */
  seriesAt(venue: number): Promise<number[]>;
  /** How many, counted no further than `most`. */
  countChildren(kind: RecordKind, parent: number, most: number): Promise<number>;
  /** Series that sessions name and no feed has sent, with the number of their sessions, in the order they were first named. */
  awaited(after: number, limit: number): Promise<{ id: number; ident: string; sessions: number }[]>;
  /** What is odd about one item: JSON of RawFinding[]. */
  findingsOf(item: number): Promise<string | undefined>;
  /** Findings of many items; items with none are left out. */
  findingsOfItems(items: readonly number[]): Promise<Map<number, string>>;
  calendarOf(record: number, part?: CalendarPart): Promise<CalendarRow | undefined>;
  /** Calendars of many records, in no order. */
  mainCalendars(records: readonly number[]): Promise<CalendarRow[]>;
  /** All parts there are of a record's calendar. */
  calendarParts(record: number): Promise<CalendarRow[]>;
  /** All parts of the calendars of many records, that of the record itself first; those without any are left out. */
  partsOfCalendars(records: readonly number[]): Promise<Map<number, CalendarRow[]>>;
  calendarByKey(key: string): Promise<CalendarRow | undefined>;
  /** Calendars changed after `seq`, ascending, with the newest seq. */
  changesSince(seq: number, limit: number): Promise<{ key: string; seq: number }[]>;
  lastSeq(): Promise<number>;
  /** Feeds whose items own records with calendars that changed after `seq`, and when the newest of these changed. */
  feedsChanged(seq: number): Promise<{ feed: number; changed: Instant }[]>;
  /** Live calendars by name then key; `venue`: only of series and facilities at that place. */
  calendars(query: CalendarQuery & { after?: { name: string; key: string }; limit: number }): Promise<CalendarRow[]>;
  countCalendars(query: CalendarQuery): Promise<number>;
  /** Generated occurrences that no session replaces, and explicit sessions, of one series, overlapping [from, to), by start. */
  upcoming(series: number, from: Instant, to: Instant, limit: number): Promise<Upcoming[]>;
  /** All stored occurrences of a series, replaced ones too, with the stamp they carry. */
  occurrences(series: number): Promise<(OccurrenceRow & { stamp: string })[]>;
  meta(key: string): Promise<string | undefined>;
  /** Another one after every change of anything, by whomever; compared for equality, on one connection. */
  version(): Promise<string>;
}

/** Writing, inside one transaction; also reads, and then sees its own writes. */
export interface Writer extends Reader, HeldWriter, ClaimWriter, ChangeWriter, KeptListWriter {
  /**
   * Everything as it was before this transaction, in a second connection. The database must let one transaction write at a
   * time, of all processes (`BEGIN IMMEDIATE` in SQLite): else another process could change what is read here meanwhile.
   */
  readonly before: Reader;
  openFeed(url: string, meta: FeedMeta): Promise<FeedRow>;
  /** `cursor` undefined: from the beginning of time. */
  saveCursor(feed: number, cursor: string | undefined, license: string | undefined): Promise<void>;
  saveFeedState(feed: number, state: FeedState): Promise<void>;
  /** Items that a pass from the start has met. */
  saveSeen(feed: number, items: readonly number[]): Promise<void>;
  forgetSeen(feed: number): Promise<void>;
  /** Replaces the findings of the page that led to this cursor; of `LIMITS.findingPages` pages they stay, the newest by cursor. */
  savePageFindings(feed: number, cursor: string, findings: readonly PageFinding[]): Promise<void>;
  items(feed: number, keys: readonly ItemKey[]): Promise<(ItemRow | undefined)[]>;
  /** Returns the ids, in order. A row without one was not found in this transaction. */
  saveItems(feed: number, rows: readonly ItemWrite[]): Promise<number[]>;
  records(kind: RecordKind, idents: readonly string[]): Promise<(RecordBody | undefined)[]>;
  recordsById(ids: readonly number[]): Promise<(RecordBody | undefined)[]>;
  ownedBy(items: readonly number[]): Promise<RecordBody[]>;
  /** Ids for rows that `saveRecords` is yet to make in this transaction. */
  newRecordIds(count: number): Promise<number[]>;
  /** Returns the ids, in order. A row without one was not found in this transaction. */
  saveRecords(rows: readonly RecordWrite[]): Promise<number[]>;
  /** Removes owner and body; the row stays as a stub if something points to it or it has a calendar. */
  clearRecords(ids: readonly number[]): Promise<void>;
  /** Published sessions of these series whose times name no zone. */
  zonedSessions(series: readonly number[]): Promise<ZonedSession[]>;
  saveTimes(rows: readonly SessionTimes[]): Promise<void>;
  stampSessions(stamps: readonly SessionStamp[]): Promise<void>;
  /** What records are found by besides their identity (join/keys.ts): takes the place of what they had. */
  saveKeys(rows: readonly { record: number; keys: readonly string[] }[]): Promise<void>;
  /** Series and facilities that take from one of these: EventSeries, Places and FacilityUses. */
  dependents(records: readonly number[]): Promise<{ series: number[]; facilities: number[] }>;
  calendarsOf(records: readonly number[], part?: CalendarPart): Promise<(CalendarRow | undefined)[]>;
  /** Gives each the next seq. */
  saveCalendars(rows: readonly CalendarWrite[]): Promise<void>;
  /** Neither moves the revision nor gives the next seq. */
  saveDocuments(rows: readonly DocumentWrite[]): Promise<void>;
  /** Only moves the revision, and gives the next seq. */
  touchCalendars(rows: readonly CalendarTouch[]): Promise<void>;
  /** Upserts, stamped; then deletes what does not carry the stamp (semantics 4.10). */
  replaceOccurrences(series: number, stamp: string, rows: readonly OccurrenceRow[]): Promise<void>;
  /** Records whose calendar rolls with the day, after the given id. */
  rolling(after: number, limit: number): Promise<number[]>;
  /** What each place's series bring to its calendar, for places after the given id: `weight` is the length of a record. */
  loads(after: number, limit: number): Promise<{ venue: number; series: { sessions: number; weight: number }[] }[]>;
  /** Series with sessions that start in [from, to) and are cancelled, by themselves or with their series. */
  seriesWithCancelled(from: Instant, to: Instant): Promise<number[]>;
  /** All series, places and facilities that an item of the feed owns, by id. */
  calendarsOfFeed(feed: number): Promise<number[]>;
  /** Records after the given id whose calendar was withdrawn and is still served; `gone`: or is gone already. */
  withdrawn(after: number, limit: number, gone: boolean): Promise<number[]>;
  /** Takes the owner from every record, and claims and occurrences away; revisions stay: the start of a rebuild. */
  clearDerived(): Promise<void>;
  /** Takes the occurrences of these series away, and says of all these that nothing is searched of them: to be made again. */
  clearDerivedOf(records: readonly number[]): Promise<void>;
  saveFindings(rows: readonly { item: number; findings: string | undefined }[]): Promise<void>;
  /** Records without an owner after the given id. */
  unowned(after: number, limit: number): Promise<RecordRow[]>;
  /** Rows of one kind, stubs too, after the given id. */
  recordIds(kind: RecordKind, after: number, limit: number): Promise<number[]>;
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
