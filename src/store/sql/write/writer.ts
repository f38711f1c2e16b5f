import type { Reader, Writer } from '../../contract/index.ts';
import { changeWriter } from '../changes.ts';
import { type Database, LISTED, upsert } from '../database.ts';
import { keptListWriter } from '../kept-lists.ts';
import { sqlReader } from '../read/reader.ts';
import { SESSION } from '../rows.ts';
import type { SearchIndex } from '../search-index.ts';
import type { Tags } from '../tags.ts';
import { calendarWriter } from './calendars.ts';
import { claimWriter } from './claims.ts';
import { feedWriter } from './feeds.ts';
import { heldWriter } from './held.ts';
import { itemWriter } from './items.ts';
import { NewIds } from './new-ids.ts';
import { recordWriter } from './records.ts';
import { sessionWriter } from './sessions.ts';

/** Sessions of the listed series that have documents. */
const DOCUMENTED = `SELECT s.record FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value CROSS JOIN search s ON s.record = r.id
  WHERE r.kind = ${SESSION}`;

const SET_META = upsert('meta', ['key'], ['key', 'value']);

/** A writer for many transactions of one connection; `begin` is called at the start of each. */
export interface SqlWriter extends Writer {
  begin(): void;
}

/**
 * The writer of a `Database`: one part for each part of the contract, over its connection and its search index. Used only
 * inside `Store.write`. `before`: the reader beside the transaction.
 */
export function sqlWriter(db: Database, tags: Tags, index: SearchIndex, before: Reader): SqlWriter {
  const reader = sqlReader(db, tags, index);
  const newIds = new NewIds(db);
  const tables = { db, tags, newIds };
  return {
    ...reader,
    ...feedWriter(db),
    ...itemWriter(tables),
    ...recordWriter(tables, reader),
    ...sessionWriter(db, index),
    ...calendarWriter(db, index),
    ...claimWriter(db),
    ...heldWriter(db),
    ...changeWriter(db),
    ...keptListWriter(db),
    before,
    begin: () => newIds.begin(),

    async clearDerived() {
      for (const table of ['claim', 'record_key', 'occurrence', 'session_price']) await db.run(`DELETE FROM ${table}`);
      await db.run('UPDATE record_body SET body = NULL');
      await db.run('UPDATE record SET item = NULL, rank = NULL');
      await db.run("UPDATE calendar SET search = '' WHERE state = 'live'");
      await index.clear();
    },

    async clearDerivedOf(records: readonly number[]) {
      const listed = JSON.stringify(records);
      await db.run(`DELETE FROM occurrence WHERE series IN ${LISTED}`, listed);
      await db.run(`UPDATE calendar SET search = '' WHERE state = 'live' AND record IN ${LISTED}`, listed);
      await index.drop((await db.all(DOCUMENTED, listed)).map((c) => Number(c[0])));
    },

    async setMeta(key: string, value: string) {
      await db.insert(SET_META, [[key, value]]);
    },
  };
}
