import type { RecordKind } from '../../opportunity/records.ts';
import type { Writer } from '../../store/index.ts';
import { type Affected, isSameRecord, noteChange } from './changed-records.ts';
import type { CrossFindings } from './cross-findings.ts';
import { PARENT_KIND } from './prepared.ts';
import type { Written } from './record-write.ts';
import type { NamedRecord, Rows } from './rows.ts';
import { saveKeys } from './session-series.ts';

/** Saves records with new owners, and links them with their parents and places. */

/** Kinds in the order in which they are saved: a row before the rows that refer to it. */
export const SAVING_ORDER: readonly RecordKind[] = ['place', 'series', 'facility', 'session', 'slot'];

interface Saving {
  rows: Rows;
  affected: Affected;
  findings: CrossFindings;
  /** Write unchanged records too, as other rules may have made their columns. */
  again?: boolean | undefined;
}

/**
 * Saves records of one kind. Parents are of the same publisher: the series of a session, the EventSeries of a series, the
 * facility of a slot. So is the Place whose calendar shows a record (`venue`). The Place that a record inherits its location
 * from (`place`) may be of any publisher (`mayTake`).
 */
export async function saveKind(
  tx: Writer,
  writes: readonly Written[],
  { rows, affected, findings, again }: Saving,
): Promise<void> {
  const named = writes.map((written): (NamedRecord | undefined)[] => {
    const { parent, place, venue } = written.prepared;
    return [
      rows.at(PARENT_KIND[written.kind], parent, written),
      rows.at('place', place),
      rows.at('place', venue, written),
    ];
  });
  await rows.make();
  writes.forEach((written, index) => {
    const [parent, place, venue] = named[index] as (NamedRecord | undefined)[];
    if (rows.isForeign(parent, written)) findings.noteStray(written.item, written.kind, parent as NamedRecord);
    named[index] = [rows.own(parent, written), place, rows.own(venue, written)];
  });
  await rows.make();
  const added: Written[] = [];
  writes.forEach((written, index) => {
    const [parent, place, venue] = named[index] as (NamedRecord | undefined)[];
    const { of, before } = written;
    // The series of such a session is found when the transaction has written all records (session-series.ts).
    const isOpen = written.kind === 'session' && (parent === undefined || written.prepared.ownSeries === true);
    written.parent = isOpen ? before?.parent : parent?.id;
    written.place = place?.id;
    if (isOpen) written.named = parent?.id;
    // A series with a parent may inherit its place (series-venues.ts).
    written.venue = venue?.id ?? (written.kind === 'series' && parent !== undefined ? before?.venue : undefined);
    written.same = before !== undefined && again !== true && isSameRecord(before, written);
    // A stub may have been made for the record, as another one of the transaction refers to it.
    if (of.id === undefined) added.push(written);
    else written.id = of.id;
  });
  await giveIds(tx, added);
  await affected.records.save(writes);
  await saveKeys(tx, writes, affected);
  for (const written of writes) noteChange(affected, written);
}

async function giveIds(tx: Writer, added: readonly Written[]): Promise<void> {
  const ids = await tx.newRecordIds(added.length);
  added.forEach((written, index) => {
    written.id = ids[index] as number;
    written.of.id = written.id;
    written.fresh = true;
  });
}
