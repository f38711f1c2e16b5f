import { findingOf, type PublishCode, type PublishFinding } from './codes.ts';
import { MAX_FINDINGS } from './limits.ts';

/** The findings of one calendar: the first of each code, and the number of the others. */
export class FindingList {
  readonly #source: string;
  readonly #list: PublishFinding[] = [];
  readonly #counts = new Map<PublishCode, number>();

  constructor(source: string) {
    this.#source = source;
  }

  add(code: PublishCode, item: string, place: string, facts: Record<string, string | number> = {}): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= MAX_FINDINGS) this.#list.push(findingOf(code, this.#source, item, place, facts));
  }

  all(): PublishFinding[] {
    const more = [...this.#counts].filter(([, count]) => count > MAX_FINDINGS);
    return [
      ...this.#list,
      ...more.map(([code, count]) =>
        findingOf('findings-not-listed', this.#source, '', '', { code, count: count - MAX_FINDINGS }),
      ),
    ];
  }
}
