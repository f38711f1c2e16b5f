import { LIMITS } from '../../../limits.ts';
import type { PageFinding } from '../../../opportunity/page/page.ts';
import type { CodeCount, FeedReader } from '../../contract/index.ts';
import { type Database, LIMIT } from '../database.ts';
import { FEED_COLUMNS, feedReport, feedRow, NEWEST_PAGES, REPORT_COLUMNS } from '../rows.ts';

/** Reads feeds, and the findings on their pages. */
export function feedReader(db: Database): FeedReader {
  return {
    async feeds() {
      return (await db.all(`SELECT ${FEED_COLUMNS} FROM feed ORDER BY id`)).map(feedRow);
    },

    async feedCounts(feed) {
      const sql = 'SELECT live, deleted, findings, bytes FROM feed WHERE id = ?';
      const [items, deleted, findings, bytes] = (await db.get(sql, feed)) ?? [];
      const counts = { items: Number(items ?? 0), deleted: Number(deleted ?? 0), findings: Number(findings ?? 0) };
      return { ...counts, bytes: Number(bytes ?? 0) };
    },

    async feedStates() {
      return (await db.all(`SELECT ${REPORT_COLUMNS} FROM feed ORDER BY id`)).map(feedReport);
    },

    async feedState(url) {
      const row = await db.get(`SELECT ${REPORT_COLUMNS} FROM feed WHERE url = ?`, url);
      return row && feedReport(row);
    },

    async feedsChanged(seq) {
      const sql = `SELECT i.feed, max(c.changed) FROM calendar c CROSS JOIN record r ON r.id = c.record CROSS JOIN item i ON i.id = r.item
        WHERE c.seq > ? GROUP BY i.feed ORDER BY i.feed`;
      return (await db.all(sql, seq)).map((c) => ({ feed: Number(c[0]), changed: Number(c[1]) }));
    },

    async pageFindings(feed) {
      // An earlier release stored the findings of every page.
      const sql = `SELECT findings FROM page_finding WHERE feed = ? ${NEWEST_PAGES} LIMIT ?`;
      const rows = await db.all(sql, feed, LIMITS.findingPages);
      return rows.flatMap((c) => JSON.parse(String(c[0])) as PageFinding[]);
    },

    async findingCodes(feed, items) {
      return codesOf(db, feed, items);
    },
  };
}

/** Codes of findings: of the pages that `pageFindings` reads, and of the first items with findings. */
async function codesOf(db: Database, feed: number, items: number): Promise<CodeCount[]> {
  const ofItems = `SELECT findings FROM item WHERE feed = ? AND findings IS NOT NULL ORDER BY id ${LIMIT}`;
  const ofPages = `SELECT findings FROM page_finding WHERE feed = ? ${NEWEST_PAGES} ${LIMIT}`;
  const sql = `SELECT c.code, count(*), min(c.facts) FROM (
    SELECT f.value ->> 'code' AS code, f.value ->> 'facts' AS facts FROM (${ofItems}) i CROSS JOIN json_each(i.findings) f ON true
    UNION ALL SELECT f.value -> 'finding' ->> 'code', f.value -> 'finding' ->> 'facts' FROM (${ofPages}) p CROSS JOIN json_each(p.findings) f ON true
  ) c GROUP BY c.code ORDER BY c.code`;
  const rows = await db.all(sql, feed, items, feed, LIMITS.findingPages);
  return rows.map(([code, count, facts]) => ({
    code: String(code),
    count: Number(count),
    ...(facts !== null && { facts: String(facts) }),
  }));
}
