/**
 * How long caches may keep an answer (RFC 9111), where answers of several kinds are kept as long. When a refused request may
 * be sent again. A lifetime that one kind of answer has stands beside that kind.
 */

type CacheControl = Readonly<{ 'Cache-Control': string }>;

/** For what is asked to learn how things are now: health, metrics, and the page of a publisher who waits for a change. */
export const NOT_KEPT: CacheControl = { 'Cache-Control': 'no-store' };

/** For JSON of what is listed, which changes as feeds do. */
export const MINUTE: CacheControl = { 'Cache-Control': 'public, max-age=60' };

/** For descriptions of this service, which change with its settings and its publishers: OpenAPI, datasets, catalogues. */
export const HOUR: CacheControl = { 'Cache-Control': 'public, max-age=3600' };

/** For what programs ask for again and again and what seldom changes: robots.txt, icons, the sitemap, where CalDAV begins. */
export const DAY: CacheControl = { 'Cache-Control': 'public, max-age=86400' };

/** Seconds until another try makes sense: a queue is short again at once, what is too much stays so for longer. */
export const RETRY_SECONDS = { soon: 10, later: 300 } as const;

/**
 * The Retry-After of an answer (RFC 9110 10.2.3), and the same wait in its text: one source for both.
 *
 * @example retry(300) // { headers: { 'Retry-After': '300' }, words: 'Try again in 5 minutes.' }
 */
export function retry(seconds: number): { headers: Readonly<Record<'Retry-After', string>>; words: string } {
  const [count, unit] = seconds > 0 && seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  const words = `Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`;
  return { headers: { 'Retry-After': String(seconds) }, words };
}

/** A year, which stands for ever: another content has another address. */
export const FOR_EVER: CacheControl = { 'Cache-Control': 'public, max-age=31536000, immutable' };
