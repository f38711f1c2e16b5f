import { RADIUS_KM } from '../../../search/distance.ts';
import type { AgeGroup, SearchQuery } from '../../contract/index.ts';
import type { Value } from '../database.ts';

/** Conditions on `search s` that every index has. */

/** A condition of SQL, with its values. */
export interface Condition {
  sql: string;
  values: Value[];
}

/** Several conditions, joined by AND. */
export function allOf(conditions: readonly Condition[]): Condition {
  return { sql: conditions.map(({ sql }) => sql).join(' AND '), values: conditions.flatMap(({ values }) => values) };
}

/** Parts of a query that are conditions on columns of `search s`. */
type ColumnParts = Required<Omit<SearchQuery, 'kind' | 'words' | 'keys' | 'near' | 'records' | 'venues'>>;

const CHECKS: { readonly [F in keyof ColumnParts]: (asked: ColumnParts[F]) => Condition[] } = {
  maxPrice: (price) => [{ sql: 's.price <= ?', values: [price] }],
  sessionPrice: (price) => [{ sql: IN_SESSIONS, values: [price] }],
  gender: (gender) => [{ sql: 's.gender = ?', values: [gender] }],
  notGender: (gender) => [
    gender === 'either'
      ? { sql: 's.gender IS NULL', values: [] }
      : { sql: '(s.gender IS NULL OR s.gender <> ?)', values: [gender] },
  ],
  online: (online) => [{ sql: `s.online = ${online ? 1 : 0}`, values: [] }],
  age: agesOf,
  notAge: (groups) => groups.map(notFor),
};

/** The conditions of a query on columns: prices, gender, whether something is online, and ages. */
export function factChecks(query: SearchQuery): Condition[] {
  const checksOf = <F extends keyof ColumnParts>(fact: F): Condition[] => {
    const asked = query[fact] as ColumnParts[F] | undefined;
    return asked === undefined ? [] : CHECKS[fact](asked);
  };
  return (Object.keys(CHECKS) as (keyof ColumnParts)[]).flatMap(checksOf);
}

/** Whether a session of the series has a price of at most this. */
const IN_SESSIONS = 'EXISTS (SELECT 1 FROM session_price p WHERE p.series = s.record AND p.price <= ?)';

/** What is not for a group of these ages (`notAge` of a query). */
function notFor({ min, max }: AgeGroup): Condition {
  const sum = 'COALESCE(s.age_min, 0) + s.age_max';
  const sql = `(s.age_max IS NULL OR ${sum} < ? OR ${sum} > ? OR s.age_max - COALESCE(s.age_min, 0) + 1 >= ?)`;
  return { sql, values: [2 * min, 2 * max, 2 * (max - min + 1)] };
}

/** Whether some of these ages are allowed. */
function agesOf({ min, max, stated, highest }: NonNullable<SearchQuery['age']>): Condition[] {
  const checks: Condition[] = [{ sql: '(s.age_max IS NULL OR s.age_max >= ?)', values: [min] }];
  if (max !== undefined) checks.push({ sql: '(s.age_min IS NULL OR s.age_min <= ?)', values: [max] });
  const lowest = 'COALESCE(s.age_min, CASE WHEN s.age_max IS NOT NULL THEN 0 END)';
  if (stated !== undefined) checks.push({ sql: `${lowest} >= ?`, values: [stated] });
  if (highest !== undefined) checks.push({ sql: 's.age_max <= ?', values: [highest] });
  return checks;
}

/** Rows that a query names, as a SELECT of `record`. */
interface NamedRows extends Condition {
  by: 'records' | 'venues';
}

/** The rows that a query names, and those at places that it names; for `session`, the sessions of these rows. */
export function namedIn({ kind, records, venues }: SearchQuery): NamedRows[] {
  const named: NamedRows[] = [];
  if (records !== undefined) {
    const sql = kind === 'session' ? OF_SERIES : 'SELECT t.value AS record FROM json_each(?) t';
    named.push({ by: 'records', sql, values: [eachOnce(records)] });
  }
  if (venues !== undefined) {
    const list = eachOnce(venues);
    if (kind !== 'session') named.push({ by: 'venues', sql: AT_VENUES, values: [list] });
    else named.push({ by: 'venues', sql: `${AT_VENUES} UNION ALL ${AT_SERIES}`, values: [list, list] });
  }
  return named;
}

/** Rows as a list that has each once: what is found by it is counted. */
const eachOnce = (rows: readonly number[]): string => JSON.stringify([...new Set(rows)]);

/** Conditions that a row of `search s` is among those that a query names. */
export function namedChecks(query: SearchQuery): Condition[] {
  return namedIn(query).map(({ sql, values }) => ({ sql: `s.record IN (${sql})`, values }));
}

const OF_SERIES = 'SELECT r.id AS record FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value WHERE r.own = 1';
const AT_VENUES = 'SELECT r.id AS record FROM json_each(?) t CROSS JOIN record r ON r.venue = t.value';
/** Sessions that name no Place themselves. */
const AT_SERIES = `SELECT r.id FROM json_each(?) t CROSS JOIN record p ON p.venue = t.value
  CROSS JOIN record r ON r.parent = p.id AND r.own = 1 WHERE r.venue IS NULL`;

export type Near = NonNullable<SearchQuery['near']>;

const KM_OF_DEGREE = (RADIUS_KM * Math.PI) / 180;

type Box = [south: number, north: number, west: number, east: number];

/** The box around a circle, slightly larger; with all longitudes where the circle reaches a pole or the date line. */
export function boxOf({ latitude, longitude, km }: Near): Box {
  const degrees = (km / KM_OF_DEGREE) * 1.001;
  const [south, north] = [latitude - degrees, latitude + degrees];
  const parallel = Math.cos((Math.min(Math.max(Math.abs(south), Math.abs(north)), 90) * Math.PI) / 180);
  const across = parallel * 180 > degrees ? degrees / parallel : 180;
  const crosses = longitude - across < -180 || longitude + across > 180;
  return crosses ? [south, north, -180, 180] : [south, north, longitude - across, longitude + across];
}
