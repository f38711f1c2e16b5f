import type { KeptListRow } from '../../contract/index.ts';
import type { Database } from '../database.ts';

/** Lists that people keep, read. */

const ROW = 'SELECT token, edit_hash, content, revision, changed, asked FROM kept_list WHERE token = ?';

export async function keptListIn(db: Database, token: string): Promise<KeptListRow | undefined> {
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
}

export async function keptListsIn(
  db: Database,
  after: number,
  limit: number,
): Promise<{ token: string; seq: number }[]> {
  const rows = await db.all('SELECT token, seq FROM kept_list WHERE seq > ? ORDER BY seq LIMIT ? + 0', after, limit);
  return rows.map(([token, seq]) => ({ token: String(token), seq: Number(seq) }));
}

export async function lastKeptListIn(db: Database): Promise<number> {
  return Number((await db.get("SELECT value FROM meta WHERE key = 'kept-lists'"))?.[0] ?? 0);
}
