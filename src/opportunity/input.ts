import type { CleanOptions } from './clean.ts';
import type { Finding } from './findings.ts';
import type { Claim } from './join.ts';

export interface Input {
  records: Claim[];
  findings: Finding[];
  /** Items and objects seen. */
  items: number;
}

/**
 * Reads what `convert`, `expand`, `hours` and `check` are given: an RPDE page, an array of pages, items or objects, or one
 * object, in any mix and order. Throws `PageError` if nothing can be read.
 */
export function readInput(_text: string, _options: CleanOptions): Input {
  throw new Error('to come');
}
