import { MONTHS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';

/**
 * What a request asks of a representation: is it still the one you hold (RFC 9110 13), and which coding (12.5.3).
 * Pure functions of header values; each has a first line that answers the usual request without parsing.
 */

/** Any page may read an answer with its validator (feed rule 32). */
export const READABLE = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' };
/** Headers for an answer that also has a time of change. */
export const READABLE_WITH_TIME = { ...READABLE, 'Access-Control-Expose-Headers': 'ETag, Last-Modified' };

const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/**
 * The tag of `tags` that If-None-Match names, by weak comparison (RFC 9110 13.1.2): `W/` does not matter.
 * `*` names the first. `undefined`: none matches. A tag may hold commas, so the list is not split at them.
 */
export function matchingTag(ifNoneMatch: string, tags: readonly string[]): string | undefined {
  if (tags.includes(ifNoneMatch)) return ifNoneMatch;
  if (ifNoneMatch.trim() === '*') return tags[0];
  for (const [, tag] of ifNoneMatch.matchAll(ENTITY_TAG)) {
    if (tag !== undefined && tags.includes(tag)) return tag;
  }
  return undefined;
}

/**
 * Whether If-Modified-Since covers `modified` (whole seconds). Anything that is not an HTTP date is ignored
 * (RFC 9110 13.1.3): answering 304 to it froze calendars for good (feed rule 18).
 */
export function unmodifiedSince(ifModifiedSince: string, modified: Instant): boolean {
  const since = httpDate(ifModifiedSince);
  return since !== undefined && modified <= since;
}

const MONTH_NAMES = MONTHS.map((name) => name.slice(0, 3));
const IMF = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const RFC850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/**
 * The three forms a recipient must read (RFC 9110 5.6.7), and no other. `Date.parse` finds dates in nearly any text, and reads
 * some of them in the zone of the process.
 */
export function httpDate(text: string): Instant | undefined {
  const value = text.trim();
  const imf = IMF.exec(value) ?? RFC850.exec(value);
  if (imf) return instant(imf[3], imf[2], imf[1], imf[4], imf[5], imf[6]);
  const asctime = ASCTIME.exec(value);
  if (asctime) return instant(asctime[6], asctime[1], asctime[2], asctime[3], asctime[4], asctime[5]);
  return undefined;
}

function instant(...fields: (string | undefined)[]): Instant | undefined {
  const [yearText, monthName, ...rest] = fields;
  const [day, hour, minute, second] = rest.map(Number);
  const month = MONTH_NAMES.indexOf(monthName ?? '');
  if (month < 0 || day === undefined || hour === undefined || minute === undefined || second === undefined) return;
  if (day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  // A two-digit year is of the century that makes it a plausible stamp; this service is younger than 1970.
  const year = yearText?.length === 2 ? Number(yearText) + (Number(yearText) < 70 ? 2000 : 1900) : Number(yearText);
  return Date.UTC(year, month, day, hour, minute, second);
}

/**
 * Whether gzip is asked for by name, and at least as much as the plain bytes (RFC 9110 12.5.3). `*` does not count:
 * servers that compress unasked broke several readers (feed rule 20).
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

/** Outlook's and Exchange's fetchers: one of them only subscribed once gzip was off (feed rule 20). */
export function isMicrosoft(userAgent: string): boolean {
  return /microsoft|outlook|exchange/i.test(userAgent);
}

/** Seconds for which "open now" is true, a minute at most: what says it is not to be kept longer. */
export function freshFor(hours: { at: Instant; next?: { at: Instant } } | undefined): number {
  if (hours?.next === undefined) return 60;
  return Math.max(0, Math.min(60, Math.floor((hours.next.at - hours.at) / 1000)));
}
