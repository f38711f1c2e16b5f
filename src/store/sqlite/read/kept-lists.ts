import type { KeptListRow } from '../../contract/index.ts';
import type { Connection } from '../connection.ts';

/** Lists that people keep, read. */

const ROW = 'SELECT token, edit_hash, content, revision, changed, asked FROM kept_list WHERE token = ?';

export function keptListIn(db: Connection, token: string): KeptListRow | undefined {
  const row = db.get(ROW, token);
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

export function keptListsIn(db: Connection, after: number, limit: number): { token: string; seq: number }[] {
  const rows = db.all('SELECT token, seq FROM kept_list WHERE seq > ? ORDER BY seq LIMIT ? + 0', after, limit);
  return rows.map(([token, seq]) => ({ token: String(token), seq: Number(seq) }));
}

export function lastKeptListIn(db: Connection): number {
  return Number(db.get("SELECT value FROM meta WHERE key = 'kept-lists'")?.[0] ?? 0);
}
