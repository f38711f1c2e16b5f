/** The library: series, venues, lists, explanations and feeds out of the store, without HTTP. */

export { entryWords, firstWords, uuidOf } from './changes.ts';
export { currentEpoch, type Epoch, readEpoch } from './epoch.ts';
export { agoWords, counted, dueWords, grouped, heldBackWords, heldWords, stateWords } from './feed-words.ts';
export { feedHealth, feedsInFull, feedsOf, healthOf } from './feeds.ts';
export { isKey, KEY } from './head.ts';
export {
  type CalendarHead,
  type CalendarName,
  type ChangeEntry,
  type ChangeFeed,
  type Collection,
  type ExplainQuery,
  type FeedFindings,
  type FeedHealth,
  type FindingKind,
  type Health,
  type Library,
  type LibraryOptions,
  type ListingRow,
  type MergedParts,
  MOST_WINDOW_DAYS,
  type Publisher,
  type SeriesExplanation,
  type SeriesPage,
  type StoredCalendar,
  type StoredLibrary,
  VENUE_PARTS,
  type VenuePage,
  type VenuePart,
  venueName,
} from './library.ts';
export { isKept, type KeptLists } from './lists/kept.ts';
export {
  type ChosenList,
  distinct,
  fitting,
  isListName,
  MOST_NAME,
  MOST_SEARCHES,
  MOST_THINGS,
  nonDefaultOptions,
  searchesIn,
  type Thing,
  thingOf,
  thingsIn,
  thingText,
} from './lists/list.ts';
export { isMerged, listName, listOptions, searchName } from './lists/names.ts';
export { searchWords } from './lists/search-words.ts';
export { thingsOf, tokenOf } from './lists/token.ts';
export { objectBytes } from './objects/members.ts';
export { calendarName } from './objects/objects.ts';
export { SYNC_LIMITS } from './objects/states.ts';
export type { ObjectCollection, ObjectMember } from './objects/types.ts';
export { distinctPublishers } from './reads.ts';
export { cursorText, readCursor } from './search/lists/cursor.ts';
export type {
  DayCount,
  Facets,
  FoundPage,
  FoundRow,
  OccurrenceItem,
  PageQuery,
  PopularActivity,
  Suggestions,
} from './search/types.ts';
export type { PageDate, PageOccurrence, SeriesDates } from './series/types.ts';
export { libraryOver, openLibrary } from './stored-library.ts';
export type {
  FacilitiesHere,
  FacilityTimes,
  FreeTime,
  Timetable,
  TimetableEntry,
} from './timetable/timetable.ts';
