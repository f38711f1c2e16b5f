/** What is kept: the contract, and the databases behind it. */

export { type AsideRow, type AsideSum, DAMAGED_DATA, type Loss, lossOf, type NamedAside } from './contract/aside.ts';
export type { CalendarPart, CalendarRow, CalendarTouch, CalendarWrite } from './contract/calendar-row.ts';
export type { ChangeLog, LogChange, LogEntry, LogObject, LogOutcome } from './contract/change-log.ts';
export { type Claim, identWaitedFor, strayIdent } from './contract/claims.ts';
export { type FeedState, stateOf } from './contract/feed-state.ts';
export { META } from './contract/meta.ts';
export { type ChangedRecord, HOLDERS, type RecordWatch } from './contract/record-watch.ts';
export type {
  ItemKey,
  ItemRow,
  ItemWrite,
  Owner,
  RecordBody,
  RecordRow,
  RecordWrite,
  SessionStamp,
} from './contract/rows.ts';
export type { BareSession, OccurrenceRow, SessionRow, SessionWindow, Upcoming } from './contract/sessions.ts';
export type {
  FeedCounts,
  FeedMeta,
  FeedReport,
  FeedRow,
  Reader,
  ReadStore,
  SessionTimes,
  Store,
  StoreReading,
  Writer,
  ZonedSession,
} from './contract/store.ts';
export {
  type Deferred,
  deferred,
  type EventStamps,
  type Hash,
  HIDDEN,
  IN_SESSIONS,
  isShown,
  NO_HASH,
  type StoredEvents,
  type StoredHash,
  stampsIn,
  stampsOn,
} from './contract/stored-hash.ts';
export { type Tail, tailOf, tailText, type Withdrawal, withdrawnAt, withoutAhead } from './contract/tail.ts';
export { storedJson } from './contract/trouble.ts';
export { type RecordReader, recordOf, withFound } from './find.ts';
export {
  endRecordWatch,
  lockHarvest,
  openChangeLog,
  openReader,
  openRecordWatch,
  openStore,
  type StoreOptions,
  secretOf,
  unreadyStore,
} from './open.ts';
export {
  effectiveSeries,
  type StoredSession,
  sessionsOf,
  storedSession,
  storedSessions,
  unreadSessions,
  withBodies,
} from './series.ts';
export { publicFeed, shownFeed, shownFeedOf, shownText } from './shown-feed.ts';
export { checkDatabase, copyDatabase, schemaOf } from './sqlite/backup.ts';
export { type Difference, differences } from './sqlite/compare.ts';
export { troubleWords } from './sqlite/faults.ts';
export type { HarvestLock } from './sqlite/harvest-lock.ts';
export { SCHEMA_VERSION } from './sqlite/schema.ts';
export { storeFile } from './sqlite/store.ts';
export { lastVenueOf, type StoredVenue, storedVenue, venueIn, venueTail } from './venue.ts';
