/**
 * Lifetimes of answers in caches (RFC 9111) that several kinds of answers share, and the waits before another try. The
 * lifetime of one kind of answer stands beside that kind.
 */

import { counted } from '../library/index.ts';

type CacheControl = Readonly<{ 'Cache-Control': string }>;

/** For answers about the present: health, metrics, and the page of a publisher who waits for a change. */
export const NOT_KEPT: CacheControl = { 'Cache-Control': 'no-store' };

/** For JSON of lists, which change as feeds do. */
export const MINUTE: CacheControl = { 'Cache-Control': 'public, max-age=60' };

/** For descriptions of this service, which change with its settings and its publishers: OpenAPI, datasets, catalogues. */
export const HOUR: CacheControl = { 'Cache-Control': 'public, max-age=3600' };

/** For files that programs request often and that seldom change: robots.txt, icons, the sitemap, the begin of CalDAV. */
export const DAY: CacheControl = { 'Cache-Control': 'public, max-age=86400' };

/** Seconds until another try: a queue is soon short again, while a load that is too much lasts longer. */
export const RETRY_SECONDS = { soon: 10, later: 300 } as const;

/** Scripts of other origins may read how long they have to wait. */
const EXPOSED = { 'Access-Control-Expose-Headers': 'ETag, Last-Modified, Retry-After' };

/**
 * The Retry-After of an answer (RFC 9110 10.2.3), and the same wait in its text: one source for both.
 *
 * @example retry(300).words // 'Try again in 5 minutes.'
 */
export function retry(seconds: number): { headers: Record<string, string>; words: string } {
  const [count, unit] = seconds > 0 && seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  const headers = { 'Retry-After': String(seconds), ...EXPOSED };
  return { headers, words: `Try again in ${counted(count, unit)}.` };
}

/** A year, which stands for ever, because other content has another address. */
export const FOR_EVER: CacheControl = { 'Cache-Control': 'public, max-age=31536000, immutable' };
