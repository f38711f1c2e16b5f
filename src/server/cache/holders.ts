import type { CalendarName } from '../../library/index.ts';

/**
 * The merged calendars that hold each calendar: the names that a change of one reaches. Only calendars in memory are kept
 * here, so that the index is bounded with them.
 */
export class Holders {
  readonly #parts = new Map<CalendarName, readonly CalendarName[] | 'all'>();
  readonly #holders = new Map<CalendarName, Set<CalendarName>>();
  readonly #ofAll = new Set<CalendarName>();

  /** Stores the parts of a calendar, in place of earlier ones. */
  hold(name: CalendarName, parts: readonly CalendarName[] | 'all'): void {
    this.drop(name);
    this.#parts.set(name, parts);
    if (parts === 'all') {
      this.#ofAll.add(name);
      return;
    }
    for (const part of parts) {
      const holders = this.#holders.get(part) ?? new Set();
      this.#holders.set(part, holders.add(name));
    }
  }

  /** Forgets the parts of a calendar. */
  drop(name: CalendarName): void {
    const parts = this.#parts.get(name);
    if (parts === undefined) return;
    this.#parts.delete(name);
    this.#ofAll.delete(name);
    for (const part of parts === 'all' ? [] : parts) {
      const holders = this.#holders.get(part);
      holders?.delete(name);
      if (holders?.size === 0) this.#holders.delete(part);
    }
  }

  /** Names of calendars that may change with these. */
  of(changed: readonly CalendarName[]): Set<CalendarName> {
    const found = new Set(this.#ofAll);
    for (const name of changed) for (const holder of this.#holders.get(name) ?? []) found.add(holder);
    return found;
  }

  /** Numbers of calendars, and of the names that they hold. */
  get size(): { calendars: number; parts: number } {
    return { calendars: this.#parts.size, parts: this.#holders.size };
  }
}
