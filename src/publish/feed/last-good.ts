import { hash } from 'node:crypto';
import { LIMITS } from '../../limits.ts';
import type { Instant } from '../../time/instant.ts';

/**
 * Rules for texts of a source of calendars. A source that fails, is empty or is no calendar deletes nothing: its last good
 * text stays. A text without most of the earlier events is accepted only after it has stayed so for a while.
 */

/** The stored state of one source. */
export interface SourceState {
  /** The text that is published. */
  good?: string | undefined;
  /** The encoding of its octets, if it is not UTF-8. */
  encoding?: string | undefined;
  /** Validators of that text, for conditional requests. */
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Since when its texts have lacked too many events to be accepted. */
  doubtedSince?: Instant | undefined;
  /** Whether an object of it has been published. */
  published?: boolean | undefined;
  /** Ids of its objects in the feeds. */
  ids?: { series: string[]; facilities: string[] } | undefined;
}

type Verdict =
  /** The text is published. */
  | { take: true; state: SourceState }
  /** The published objects stay, for this reason. */
  | { take: false; state: SourceState; trouble: string };

/** Judges a new text of a source. Pure. */
export function judge(state: SourceState, text: string, now: Instant): Verdict {
  const fault = faultOf(text, state.good !== undefined);
  if (fault !== undefined) return { take: false, state: { ...state, doubtedSince: undefined }, trouble: fault };
  const { before, missing } = losses(state.good, text);
  if (missing < LIMITS.suspiciousLoss || missing * 2 <= before) return { take: true, state: { good: text } };
  const since = state.doubtedSince ?? now;
  if (now - since >= LIMITS.doubtMs) return { take: true, state: { good: text } };
  // A doubted text gets no validators, so that the whole text is requested again each time.
  return {
    take: false,
    state: { ...state, etag: undefined, lastModified: undefined, doubtedSince: since },
    trouble: `${missing} of ${before} events have gone at once; they stay published until it has been so for ${LIMITS.doubtMs / 60_000} minutes`,
  };
}

/** The fault of a text that is no whole calendar with components; before anything is published, a part is accepted. */
function faultOf(text: string, published: boolean): string | undefined {
  if (text.trim() === '') return 'it is empty';
  // Some programs write events without a VCALENDAR.
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

/** The keys of events: UIDs, first lines only; the position of an event without UID. */
function keys(text: string): Set<string> {
  const found = new Set<string>();
  const parts = text.split(/^BEGIN:(?:VEVENT|VAVAILABILITY)[ \t]*\r?$/im);
  for (const [index, part] of parts.slice(1).entries()) {
    found.add(/^UID(?:;[^:\n]{0,200})?:([^\r\n]{1,200})/im.exec(part)?.[1] ?? `#${index}`);
  }
  return found;
}

/** The key of a source's state: a hash, because its address may hold a secret. */
export function sourceKey(source: string): string {
  return `source ${hash('sha256', source, 'hex').slice(0, 32)}`;
}
