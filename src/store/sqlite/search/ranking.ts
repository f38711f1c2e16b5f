import type { SearchHit, SearchQuery } from '../../contract/index.ts';
import { LIMIT } from '../../sql/database.ts';
import { scoreOf, tierOf } from '../../sql/search/stored-terms.ts';
import { MOST_SCORED, TIERS } from '../../sql/search/terms.ts';
import type { Connection } from '../connection.ts';
import { foundAmong } from './conditions.ts';
import type { RowsOfQuery } from './found-rows.ts';
import { matchOf } from './match.ts';

/**
 * Documents that have words, the best first. Up to a hundred are ranked by a score. More are read in tiers, until there are
 * enough, so that a word of a hundred thousand documents is not counted.
 */

/** Rows that the first try reads; each further one reads `FARTHER` times as many. */
const FIRST = 500;
const FARTHER = 4;

export function bestHits(db: Connection, rows: RowsOfQuery, query: SearchQuery, limit: number): SearchHit[] {
  for (let among = FIRST; ; among *= FARTHER) {
    const all = rows.all(among);
    if (all !== undefined && all.size <= MOST_SCORED) return compared(query, rows.terms(all), scoreOf).slice(0, limit);
    const enough = Math.max(limit, MOST_SCORED + 1);
    const hits = all !== undefined && all.size < enough ? undefined : inTiers(db, query, enough, among);
    if (hits !== undefined) return hits.slice(0, limit);
    if (all !== undefined) return compared(query, rows.terms(all), (terms) => -tierOf(terms, query)).slice(0, limit);
  }
}

/** Hits by tier; undefined where `among` rows of the index do not have enough. */
function inTiers(db: Connection, query: SearchQuery, enough: number, among: number): SearchHit[] | undefined {
  const found = new Map<number, number>();
  for (const [tier, fields] of TIERS.entries()) {
    const { sql, values } = foundAmong(query, among, fields);
    for (const [record] of db.all(`SELECT s.record ${sql} ${LIMIT}`, ...values, enough))
      if (!found.has(Number(record))) found.set(Number(record), -tier);
    if (found.size >= enough) return [...found].map(([record, rank]) => ({ record, rank }));
    if (isLonger(db, query, fields, among)) return undefined;
  }
  return undefined;
}

/** Whether at least `among` rows of the index have the words in these fields. */
function isLonger(db: Connection, query: SearchQuery, fields: (typeof TIERS)[number], among: number): boolean {
  const match = matchOf(query, fields) as string;
  const sql = `SELECT count(*) FROM (SELECT 1 FROM search_text WHERE search_text MATCH ? ${LIMIT})`;
  return Number(db.get(sql, match, among)?.[0]) === among;
}

/** Documents ranked by a function of their terms. */
function compared(query: SearchQuery, terms: ReturnType<RowsOfQuery['terms']>, rank: typeof scoreOf): SearchHit[] {
  const hits = terms.map(([record, text]) => ({ record, rank: rank(text, query) }));
  return hits.sort((a, b) => b.rank - a.rank || a.record - b.record);
}
