import { RADIUS_KM } from '../../../search/distance.ts';
import type { Field } from '../../../search/document.ts';
import type { SearchQuery } from '../../contract/index.ts';
import { LIMIT, type Value } from '../../sql/database.ts';
import { kindNumber } from '../../sql/rows.ts';
import {
  allOf,
  boxOf,
  type Condition,
  factChecks,
  type Near,
  namedChecks,
  namedIn,
} from '../../sql/search/conditions.ts';
import { matchOf } from './match.ts';

/** A query as conditions of SQL on `search s`. Words and keys are looked up in `search_text`, or in the terms of a row. */

/** Rows that one index lists, as a `SELECT record`. All rows that the query finds are among them. */
export interface Source extends Condition {
  /** The conditions that its rows are still to be checked for. */
  left: SearchQuery;
  /** Whether every row is of the kind. */
  isOfKind?: true;
  /** Whether every row is a session that adds a wanted term. */
  adds?: true;
}

interface RowCondition extends Condition {
  /** The column of the row id, in whose order rows come without sorting. */
  row: string;
}

/** The sources of a query; for a query without other conditions, all rows of the kind. */
export function sourcesOf(query: SearchQuery): Source[] {
  const { kind, maxPrice, gender, online } = query;
  const rows = (name: 'maxPrice' | 'gender' | 'online' | 'kind', where: string, ...values: Value[]): Source => ({
    sql: `SELECT record FROM search WHERE kind = ? ${where}`,
    values: [kindNumber(kind), ...values],
    left: name === 'kind' ? query : leaving(query, name),
    isOfKind: true,
  });
  const sources = [
    ...setsOf(query),
    ...byWords(query),
    ...(maxPrice === undefined ? [] : [rows('maxPrice', 'AND price <= ?', maxPrice)]),
    ...(gender === undefined ? [] : [rows('gender', 'AND gender = ?', gender)]),
    ...(online ? [rows('online', 'AND online = 1')] : []),
  ];
  return sources.length === 0 ? [rows('kind', '')] : sources;
}

/** The conditions that rows of all these sources are still to be checked for. */
export function leftBy(query: SearchQuery, sources: readonly Source[]): SearchQuery {
  const names = (Object.keys(query) as (keyof SearchQuery)[]).filter((name) => name !== 'kind');
  return leaving(query, ...names.filter((name) => sources.some(({ left }) => left[name] === undefined)));
}

/** The source of words and keys; none without them. `tier`: words within these fields. */
export function byWords(query: SearchQuery, tier?: readonly Field[]): Source[] {
  const match = matchOf(query, tier);
  const sql = 'SELECT rowid AS record FROM search_text WHERE search_text MATCH ?';
  const ofSession = query.kind === 'session' && ({ isOfKind: true, adds: true } as const);
  return match === undefined ? [] : [{ sql, values: [match], left: leaving(query, 'words', 'keys'), ...ofSession }];
}

/**
 * The sources of named rows, of rows at named places, of series with sessions of a price, and of rows in the box around a
 * circle.
 */
function setsOf(query: SearchQuery): Source[] {
  const { kind, near, sessionPrice } = query;
  return [
    ...namedIn(query).map(({ by, sql, values }) => ({ sql, values, left: leaving(query, by) })),
    ...(sessionPrice === undefined
      ? []
      : [{ sql: SESSION_PRICE, values: [sessionPrice], left: leaving(query, 'sessionPrice') }]),
    ...(near === undefined || kind === 'session' ? [] : [{ sql: IN_BOX, values: boxOf(near), left: query }]),
  ];
}

function leaving(query: SearchQuery, ...names: Exclude<keyof SearchQuery, 'kind'>[]): SearchQuery {
  const left = { ...query };
  for (const name of names) delete left[name];
  return left;
}

const SESSION_PRICE = 'SELECT series AS record FROM session_price WHERE price <= ?';
const IN_BOX = 'SELECT record FROM search_near WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?';

/** The conditions on a row of `search`, its terms aside. */
export function checkOf(query: SearchQuery): Condition {
  const near = query.near === undefined ? [] : [inCircle(query.near)];
  const ofKind = { sql: '+s.kind = ?', values: [kindNumber(query.kind)] };
  return allOf([ofKind, ...factChecks(query), ...near, ...namedChecks(query)]);
}

/** The rows that a query finds, as a FROM and WHERE without an order. */
export function foundBy(query: SearchQuery): RowCondition {
  const { sql, values } = checkOf(query);
  const match = matchOf(query);
  if (match !== undefined) {
    const from = 'FROM search_text CROSS JOIN search s ON s.record = search_text.rowid';
    return {
      sql: `${from} WHERE search_text MATCH ? AND ${sql}`,
      values: [match, ...values],
      row: 'search_text.rowid',
    };
  }
  const [set] = setsOf(query);
  const by = set === undefined ? 's.kind = ?' : `s.record IN (${set.sql})`;
  const wanted = set?.values ?? [kindNumber(query.kind)];
  return { sql: `FROM search s WHERE ${by} AND ${sql}`, values: [...wanted, ...values], row: 's.record' };
}

/** The rows that a query finds among the first `most` rows of one source. `tier`: words within these fields. */
export function foundAmong(query: SearchQuery, most: number, tier?: readonly Field[]): Condition {
  const { sql, values } = checkOf(query);
  const [source] = [...byWords(query, tier), ...sourcesOf(query)] as [Source];
  const from = `FROM (${source.sql} ${LIMIT}) listed CROSS JOIN search s ON s.record = listed.record`;
  return { sql: `${from} WHERE ${sql}`, values: [...source.values, most, ...values] };
}

/** Whether a row is in a circle, by the haversine formula, after a check of the box around it. */
function inCircle(near: Near): Condition {
  const { latitude, longitude, km } = near;
  const sql = `s.latitude BETWEEN ? AND ? AND s.longitude BETWEEN ? AND ? AND 2 * ${RADIUS_KM} * asin(min(1, sqrt(pow(sin(radians(s.latitude - ?) / 2), 2)
    + cos(radians(?)) * cos(radians(s.latitude)) * pow(sin(radians(s.longitude - ?) / 2), 2)))) <= ?`;
  return { sql, values: [...boxOf(near), latitude, latitude, longitude, km] };
}
