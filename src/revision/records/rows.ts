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
export function namedRows(tx: Writer, known: ByName<NamedRecord>, publishers: Publishers) {
  const strays = new Set<number>();
  let unmade: NamedRecord[] = [];

  /** The record of an identity; `by`: a child that refers to it. It has a row after `make` at the latest. */
  function at(kind: RecordKind, ident: string | undefined, by?: Namer): NamedRecord | undefined {
    if (ident === undefined) return undefined;
    let found = known.get(kind, ident);
    if (found === undefined) {
      found = { kind, ident, id: undefined, publisherId: undefined, owned: false };
      known.set(kind, ident, found);
    }
    const isFree = found.publisherId === undefined;
    if (isFree && by !== undefined && mayName(found, by)) found.publisherId = by.publisherId;
    if (found.id === undefined || (isFree && found.publisherId !== undefined)) unmade.push(found);
    return found;
  }

  function mayName({ ident }: NamedRecord, { owner }: Namer): boolean {
    return publishers.order(owner.feed, ident) !== NO_RIGHT;
  }

  /**
   * The row that records of this publisher refer to: the record, or a stub of the publisher's own where another publisher
   * owns it. Call `make` before and after.
   */
  function own(named: NamedRecord | undefined, by: Namer): NamedRecord | undefined {
    if (named === undefined || by.publisherId === undefined || named.publisherId === by.publisherId) return named;
    strays.add(named.id as number);
    const stray = at(named.kind, strayIdent(named.ident, by.publisherId)) as NamedRecord;
    if (stray.publisherId === undefined) {
      stray.publisherId = by.publisherId;
      unmade.push(stray);
    }
    return stray;
  }

  /** Whether a named record belongs to another publisher, and is not only a stub that may get any. */
  function isForeign(named: NamedRecord | undefined, by: Namer): boolean {
    if (named === undefined || named.publisherId === by.publisherId) return false;
    return named.owned || !mayName(named, by);
  }

  async function make(): Promise<void> {
    const missing = Map.groupBy(new Set(unmade), ({ kind }) => kind);
    unmade = [];
    for (const [kind, list] of missing) {
      const stubs = await tx.stubs(kind, list);
      list.forEach((named, index) => {
        const stub = stubs[index];
        named.id = stub?.id;
        named.publisherId = stub?.publisherId;
        named.owned ||= stub?.owned === true;
      });
    }
    if (strays.size === 0) return;
    await tx.saveStrays([...strays]);
    strays.clear();
  }

  return { at, own, isForeign, make };
}

export type Rows = ReturnType<typeof namedRows>;
