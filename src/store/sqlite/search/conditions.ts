import type { SQLInputValue } from 'node:sqlite';
import { RADIUS_KM } from '../../../search/distance.ts';
import type { CalendarQuery, SearchQuery } from '../../contract/index.ts';
import { kindNumber } from '../rows.ts';
import { matchOf } from './terms.ts';

/** A query as conditions of SQL on `search s`. */

export interface Conditions {
  /** An expression of FTS5 for `search_text`. */
  match?: string;
  /** It has rows that are named, or those at named places: few, so that texts are matched row by row. */
  isNamed: boolean;
  /** Each finds rows by an index of its own: `s.record IN (…)`. */
  sets: Condition[];
  /** Each looks at a row alone. */
  checks: Condition[];
}

export interface Condition {
  sql: string;
  values: SQLInputValue[];
}

export interface Found extends Condition {
  /** The column that has the row, in whose order rows come at no cost. */
  row: string;
}

const KM_OF_DEGREE = (RADIUS_KM * Math.PI) / 180;

export function conditionsOf(query: SearchQuery): Conditions {
  const { near, records, venues, age, gender, maxPrice, online } = query;
  const sets: Condition[] = [];
  const checks: Condition[] = [];
  const match = matchOf(query);
  if (near !== undefined) {
    sets.push({
      sql: 'SELECT record FROM search_near WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?',
      values: boxOf(near),
    });
    checks.push(inCircle(near));
  }
  if (records !== undefined) sets.push({ sql: 'SELECT value FROM json_each(?)', values: [JSON.stringify(records)] });
  if (venues !== undefined) {
    const sql = 'SELECT r.id FROM json_each(?) CROSS JOIN record r ON r.venue = value';
    sets.push({ sql, values: [JSON.stringify(venues)] });
  }
  if (maxPrice !== undefined) checks.push({ sql: 's.price <= ?', values: [maxPrice] });
  if (gender !== undefined) checks.push({ sql: 's.gender = ?', values: [gender] });
  if (online) checks.push({ sql: 's.online = 1', values: [] });
  if (age !== undefined) {
    checks.push({ sql: '(s.age_max IS NULL OR s.age_max >= ?)', values: [age.min] });
    if (age.max !== undefined) checks.push({ sql: '(s.age_min IS NULL OR s.age_min <= ?)', values: [age.max] });
  }
  const isNamed = records !== undefined || venues !== undefined;
  return { ...(match !== undefined && { match }), isNamed, sets, checks };
}

/** The rows that a query finds, as a SELECT without order, one by one as they are read. Each set is an index; without one the kind is. */
export function foundBy(query: SearchQuery): Found {
  const { match, isNamed, sets, checks } = conditionsOf(query);
  if (match !== undefined && !isNamed) return foundByText(query);
  const { sql, values } = together([...sets.map(inSet), ...checks]);
  const kind = sets.length === 0 ? 's.kind = ?' : '+s.kind = ?';
  const from = `FROM search s WHERE ${kind}${sql}`;
  const all = [kindNumber(query.kind), ...values];
  if (match === undefined) return { sql: from, values: all, row: 's.record' };
  return { sql: `${from} AND ${HAS_TEXT}`, values: [...all, match], row: 's.record' };
}

/** The same by the texts of a query that has words or keys, as `bm25` needs it. */
export function foundByText(query: SearchQuery): Found {
  const { match = '', sets, checks } = conditionsOf(query);
  const { sql, values } = together([...sets.map(inSet), ...checks]);
  const from = 'FROM search_text CROSS JOIN search s ON s.record = search_text.rowid';
  return {
    sql: `${from} WHERE search_text MATCH ? AND +s.kind = ?${sql}`,
    values: [match, kindNumber(query.kind), ...values],
    row: 'search_text.rowid',
  };
}

/** Whether the row `s` of `search` is found, checked alone: no set is read for it that may be large. */
export function isFound({ near, ...query }: SearchQuery): Condition {
  const { match, sets, checks } = conditionsOf(query);
  const circle = near === undefined ? [] : [inCircle(near)];
  const texts = match === undefined ? [] : [{ sql: HAS_TEXT, values: [match] }];
  const { sql, values } = together([...sets.map(inSet), ...checks, ...circle, ...texts]);
  return { sql: `+s.kind = ?${sql}`, values: [kindNumber(query.kind), ...values] };
}

const HAS_TEXT = 'EXISTS (SELECT 1 FROM search_text WHERE search_text MATCH ? AND search_text.rowid = s.record)';

function inSet({ sql, values }: Condition): Condition {
  return { sql: `s.record IN (${sql})`, values };
}

/** After another condition. */
function together(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => ` AND ${sql}`).join(''),
    values: conditions.flatMap(({ values }) => values),
  };
}

type Near = NonNullable<SearchQuery['near']>;

/** South, north, west and east of a circle, a little outside it: all longitudes where it reaches a pole or the date line. */
function boxOf({ latitude, longitude, km }: Near): number[] {
  const degrees = (km / KM_OF_DEGREE) * 1.001;
  const [south, north] = [latitude - degrees, latitude + degrees];
  const parallel = Math.cos((Math.min(Math.max(Math.abs(south), Math.abs(north)), 90) * Math.PI) / 180);
  const across = parallel * 180 > degrees ? degrees / parallel : 180;
  const crosses = longitude - across < -180 || longitude + across > 180;
  return crosses ? [south, north, -180, 180] : [south, north, longitude - across, longitude + across];
}

/** The haversine formula. */
function inCircle({ latitude, longitude, km }: Near): Condition {
  const sql = `2 * ${RADIUS_KM} * asin(min(1, sqrt(pow(sin(radians(s.latitude - ?) / 2), 2)
    + cos(radians(?)) * cos(radians(s.latitude)) * pow(sin(radians(s.longitude - ?) / 2), 2)))) <= ?`;
  return { sql, values: [latitude, latitude, longitude, km] };
}

/** The rows of `calendar` that a list has. */
export function listedBy({ kind, words, venue }: CalendarQuery): { where: string; values: (string | number)[] } {
  const parts = ["kind = ? AND state = 'live' AND part = ''"];
  const values: (string | number)[] = [kindNumber(kind)];
  const match = matchOf({ words });
  if (match !== undefined) {
    parts.push('record IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)');
    values.push(match);
  }
  if (venue !== undefined) {
    parts.push('record IN (SELECT id FROM record WHERE venue = ?)');
    values.push(venue);
  }
  return { where: parts.join(' AND '), values };
}
