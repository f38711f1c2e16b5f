import type { RecordKind, Writer } from '../store/contract.ts';
import type { ByName } from './by-name.ts';
import type { Target } from './prepared.ts';

/** A record by kind and identity, and its row once it has one. */
export interface Named {
  kind: RecordKind;
  ident: string;
  id: number | undefined;
}

/** The rows that a page has to do with; stubs are made for what has not come yet. */
export class Rows {
  readonly #tx: Writer;
  readonly #known: ByName<Named>;
  #missing: Named[] = [];

  /** `known`: those that have been looked for. */
  constructor(tx: Writer, known: ByName<Named>) {
    this.#tx = tx;
    this.#known = known;
  }

  /** What is named; it has a row at the latest after `make`. */
  at(target: Target): Named;
  at(target: Target | undefined): Named | undefined;
  at(target: Target | undefined): Named | undefined {
    if (target === undefined) return undefined;
    const [kind, ident] = target;
    let found = this.#known.get(kind, ident);
    if (found === undefined) {
      found = { kind, ident, id: undefined };
      this.#known.set(kind, ident, found);
    }
    if (found.id === undefined) this.#missing.push(found);
    return found;
  }

  async make(): Promise<void> {
    const missing = Map.groupBy(new Set(this.#missing), ({ kind }) => kind);
    this.#missing = [];
    for (const [kind, list] of missing) {
      const ids = await this.#tx.stubs(
        kind,
        list.map(({ ident }) => ident),
      );
      list.forEach((named, index) => {
        named.id = ids[index];
      });
    }
  }
}
