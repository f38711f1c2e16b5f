import type { SearchReader } from '../../contract/index.ts';
import type { Database } from '../database.ts';
import type { SearchIndex } from '../search-index.ts';
import type { Tags } from '../tags.ts';

/** What is searched is asked of the index of the database. */
export class SearchedReader implements SearchReader {
  protected readonly db: Database;
  protected readonly tags: Tags;
  protected readonly index: SearchIndex;

  constructor(db: Database, tags: Tags, index: SearchIndex) {
    this.db = db;
    this.tags = tags;
    this.index = index;
  }

  search(...asked: Parameters<SearchIndex['search']>): ReturnType<SearchIndex['search']> {
    return this.index.search(...asked);
  }

  countFound(...asked: Parameters<SearchIndex['countFound']>): Promise<number> {
    return this.index.countFound(...asked);
  }

  countWithin(...asked: Parameters<SearchIndex['countWithin']>): Promise<number | undefined> {
    return this.index.countWithin(...asked);
  }

  foundOccurrences(...asked: Parameters<SearchIndex['foundOccurrences']>): ReturnType<SearchIndex['foundOccurrences']> {
    return this.index.foundOccurrences(...asked);
  }

  searchFacts(records: readonly number[]): ReturnType<SearchIndex['searchFacts']> {
    return this.index.searchFacts(records);
  }

  activityTerms(records: readonly number[]): ReturnType<SearchIndex['activityTerms']> {
    return this.index.activityTerms(records);
  }

  positionOf(...asked: Parameters<SearchIndex['positionOf']>): ReturnType<SearchIndex['positionOf']> {
    return this.index.positionOf(...asked);
  }

  wordsLike(word: string): Promise<string[]> {
    return this.index.wordsLike(word);
  }

  searchZones(): Promise<string[]> {
    return this.index.searchZones();
  }
}
