export type Severity = 'error' | 'warning' | 'info';

/**
 * One line of the table of codes: severity, the rule broken, and the sentence that tells the publisher what to change.
 * Codes are stable: people filter by them.
 */
export interface FindingRule {
  severity: Severity;
  rule: string;
  text: (facts: Record<string, string | number>) => string;
}
