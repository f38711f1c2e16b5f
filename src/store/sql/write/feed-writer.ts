import { publisherKeyOf } from '../../../join/publishers.ts';
import { LIMITS } from '../../../limits.ts';
import type { PageFinding } from '../../../opportunity/page/page.ts';
import {
  DAMAGED_DATA,
  type FeedCounts,
  type FeedMeta,
  type FeedRow,
  type FeedState,
  type ItemWrite,
} from '../../contract/index.ts';
import type { Cells, Insert, Update } from '../database.ts';
import { FEED_COLUMNS, feedRow, orNull } from '../rows.ts';
import { Seen } from '../seen.ts';
import { SqlHeldWriter } from './held-writer.ts';

const SAVE_PAGE: Insert = { table: 'page_finding', columns: ['feed', 'cursor', 'findings'] };
const OF_PAGE = { table: 'page_finding', key: ['feed', 'cursor'] };
const SAVE_FINDINGS: Update = { table: 'item', set: ['findings'], key: ['id'] };
const SAVE_MODIFIED: Update = { table: 'item', set: ['modified'], key: ['id'] };
const SAVE_DAMAGED: Update = { table: 'item', set: ['modified', 'hash', 'findings'], key: ['id'] };

/** With the next number: that of a sequence would move with each feed that is there already. */
const NEW_FEED_ROW =
  'INSERT INTO feed (id, url) SELECT coalesce(max(id), 0) + 1, ? FROM feed WHERE true ON CONFLICT DO NOTHING';
const NEW_PUBLISHER =
  'INSERT INTO publisher (id, key) SELECT coalesce(max(id), 0) + 1, ? FROM publisher WHERE true ON CONFLICT DO NOTHING';

/** How many findings a JSON text holds. */
export function findingsIn(json: string | undefined): number {
  return json === undefined ? 0 : (JSON.parse(json) as unknown[]).length;
}

/** The part of the writer that keeps the feeds: how far each is read, how it is doing, and what it holds in numbers. */
export class SqlFeedWriter extends SqlHeldWriter {
  async openFeed(url: string, meta: FeedMeta): Promise<FeedRow> {
    await this.db.run(NEW_FEED_ROW, url);
    // Stated properties of a feed replace earlier ones; the others stay.
    await this.db.run(
      'UPDATE feed SET name = coalesce(?, name), publisher = coalesce(?, publisher), publisher_url = coalesce(?, publisher_url), license = coalesce(?, license), listed = coalesce(?, listed) WHERE url = ?',
      orNull(meta.name),
      orNull(meta.publisher),
      orNull(meta.publisherUrl),
      orNull(meta.license),
      meta.listed === undefined ? null : Number(meta.listed),
      url,
    );
    const feed = feedRow((await this.db.get(`SELECT ${FEED_COLUMNS} FROM feed WHERE url = ?`, url)) as Cells);
    const key = meta.publisherKey ?? (feed.publisherId === 0 ? publisherKeyOf(url) : undefined);
    return key === undefined ? feed : { ...feed, publisherId: await this.#publisher(feed, key), publisherKey: key };
  }

  async #publisher({ id, publisherId }: FeedRow, key: string): Promise<number> {
    await this.db.run(NEW_PUBLISHER, key);
    const publisher = Number((await this.db.get('SELECT id FROM publisher WHERE key = ?', key))?.[0]);
    if (publisher !== publisherId) await this.db.run('UPDATE feed SET publisher_id = ? WHERE id = ?', publisher, id);
    return publisher;
  }

  async saveCursor(feed: number, cursor: string | undefined, license: string | undefined): Promise<void> {
    await this.db.run(
      'UPDATE feed SET cursor = ?, license = coalesce(?, license) WHERE id = ?',
      orNull(cursor),
      orNull(license),
      feed,
    );
  }

