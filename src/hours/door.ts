import { type Cleaned, type CleanOptions, cleanItem } from '../opportunity/clean.ts';
import type { RpdeItem } from '../opportunity/page.ts';
import { recordFindings } from './findings.ts';

/** `cleanItem` with what is odd about opening hours as a whole, which takes more than the door knows: whose holidays. */
export function cleanWithHours(item: RpdeItem, options: CleanOptions): Cleaned {
  const { records, findings } = cleanItem(item, options);
  const more = recordFindings(records);
  return { records, findings: more.length === 0 ? findings : [...findings, ...more] };
}
