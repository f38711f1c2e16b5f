/** Tables of the findings on calendars. */

import { SEVERITIES } from '../../opportunity/findings.ts';
import type { PublishFinding, Round } from '../../publish/index.ts';

/** Codes whose findings each ask for another decision. */
const EACH: ReadonlySet<string> = new Set(['mapping-placeholder', 'mapping-undecided']);

/** A line for each code, with the number of findings and the first in full. Open questions of the mapping have a line each. */
export function findingTable(findings: readonly PublishFinding[]): string {
  const codes = [...Map.groupBy(findings, ({ code, path }) => (EACH.has(code) ? `${code} ${path}` : code)).values()];
  const rank = ([first]: PublishFinding[]) => SEVERITIES.indexOf(first?.severity ?? 'info');
  return codes
    .sort((a, b) => rank(a) - rank(b) || b.length - a.length)
    .map((group) => {
      const [{ severity, code, feed, item, path, message }] = group as [PublishFinding];
      const where = [feed, item, path].filter((part) => part !== '').join(' ');
      return `${severity.padEnd(7)}  ${String(group.length).padStart(5)}  ${code}: ${message} (${where})\n`;
    })
    .join('');
}

/** Whether a calendar could not be read as a whole, or an error is among the findings. */
export function hasFaults({ troubles, findings }: Round): boolean {
  return troubles.size > 0 || findings.some(({ severity }) => severity === 'error');
}

export function bySeverity(findings: readonly PublishFinding[]): Record<string, number> {
  const groups = Map.groupBy(findings, ({ severity }) => severity);
  return Object.fromEntries([...groups].map(([severity, group]) => [severity, group.length]));
}