  async savePageFindings(feed: number, cursor: string, findings: readonly PageFinding[]): Promise<void> {
    const row = await this.db.get('SELECT findings FROM page_finding WHERE feed = ? AND cursor = ?', feed, cursor);
    const before = row?.[0] as string | undefined;
    const text = findings.length === 0 ? '' : JSON.stringify(findings);
    const bytes = text.length - (before?.length ?? 0);
    await this.count(feed, { findings: findings.length - findingsIn(before), bytes });
    await this.db.run('DELETE FROM page_finding WHERE feed = ? AND cursor = ?', feed, cursor);
    if (findings.length === 0) return;
    await this.#dropOldPages(feed);
    await this.db.insert(SAVE_PAGE, [[feed, cursor, text]]);
  }

  /** Makes room for the findings of one page. The numbers in the cursors of a feed grow. */
  async #dropOldPages(feed: number): Promise<void> {
    const sql =
      'SELECT cursor, findings FROM page_finding WHERE feed = ? ORDER BY length(cursor) DESC, cursor DESC LIMIT ? + 0 OFFSET ?';
    const old = (await this.db.all(sql, feed, -1, LIMITS.findingPages - 1)).map((c) => [String(c[0]), String(c[1])]);
    for (const [, text] of old)
      await this.count(feed, { findings: -findingsIn(text), bytes: -(text as string).length });
    await this.db.delete(
      OF_PAGE,
      old.map(([cursor]) => [feed, cursor as string]),
    );
  }

  async saveFeedState(feed: number, state: FeedState): Promise<void> {
    await this.db.run('UPDATE feed SET state = ? WHERE id = ?', JSON.stringify(state), feed);
  }

  async saveSeen(feed: number, items: readonly number[]): Promise<void> {
    await (await Seen.of(this.db, feed, items)).add(items);
  }

  async forgetSeen(feed: number): Promise<void> {
    await this.db.run('DELETE FROM seen WHERE feed = ?', feed);
  }

  async saveFindings(rows: readonly { item: number; findings: string | undefined }[]): Promise<void> {
    const listed = JSON.stringify(rows.map(({ item }) => item));
    const sql = 'SELECT i.id, i.feed, i.findings FROM json_each(?) t CROSS JOIN item i ON i.id = t.value';
    const known = new Map((await this.db.all(sql, listed)).map((c) => [Number(c[0]), c]));
    const more = new Map<number, number>();
    const there = rows.filter(({ item }) => known.has(item));
    for (const { item, findings } of there) {
      const [, feed, before] = known.get(item) ?? [];
      const change = findingsIn(findings) - findingsIn((before ?? undefined) as string | undefined);
      more.set(Number(feed), (more.get(Number(feed)) ?? 0) + change);
    }
    await this.db.update(
      SAVE_FINDINGS,
      there.map(({ item, findings }) => [orNull(findings), item]),
    );
    for (const [feed, findings] of more) await this.count(feed, { findings });
  }

  /** Items whose raw data stays; of those without data, the findings of that too. */
  protected async saveKept(rows: readonly ItemWrite[], counts: FeedCounts): Promise<void> {
    const damaged = rows.filter(({ hash }) => hash === DAMAGED_DATA);
    const kept = rows.filter(({ hash }) => hash !== DAMAGED_DATA);
    await this.db.update(
      SAVE_MODIFIED,
      kept.map(({ modified, id }) => [modified, id as number]),
    );
    const listed = JSON.stringify(damaged.map(({ id }) => id));
    const sql =
      'SELECT i.findings FROM json_each(?) t CROSS JOIN item i ON i.id = t.value WHERE i.findings IS NOT NULL';
    for (const [before] of await this.db.all(sql, listed)) counts.findings -= findingsIn(String(before));
    for (const { findings } of damaged) counts.findings += findingsIn(findings);
    await this.db.update(
      SAVE_DAMAGED,
      damaged.map(({ modified, hash, findings, id }) => [modified, orNull(hash), orNull(findings), id as number]),
    );
  }

  /** Moves the counts of a feed. */
  protected async count(
    feed: number,
    { items = 0, deleted = 0, findings = 0, bytes = 0 }: Partial<FeedCounts>,
  ): Promise<void> {
    if (items === 0 && deleted === 0 && findings === 0 && bytes === 0) return;
    await this.db.run(
      'UPDATE feed SET live = live + ?, deleted = deleted + ?, findings = findings + ?, bytes = bytes + ? WHERE id = ?',
      items,
      deleted,
      findings,
      bytes,
      feed,
    );
  }
}
