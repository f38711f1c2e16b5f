import { NO_RIGHT, type Publishers } from '../../join/publishers.ts';
import type { RecordKind } from '../../opportunity/records.ts';
import { strayIdent, type Writer } from '../../store/index.ts';
import type { ByName } from './by-name.ts';

/** A record by kind and identity, and its row once it has one. */
export interface NamedRecord {
  kind: RecordKind;
  ident: string;
  id: number | undefined;
  /** The publisher of the record and of all rows that refer to it; undefined: not decided yet. */
  publisherId: number | undefined;
  /** An item owns the record. */
  owned: boolean;
}

/** A record that refers to another one. */
interface Namer {
  owner: { feed: string };
  publisherId: number | undefined;
}

/**
 * Finds the rows that records refer to, and makes stubs for absent ones. A row and all rows that refer to it have one
 * publisher: records of another publisher refer to stubs of that publisher, called strays.
 */
export class Rows {
  readonly #tx: Writer;
  readonly #known: ByName<NamedRecord>;
  readonly #publishers: Publishers;
  readonly #strays = new Set<number>();
  #missing: NamedRecord[] = [];

  /** `known`: records whose rows were read before. */
  constructor(tx: Writer, known: ByName<NamedRecord>, publishers: Publishers) {
    this.#tx = tx;
    this.#known = known;
    this.#publishers = publishers;
  }

  /** The record of an identity; `by`: a child that refers to it. It has a row after `make` at the latest. */
  at(kind: RecordKind, ident: string | undefined, by?: Namer): NamedRecord | undefined {
    if (ident === undefined) return undefined;
    let found = this.#known.get(kind, ident);
    if (found === undefined) {
      found = { kind, ident, id: undefined, publisherId: undefined, owned: false };
      this.#known.set(kind, ident, found);
    }
    const isFree = found.publisherId === undefined;
    if (isFree && by !== undefined && this.#mayName(found, by)) found.publisherId = by.publisherId;
    if (found.id === undefined || (isFree && found.publisherId !== undefined)) this.#missing.push(found);
    return found;
  }

  #mayName({ ident }: NamedRecord, { owner }: Namer): boolean {
    return this.#publishers.order(owner.feed, ident) !== NO_RIGHT;
  }

  /**
   * The row that records of this publisher refer to: the record, or a stub of the publisher's own where another publisher
   * owns it. Call `make` before and after.
   */
  own(named: NamedRecord | undefined, by: Namer): NamedRecord | undefined {
    if (named === undefined || by.publisherId === undefined || named.publisherId === by.publisherId) return named;
    this.#strays.add(named.id as number);
    const stray = this.at(named.kind, strayIdent(named.ident, by.publisherId)) as NamedRecord;
    if (stray.publisherId === undefined) {
      stray.publisherId = by.publisherId;
      this.#missing.push(stray);
    }
    return stray;
  }

  /** Whether a named record belongs to another publisher, and is not only a stub that may get any. */
  isForeign(named: NamedRecord | undefined, by: Namer): boolean {
    if (named === undefined || named.publisherId === by.publisherId) return false;
    return named.owned || !this.#mayName(named, by);
  }

  async make(): Promise<void> {
    const missing = Map.groupBy(new Set(this.#missing), ({ kind }) => kind);
    this.#missing = [];
    for (const [kind, list] of missing) {
      const stubs = await this.#tx.stubs(kind, list);
      list.forEach((named, index) => {
        const stub = stubs[index];
        named.id = stub?.id;
        named.publisherId = stub?.publisherId;
        named.owned ||= stub?.owned === true;
      });
    }
    if (this.#strays.size === 0) return;
    await this.#tx.saveStrays([...this.#strays]);
    this.#strays.clear();
  }
}
