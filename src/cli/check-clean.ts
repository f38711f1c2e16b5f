import { cleanWithHours } from '../hours/door.ts';
import { auditFindings } from '../opportunity/audit.ts';
import type { Cleaned, CleanOptions } from '../opportunity/clean.ts';
import { FINDINGS, type RawFinding } from '../opportunity/findings.ts';
import type { RpdeItem } from '../opportunity/page.ts';

/** The door of `check`: what the door of a feed finds, and what the data model asks for besides. */
export function cleanForCheck(item: RpdeItem, options: CleanOptions): Cleaned {
  const { records, findings } = cleanWithHours(item, options);
  const told = findings.filter(({ code }) => FINDINGS[code].severity !== 'info');
  const more: RawFinding[] = auditFindings(item.data, told);
  return { records, findings: more.length === 0 ? findings : [...findings, ...more] };
}
