import type { Database } from '../database.ts';
import type { Tags } from '../tags.ts';

/** The means by which a transaction writes rows: the database, tags of names, and new ids. */
export interface Tables {
  db: Database;
  tags: Tags;
  newIds: NewIds;
}

/** Ids for new rows of a transaction, each one higher than the last of its table. */
export class NewIds {
  readonly #db: Database;
  /** The next id of each table; empty at the start of each transaction. */
  readonly #next = new Map<'item' | 'bundle' | 'record', number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Begins a transaction: another process, or a rollback, may have changed the last ids. */
  begin(): void {
    this.#next.clear();
  }

  async of(table: 'item' | 'bundle' | 'record', count: number): Promise<number[]> {
    if (count === 0) return [];
    if (!this.#next.has(table)) {
      const last = Number((await this.#db.get(`SELECT max(id) FROM ${table}`))?.[0] ?? 0);
      // Another call may have set it during the await.
      this.#next.set(table, this.#next.get(table) ?? last + 1);
    }
    const first = this.#next.get(table) as number;
    this.#next.set(table, first + count);
    return Array.from({ length: count }, (_, index) => first + index);
  }
}

export function zip<A, B>(one: readonly A[], other: readonly B[]): [A, B][] {
  return one.map((value, index) => [value, other[index] as B]);
}
