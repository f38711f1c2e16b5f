/**
 * A publisher whose database was emptied, or whose export broke, says of everything that it is deleted. What a
 * subscriber sees must not follow that blindly: a suspicious share of deletions waits for somebody. Pure.
 */

import { HeldError, publicUrl } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Instant } from '../opportunity/records.ts';
import type { FeedReport, FeedState } from '../store/contract.ts';

type Burst = NonNullable<FeedState['burst']>;

/** Deletions on the way to the end, with `deletes` more of items that were live. */
export function burstWith(feed: FeedReport, deletes: number, now: Instant): Burst | undefined {
  if (feed.burst === undefined && deletes === 0) return undefined;
  const { burst = { deletes: 0, of: 0, since: now } } = feed;
  return { deletes: burst.deletes + deletes, of: Math.max(burst.of, feed.items), since: burst.since };
}

/** @throws HeldError when nobody has let so many deletions through */
export function checkBurst(
  feed: FeedReport,
  burst: Burst | undefined,
  where: 'page' | 'sweep',
  applies: boolean | undefined,
): void {
  if (burst === undefined || applies || feed.confirmed !== undefined) return;
  const { deletes, of } = burst;
  if (deletes < LIMITS.burstDeletes || deletes < of * LIMITS.burstShare) return;
  const applied = feed.burst?.deletes ?? 0;
  const held = { deletes: deletes - applied, of, where, applied };
  throw new HeldError(sentence(feed.url, held), held);
}

const WOULD = {
  page: 'has pages that would delete',
  sweep: 'was read from its start and no longer has',
} as const;

function sentence(url: string, { deletes, of, where, applied }: HeldError['held']): string {
  const shown = publicUrl(url);
  const before = applied === 0 ? '' : ` (${applied} went before)`;
  return `${shown} ${WOULD[where]} ${deletes} of ${of} items${before}: they are kept until its publisher mends it or you confirm it with: openactive-ical feeds --confirm "${shown}"`;
}

/** Whether a feed's deletions are applied without asking, by the setting `harvest.confirm-deletes`. */
export function appliesDeletes(setting: 'ask' | 'apply' | readonly string[]): (feed: { url: string }) => boolean {
  if (typeof setting === 'string') return () => setting === 'apply';
  const urls = new Set(setting.flatMap((url) => [url, URL.parse(url)?.href ?? url]));
  return ({ url }) => urls.has(url) || urls.has(publicUrl(url));
}
