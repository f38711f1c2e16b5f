import { RECORD_KINDS } from '../../opportunity/records.ts';
import type { ChangedRecord } from '../contract/index.ts';
import type { Cells, Database } from './database.ts';
import { kindNumber } from './rows.ts';

/**
 * Reads the table `record_change`: records in the order in which each was last written or withdrawn. It bounds the work of
 * republishing, and is no fast path: without it every record would be compared in each turn. Triggers write it in the
 * transaction of the change, so that no change is missed. A store that republishes nothing has no triggers, and pays nothing.
 */

export const [SERIES, SESSION, PLACE, FACILITY] = (['series', 'session', 'place', 'facility'] as const).map(kindNumber);

/** The records whose last change has a number after the given one, ascending. */
export async function changedSince(db: Database, after: number, limit: number): Promise<ChangedRecord[]> {
  const sql = 'SELECT n, kind, ident, parent FROM record_change WHERE n > ? ORDER BY n LIMIT ?';
  return (await db.all(sql, after, limit)).map(changedRecord);
}

function changedRecord([seq, kind, ident, parent]: Cells): ChangedRecord {
  return {
    seq: Number(seq),
    kind: RECORD_KINDS[Number(kind)] as ChangedRecord['kind'],
    ident: String(ident),
    parent: typeof parent === 'number' ? parent : undefined,
  };
}
