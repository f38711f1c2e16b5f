import type { KeptListReader, KeptListWriter } from '../contract/index.ts';
import { type Database, LIMIT, upsert } from './database.ts';

const ROW = 'SELECT token, edit_hash, content, revision, changed, asked FROM kept_list WHERE token = ?';
const SINCE = `SELECT token, seq FROM kept_list WHERE seq > ? ORDER BY seq ${LIMIT}`;

/** Reads the lists that people keep. */
export function keptListReader(db: Database): KeptListReader {
  return {
    async keptList(token) {
      const row = await db.get(ROW, token);
      if (row === undefined) return undefined;
      const [, editHash, content, revision, changed, asked] = row;
      return {
        token,
        editHash: String(editHash),
        content: String(content),
        revision: Number(revision),
        changed: Number(changed),
        asked: Number(asked),
      };
    },

    async keptListsSince(seq, limit) {
      const rows = await db.all(SINCE, seq, limit);
      return rows.map(([token, next]) => ({ token: String(token), seq: Number(next) }));
    },

    async lastKeptListSeq() {
      return Number((await db.get("SELECT value FROM meta WHERE key = 'kept-lists'"))?.[0] ?? 0);
    },
  };
}

/** The next seq, higher than any before, also where the last list was deleted. */
const NEXT_SEQ =
  "INSERT INTO meta (key, value) VALUES ('kept-lists', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT) RETURNING value";
const SAVE = upsert('kept_list', ['token'], ['token', 'edit_hash', 'content', 'revision', 'changed', 'asked', 'seq']);
const DROP = `DELETE FROM kept_list WHERE token IN (SELECT token FROM kept_list WHERE asked < ? ${LIMIT}) RETURNING token`;

/** Keeps the lists of people. */
export function keptListWriter(db: Database): KeptListWriter {
  return {
    async saveKeptList({ token, editHash, content, revision, changed, asked }) {
      const [seq] = (await db.get(NEXT_SEQ)) ?? [];
      await db.insert(SAVE, [[token, editHash, content, revision, changed, asked, Number(seq)]]);
    },

    async askedForKeptList(token, at) {
      await db.run('UPDATE kept_list SET asked = ? WHERE token = ?', at, token);
    },

    async dropKeptLists(before, limit) {
      return (await db.all(DROP, before, limit)).length;
    },
  };
}
