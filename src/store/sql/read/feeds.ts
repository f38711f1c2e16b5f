import { LIMITS } from '../../../limits.ts';
import type { PageFinding } from '../../../opportunity/page/page.ts';
import type { Instant } from '../../../time/instant.ts';
import type { FeedCounts, FeedReport, FeedRow } from '../../contract/index.ts';
import { FEED_COLUMNS, feedReport, feedRow, REPORT_COLUMNS } from '../rows.ts';
import { findingCodes } from './noted.ts';
import { SearchedReader } from './searched.ts';

/** Feeds, and what is odd about their pages and items. */
export class FeedReader extends SearchedReader {
  async feeds(): Promise<FeedRow[]> {
    return (await this.db.all(`SELECT ${FEED_COLUMNS} FROM feed ORDER BY id`)).map(feedRow);
  }

  async feedCounts(feed: number): Promise<FeedCounts> {
    const sql = 'SELECT live, deleted, findings, bytes FROM feed WHERE id = ?';
    const [items, deleted, findings, bytes] = (await this.db.get(sql, feed)) ?? [];
    const counts = { items: Number(items ?? 0), deleted: Number(deleted ?? 0), findings: Number(findings ?? 0) };
    return { ...counts, bytes: Number(bytes ?? 0) };
  }

  async feedStates(): Promise<FeedReport[]> {
    return (await this.db.all(`SELECT ${REPORT_COLUMNS} FROM feed ORDER BY id`)).map(feedReport);
  }

  async feedState(url: string): Promise<FeedReport | undefined> {
    const row = await this.db.get(`SELECT ${REPORT_COLUMNS} FROM feed WHERE url = ?`, url);
    return row && feedReport(row);
  }

  async feedsChanged(seq: number): Promise<{ feed: number; changed: Instant }[]> {
    const sql = `SELECT i.feed, max(c.changed) FROM calendar c CROSS JOIN record r ON r.id = c.record CROSS JOIN item i ON i.id = r.item
      WHERE c.seq > ? GROUP BY i.feed ORDER BY i.feed`;
    return (await this.db.all(sql, seq)).map((c) => ({ feed: Number(c[0]), changed: Number(c[1]) }));
  }

  async itemFindings(feed: number, after: number, limit: number) {
    const sql =
      'SELECT id, kind, rpde_id, findings FROM item WHERE feed = ? AND findings IS NOT NULL AND id > ? ORDER BY id LIMIT ?';
    return (await this.db.all(sql, feed, after, limit)).map((c) => ({
      id: Number(c[0]),
      kind: String(c[1]),
      rpdeId: String(c[2]),
      findings: String(c[3]),
    }));
  }

  async findingCodes(feed: number, items: number): Promise<{ code: string; count: number }[]> {
    return findingCodes(this.db, feed, items);
  }

  async pageFindings(feed: number): Promise<PageFinding[]> {
    // An earlier release kept those of every page.
    const sql = 'SELECT findings FROM page_finding WHERE feed = ? ORDER BY cursor LIMIT ?';
    const rows = await this.db.all(sql, feed, LIMITS.findingPages);
    return rows.flatMap((c) => JSON.parse(String(c[0])) as PageFinding[]);
  }

  async findingsOfItems(items: readonly number[]): Promise<Map<number, string>> {
    if (items.length === 0) return new Map();
    const sql =
      'SELECT i.id, i.findings FROM json_each(?) t CROSS JOIN item i ON i.id = t.value WHERE i.findings IS NOT NULL';
    return new Map((await this.db.all(sql, JSON.stringify(items))).map((c) => [Number(c[0]), String(c[1])]));
  }

  async findingsOf(item: number): Promise<string | undefined> {
    return ((await this.db.get('SELECT findings FROM item WHERE id = ?', item))?.[0] ?? undefined) as
      | string
      | undefined;
  }
}
