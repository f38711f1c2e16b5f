import { publisherKeyOf } from '../../../join/publishers.ts';
import { LIMITS } from '../../../limits.ts';
import type { FeedCounts, FeedRow, FeedWriter } from '../../contract/index.ts';
import { type Cells, type Database, type Insert, LIMIT } from '../database.ts';
import { FEED_COLUMNS, feedRow, NEWEST_PAGES, orNull } from '../rows.ts';
import { seenItems } from '../seen.ts';

const SAVE_PAGE: Insert = { table: 'page_finding', columns: ['feed', 'cursor', 'findings'] };
const OF_PAGE = { table: 'page_finding', key: ['feed', 'cursor'] };

/** Inserts a feed with the next number: a sequence would also move with a feed that exists. */
const NEW_FEED_ROW =
  'INSERT INTO feed (id, url) SELECT coalesce(max(id), 0) + 1, ? FROM feed WHERE true ON CONFLICT DO NOTHING';
const NEW_PUBLISHER =
  'INSERT INTO publisher (id, key) SELECT coalesce(max(id), 0) + 1, ? FROM publisher WHERE true ON CONFLICT DO NOTHING';

/** Keeps the feeds: cursors, states and counts. */
export function feedWriter(db: Database): FeedWriter {
  return {
    async openFeed(url, meta) {
      await db.run(NEW_FEED_ROW, url);
      // Stated properties of a feed replace earlier ones; the others stay.
      await db.run(
        'UPDATE feed SET name = coalesce(?, name), publisher = coalesce(?, publisher), publisher_url = coalesce(?, publisher_url), license = coalesce(?, license), listed = coalesce(?, listed) WHERE url = ?',
        orNull(meta.name),
        orNull(meta.publisher),
        orNull(meta.publisherUrl),
        orNull(meta.license),
        meta.listed === undefined ? null : Number(meta.listed),
        url,
      );
      const feed = feedRow((await db.get(`SELECT ${FEED_COLUMNS} FROM feed WHERE url = ?`, url)) as Cells);
      const key = meta.publisherKey ?? (feed.publisherId === 0 ? publisherKeyOf(url) : undefined);
      return key === undefined ? feed : { ...feed, publisherId: await publisherOf(db, feed, key), publisherKey: key };
    },

    async saveCursor(feed, cursor, license) {
      await db.run(
        'UPDATE feed SET cursor = ?, license = coalesce(?, license) WHERE id = ?',
        orNull(cursor),
        orNull(license),
        feed,
      );
    },

    async saveFeedState(feed, state) {
      await db.run('UPDATE feed SET state = ? WHERE id = ?', JSON.stringify(state), feed);
    },

    async saveSeen(feed, items) {
      await (await seenItems(db, feed, items)).add();
    },

    async forgetSeen(feed) {
      await db.run('DELETE FROM seen WHERE feed = ?', feed);
    },

    async savePageFindings(feed, cursor, findings) {
      const row = await db.get('SELECT findings FROM page_finding WHERE feed = ? AND cursor = ?', feed, cursor);
      const before = row?.[0] as string | undefined;
      const text = findings.length === 0 ? '' : asciiJson(findings);
      const bytes = text.length - (before?.length ?? 0);
      await moveCounts(db, feed, { findings: findings.length - findingCount(before), bytes });
      await db.run('DELETE FROM page_finding WHERE feed = ? AND cursor = ?', feed, cursor);
      if (findings.length === 0) return;
      await dropOldPages(db, feed);
      await db.insert(SAVE_PAGE, [[feed, cursor, text]]);
    },

    async beginForgetting(feed) {
      await db.run('UPDATE feed SET publisher_id = 0 WHERE id = ?', feed);
    },

    async dropFeed(feed) {
      for (const table of ['page_finding', 'seen', 'aside']) await db.run(`DELETE FROM ${table} WHERE feed = ?`, feed);
      await db.run('DELETE FROM feed WHERE id = ?', feed);
    },

    async prunePublishers() {
      await db.run('DELETE FROM publisher WHERE id NOT IN (SELECT publisher_id FROM feed)');
    },
  };
}

/** JSON in ASCII, whose octets are counted by its length. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

async function publisherOf(db: Database, { id, publisherId }: FeedRow, key: string): Promise<number> {
  await db.run(NEW_PUBLISHER, key);
  const publisher = Number((await db.get('SELECT id FROM publisher WHERE key = ?', key))?.[0]);
  if (publisher !== publisherId) await db.run('UPDATE feed SET publisher_id = ? WHERE id = ?', publisher, id);
  return publisher;
}

/** Drops the findings of the oldest pages, to make room for one page. */
async function dropOldPages(db: Database, feed: number): Promise<void> {
  const sql = `SELECT cursor, findings FROM page_finding WHERE feed = ? ${NEWEST_PAGES} ${LIMIT} OFFSET ?`;
  const old = (await db.all(sql, feed, -1, LIMITS.findingPages - 1)).map((c) => [String(c[0]), String(c[1])]);
  for (const [, text] of old)
    await moveCounts(db, feed, { findings: -findingCount(text), bytes: -(text as string).length });
  const keys = old.map(([cursor]) => [feed, cursor as string]);
  await db.delete(OF_PAGE, keys);
}

/** Adds to the counts of a feed. */
export async function moveCounts(
  db: Database,
  feed: number,
  { items = 0, deleted = 0, findings = 0, bytes = 0 }: Partial<FeedCounts>,
): Promise<void> {
  if (items === 0 && deleted === 0 && findings === 0 && bytes === 0) return;
  await db.run(
    'UPDATE feed SET live = live + ?, deleted = deleted + ?, findings = findings + ?, bytes = bytes + ? WHERE id = ?',
    items,
    deleted,
    findings,
    bytes,
    feed,
  );
}

/** The number of findings in a JSON text. */
export function findingCount(json: string | undefined): number {
  return json === undefined ? 0 : (JSON.parse(json) as unknown[]).length;
}
