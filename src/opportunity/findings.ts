/**
 * Findings: everything odd that was tolerated, as values (semantics 7). The code is literal and stable, the text is made last.
 */

export type Severity = 'error' | 'warning' | 'info';

/** A finding as the door and the planner make it: cheap, without text. */
export interface RawFinding {
  code: FindingCode;
  /** JSON path into the item's `data` (`$.eventSchedule[0].startTime`), or `$` for the whole item. */
  path: string;
  /** Small facts for the sentence, e.g. the value found (already cut to a readable length). */
  facts?: Record<string, string | number>;
}

/** A finding as people and `check` see it. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  feed: string;
  item: string;
  path: string;
  message: string;
  /** Where the rule is written: a section of the specification, RPDE or an RFC. */
  rule: string;
}

/** One line of the table: severity, the rule broken, and the sentence that tells the publisher what to change. */
export interface FindingRule {
  severity: Severity;
  rule: string;
  text: (facts: Record<string, string | number>) => string;
}

/** Filled in by opportunity/; the planner's codes stand here too, so that one table lists all. */
export const FINDINGS = {
  'item-without-id': {
    severity: 'error',
    rule: 'RPDE 1.0, Response grammar',
    text: () => 'Give the item an "id": without one it can be neither updated nor deleted.',
  },
} as const satisfies Record<string, FindingRule>;

export type FindingCode = keyof typeof FINDINGS;

/** Cuts a value to what a sentence can carry; control characters become spaces. */
export function shown(value: unknown, length = 80): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}

/** Gives a raw finding its severity, rule and sentence. */
export function finish(raw: RawFinding, feed: string, item: string): Finding {
  const { severity, rule, text } = FINDINGS[raw.code] as FindingRule;
  return { code: raw.code, severity, feed, item, path: raw.path, message: text(raw.facts ?? {}), rule };
}
