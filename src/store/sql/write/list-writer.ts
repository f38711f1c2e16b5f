import type { Instant } from '../../../time/instant.ts';
import type { KeptListRow, KeptListWriter } from '../../contract/index.ts';
import { upsert } from '../database.ts';
import { SqlKeyWriter } from './key-writer.ts';

/** One higher for each list that is saved, also where the last of them is gone. */
const NEXT_SEQ =
  "INSERT INTO meta (key, value) VALUES ('kept-lists', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT) RETURNING value";
const SAVE = upsert('kept_list', ['token'], ['token', 'edit_hash', 'content', 'revision', 'changed', 'asked', 'seq']);
const DROP =
  'DELETE FROM kept_list WHERE token IN (SELECT token FROM kept_list WHERE asked < ? LIMIT ? + 0) RETURNING token';

/** Lists that people keep. */
export class SqlListWriter extends SqlKeyWriter implements KeptListWriter {
  async saveKeptList({ token, editHash, content, revision, changed, asked }: KeptListRow): Promise<void> {
    const [seq] = (await this.db.get(NEXT_SEQ)) ?? [];
    await this.db.insert(SAVE, [[token, editHash, content, revision, changed, asked, Number(seq)]]);
  }

  async askedForKeptList(token: string, at: Instant): Promise<void> {
    await this.db.run('UPDATE kept_list SET asked = ? WHERE token = ?', at, token);
  }

  async dropKeptLists(before: Instant, limit: number): Promise<number> {
    return (await this.db.all(DROP, before, limit)).length;
  }
}
