import type { Claim, ItemRow, Owner, RecordRow } from '../../contract/index.ts';
import { LISTED, upsert } from '../database.ts';
import {
  CLAIM_COLUMNS,
  claim,
  claimRow,
  ITEM_COLUMNS,
  itemRow,
  OWNER_COLUMNS,
  RECORD_COLUMNS,
  RECORD_TABLES,
  recordBody,
} from '../rows.ts';
import { SqlListWriter } from './list-writer.ts';

const CLAIMS = `${CLAIM_COLUMNS}, ${OWNER_COLUMNS}`;
const CLAIMED = 'item i ON i.id = c.item JOIN feed f ON f.id = i.feed';
const CLAIMS_ON = `SELECT ${CLAIMS} FROM json_each(?) t CROSS JOIN claim c ON c.record = t.value CROSS JOIN ${CLAIMED} ORDER BY c.record, c.item`;
const CLAIMS_BY = `SELECT ${CLAIM_COLUMNS} FROM json_each(?) t CROSS JOIN claim c ON c.item = t.value ORDER BY c.item, c.record`;
const SAVE = upsert('claim', ['record', 'item'], ['record', 'item', 'rank', 'refused']);
const DROP = { table: 'claim', key: ['record', 'item'] };

/** The part of the writer that keeps who speaks of a record, and whose it is. */
export class SqlClaimWriter extends SqlListWriter {
  async claimsOn(records: readonly number[]): Promise<(Claim & { owner: Owner })[]> {
    return (await this.db.all(CLAIMS_ON, JSON.stringify(records))).map(claimRow);
  }

  async claimsBetween(after: number, upTo: number): Promise<(Claim & { owner: Owner })[]> {
    const sql = `SELECT ${CLAIMS} FROM claim c CROSS JOIN ${CLAIMED} WHERE c.record > ? AND c.record <= ? ORDER BY c.record, c.item`;
    return (await this.db.all(sql, after, upTo)).map(claimRow);
  }

  async claimsBy(items: readonly number[]): Promise<Claim[]> {
    return (await this.db.all(CLAIMS_BY, JSON.stringify(items))).map(claim);
  }

  async saveClaims(claims: readonly Claim[]): Promise<void> {
    const rows = claims.map(({ record, item, rank, refused }) => [record, item, rank, refused ? 1 : 0]);
    await this.db.insert(SAVE, rows);
  }

  async dropClaims(claims: readonly Pick<Claim, 'record' | 'item'>[]): Promise<void> {
    const rows = claims.map(({ record, item }) => [record, item]);
    await this.db.delete(DROP, rows);
  }

  async saveStrays(records: readonly number[]): Promise<void> {
    await this.db.run(`UPDATE record SET strays = 1 WHERE id IN ${LISTED}`, JSON.stringify(records));
  }

  async disown(records: readonly number[]): Promise<void> {
    await this.db.run(`UPDATE record SET publisher_id = NULL WHERE id IN ${LISTED}`, JSON.stringify(records));
  }

  async itemsOn(records: readonly number[]): Promise<number[]> {
    if (records.length === 0) return [];
    const on = (column: string) =>
      `SELECT r.item FROM json_each(?1) t CROSS JOIN record r ON r.${column} = t.value WHERE r.item IS NOT NULL`;
    const sql = `${on('parent')} UNION ${on('venue')} ORDER BY 1`;
    return (await this.db.all(sql, JSON.stringify(records))).map((c) => Number(c[0]));
  }

  async recordsBetween(after: number, upTo: number): Promise<RecordRow[]> {
    const sql = `SELECT ${RECORD_COLUMNS} FROM ${RECORD_TABLES} WHERE r.id > ? AND r.id <= ? ORDER BY r.id`;
    return (await this.db.all(sql, after, upTo)).map(recordBody);
  }

  async lastRecord(): Promise<number> {
    return Number((await this.db.get('SELECT max(id) FROM record'))?.[0] ?? 0);
  }

  async followFeeds(after: number, upTo: number): Promise<number[]> {
    const otherPublisher = `record.id > ? AND record.id <= ?
      AND record.publisher_id IS DISTINCT FROM feed.publisher_id AND feed.publisher_id <> 0`;
    const keyed = 'EXISTS (SELECT 1 FROM record_key k WHERE k.record = record.id)';
    await this.db.run(
      `UPDATE record SET publisher_id = feed.publisher_id FROM item JOIN feed ON feed.id = item.feed
        WHERE item.id = record.item AND ${otherPublisher} AND NOT ${keyed}`,
      after,
      upTo,
    );
    const sql = `SELECT record.item FROM record CROSS JOIN item ON item.id = record.item JOIN feed ON feed.id = item.feed
      WHERE ${otherPublisher} AND ${keyed} ORDER BY record.item`;
    return (await this.db.all(sql, after, upTo)).map((c) => Number(c[0]));
  }

  async misplaced(after: number, upTo: number): Promise<number[]> {
    const elsewhere = (column: string) =>
      `SELECT r.item FROM record r JOIN record p ON p.id = r.${column} JOIN record_body s ON s.record = p.id
        WHERE r.id > ?1 AND r.id <= ?2 AND r.item IS NOT NULL AND (p.publisher_id IS DISTINCT FROM r.publisher_id OR s.ident LIKE '%\n%')`;
    const sql = `${elsewhere('parent')} UNION ${elsewhere('venue')} ORDER BY 1`;
    return (await this.db.all(sql, after, upTo)).map((c) => Number(c[0]));
  }

  async beginForgetting(feed: number): Promise<void> {
    await this.db.run('UPDATE feed SET publisher_id = 0 WHERE id = ?', feed);
  }

  async itemsOf(feed: number, limit: number): Promise<ItemRow[]> {
    // In the order of the index by feed, whatever that is.
    return (await this.db.all(`SELECT ${ITEM_COLUMNS} FROM item WHERE feed = ? LIMIT ?`, feed, limit)).map(itemRow);
  }

  async dropItems(items: readonly number[]): Promise<void> {
    const listed = JSON.stringify(items);
    await this.db.run(`DELETE FROM claim WHERE item IN ${LISTED}`, listed);
    await this.db.run(`DELETE FROM item WHERE id IN ${LISTED}`, listed);
  }

  async dropFeed(feed: number): Promise<void> {
    for (const table of ['page_finding', 'seen', 'aside'])
      await this.db.run(`DELETE FROM ${table} WHERE feed = ?`, feed);
    await this.db.run('DELETE FROM feed WHERE id = ?', feed);
  }

  async prunePublishers(): Promise<void> {
    await this.db.run('DELETE FROM publisher WHERE id NOT IN (SELECT publisher_id FROM feed)');
  }

  async itemsById(ids: readonly number[]): Promise<(ItemRow & { feed: number })[]> {
    const sql = `SELECT i.id, i.kind, i.rpde_id, i.modified, i.hash, i.feed FROM json_each(?) t CROSS JOIN item i ON i.id = t.value WHERE i.hash IS NOT NULL ORDER BY i.id`;
    return (await this.db.all(sql, JSON.stringify(ids))).map((c) => ({ ...itemRow(c), feed: Number(c[5]) }));
  }
}
