import type { ClaimWriter } from '../../contract/index.ts';
import { type Database, LISTED, upsert } from '../database.ts';
import { CLAIM_COLUMNS, claim, claimRow, OWNER_COLUMNS } from '../rows.ts';

const CLAIMS = `${CLAIM_COLUMNS}, ${OWNER_COLUMNS}`;
const CLAIMED = 'item i ON i.id = c.item JOIN feed f ON f.id = i.feed';
const CLAIMS_ON = `SELECT ${CLAIMS} FROM json_each(?) t CROSS JOIN claim c ON c.record = t.value CROSS JOIN ${CLAIMED} ORDER BY c.record, c.item`;
const CLAIMS_BY = `SELECT ${CLAIM_COLUMNS} FROM json_each(?) t CROSS JOIN claim c ON c.item = t.value ORDER BY c.item, c.record`;
const SAVE = upsert('claim', ['record', 'item'], ['record', 'item', 'rank', 'refused']);
const DROP = { table: 'claim', key: ['record', 'item'] };

/** Keeps claims on records, and the publishers of records. */
export function claimWriter(db: Database): ClaimWriter {
  return {
    async claimsOn(records) {
      return (await db.all(CLAIMS_ON, JSON.stringify(records))).map(claimRow);
    },

    async claimsBy(items) {
      return (await db.all(CLAIMS_BY, JSON.stringify(items))).map(claim);
    },

    async claimsBetween(after, upTo) {
      const sql = `SELECT ${CLAIMS} FROM claim c CROSS JOIN ${CLAIMED} WHERE c.record > ? AND c.record <= ? ORDER BY c.record, c.item`;
      return (await db.all(sql, after, upTo)).map(claimRow);
    },

    async saveClaims(claims) {
      const rows = claims.map(({ record, item, rank, refused }) => [record, item, rank, refused ? 1 : 0]);
      await db.insert(SAVE, rows);
    },

    async dropClaims(claims) {
      const rows = claims.map(({ record, item }) => [record, item]);
      await db.delete(DROP, rows);
    },

    async saveStrays(records) {
      await db.run(`UPDATE record SET strays = 1 WHERE id IN ${LISTED}`, JSON.stringify(records));
    },

    async disown(records) {
      await db.run(`UPDATE record SET publisher_id = NULL WHERE id IN ${LISTED}`, JSON.stringify(records));
    },

    async itemsOn(records) {
      if (records.length === 0) return [];
      const on = (column: string) =>
        `SELECT r.item FROM json_each(?1) t CROSS JOIN record r ON r.${column} = t.value WHERE r.item IS NOT NULL`;
      const sql = `${['parent', 'venue', 'named'].map(on).join(' UNION ')} ORDER BY 1`;
      return (await db.all(sql, JSON.stringify(records))).map((c) => Number(c[0]));
    },

    async followFeeds(after, upTo) {
      const otherPublisher = `record.id > ? AND record.id <= ?
        AND record.publisher_id IS DISTINCT FROM feed.publisher_id AND feed.publisher_id <> 0`;
      const keyed = 'EXISTS (SELECT 1 FROM record_key k WHERE k.record = record.id)';
      await db.run(
        `UPDATE record SET publisher_id = feed.publisher_id FROM item JOIN feed ON feed.id = item.feed
          WHERE item.id = record.item AND ${otherPublisher} AND NOT ${keyed}`,
        after,
        upTo,
      );
      const sql = `SELECT record.item FROM record CROSS JOIN item ON item.id = record.item JOIN feed ON feed.id = item.feed
        WHERE ${otherPublisher} AND ${keyed} ORDER BY record.item`;
      return (await db.all(sql, after, upTo)).map((c) => Number(c[0]));
    },

    async misplaced(after, upTo) {
      const elsewhere = (column: string) =>
        `SELECT r.item FROM record r JOIN record p ON p.id = r.${column} JOIN record_body s ON s.record = p.id
          WHERE r.id > ?1 AND r.id <= ?2 AND r.item IS NOT NULL AND (p.publisher_id IS DISTINCT FROM r.publisher_id OR s.ident LIKE '%\n%')`;
      const sql = `${['parent', 'venue', 'named'].map(elsewhere).join(' UNION ')} ORDER BY 1`;
      return (await db.all(sql, after, upTo)).map((c) => Number(c[0]));
    },
  };
}
