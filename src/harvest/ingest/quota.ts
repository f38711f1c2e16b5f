import { QuotaError } from '../../errors.ts';
import type { FeedCounts } from '../../store/index.ts';

/** The most that one feed may hold, by the settings of the same names. */
export interface Quota {
  feedItems: number;
  feedBytes: number;
}

/**
 * Keeps one feed from filling the disk of all. Deleted items are remembered for ever and are small, so there may be ten
 * times as many. A page that adds nothing is taken in beyond the quota too, as it may make room.
 * @throws QuotaError
 */
export function checkQuota(before: FeedCounts, after: FeedCounts, { feedItems, feedBytes }: Quota): void {
  refuse('items', before.items, after.items, feedItems, 'feedItems');
  refuse(
    'deleted items',
    before.deleted,
    after.deleted,
    10 * feedItems,
    'feedItems, of which there may be ten times as many',
  );
  refuse('bytes', before.bytes, after.bytes, feedBytes, 'feedBytes');
}

function refuse(what: string, before: number, after: number, most: number, setting: string): void {
  if (after <= most || after <= before) return;
  throw new QuotaError(
    `it holds ${before} ${what} and sends more than the ${most} that one feed may hold: what is stored stays and is served, and the page is taken in when the setting is raised (${setting})`,
  );
}
