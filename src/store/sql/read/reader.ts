import type { Reader, SearchReader } from '../../contract/index.ts';
import { changeReader } from '../changes.ts';
import type { Database } from '../database.ts';
import { keptListReader } from '../kept-lists.ts';
import type { SearchIndex } from '../search-index.ts';
import type { Tags } from '../tags.ts';
import { calendarReader } from './calendars.ts';
import { feedReader } from './feeds.ts';
import { heldReader } from './held.ts';
import { itemReader } from './items.ts';
import { recordReader } from './records.ts';
import { sessionReader } from './sessions.ts';

/**
 * The reader of a `Database`: one part for each part of the contract, over its connection and its search index.
 */
export function sqlReader(db: Database, tags: Tags, index: SearchIndex): Reader {
  return {
    ...feedReader(db),
    ...itemReader(db),
    ...recordReader(db, tags),
    ...sessionReader(db),
    ...calendarReader(db),
    ...heldReader(db),
    ...changeReader(db),
    ...keptListReader(db),
    ...searchReader(index),

    async meta(key: string) {
      return (await db.get('SELECT value FROM meta WHERE key = ?', key))?.[0] as string | undefined;
    },

    async version() {
      return db.version();
    },
  };
}

/** The methods of the index one by one: a spread copies none of a class. */
function searchReader(index: SearchIndex): SearchReader {
  return {
    search: (query, limit) => index.search(query, limit),
    countFound: (query, most) => index.countFound(query, most),
    countWithin: (query, most) => index.countWithin(query, most),
    foundOccurrences: (query, window) => index.foundOccurrences(query, window),
    searchFacts: (records) => index.searchFacts(records),
    activityTerms: (records) => index.activityTerms(records),
    positionOf: (list, key) => index.positionOf(list, key),
    wordsLike: (word) => index.wordsLike(word),
    searchZones: () => index.searchZones(),
  };
}
