import { publisherKeyOf } from '../../../join/publishers.ts';
import type { PageFinding } from '../../../opportunity/page/page.ts';
import {
  DAMAGED_DATA,
  type FeedCounts,
  type FeedMeta,
  type FeedRow,
  type FeedState,
  type ItemWrite,
} from '../../contract/index.ts';
import { Seen } from '../read/seen.ts';
import { FEED_COLUMNS, feedRow, orNull } from '../rows.ts';
import { SqliteAsideWriter } from './aside-writer.ts';

/** How many findings a JSON text holds. */
export function findingsIn(json: string | undefined): number {
  return json === undefined ? 0 : (JSON.parse(json) as unknown[]).length;
}

/** The part of the writer that keeps the feeds: how far each is read, how it is doing, and what it holds in numbers. */
export class SqliteFeedWriter extends SqliteAsideWriter {
  async openFeed(url: string, meta: FeedMeta): Promise<FeedRow> {
    this.db.run('INSERT INTO feed (url) VALUES (?) ON CONFLICT (url) DO NOTHING', url);
    // Stated properties of a feed replace earlier ones; the others stay.
    this.db.run(
      'UPDATE feed SET name = coalesce(?, name), publisher = coalesce(?, publisher), publisher_url = coalesce(?, publisher_url), license = coalesce(?, license), listed = coalesce(?, listed) WHERE url = ?',
      orNull(meta.name),
      orNull(meta.publisher),
      orNull(meta.publisherUrl),
      orNull(meta.license),
      meta.listed === undefined ? null : Number(meta.listed),
      url,
    );
    const feed = feedRow(this.db.get(`SELECT ${FEED_COLUMNS} FROM feed WHERE url = ?`, url) as never);
    const key = meta.publisherKey ?? (feed.publisherId === 0 ? publisherKeyOf(url) : undefined);
    return key === undefined ? feed : { ...feed, publisherId: this.#publisher(feed, key), publisherKey: key };
  }

  #publisher({ id, publisherId }: FeedRow, key: string): number {
    this.db.run('INSERT INTO publisher (key) VALUES (?) ON CONFLICT (key) DO NOTHING', key);
    const publisher = Number(this.db.get('SELECT id FROM publisher WHERE key = ?', key)?.[0]);
    if (publisher !== publisherId) this.db.run('UPDATE feed SET publisher_id = ? WHERE id = ?', publisher, id);
    return publisher;
  }

  async saveCursor(feed: number, cursor: string | undefined, license: string | undefined): Promise<void> {
    this.db.run(
      'UPDATE feed SET cursor = ?, license = coalesce(?, license) WHERE id = ?',
      orNull(cursor),
      orNull(license),
      feed,
    );
  }

  async savePageFindings(feed: number, cursor: string, findings: readonly PageFinding[]): Promise<void> {
    const row = this.db.get('SELECT findings FROM page_finding WHERE feed = ? AND cursor = ?', feed, cursor);
    const before = row?.[0] as string | undefined;
    const text = findings.length === 0 ? '' : JSON.stringify(findings);
    const bytes = text.length - (before?.length ?? 0);
    this.count(feed, { findings: findings.length - findingsIn(before), bytes });
    if (findings.length === 0) this.db.run('DELETE FROM page_finding WHERE feed = ? AND cursor = ?', feed, cursor);
    else
      this.db.run('INSERT OR REPLACE INTO page_finding (feed, cursor, findings) VALUES (?, ?, ?)', feed, cursor, text);
  }

  async saveFeedState(feed: number, state: FeedState): Promise<void> {
    this.db.run('UPDATE feed SET state = ? WHERE id = ?', JSON.stringify(state), feed);
  }

  async saveSeen(feed: number, items: readonly number[]): Promise<void> {
    new Seen(this.db, feed).add(items);
  }

  async forgetSeen(feed: number): Promise<void> {
    this.db.run('DELETE FROM seen WHERE feed = ?', feed);
  }

  async saveFindings(rows: readonly { item: number; findings: string | undefined }[]): Promise<void> {
    const more = new Map<number, number>();
    for (const { item, findings } of rows) {
      const [feed, before] = this.db.get('SELECT feed, findings FROM item WHERE id = ?', item) ?? [];
      if (typeof feed !== 'number') continue;
      const change = findingsIn(findings) - findingsIn((before ?? undefined) as string | undefined);
      more.set(feed, (more.get(feed) ?? 0) + change);
      this.db.run('UPDATE item SET findings = ? WHERE id = ?', orNull(findings), item);
    }
    for (const [feed, findings] of more) this.count(feed, { findings });
  }

  /** An item whose raw data stays; of one without data, the findings of that too. */
  protected saveKept(id: number, { modified, hash, findings }: ItemWrite, counts: FeedCounts): number {
    if (hash !== DAMAGED_DATA) {
      this.db.run('UPDATE item SET modified = ? WHERE id = ?', modified, id);
      return id;
    }
    const [before] = this.db.get('SELECT json_array_length(findings) FROM item WHERE id = ?', id) ?? [];
    counts.findings += findingsIn(findings) - Number(before ?? 0);
    const sql = 'UPDATE item SET modified = ?, hash = ?, findings = ? WHERE id = ?';
    this.db.run(sql, modified, hash, orNull(findings), id);
    return id;
  }

  /** Moves the counts of a feed. */
  protected count(feed: number, { items = 0, deleted = 0, findings = 0, bytes = 0 }: Partial<FeedCounts>): void {
    if (items === 0 && deleted === 0 && findings === 0 && bytes === 0) return;
    this.db.run(
      'UPDATE feed SET live = live + ?, deleted = deleted + ?, findings = findings + ?, bytes = bytes + ? WHERE id = ?',
      items,
      deleted,
      findings,
      bytes,
      feed,
    );
  }
}
