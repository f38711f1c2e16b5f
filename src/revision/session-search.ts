import type { Session } from '../opportunity/records.ts';
import { isLong, yieldToEventLoop } from '../process/event-loop.ts';
import { sessionDocument } from '../search/session-document.ts';
import { addedTerms, documentRow } from '../store/document-row.ts';
import {
  effectiveSeries,
  namedPlace,
  type OwnSession,
  type RecordBody,
  recordOf,
  type SessionDocument,
  storedSession,
  type Writer,
} from '../store/index.ts';
import type { Affected } from './records/changed-records.ts';
import type { Written } from './records/record-write.ts';

/** Series whose sessions are read at a time. */
const BATCH = 200;

/**
 * Sessions that say more than their series have documents of their own, and each series has the lowest price that one of its
 * sessions says. Both follow the records; those of every series that is planned anew are made again.
 */
export async function searchSessions(tx: Writer, affected: Affected): Promise<void> {
  const written = [...affected.records.all()].filter(({ kind }) => kind === 'session');
  const departed = [...affected.departed.values()].flat();
  await priceSessions(tx, affected, written, departed);
  const before = [...written.flatMap((row) => row.before ?? []), ...departed];
  const ended = before.filter(({ own }) => own).map(({ id }) => id);
  const changed = written.filter(({ own, parent }) => own && parent !== undefined && !affected.series.has(parent));
  await documentSessions(tx, affected, changed as OwnSession[], ended);
  const ids = [...affected.series];
  for (let at = 0; at < ids.length; at += BATCH) {
    if (isLong()) await yieldToEventLoop();
    await documentSessions(tx, affected, await tx.ownSessions(ids.slice(at, at + BATCH)));
  }
}

/** `ended`: sessions that have no document, unless they are given one. */
async function documentSessions(
  tx: Writer,
  affected: Affected,
  sessions: readonly OwnSession[],
  ended: readonly number[] = [],
): Promise<void> {
  if (sessions.length + ended.length === 0) return;
  const bySeries = Map.groupBy(sessions, ({ parent }) => parent);
  const documents: SessionDocument[] = [];
  for (const row of await affected.records.byId([...bySeries.keys()])) {
    if (row?.owner === undefined) continue;
    documents.push(...(await documentsOf(tx, row, bySeries.get(row.id) ?? [])));
  }
  await tx.saveSessionDocuments([...sessions.map(({ id }) => id), ...ended], documents);
}

/** The own event of a HeadlineEvent is the series itself. */
async function documentsOf(tx: Writer, row: RecordBody, sessions: readonly OwnSession[]): Promise<SessionDocument[]> {
  const { series } = await effectiveSeries(tx, row);
  const around = await namedPlace(tx, row);
  const ofSeries = documentRow(sessionDocument(series, NOTHING, around));
  const documents: SessionDocument[] = [];
  for (const one of sessions) {
    const record = recordOf(one) as Session;
    if (record.id === series.id) continue;
    const place = record.details.location === undefined ? around : await namedPlace(tx, one);
    const session = await storedSession(tx, record, series);
    const document = documentRow(sessionDocument(series, session, place));
    const isElsewhere = one.venue !== undefined && one.venue !== row.venue;
    const added = addedTerms(document, ofSeries, isElsewhere);
    if (added !== '') documents.push({ record: one.id, document, added });
  }
  return documents;
}

const NOTHING = { details: {} } as Session;

const NONE = Number.POSITIVE_INFINITY;

/** What went or is dearer now may have been the lowest. */
async function priceSessions(
  tx: Writer,
  { series }: Affected,
  written: readonly Written[],
  departed: readonly RecordBody[],
): Promise<void> {
  const counted = new Set(series);
  for (const { parent, price } of departed) if (parent !== undefined && price !== undefined) counted.add(parent);
  const lowest = new Map<number, number>();
  for (const { parent, price, before } of written) {
    if (parent === undefined) continue;
    const was = before?.parent === parent ? before.price : undefined;
    if (was !== undefined && (price ?? NONE) > was) counted.add(parent);
    else if (price !== undefined && price !== was) lowest.set(parent, Math.min(price, lowest.get(parent) ?? NONE));
  }
  for (const id of counted) lowest.delete(id);
  await tx.lowerSessionPrices(lowest);
  await tx.countSessionPrices([...counted]);
}
