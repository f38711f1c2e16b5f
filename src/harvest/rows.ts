import type { RecordKind, Writer } from '../store/contract.ts';
import { ByName } from './by-name.ts';
import type { Target } from './prepared.ts';

/** Ids of the rows a page has to do with, by kind and identity; stubs are made for what has not come yet. */
export class Rows {
  readonly #tx: Writer;
  readonly #ids = new ByName<number>();

  constructor(tx: Writer) {
    this.#tx = tx;
  }

  get(kind: RecordKind, ident: string): number | undefined {
    return this.#ids.get(kind, ident);
  }

  set(kind: RecordKind, ident: string, id: number): void {
    this.#ids.set(kind, ident, id);
  }

  async find(targets: readonly (Target | undefined)[]): Promise<void> {
    const missing = new Map<RecordKind, Set<string>>();
    for (const target of targets) {
      if (target === undefined) continue;
      const [kind, ident] = target;
      if (this.get(kind, ident) !== undefined) continue;
      missing.set(kind, (missing.get(kind) ?? new Set()).add(ident));
    }
    for (const [kind, idents] of missing) {
      const ids = await this.#tx.stubs(kind, [...idents]);
      [...idents].forEach((ident, index) => {
        this.set(kind, ident, ids[index] as number);
      });
    }
  }
}
