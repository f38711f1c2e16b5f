import type { RecordKind } from '../../opportunity/records.ts';

/** A map by kind and identity. A page looks up thousands, so that no joined key is made. */
export class ByName<T> {
  readonly #kinds = new Map<RecordKind, Map<string, T>>();

  get(kind: RecordKind, ident: string): T | undefined {
    return this.#kinds.get(kind)?.get(ident);
  }

  set(kind: RecordKind, ident: string, value: T): void {
    const ofKind = this.#kinds.get(kind);
    if (ofKind === undefined) this.#kinds.set(kind, new Map([[ident, value]]));
    else ofKind.set(ident, value);
  }

  values(): T[] {
    return [...this.#kinds.values()].flatMap((ofKind) => [...ofKind.values()]);
  }
}
