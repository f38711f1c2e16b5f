import { isMatched } from '../../entity-tags.ts';
import { httpDate } from '../../time/http-date.ts';
import type { Instant } from '../../time/instant.ts';

/**
 * Conditions of a request (RFC 9110 13) and the content codings that it accepts (12.5.3). Pure functions of header values;
 * the first line of each answers the usual request without parsing.
 */

/** Headers that let any page read an answer and its validator (feed rule 32). */
export const READABLE = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' };
/** Headers for an answer that also has a time of change. */
export const READABLE_WITH_TIME = { ...READABLE, 'Access-Control-Expose-Headers': 'ETag, Last-Modified' };

/**
 * Whether a condition refuses this representation (RFC 9110 13.1.1, 13.1.4). If-Match is compared strongly: a weak tag is no
 * tag. If-Unmodified-Since counts without If-Match, where there is a time of change.
 */
export function isRefused(
  ifMatch: string | null | undefined,
  ifUnmodifiedSince: string | null | undefined,
  tags: readonly string[],
  modified?: Instant,
): boolean {
  if (ifMatch != null) return !isMatched(ifMatch, tags);
  const since = modified === undefined || ifUnmodifiedSince == null ? undefined : httpDate(ifUnmodifiedSince);
  return since !== undefined && (modified as Instant) > since;
}

/**
 * Whether If-Modified-Since covers `modified` (whole seconds). Anything that is not an HTTP date is ignored
 * (RFC 9110 13.1.3): answering 304 to it froze calendars for good (feed rule 18).
 */
export function unmodifiedSince(ifModifiedSince: string, modified: Instant): boolean {
  const since = httpDate(ifModifiedSince);
  return since !== undefined && modified <= since;
}

/**
 * Whether gzip is accepted by name, with at least the weight of identity (RFC 9110 12.5.3). `*` does not count: servers that
 * compress unasked broke several readers (feed rule 20).
 */
export function wantsGzip(acceptEncoding: string): boolean {
  if (!/(?:^|[\s,])(?:x-)?gzip(?:$|[\s,;])/i.test(acceptEncoding)) return false;
  if (!acceptEncoding.includes('=')) return !acceptEncoding.includes('identity');
  let gzip = 0;
  let identity = 0;
  for (const part of acceptEncoding.toLowerCase().split(',', 50)) {
    const [coding, ...parameters] = part.split(';', 5).map((piece) => piece.trim());
    if (coding === 'gzip' || coding === 'x-gzip') gzip = quality(parameters);
    if (coding === 'identity') identity = quality(parameters);
  }
  return gzip > 0 && gzip >= identity;
}

function quality(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  const value = Number(weight.slice(2));
  return value >= 0 && value <= 1 ? value : 0;
}

/** Whether the client is a fetcher of Outlook or Exchange, one of which subscribed only once gzip was off (feed rule 20). */
export function isMicrosoft(userAgent: string): boolean {
  return /microsoft|outlook|exchange/i.test(userAgent);
}

/** Seconds for which "open now" is true, a minute at most: the lifetime of answers with it. */
export function freshFor(hours: { at: Instant; next?: { at: Instant } } | undefined): number {
  if (hours?.next === undefined) return 60;
  return Math.max(0, Math.min(60, Math.floor((hours.next.at - hours.at) / 1000)));
}
