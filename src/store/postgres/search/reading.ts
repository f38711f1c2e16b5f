import type { FoundOccurrence, OccurrenceWindow, SearchHit, SearchQuery } from '../../contract/index.ts';
import type { Value } from '../../sql/database.ts';
import { SESSION } from '../../sql/rows.ts';
import type { Condition } from '../../sql/search/conditions.ts';
import { searchFactsReader } from '../../sql/search/facts.ts';
import {
  byStartAndRow,
  EXPLICIT,
  explicitRow,
  foundWithSessions,
  GENERATED,
  generatedRow,
  INSTANCE,
  notCancelled,
  PRICED,
  REPLACED,
} from '../../sql/search/occurrence-rows.ts';
import { scoreOf } from '../../sql/search/stored-terms.ts';
import { MOST_POSITIONS, MOST_SCORED, TIERS } from '../../sql/search/terms.ts';
import { stretchesOf } from '../../sql/search/weeks.ts';
import type { SearchIndex } from '../../sql/search-index.ts';
import type { PostgresConnection } from '../connection.ts';
import { foundBy, having } from './conditions.ts';
import { clearDocuments, dropDocuments, saveDocuments } from './writing.ts';

/** The search index of PostgreSQL, read and written. The planner chooses among its indexes. */
export function postgresSearch(db: PostgresConnection): SearchIndex {
  const countFound = async (query: SearchQuery, most: number): Promise<number> => {
    const { sql, values } = foundBy(query);
    const counted = `SELECT count(*) FROM (SELECT 1 FROM search s WHERE ${sql} LIMIT ?) listed`;
    return Number((await db.varied(counted, ...values, most))[0]?.[0]);
  };
  return {
    ...searchFactsReader(db),
    countFound,

    async search(query, limit) {
      if (query.words === undefined || query.words.length === 0) {
        const rows = await rowsBy(db, foundBy(query), limit);
        return rows.map((record) => ({ record, rank: 0 }));
      }
      const { sql, values } = foundBy(query);
      const scored = `SELECT s.record, t.terms FROM search s JOIN search_terms t ON t.record = s.record WHERE ${sql} LIMIT ?`;
      const few = await db.varied(scored, ...values, MOST_SCORED + 1);
      if (few.length > MOST_SCORED) return hitsInTiers(db, query, limit);
      const hits = few.map(([record, terms]) => ({ record: Number(record), rank: scoreOf(String(terms), query) }));
      return hits.sort((a, b) => b.rank - a.rank || a.record - b.record).slice(0, limit);
    },

    async countWithin(query, most) {
      const count = await countFound(query, most + 1);
      return count > most ? undefined : count;
    },

    foundOccurrences: (query, window) =>
      foundWithSessions(query, window, (one, within) => foundInWindow(db, one, within)),

    async positionOf(list, key) {
      const [{ sql, values }] = having({ keys: { [list]: [key] } }) as [Condition];
      const first = `SELECT s.latitude, s.longitude FROM search s WHERE ${sql} AND s.latitude IS NOT NULL ORDER BY s.record LIMIT ?`;
      const middle = `SELECT avg(latitude), avg(longitude) FROM (${first}) listed`;
      const [latitude, longitude] = (await db.varied(middle, ...values, MOST_POSITIONS))[0] ?? [];
      return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined;
    },

    save: (documents) => saveDocuments(db, documents),
    drop: (records) => dropDocuments(db, records),
    clear: () => clearDocuments(db),
  };
}

async function hitsInTiers(db: PostgresConnection, query: SearchQuery, limit: number): Promise<SearchHit[]> {
  const found = new Map<number, number>();
  for (const [tier, fields] of TIERS.entries()) {
    if (found.size >= limit) break;
    for (const record of await rowsBy(db, foundBy(query, fields), limit))
      if (!found.has(record)) found.set(record, -tier);
  }
  return [...found].map(([record, rank]) => ({ record, rank })).slice(0, limit);
}

async function rowsBy(db: PostgresConnection, { sql, values }: Condition, limit: number): Promise<number[]> {
  const rows = await db.varied(
    `SELECT s.record FROM search s WHERE ${sql} ORDER BY s.record LIMIT ?`,
    ...values,
    limit,
  );
  return rows.map(([record]) => Number(record));
}

async function foundInWindow(
  db: PostgresConnection,
  query: SearchQuery,
  window: OccurrenceWindow,
): Promise<FoundOccurrence[]> {
  // Dates of named series, and occurrences that are on already, are few, and are read at once.
  const isFew = query.records !== undefined || window.endsAfter !== undefined;
  if (window.weekly === undefined || isFew) return dated(db, query, window);
  const found: FoundOccurrence[] = [];
  for (const stretch of stretchesOf(window)) {
    found.push(...(await dated(db, query, { ...window, ...stretch, limit: window.limit - found.length })));
    if (found.length >= window.limit) break;
  }
  return found;
}

async function dated(db: PostgresConnection, query: SearchQuery, window: OccurrenceWindow): Promise<FoundOccurrence[]> {
  const { from, to, limit, cancelled = false, endsAfter } = window;
  const found = foundBy(query);
  const priced = query.sessionPrice === undefined ? '' : `AND ${PRICED}`;
  const isWanted = `IN (SELECT s.record FROM search s WHERE ${found.sql}) ${priced} ${notCancelled(cancelled)}`;
  const [ofRule, ofSession] = query.kind === 'session' ? ['o.session', 'r.id'] : ['o.series', 'r.parent'];
  const ended = endsAfter === undefined ? ['', ''] : ['AND o."end" > ?', `AND ${END} > ?`];
  const values: Value[] = [
    from,
    to,
    ...found.values,
    ...(query.sessionPrice === undefined ? [] : [query.sessionPrice]),
    ...(endsAfter === undefined ? [] : [endsAfter]),
  ];
  const sql = `SELECT * FROM (
    SELECT ${GENERATED}, NULL::bigint, false AS explicit FROM occurrence o LEFT JOIN record r ON r.id = o.session
      WHERE o.start >= ? AND o.start < ? AND ${REPLACED} AND ${ofRule} ${isWanted} ${ended[0]}
    UNION ALL SELECT ${EXPLICIT}, true FROM record r ${INSTANCE}
      WHERE r.kind = ${SESSION} AND r.item IS NOT NULL AND r.start >= ? AND r.start < ? AND ${ofSession} ${isWanted} ${ended[1]}
    ) dated ORDER BY start FETCH FIRST (?::bigint) ROWS WITH TIES`;
  const rows = await db.varied(sql, ...values, ...values, limit);
  return rows.map((c) => (c[7] === 't' ? explicitRow(c) : generatedRow(c))).sort(byStartAndRow);
}

/** A session without an end is as long as the instance that it replaces (semantics 4.7). */
const END = 'greatest(r."end", coalesce(r.start + i."end" - i.start, r."end"))';
