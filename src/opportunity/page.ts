import { OpenactiveIcalError } from '../errors.ts';
import type { RawFinding } from './findings.ts';
import { type Json, toJson } from './json.ts';

/** One item of an RPDE page (RPDE 1.0, "Response grammar"); ids and `modified` as text, without loss. */
export interface RpdeItem {
  state: 'updated' | 'deleted';
  kind: string;
  id: string;
  /** An opaque ordered value: compare with `compareModified`, never read as a time (semantics 1). Empty: not said. */
  modified: string;
  /** Absent on deleted items, and on broken ones. */
  data?: Json;
  /** Whether `data` holds integers past 2^53 as marked strings (`json.ts`). */
  wide?: boolean;
  /** What is odd about the item's envelope; `cleanItem` gives them out with its own. */
  findings?: RawFinding[];
}

export interface Page {
  next?: string;
  license?: string;
  /** In the page's order. One key may come twice: see `latest`. */
  items: RpdeItem[];
  /** What belongs to no item that lives on: the page itself (`item` = ''), items that cannot be kept, deleted ones. */
  findings: { item: string; finding: RawFinding }[];
}

export type PageProblem = 'not-json' | 'html' | 'truncated' | 'not-a-page' | 'too-deep';

/** Nothing of a page could be read. One line that says where and what to do; `cause` is what the parser threw. */
export class PageError extends OpenactiveIcalError {
  readonly code: PageProblem;

  constructor(code: PageProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Reads an RPDE page. Throws `PageError`; whatever is wrong with single items is a finding. */
export function parsePage(_text: string): Page {
  throw new Error('to come');
}

/**
 * Orders two values of `modified`: integers by value, before all text; text by code unit; nothing said before all.
 * Negative, 0 or positive.
 */
export function compareModified(_a: string, _b: string): number {
  throw new Error('to come');
}

/** One item for each key: the larger `modified`; of equal ones the later (semantics 1). In the order of last appearance. */
export function latest(_items: readonly RpdeItem[]): RpdeItem[] {
  throw new Error('to come');
}

/** The JSON text of the item's `data`, without loss; `undefined` without data. */
export function rawData(item: RpdeItem): string | undefined {
  return item.data === undefined ? undefined : toJson(item.data, item.wide === true);
}
