import type { Instant } from '../opportunity/records.ts';

/** Substitutes `{startDate}` and `{endDate}` as `YYYY-MM-DDThh:mm:ssZ` in UTC, unescaped (semantics 3). */
export function fillTemplate(_template: string, _start: Instant, _end: Instant): string {
  throw new Error('to come');
}

/** An id in the form it is compared in: percent-decoded, a dashed time (`T10-30-00Z`) in its colon form. */
export function canonicalId(_id: string): string {
  throw new Error('to come');
}

/** The `{startDate}` that filling the template would have needed to give this id, in any of its forms; undefined if none. */
export function startFromId(_template: string, _id: string): Instant | undefined {
  throw new Error('to come');
}
