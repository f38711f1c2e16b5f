import type { FindingCode, RawFinding } from '../../opportunity/findings.ts';
import type { HowMatched } from '../../recurrence/claim.ts';
import type { Match } from '../../recurrence/overlay.ts';
import { Gathered, path } from './gathered.ts';

const CODES: Partial<Record<HowMatched, FindingCode>> = {
  'near-id': 'matched-by-id',
  'start-alone': 'matched-by-start',
  'previous-start': 'matched-by-previous-start',
};

/** Sessions whose instance or time is not stated as the specification wants it (semantics 4.7, 4.8). */
export function matchFindings(matches: ReadonlyMap<string, Match>): RawFinding[] {
  const found = new Gathered();
  for (const [id, { schedule, how, takesTime }] of matches) {
    const code = CODES[how];
    if (code !== undefined) found.add(code, path(schedule), { id });
    if (takesTime) found.add('session-time-from-schedule', path(schedule), { id });
  }
  return found.findings();
}
