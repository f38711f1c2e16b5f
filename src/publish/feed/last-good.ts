import { hash } from 'node:crypto';
import { LIMITS } from '../../limits.ts';
import type { Instant } from '../../time/instant.ts';

/**
 * What a source of calendars may do to what is published. A source that fails, is empty or is no calendar deletes nothing:
 * its last good text stays. A text without most of the earlier events is believed only after it has stayed so for a while.
 */

/** What is kept of one source, across restarts. */
export interface SourceState {
  /** The text that is published. */
  good?: string | undefined;
  /** What its octets were read as, where that is not UTF-8. */
  encoding?: string | undefined;
  /** Validators of that text, for asking whether it has changed. */
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Since when its texts lack too much to be believed. */
  doubtedSince?: Instant | undefined;
  /** Something of it has been published. */
  published?: boolean | undefined;
  /** Ids of what it has in the feeds. */
  ids?: { series: string[]; facilities: string[] } | undefined;
}

type Verdict =
  /** To be published. */
  | { take: true; state: SourceState }
  /** What was published stays, and why. */
  | { take: false; state: SourceState; trouble: string };

/** Judges a new text of a source. Pure. */
export function judge(state: SourceState, text: string, now: Instant): Verdict {
  const fault = faultOf(text, state.good !== undefined);
  if (fault !== undefined) return { take: false, state: { ...state, doubtedSince: undefined }, trouble: fault };
  const { before, missing } = losses(state.good, text);
  if (missing < LIMITS.suspiciousLoss || missing * 2 <= before) return { take: true, state: { good: text } };
  const since = state.doubtedSince ?? now;
  if (now - since >= LIMITS.doubtMs) return { take: true, state: { good: text } };
  // Without validators: while it is doubted, the whole text is asked for again each time.
  return {
    take: false,
    state: { ...state, etag: undefined, lastModified: undefined, doubtedSince: since },
    trouble: `${missing} of ${before} events have gone at once; they stay published until it has been so for ${LIMITS.doubtMs / 60_000} minutes`,
  };
}

/** The whole of it has to be a calendar with something in it; with nothing to lose, a part is better than nothing. */
function faultOf(text: string, published: boolean): string | undefined {
  if (text.trim() === '') return 'it is empty';
  // Some programs give events without a calendar around them.
  const begin = /^\uFEFF?\s*BEGIN:(VCALENDAR|VEVENT|VTIMEZONE|VAVAILABILITY)[ \t]*[\r\n]/i
    .exec(text)?.[1]
    ?.toUpperCase();
  if (begin === undefined) return 'it is not a calendar (no BEGIN:VCALENDAR)';
  const end = /END:(V\w+)[\s\0]*$/i.exec(text.slice(-200))?.[1]?.toUpperCase();
  if (published && (end === undefined || (begin === 'VCALENDAR') !== (end === 'VCALENDAR')))
    return `it ends in the middle (no END:${begin})`;
  if (published && keys(text).size === 0) return 'there are no events in it; to withdraw them, leave the calendar out';
  return undefined;
}

function losses(good: string | undefined, text: string): { before: number; missing: number } {
  if (good === undefined) return { before: 0, missing: 0 };
  const now = keys(text);
  const before = keys(good);
  let missing = 0;
  for (const key of before) if (!now.has(key)) missing += 1;
  return { before: before.size, missing };
}

/** What tells the events apart: UIDs, first lines only; where there is none, the place of the event. */
function keys(text: string): Set<string> {
  const found = new Set<string>();
  const parts = text.split(/^BEGIN:(?:VEVENT|VAVAILABILITY)[ \t]*\r?$/im);
  for (const [index, part] of parts.slice(1).entries()) {
    found.add(/^UID(?:;[^:\n]{0,200})?:([^\r\n]{1,200})/im.exec(part)?.[1] ?? `#${index}`);
  }
  return found;
}

/** The key under which a source's state is kept: its address may hold a secret, so it is not written down there. */
export function sourceKey(source: string): string {
  return `source ${hash('sha256', source, 'hex').slice(0, 32)}`;
}
