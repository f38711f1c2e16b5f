import type { Reader } from '../../contract/index.ts';
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
  const { save: _, drop: __, clear: ___, ...search } = index;
  return {
    ...feedReader(db),
    ...itemReader(db),
    ...recordReader(db, tags),
    ...sessionReader(db),
    ...calendarReader(db),
    ...heldReader(db),
    ...changeReader(db),
    ...keptListReader(db),
    ...search,

    async meta(key: string) {
      return (await db.get('SELECT value FROM meta WHERE key = ?', key))?.[0] as string | undefined;
    },

    async version() {
      return db.version();
    },
  };
}
