import { RECORD_KINDS } from '../../opportunity/records.ts';
import type { ChangedRecord } from '../contract/index.ts';
import type { Cells, Database } from './database.ts';
import { kindNumber } from './rows.ts';

/**
 * The table `record_change`, which triggers write: which records have been written or withdrawn, in the order of the last time
 * each was. It bounds the work of republishing, and is no fast path: without it every record would be compared in each turn.
 * Triggers write it in the transaction of the change, so that nothing can be changed past it. Where nothing is published anew
 * there are none, and a change costs nothing more.
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
