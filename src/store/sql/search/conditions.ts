import { RADIUS_KM } from '../../../search/distance.ts';
import type { SearchQuery } from '../../contract/index.ts';
import type { Value } from '../database.ts';

/** A condition of SQL, with its values. */
export interface Condition {
  sql: string;
  values: Value[];
}

export function allOf(conditions: readonly Condition[]): Condition {
  return { sql: conditions.map(({ sql }) => sql).join(' AND '), values: conditions.flatMap(({ values }) => values) };
}

/** A session of the series says a price of at most this. On `search s`. */
export function inSessions(price: number): Condition {
  const sql = 'EXISTS (SELECT 1 FROM session_price p WHERE p.series = s.record AND p.price <= ?)';
  return { sql, values: [price] };
}

/** Some of these ages are allowed. On `search s`. */
export function agesOf({ min, max, stated }: NonNullable<SearchQuery['age']>): Condition[] {
  const checks: Condition[] = [{ sql: '(s.age_max IS NULL OR s.age_max >= ?)', values: [min] }];
  if (max !== undefined) checks.push({ sql: '(s.age_min IS NULL OR s.age_min <= ?)', values: [max] });
  const lowest = 'COALESCE(s.age_min, CASE WHEN s.age_max IS NOT NULL THEN 0 END)';
  if (stated !== undefined) checks.push({ sql: `${lowest} >= ?`, values: [stated] });
  return checks;
}

export type Near = NonNullable<SearchQuery['near']>;

const KM_OF_DEGREE = (RADIUS_KM * Math.PI) / 180;

export type Box = [south: number, north: number, west: number, east: number];

/** South, north, west and east of a circle, a little outside it: all longitudes where it reaches a pole or the date line. */
export function boxOf({ latitude, longitude, km }: Near): Box {
  const degrees = (km / KM_OF_DEGREE) * 1.001;
  const [south, north] = [latitude - degrees, latitude + degrees];
  const parallel = Math.cos((Math.min(Math.max(Math.abs(south), Math.abs(north)), 90) * Math.PI) / 180);
  const across = parallel * 180 > degrees ? degrees / parallel : 180;
  const crosses = longitude - across < -180 || longitude + across > 180;
  return crosses ? [south, north, -180, 180] : [south, north, longitude - across, longitude + across];
}
