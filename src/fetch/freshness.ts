/** Reads headers that say when to request again. Pure. */

import { LIMITS } from '../limits.ts';
import { headerText } from './body.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Times in the headers of a response, in milliseconds. */
export interface Freshness {
  /** For how long another request gives the same response, by its headers. */
  fresh?: number;
  /** For how long a cache has had the response; absent: it has no Age. */
  age?: number;
}

/**
 * `fresh`: what is left of Cache-Control's max-age after its Age (RFC 9111 4.2.1), or Retry-After, whichever is longer;
 * bounded. Absent without such headers.
 */
export function freshFor(headers: Headers, now: number): Freshness {
  const aged = /^\d{1,9}$/.exec(headerText(headers.age) ?? '')?.[0];
  const age = Number(aged ?? 0);
  const [, maxAge = 0] = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(headerText(headers['cache-control']) ?? '') ?? [];
  const cached = Math.max(Number(maxAge) - age, 0) * 1000;
  const fresh = Math.min(Math.max(cached, retryAfter(headerText(headers['retry-after']), now) ?? 0), LIMITS.freshMaxMs);
  return { ...(fresh > 0 && { fresh }), ...(aged !== undefined && { age: age * 1000 }) };
}

/** Milliseconds from Retry-After (RFC 9110 10.2.3: seconds, or a date), bounded; undefined: none can be read. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  if (/^\d{1,9}$/.test(value)) return Math.min(Number(value) * 1000, LIMITS.retryAfterMaxMs);
  // The form with GMT alone: Date.parse reads others in the zone of the process.
  const wait = HTTP_DATE.test(value) ? Date.parse(value) - now : Number.NaN;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LIMITS.retryAfterMaxMs);
}

/** Picks the freshness of a response. */
export function freshnessOf({ fresh, age }: Freshness): Freshness {
  return { ...(fresh !== undefined && { fresh }), ...(age !== undefined && { age }) };
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
