/** The store: its contract, and the databases behind it. */

export * from './contract/index.ts';
export type { SchemaVersions, StoreDriver } from './driver.ts';
export { batches, type IdentReader, recordOf, rowBatches, withFound } from './find.ts';
export { newSince, noteFirstIds } from './first-ids.ts';
export * from './open.ts';
export {
  effectiveSeries,
  namedPlace,
  type StoredSession,
  sessionsOf,
  storedSession,
  storedSessions,
  unreadSessions,
} from './series.ts';
export { isTroubled, publicFeed, shownFeed, shownFeedOf, shownText } from './shown-feed.ts';
export { activityTerm } from './sql/search/terms.ts';
export { openPublishedLog } from './sqlite/change-log.ts';
export { backUp } from './sqlite/copies/backup.ts';
export { type Difference, differences } from './sqlite/copies/compare.ts';
export { isFullDisk } from './sqlite/faults.ts';
export { lockPublish } from './sqlite/harvest-lock.ts';
export { storeFile } from './sqlite/store.ts';
export { openSyncHistories } from './sqlite/sync/sync-histories.ts';
export type { SyncHistories, SyncHistory, SyncLimits } from './sync-histories.ts';
export { courtsOf, facilityZone, lastVenueOf, type StoredVenue, storedVenue, venueIn, venueTail } from './venue.ts';
export { type StoreVersions, versionsIn, versionsSchema, withLater } from './versions.ts';
