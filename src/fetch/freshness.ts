/** What a server says of when to ask again. Pure. */

import { LIMITS } from '../limits.ts';
import { headerText } from './body.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What a response says of its own time, in milliseconds. */
export interface Freshness {
  /** How long asking again gives the same, by the server's word. */
  fresh?: number;
  /** How long a cache on the way has had it; absent: none says that it did. */
  age?: number;
}

/**
 * `fresh`: what is left of Cache-Control's max-age after its Age (RFC 9111 4.2.1), or Retry-After, whichever is longer;
 * bounded. Nothing when the server says nothing.
 */
export function freshFor(headers: Headers, now: number): Freshness {
  const aged = /^\d{1,9}$/.exec(headerText(headers.age) ?? '')?.[0];
  const age = Number(aged ?? 0);
  const [, maxAge = 0] = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(headerText(headers['cache-control']) ?? '') ?? [];
  const cached = Math.max(Number(maxAge) - age, 0) * 1000;
  const fresh = Math.min(Math.max(cached, retryAfter(headerText(headers['retry-after']), now) ?? 0), LIMITS.freshMaxMs);
  return { ...(fresh > 0 && { fresh }), ...(aged !== undefined && { age: age * 1000 }) };
}

/** Milliseconds from Retry-After (RFC 9110 10.2.3: seconds, or a date), bounded; undefined when there is none to read. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  if (/^\d{1,9}$/.test(value)) return Math.min(Number(value) * 1000, LIMITS.retryAfterMaxMs);
  // Only the one form with GMT: Date.parse reads others in the zone of the process.
  const wait = HTTP_DATE.test(value) ? Date.parse(value) - now : Number.NaN;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LIMITS.retryAfterMaxMs);
}

/** The freshness alone, of a response that also says other things. */
export function freshnessOf({ fresh, age }: Freshness): Freshness {
  return { ...(fresh !== undefined && { fresh }), ...(age !== undefined && { age }) };
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
