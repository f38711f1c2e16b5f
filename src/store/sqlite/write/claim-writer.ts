import type { Claim, ItemRow, Owner, RecordRow } from '../../contract/index.ts';
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
import { SqliteListWriter } from './list-writer.ts';

const CLAIMS = `SELECT ${CLAIM_COLUMNS}, ${OWNER_COLUMNS} FROM claim c CROSS JOIN item i ON i.id = c.item JOIN feed f ON f.id = i.feed`;

/** The part of the writer that keeps who speaks of a record, and whose it is. */
export class SqliteClaimWriter extends SqliteListWriter {
  async claimsOn(records: readonly number[]): Promise<(Claim & { owner: Owner })[]> {
    const sql = `${CLAIMS} WHERE c.record = ?`;
    return records.flatMap((record) => this.db.all(sql, record).map(claimRow));
  }

  async claimsBetween(after: number, upTo: number): Promise<(Claim & { owner: Owner })[]> {
    const sql = `${CLAIMS} WHERE c.record > ? AND c.record <= ? ORDER BY c.record, c.item`;
    return this.db.all(sql, after, upTo).map(claimRow);
  }

  async claimsBy(items: readonly number[]): Promise<Claim[]> {
    const sql = `SELECT ${CLAIM_COLUMNS} FROM claim c WHERE c.item = ?`;
    return items.flatMap((item) => this.db.all(sql, item).map(claim));
  }

  async saveClaims(claims: readonly Claim[]): Promise<void> {
    const sql =
      'INSERT INTO claim (record, item, rank, refused) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET rank = excluded.rank, refused = excluded.refused';
    for (const { record, item, rank, refused } of claims) this.db.run(sql, record, item, rank, refused ? 1 : 0);
  }

  async dropClaims(claims: readonly Pick<Claim, 'record' | 'item'>[]): Promise<void> {
    for (const { record, item } of claims) this.db.run('DELETE FROM claim WHERE record = ? AND item = ?', record, item);
  }

  async saveStrays(records: readonly number[]): Promise<void> {
    for (const id of records) this.db.run('UPDATE record SET strays = 1 WHERE id = ?', id);
  }

  async disown(records: readonly number[]): Promise<void> {
    for (const id of records) this.db.run('UPDATE record SET publisher_id = NULL WHERE id = ?', id);
  }

  async itemsOn(record: number): Promise<number[]> {
    const sql = 'SELECT item FROM record WHERE (parent = ?1 OR venue = ?1) AND item IS NOT NULL ORDER BY item';
    return this.db.all(sql, record).map((c) => Number(c[0]));
  }

  async recordsBetween(after: number, upTo: number): Promise<RecordRow[]> {
    const sql = `SELECT ${RECORD_COLUMNS} FROM ${RECORD_TABLES} WHERE r.id > ? AND r.id <= ? ORDER BY r.id`;
    return this.db.all(sql, after, upTo).map(recordBody);
  }

  async lastRecord(): Promise<number> {
    return Number(this.db.get('SELECT max(id) FROM record')?.[0] ?? 0);
  }

  async followFeeds(after: number, upTo: number): Promise<number[]> {
    const moved = `item.id = record.item AND record.id > ? AND record.id <= ?
      AND record.publisher_id IS NOT feed.publisher_id AND feed.publisher_id <> 0`;
    const keyed = 'EXISTS (SELECT 1 FROM record_key k WHERE k.record = record.id)';
    const feeds = 'item JOIN feed ON feed.id = item.feed';
    this.db.run(
      `UPDATE record SET publisher_id = feed.publisher_id FROM ${feeds} WHERE ${moved} AND NOT ${keyed}`,
      after,
      upTo,
    );
    const sql = `SELECT record.item FROM record CROSS JOIN ${feeds} WHERE ${moved} AND ${keyed} ORDER BY record.item`;
    return this.db.all(sql, after, upTo).map((c) => Number(c[0]));
  }

  async misplaced(after: number, upTo: number): Promise<number[]> {
    const elsewhere = (column: string) =>
      `SELECT r.item FROM record r JOIN record p ON p.id = r.${column} JOIN record_body s ON s.record = p.id
        WHERE r.id > ?1 AND r.id <= ?2 AND r.item IS NOT NULL AND (p.publisher_id IS NOT r.publisher_id OR instr(s.ident, char(10)))`;
    const sql = `${elsewhere('parent')} UNION ${elsewhere('venue')} ORDER BY 1`;
    return this.db.all(sql, after, upTo).map((c) => Number(c[0]));
  }

  async beginForgetting(feed: number): Promise<void> {
    this.db.run('UPDATE feed SET publisher_id = 0 WHERE id = ?', feed);
  }

  async itemsOf(feed: number, limit: number): Promise<ItemRow[]> {
    // In the order of the index by feed, whatever that is.
    return this.db.all(`SELECT ${ITEM_COLUMNS} FROM item WHERE feed = ? LIMIT ?`, feed, limit).map(itemRow);
  }

  async dropItems(items: readonly number[]): Promise<void> {
    for (const item of items) {
      this.db.run('DELETE FROM claim WHERE item = ?', item);
      this.db.run('DELETE FROM item WHERE id = ?', item);
    }
  }

  async dropFeed(feed: number): Promise<void> {
    for (const table of ['page_finding', 'seen', 'aside']) this.db.run(`DELETE FROM ${table} WHERE feed = ?`, feed);
    this.db.run('DELETE FROM feed WHERE id = ?', feed);
  }

  async prunePublishers(): Promise<void> {
    this.db.run('DELETE FROM publisher WHERE id NOT IN (SELECT publisher_id FROM feed)');
  }

  async itemsById(ids: readonly number[]): Promise<(ItemRow & { feed: number })[]> {
    const sql = `SELECT ${ITEM_COLUMNS}, feed FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN item ON id = wanted WHERE hash IS NOT NULL ORDER BY id`;
    return this.db.all(sql, JSON.stringify(ids)).map((c) => ({ ...itemRow(c), feed: Number(c[5]) }));
  }
}
