import { withPlace } from '../opportunity/join.ts';
import { type Details, inherit, type OpportunityRecord, type Place, type PlaceSummary, type Series, type Session } from '../opportunity/records.ts';
import type { Reader, RecordBody, SessionWindow } from './contract.ts';

/**
 * A series as its calendar needs it, put together from the store: the record with everything it inherits (semantics 2).
 */
export interface StoredSeries {
  /** Row of the series. */
  row: RecordBody;
  /** With effective details. */
  series: Series;
}

/** What a calendar shows of a session, and how often that changed (semantics 6). */
export interface StoredSession {
  row: RecordBody;
  session: Session;
}

/** What a row that has been published says. */
export function recordOf(row: RecordBody): OpportunityRecord {
  return row.record ?? (JSON.parse(row.body) as OpportunityRecord);
}

/** An EventSeries may have a parent of its own; a chain of links that never ends, or runs in a circle, does. */
const MOST_PARENTS = 4;

/** The series of a row that has been published, with the details of its parents and of a place it names by address. */
export async function effectiveSeries(reader: Reader, row: RecordBody): Promise<StoredSeries> {
  const series = recordOf(row) as Series;
  let details = series.details;
  let parent = row.parent;
  for (let depth = 0; parent !== undefined && depth < MOST_PARENTS; depth += 1) {
    const found = await reader.recordById(parent);
    if (found === undefined) break;
    details = inherit((recordOf(found) as Series).details, details, false);
    parent = found.parent;
  }
  return { row, series: { ...series, details: await located(reader, details, row.place) } };
}

/** The published sessions of a series, by start; a session's own place, if named by address only, is resolved. */
export async function sessionsOf(reader: Reader, series: number, window?: SessionWindow): Promise<StoredSession[]> {
  const rows = await reader.children('session', series, window);
  return Promise.all(rows.map((row) => storedSession(reader, row)));
}

export async function storedSession(reader: Reader, row: RecordBody): Promise<StoredSession> {
  const session = recordOf(row) as Session;
  if (row.place === undefined) return { row, session };
  return { row, session: { ...session, details: await located(reader, session.details, row.place) } };
}

async function located(reader: Reader, details: Details, place: number | undefined): Promise<Details> {
  const row = place === undefined ? undefined : await reader.recordById(place);
  return row === undefined ? details : withPlace(details, recordOf(row) as Place);
}

/** Whether a location only points to a Place and says nothing of it. */
export function isReference(location: PlaceSummary | undefined): location is PlaceSummary & { id: string } {
  return location?.id !== undefined && location.name === undefined && location.address === undefined;
}

