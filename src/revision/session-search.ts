import type { Session } from '../opportunity/records.ts';
import { inParts, isLong, yieldToEventLoop } from '../process/event-loop.ts';
import { sessionDocument } from '../search/session-document.ts';
import { addedTerms, documentRow } from '../store/document-row.ts';
import {
  effectiveSeries,
  namedPlace,
  type RecordBody,
  recordOf,
  type SessionDocument,
  storedSession,
  type Writer,
} from '../store/index.ts';
import type { Affected } from './records/changed-records.ts';
import type { Written } from './records/record-write.ts';

/** Series whose sessions are listed at a time. */
const BATCH = 50;

/**
 * Writes search documents of sessions with details of their own, and the lowest price among the sessions of each series.
 * Both are made again for written sessions, and for all sessions of a series that is planned as a whole.
 */
export async function searchSessions(tx: Writer, affected: Affected): Promise<void> {
  const written = [...affected.records.all()].filter(({ kind }) => kind === 'session');
  const departed = [...affected.departed.values()].flat();
  await priceSessions(tx, affected, written, departed);
  const changed = written.filter(({ own, parent }) => own && parent !== undefined && !affected.series.has(parent));
  const kept = new Set(changed.map(({ id }) => id));
  const before = [...written.flatMap((row) => row.before ?? []), ...departed];
  const ended = before.filter(({ id, own }) => own && !kept.has(id)).map(({ id }) => id);
  await inParts(ended, (part) => tx.saveSessionDocuments(part, []));
  const bySeries = changed.toSorted((a, b) => (a.parent as number) - (b.parent as number));
  await inParts(bySeries, (part) => documentSessions(tx, affected, part));
  const ids = [...affected.series];
  // A series may have a thousand such sessions: their texts are read a part at a time.
  for (let at = 0; at < ids.length; at += BATCH) {
    if (isLong()) await yieldToEventLoop();
    await inParts(await tx.ownSessions(ids.slice(at, at + BATCH)), async (part) => {
      const rows = await affected.records.byId(part);
      const found = rows.filter((row) => row !== undefined);
      await documentSessions(tx, affected, found);
    });
  }
}

async function documentSessions(tx: Writer, affected: Affected, sessions: readonly RecordBody[]): Promise<void> {
  const bySeries = Map.groupBy(sessions, ({ parent }) => parent as number);
  const documents: SessionDocument[] = [];
  for (const row of await affected.records.byId([...bySeries.keys()])) {
    if (row?.owner === undefined) continue;
    documents.push(...(await documentsOf(tx, row, bySeries.get(row.id) ?? [])));
  }
  const ids = sessions.map(({ id }) => id);
  await tx.saveSessionDocuments(ids, documents);
}

/** Documents of sessions. The session with the id of the series, a HeadlineEvent's own event, has that of the series. */
async function documentsOf(tx: Writer, row: RecordBody, sessions: readonly RecordBody[]): Promise<SessionDocument[]> {
  const series = await effectiveSeries(tx, row);
  const around = await namedPlace(tx, row);
  const ofSeries = documentRow(sessionDocument(series, NOTHING, around));
  const documents: SessionDocument[] = [];
  for (const one of sessions) {
    if (isLong()) await yieldToEventLoop();
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

/** Lowers the prices of series; counts them anew where a session left or is dearer, which may have been the cheapest. */
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
