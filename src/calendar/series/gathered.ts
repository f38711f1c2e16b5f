import { type RawFinding, shown } from '../../opportunity/findings.ts';
import type { Session } from '../../opportunity/records.ts';

/** Of a Schedule in the item of its series. */
export const path = (index: number, property = '') => `$.eventSchedule[${index}]${property}`;

/** One finding for each code and path: the first session that shows it, and how many do. */
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
