import type { KeptListReader } from '../../contract/index.ts';
import { type Database, LIMIT } from '../database.ts';

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
