import { keysOf } from '../../join/keys.ts';
import { type CandidateSeries, MOST_CANDIDATES, type SuperEvents, superEvents } from '../../join/super-events.ts';
import { identOf } from '../../opportunity/identity.ts';
import type { Session } from '../../opportunity/records.ts';
import { isLong, yieldToEventLoop } from '../../process/event-loop.ts';
import { effectiveSeries, type RecordBody, recordOf, type Writer } from '../../store/index.ts';
import { type Affected, noteSession } from './changed-records.ts';
import { dependentsOf } from './dependents.ts';
import { prepareRecord } from './prepared.ts';
import { Written } from './record-write.ts';

/**
 * Finds the series of sessions that name none, in the store (semantics 2; join/super-events.ts decides). A session and its
 * possible series are saved with the same keys, so that either finds the other by an index when it comes, changes or goes.
 */

/** Saves the keys of records; most have none. Notes the sessions and keys that `joinSessions` needs. */
export async function saveKeys(tx: Writer, writes: readonly Written[], affected: Affected): Promise<void> {
  const rows: { record: number; keys: readonly string[] }[] = [];
  for (const written of writes) {
    const { id, kind, before, prepared, publisherId } = written;
    if (kind === 'place' || kind === 'slot') continue;
    if (kind === 'session' && (prepared.parent === undefined || prepared.ownSeries === true)) affected.unnamed.add(id);
    if (before === undefined ? prepared.keys === undefined : written.same && before.publisherId === publisherId)
      continue;
    const keys = storedKeys(written, prepared.keys ?? []);
    rows.push({ record: id, keys });
    if (kind !== 'series') continue;
    for (const key of [...keys, ...(before === undefined ? [] : keysBefore(before))]) affected.joins.add(key);
  }
  if (rows.length > 0) await tx.saveKeys(rows);
}

/** Keys with their publisher, as a session joins series of its own publisher only. Courts are found by the key alone. */
function storedKeys({ kind, publisherId }: RecordBody, keys: readonly string[]): string[] {
  return kind === 'facility' ? [...keys] : keys.map((key) => `${publisherId} ${key}`);
}

function keysBefore(row: RecordBody): string[] {
  return row.body === '' ? [] : storedKeys(row, keysOf(recordOf(row)));
}

/**
 * Gives sessions that name no series their series, after all other changes of a transaction. `gone`: records that no item
 * claims any more.
 */
export async function joinSessions(tx: Writer, affected: Affected, gone: readonly RecordBody[]): Promise<void> {
  for (const row of gone) if (row.kind === 'series') for (const key of keysBefore(row)) affected.joins.add(key);
  await joinDependents(tx, affected);
  const rows = await unnamedSessions(tx, affected);
  if (rows.length === 0) return;
  const named = rows.filter(mayHaveOwn);
  const alone = rows.filter((row) => !mayHaveOwn(row));
  const superEventOf = await superEventsOf(tx, alone);
  const seriesOf = await namedOrOwn(tx, affected, named);
  const reparented: Written[] = [];
  const changed = changedCandidates(affected, gone);
  for (const row of rows) {
    if (isLong()) await yieldToEventLoop();
    const parent = mayHaveOwn(row) ? seriesOf(row) : superEventOf(recordOf(row) as Session, String(row.publisherId));
    if (parent !== row.parent) reparented.push(withParent(affected, row, parent, changed));
  }
  await affected.records.save(reparented);
  for (const written of reparented) noteSession(affected, written);
}

/** Adds the keys of series whose Schedule states no zone: a changed Place may move their instances, and so the ids. */
async function joinDependents(tx: Writer, affected: Affected): Promise<void> {
  const { series } = await dependentsOf(tx, affected);
  for (const row of await tx.recordsById([...series]))
    if (row?.body.includes('"zoneStated":false')) for (const key of keysBefore(row)) affected.joins.add(key);
}

const mayHaveOwn = (row: RecordBody): boolean => (recordOf(row) as Session).ownSeries === true;

