import type { RecordKind } from '../../opportunity/records.ts';
import type { Writer } from '../../store/index.ts';
import { type Affected, isSameRecord, noteChange } from './changed-records.ts';
import type { CrossFindings } from './cross-findings.ts';
import { PARENT_KIND } from './prepared.ts';
import type { Written } from './record-write.ts';
import type { NamedRecord, Rows } from './rows.ts';
import { saveKeys } from './session-series.ts';

/** Records that have just been given an owner, on their way into the store. */

/** What is pointed to is saved before what points to it. */
export const SAVING_ORDER: readonly RecordKind[] = ['place', 'series', 'facility', 'session', 'slot'];

interface Saving {
  rows: Rows;
  affected: Affected;
  findings: CrossFindings;
  /** What says the same is written too: other rules may have made its columns. */
  again?: boolean | undefined;
}

/**
 * A record hangs on those of its own publisher only: a session on its series, a series on its EventSeries, a slot on its
 * facility. All of them hang on the Place whose calendar shows them. The words of a Place that is only named are taken from
 * whoever publishes it (`place`): who names it wants them, and nothing of it is changed.
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
    // Which series takes it is found out when all that this transaction changes is there (session-series.ts).
    const isOpen = written.kind === 'session' && (parent === undefined || written.prepared.ownSeries === true);
    written.parent = isOpen ? before?.parent : parent?.id;
    written.place = place?.id;
    if (isOpen) written.named = parent?.id;
    // A series below another one may be where that is (series-venues.ts).
    written.venue = venue?.id ?? (written.kind === 'series' && parent !== undefined ? before?.venue : undefined);
    written.same = before !== undefined && again !== true && isSameRecord(before, written);
    // A stub may just have been made of it, for another record on the same page.
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
