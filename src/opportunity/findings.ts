/**
 * Findings: faults of the data that were tolerated, as values (semantics 7). The code is literal and stable; the text is made last.
 */

import { CALENDAR_CODES } from './codes/calendar.ts';
import { COMPLEMENTARY_CODES } from './codes/complementary.ts';
import { EVENT_CODES, PUBLISHER_CODES } from './codes/events.ts';
import { MODEL_CODES } from './codes/model.ts';
import { PAGE_CODES } from './codes/page.ts';
import { PAGING_CODES } from './codes/paging.ts';
import { PLACE_CODES } from './codes/places.ts';
import { type Facts, type FindingRule, SEVERITIES, type Severity } from './codes/rule.ts';
import { SCHEDULE_CODES } from './codes/schedules.ts';
import { VALUE_CODES } from './codes/values.ts';

export { type Facts, type FindingRule, SEVERITIES, type Severity };

/** A finding before its text is made, as the reader and the planner note it. */
export interface RawFinding {
  code: FindingCode;
  /** JSON path into the item's `data` (`$.eventSchedule[0].startTime`), or `$` for the whole item. */
  path: string;
  /** Small facts for the sentence, e.g. the value found (already cut to a readable length). */
  facts?: Facts;
}

/** The finding that times of sessions have no zone, and neither their places nor their Schedules show one. */
export const ZONE_ASSUMED: RawFinding = { code: 'zone-assumed', path: '$' };

/** Whether a finding is about a Slot item that was left out. Slots within a facility item are counted there. */
export function isSlotLeftOut({ code, path }: RawFinding): boolean {
  return code === 'slots-not-harvested' && path === '$';
}

/** A finding as `check` and the pages show it. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  feed: string;
  /** Kind and RPDE id, where it came in a feed; else its `@id`. */
  item: string;
  /** The id of the object that it is about, or its stand-in id. */
  object?: string;
  path: string;
  message: string;
  /** Where the rule is written: a section of the specification, RPDE or an RFC. */
  rule: string;
}

/** All codes: the reader's (`codes/`), and after them the planner's, so that one table lists all. */
export const FINDINGS = {
  ...PAGE_CODES,
  ...PAGING_CODES,
  ...VALUE_CODES,
  ...EVENT_CODES,
  ...SCHEDULE_CODES,
  ...PLACE_CODES,
  ...MODEL_CODES,
  ...CALENDAR_CODES,
  ...COMPLEMENTARY_CODES,
  ...PUBLISHER_CODES,
} satisfies Record<string, FindingRule>;

export type FindingCode = keyof typeof FINDINGS;

/** A value as short text for a sentence; control characters become spaces. Objects become `an object`. */
export function shown(value: unknown, length = 80): string {
  const text = typeof value === 'string' ? value.slice(0, length + 1) : wordFor(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').toWellFormed();
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}

function wordFor(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  // Other values of JSON are null, booleans and numbers.
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

/**
 * Gives a raw finding its severity, rule and sentence. `object`: the id of the object that it is about.
 *
 * @example
 * ```ts
 * const { severity, message } = finish({ code: 'byte-order-mark', path: '$' }, 'https://example.org/feed', '');
 * ```
 */
export function finish(raw: RawFinding, feed: string, item: string, object?: string): Finding {
  const { severity, rule, text } = FINDINGS[raw.code];
  const of = object === undefined ? {} : { object };
  return { code: raw.code, severity, feed, item, ...of, path: raw.path, message: text(raw.facts ?? {}), rule };
}