/**
 * Finds the series of Events that name one: the named series, if it is published, else the Event's own. The calendar of
 * the Event's own series moves with it (series-calendars.ts).
 */
async function namedOrOwn(
  tx: Writer,
  { records, series }: Affected,
  rows: readonly RecordBody[],
): Promise<(row: RecordBody) => number | undefined> {
  if (rows.length === 0) return () => undefined;
  const seriesRows = await records.byId(rows.map(({ named }) => named as number));
  const idents = rows.map(({ ident }) => ident);
  const ownRows = new Map((await tx.records('series', idents)).map((row, index) => [idents[index], row]));
  const published = new Set(seriesRows.flatMap((row) => (row?.owner === undefined ? [] : row.id)));
  return ({ ident, named, parent, publisherId }) => {
    const ownSeries = ownRows.get(ident);
    const isOwn = ownSeries?.owner !== undefined && ownSeries.publisherId === publisherId;
    const now = isOwn && !published.has(named as number) ? ownSeries.id : named;
    if (isOwn && now !== parent) series.add(ownSeries.id);
    return now;
  };
}

/** Sessions whose series is to be found: written ones, and stored ones that a changed series may have or have had. */
async function unnamedSessions(tx: Writer, { unnamed, awaited, joins, records }: Affected): Promise<RecordBody[]> {
  const found = new Map<number, RecordBody>();
  for (const row of await records.byId([...unnamed])) if (row) found.set(row.id, row);
  for (const row of await tx.recordsByKey('session', [...joins], -1))
    if (!found.has(row.id) && (recordOf(row) as Session).series === undefined) found.set(row.id, row);
  for (const row of await tx.sessionsNaming([...awaited])) if (!found.has(row.id)) found.set(row.id, row);
  return [...found.values()];
}

async function superEventsOf(tx: Writer, rows: readonly RecordBody[]): Promise<SuperEvents<number>> {
  const keys = new Set(rows.flatMap((row) => storedKeys(row, keysOf(recordOf(row)))));
  const series = await tx.recordsByKey('series', [...keys], MOST_CANDIDATES);
  const whole: CandidateSeries<number>[] = [];
  for (const row of series) {
    const effective = await effectiveSeries(tx, row);
    whole.push({ of: row.id, series: effective, publisher: String(row.publisherId) });
  }
  return superEvents(whole);
}

/** Series, then places, that the transaction changed: they may give unchanged sessions another series. */
function changedCandidates({ records }: Affected, gone: readonly RecordBody[]): Map<number, RecordBody> {
  const { series = [], place = [] } = Object.groupBy([...gone, ...records.all()], ({ kind }) => kind);
  return new Map([...series, ...place].map((row) => [row.id, row]));
}

function withParent(
  { records }: Affected,
  row: RecordBody,
  parent: number | undefined,
  changed: ReadonlyMap<number, RecordBody>,
): Written {
  const known = records.get(row.id);
  const written = known ?? writtenAgain(row);
  // Neither series changed: the bound `MOST_CANDIDATES` or a place moved the session, and the first change stands for it.
  const [any] = changed.values();
  if (known === undefined)
    written.parentChangedBy = (changed.get(row.parent ?? 0) ?? changed.get(parent ?? 0) ?? any)?.owner;
  written.parent = parent;
  written.same = false;
  written.fresh = false;
  return written;
}

/** A stored session as a write of this transaction, to be saved with another parent. */
function writtenAgain(row: RecordBody): Written {
  const { id, kind, owner, publisherId } = row;
  const record = recordOf(row);
  const prepared = prepareRecord({ record, rank: owner?.rank as 0 | 1 | 2 });
  const written = new Written(
    { kind, ident: identOf(record.id), id, publisherId, owned: true },
    owner as NonNullable<typeof owner>,
    prepared,
    row,
    publisherId,
  );
  written.place = row.place;
  written.venue = row.venue;
  written.named = row.named;
  return written;
}
