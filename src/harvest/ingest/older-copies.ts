import { shown } from '../../opportunity/findings.ts';
import { compareModified } from '../../opportunity/page/page.ts';
import type { PreparedItem } from '../../revision/records/prepared.ts';
import type { FeedReport, FeedState, Writer } from '../../store/index.ts';

interface TakenPage {
  /** The cursor after it. */
  page: string;
  items: readonly PreparedItem[];
  /** `modified` of stored copies for which older ones of the page were left out. */
  newer: readonly string[];
}

/**
 * Adds a finding to a feed whose `modified` has gone back, as after a move to another database: its items are left out. A
 * feed that lists earlier copies goes on to the copies that are stored, and past their `modified` the finding goes.
 */
export async function noteOlder(
  tx: Writer,
  feed: FeedReport,
  { page, items, newer }: TakenPage,
): Promise<FeedState['older']> {
  const before = feed.older;
  if (items.length === 0 || (before === undefined && newer.length === 0)) return before;
  const than = newestOf(before === undefined ? newer : [before.than, ...newer]);
  const isPast = compareModified(newestOf(items.map(({ modified }) => modified)), than) >= 0;
  if (!isPast && newer.length === 0) return before;
  if (before !== undefined) await tx.savePageFindings(feed.id, before.finding, []);
  if (isPast) return undefined;
  // Each visit counts what it meets.
  const count = newer.length + (feed.state === 'reading' ? (before?.count ?? 0) : 0);
  const facts = { count, than: shown(than, 40) };
  // Under a key of its own, for the page is replaced where it is read again.
  const older = { count, than, finding: `${page}#older` };
  await tx.savePageFindings(feed.id, older.finding, [
    { item: '', finding: { code: 'items-older-than-stored', path: '$', facts } },
  ]);
  return older;
}

function newestOf(all: readonly string[]): string {
  return all.reduce((newest, one) => (compareModified(one, newest) > 0 ? one : newest));
}
