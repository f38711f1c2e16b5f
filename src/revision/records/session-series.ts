import { keysOf } from '../../join/keys.ts';
import { type CandidateSeries, MOST_CANDIDATES, SuperEvents } from '../../join/super-events.ts';
import { identOf } from '../../opportunity/identity.ts';
import type { Session } from '../../opportunity/records.ts';
import { isLong, yieldToEventLoop } from '../../process/event-loop.ts';
import { effectiveSeries, type RecordBody, recordOf, type Writer } from '../../store/index.ts';
import { type Affected, noteSession } from './changed-records.ts';
import { dependentsOf } from './dependents.ts';
import { prepareRecord } from './prepared.ts';
import { Written } from './record-write.ts';

/**
 * Sessions that name no series, in the store (semantics 2; join/super-events.ts decides). A session and the series that
 * may take it are saved with the same keys, so that whichever comes, changes or goes finds the other, and nothing is searched.
 */

/** Saves what records are found by; most have nothing. Notes what is to be joined. */
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

/** A session joins only series of its own publisher; a court that finds its facility tells whose that is (`mayTake`). */
function storedKeys({ kind, publisherId }: RecordBody, keys: readonly string[]): string[] {
  return kind === 'facility' ? [...keys] : keys.map((key) => `${publisherId} ${key}`);
}

function keysBefore(row: RecordBody): string[] {
  return row.body === '' ? [] : storedKeys(row, keysOf(recordOf(row)));
}

/**
 * Hangs sessions that name no series on the one that takes them, after all else that a transaction changed: `gone` are the
 * records that nobody publishes any more.
 */
export async function joinSessions(tx: Writer, affected: Affected, gone: readonly RecordBody[]): Promise<void> {
  for (const row of gone) if (row.kind === 'series') for (const key of keysBefore(row)) affected.joins.add(key);
  await joinDependents(tx, affected);
  const rows = await unnamedSessions(tx, affected);
  if (rows.length === 0) return;
  const named = rows.filter(mayHaveOwn);
  const alone = rows.filter((row) => !mayHaveOwn(row));
  const superEvents = await superEventsOf(tx, alone);
  const seriesOf = await namedOrOwn(tx, affected, named);
  const reparented: Written[] = [];
  const changed = changedCandidates(affected, gone);
  for (const row of rows) {
    if (isLong()) await yieldToEventLoop();
    const parent = mayHaveOwn(row) ? seriesOf(row) : superEvents.of(recordOf(row) as Session, String(row.publisherId));
    if (parent !== row.parent) reparented.push(withParent(affected, row, parent, changed));
  }
  await affected.records.save(reparented);
  for (const written of reparented) noteSession(affected, written);
}

/** The instances of a Schedule that states no zone start at other instants where its place has another zone. */
async function joinDependents(tx: Writer, affected: Affected): Promise<void> {
  const { series } = await dependentsOf(tx, affected);
  for (const row of await tx.recordsById([...series]))
    if (row?.body.includes('"zoneStated":false')) for (const key of keysBefore(row)) affected.joins.add(key);
}

const mayHaveOwn = (row: RecordBody): boolean => (recordOf(row) as Session).ownSeries === true;

/**
 * The series of Events that name one: that, where it is there, else their own. The calendar of their own moves with them
 * (series-calendars.ts).
 */
async function namedOrOwn(
  tx: Writer,
  { records, series }: Affected,
  rows: readonly RecordBody[],
): Promise<(row: RecordBody) => number | undefined> {
  if (rows.length === 0) return () => undefined;
  const seriesRows = await records.byId(rows.map(({ named }) => named as number));
  const idents = rows.map(({ ident }) => ident);
  const own = new Map((await tx.records('series', idents)).map((row, index) => [idents[index], row]));
  const there = new Set(seriesRows.flatMap((row) => (row?.owner === undefined ? [] : row.id)));
  return ({ ident, named, parent, publisherId }) => {
    const ownSeries = own.get(ident);
    const isOwn = ownSeries?.owner !== undefined && ownSeries.publisherId === publisherId;
    const now = isOwn && !there.has(named as number) ? ownSeries.id : named;
    if (isOwn && now !== parent) series.add(ownSeries.id);
    return now;
  };
}

/** Sessions whose series is to be found, as they now stand: those written, and those that a change may take or have taken. */
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
  return new SuperEvents(whole);
}

/** Series, then places, that the transaction changed: these move sessions that did not change themselves. */
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
  const own = records.get(row.id);
  const written = own ?? writtenAgain(row);
  // Where a bound on what is compared (`MOST_CANDIDATES`) or a place moved it, any of those that changed may have.
  const [any] = changed.values();
  if (own === undefined)
    written.parentChangedBy = (changed.get(row.parent ?? 0) ?? changed.get(parent ?? 0) ?? any)?.owner;
  written.parent = parent;
  written.same = false;
  written.fresh = false;
  return written;
}

/** A session that was not written in this transaction, to be written with another parent. */
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
