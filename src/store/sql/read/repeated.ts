import { hiddenClaims } from '../../../join/repeated.ts';
import { OWN } from '../../../opportunity/clean.ts';
import { identWaitedFor, type RepeatedItem } from '../../contract/index.ts';
import { type Cells, type Database, LIMIT } from '../database.ts';

/** The claims that wait, each with the owner where that is an item of the feed too. */
const WAITING = `SELECT c.record, s.ident, i.kind, i.rpde_id, i.modified, o.kind, o.rpde_id, o.modified FROM claim c
  CROSS JOIN item i ON i.id = c.item CROSS JOIN record_body s ON s.record = c.record CROSS JOIN record r ON r.id = c.record
  LEFT JOIN item o ON o.id = r.item AND o.feed = i.feed AND r.rank = ${OWN}
  WHERE c.rank = ${OWN} AND i.feed = ? ORDER BY c.record, c.item ${LIMIT}`;

/** Items of a feed that another one of it hides, of its first so many claims that wait. */
export async function repeatedItems(db: Database, feed: number, limit: number): Promise<RepeatedItem[]> {
  const rows = await db.all(WAITING, feed, limit);
  const cut = rows.length < limit ? undefined : rows.at(-1)?.[0];
  const claims = [...Map.groupBy(rows, ([record]) => record).values()].flatMap((own) => {
    const [record, ident, , , , ...owner] = own[0] as Cells;
    const waiting = own.map((cells) => claimOf(record, ident, cells.slice(2, 5)));
    if (owner[0] !== null) return [claimOf(record, ident, owner), ...waiting];
    // Where not all of them were read, nobody knows the best.
    return record === cut ? [] : waiting;
  });
  return hiddenClaims(claims, ({ record }) => record).map(({ claim, by }) => ({
    ident: claim.ident,
    kind: claim.kind,
    rpdeId: claim.rpdeId,
    by: { kind: by.kind, rpdeId: by.rpdeId },
  }));
}

function claimOf(record: unknown, ident: unknown, [kind, rpdeId, modified]: Cells) {
  const item = { kind: String(kind), rpdeId: String(rpdeId), modified: String(modified) };
  return { record: Number(record), ident: identWaitedFor(String(ident)), ...item, rank: OWN, feed: '', publisher: 0 };
}
