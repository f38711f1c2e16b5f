import { type FindingCode, type RawFinding, shown } from '../../opportunity/findings.ts';
import type { Session } from '../../opportunity/records.ts';
import type { Match } from '../../recurrence/overlay.ts';
import type { HowMatched } from '../../recurrence/replacements.ts';

/** The path of a Schedule in the item of its series. */
export const path = (index: number, property = '') => `$.eventSchedule[${index}]${property}`;

/** One finding for each code and path, with the first session that shows it and the number of all. */
export class Gathered {
  readonly #found = new Map<string, RawFinding & { facts: Record<string, string | number> }>();

  add(
    code: RawFinding['code'],
    at: string,
    session: Pick<Session, 'id'> | undefined,
    more: RawFinding['facts'] = {},
  ): void {
    const key = `${code} ${at}`;
    const known = this.#found.get(key);
    if (known === undefined) {
      const id = shown(session?.id ?? '', 200);
      this.#found.set(key, { code, path: at, facts: { id, count: 1, ...more } });
    } else known.facts.count = Number(known.facts.count) + 1;
  }

  findings(): RawFinding[] {
    return [...this.#found.values()];
  }
}

const CODES: Partial<Record<HowMatched, FindingCode>> = {
  'near-id': 'matched-by-id',
  'start-alone': 'matched-by-start',
  'previous-start': 'matched-by-previous-start',
};

/** Findings about sessions whose instance or time is not stated as the specification demands (semantics 4.7, 4.8). */
export function matchFindings(matches: ReadonlyMap<string, Match>): RawFinding[] {
  const found = new Gathered();
  for (const [id, { schedule, how, takesTime }] of matches) {
    const code = CODES[how];
    if (code !== undefined) found.add(code, path(schedule), { id });
    if (takesTime) found.add('session-time-from-schedule', path(schedule), { id });
  }
  return found.findings();
}
