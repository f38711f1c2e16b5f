import { mayTake } from '../join/publishers.ts';
import type { Find } from '../opportunity/effective.ts';
import { identOf } from '../opportunity/identity.ts';
import type { OpportunityRecord } from '../opportunity/records.ts';
import { type Reader, type RecordBody, storedJson } from './contract/index.ts';

/** Where a record finds the others that it takes from. */
export type IdentReader = Pick<Reader, 'recordByIdent'>;

/** What a row that has been published says. */
export function recordOf(row: Pick<RecordBody, 'body' | 'record'>): OpportunityRecord {
  row.record ??= storedJson<OpportunityRecord>(row.body);
  return row.record;
}

/** The row that inherits from the records. */
type Inheriting = Partial<Pick<RecordBody, 'kind' | 'publisherId'>>;

/**
 * Gives a pure function the records it asks for. It is called again with those that it missed, until it misses none: most
 * records take from nobody, and are made at the first call. A record takes from those of its own publisher only
 * (`mayTake` in join/publishers.ts).
 */
export async function withFound<T>(reader: IdentReader, of: Inheriting, make: (find: Find) => T): Promise<T> {
  const known = new Map<string, OpportunityRecord | undefined>();
  for (;;) {
    const missing = new Map<string, [kind: OpportunityRecord['kind'], ident: string]>();
    const find = (kind: OpportunityRecord['kind'], id: string): OpportunityRecord | undefined => {
      const ident = identOf(id);
      const key = `${kind} ${ident}`;
      if (!known.has(key)) missing.set(key, [kind, ident]);
      return known.get(key);
    };
    const made = make(find as Find);
    if (missing.size === 0) return made;
    for (const [key, [kind, ident]] of missing) {
      const row = await reader.recordByIdent(kind, ident);
      const isOwn = row?.publisherId === of.publisherId;
      known.set(key, isOwn || mayTake(of.kind ?? 'session', kind) ? publishedRecord(row) : undefined);
    }
  }
}

/** A row that only something points to says nothing. */
function publishedRecord(row: RecordBody | undefined): OpportunityRecord | undefined {
  return row === undefined || row.body === '' ? undefined : recordOf(row);
}

/**
 * Rows in ascending order of a number that each has, in batches until there are none. The next batch is read when the
 * caller is done with this one.
 */
export async function* batches<T>(
  read: (after: number) => Promise<readonly T[]>,
  numberOf: (row: T) => number,
): AsyncGenerator<readonly T[]> {
  for (let after = 0; ; ) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = numberOf(last);
  }
}

/** Batches of rows by their ids. */
export function rowBatches<T extends { id: number }>(
  read: (after: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  return batches(read, ({ id }) => id);
}
