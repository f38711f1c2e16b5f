import type { RecordKind } from '../../opportunity/records.ts';

/** Things by kind and identity; a page looks up thousands, so no text is made of the two. */
export class ByName<T> {
  readonly #kinds = new Map<RecordKind, Map<string, T>>();

  get(kind: RecordKind, ident: string): T | undefined {
    return this.#kinds.get(kind)?.get(ident);
  }

  set(kind: RecordKind, ident: string, value: T): void {
    const own = this.#kinds.get(kind);
    if (own === undefined) this.#kinds.set(kind, new Map([[ident, value]]));
    else own.set(ident, value);
  }

  values(): T[] {
    return [...this.#kinds.values()].flatMap((own) => [...own.values()]);
  }
}
