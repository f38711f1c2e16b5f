import { mayTake } from '../join/publishers.ts';
import type { Find } from '../opportunity/effective.ts';
import { identOf } from '../opportunity/identity.ts';
import type { OpportunityRecord } from '../opportunity/records.ts';
import { type Reader, type RecordBody, storedJson } from './contract/index.ts';

/** The reader by which a record finds the records that it inherits from. */
export type IdentReader = Pick<Reader, 'recordByIdent'>;

/** The record of a published row, parsed once. */
export function recordOf(row: Pick<RecordBody, 'body' | 'record'>): OpportunityRecord {
  row.record ??= storedJson<OpportunityRecord>(row.body);
  return row.record;
}

/** The row that inherits. */
type Inheriting = Partial<Pick<RecordBody, 'kind' | 'publisherId'>>;

/**
 * Calls a pure function with a synchronous `find`, and again with the records that it missed, until it misses none. Most
 * records inherit nothing, and are made at the first call. A record inherits from records of its own publisher only, but for
 * places (`mayTake` in join/publishers.ts).
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

/** The record of a row; undefined for a stub. */
function publishedRecord(row: RecordBody | undefined): OpportunityRecord | undefined {
  return row === undefined || row.body === '' ? undefined : recordOf(row);
}

/**
 * Yields rows in batches, in ascending order of a number that each has. The next batch is read when the caller asks for it.
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
