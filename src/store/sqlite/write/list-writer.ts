import type { Instant } from '../../../time/instant.ts';
import type { KeptListRow, KeptListWriter } from '../../contract/index.ts';
import { SqliteKeyWriter } from './key-writer.ts';

/** One higher for each list that is saved, also where the last of them is gone. */
const NEXT_SEQ =
  "INSERT INTO meta (key, value) VALUES ('kept-lists', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) RETURNING value";
const SAVE =
  'INSERT OR REPLACE INTO kept_list (token, edit_hash, content, revision, changed, asked, seq) VALUES (?, ?, ?, ?, ?, ?, ?)';
const DROP =
  'DELETE FROM kept_list WHERE token IN (SELECT token FROM kept_list WHERE asked < ? LIMIT ? + 0) RETURNING token';

/** Lists that people keep. */
export class SqliteListWriter extends SqliteKeyWriter implements KeptListWriter {
  async saveKeptList({ token, editHash, content, revision, changed, asked }: KeptListRow): Promise<void> {
    const [seq] = this.db.get(NEXT_SEQ) ?? [];
    this.db.run(SAVE, token, editHash, content, revision, changed, asked, Number(seq));
  }

  async askedForKeptList(token: string, at: Instant): Promise<void> {
    this.db.run('UPDATE kept_list SET asked = ? WHERE token = ?', at, token);
  }

  async dropKeptLists(before: Instant, limit: number): Promise<number> {
    return this.db.all(DROP, before, limit).length;
  }
}
