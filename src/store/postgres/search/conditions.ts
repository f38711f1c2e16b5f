import { RADIUS_KM } from '../../../search/distance.ts';
import { FIELD_NAMES, type Field } from '../../../search/document.ts';
import { type SearchQuery, type TermGroup, unwantedOf } from '../../contract/index.ts';
import { kindNumber } from '../../sql/rows.ts';
import { allOf, boxOf, type Condition, factChecks, type Near, namedChecks } from '../../sql/search/conditions.ts';
import { alternativesOf } from '../../sql/search/stored-terms.ts';
import { fieldsOf, isOpen } from '../../sql/search/terms.ts';
import { isInexact, tsqueryOf } from './lexemes.ts';

/** A query as conditions of SQL on `search s`. */

/** The rows that a query finds. `tier`: words within these fields. */
export function foundBy(query: SearchQuery, tier?: readonly Field[]): Condition {
  const near = query.near === undefined ? [] : [inBox(query.near), inCircle(query.near)];
  const ofKind = { sql: 's.kind = ?', values: [kindNumber(query.kind)] };
  return allOf([ofKind, ...having(query, tier), ...factChecks(query), ...near, ...namedChecks(query)]);
}

/** The conditions for the words and keys of a query. `tier`: words within these fields. */
export function having(query: Partial<SearchQuery>, tier?: readonly Field[]): Condition[] {
  const tsquery = tsqueryOf(query, tier);
  const matched = tsquery === undefined ? [] : [{ sql: 's.lexemes @@ ?::tsquery', values: [tsquery] }];
  const inexact = (query.words ?? []).filter(isInexact);
  return [...matched, ...inexact.flatMap((group) => inTerms(group, tier))];
}

const LINES =
  'FROM search_terms t, unnest(string_to_array(t.terms, chr(10))) WITH ORDINALITY l(line, at) WHERE t.record = s.record';

/**
 * The conditions of one group, as `termsCheck` has them (`stored-terms.ts`), for alternatives and phrases of several terms.
 */
function inTerms(group: TermGroup, tier: readonly Field[] | undefined): Condition[] {
  const wanted = isOpen(group) ? [] : [lines(fieldsOf(group, tier), alternativesOf(group))];
  const others = unwantedOf(group).map(({ fields, names }) => {
    const { sql, values } = lines(
      fields,
      names.map((terms) => [` ${terms.join(' ')} `]),
    );
    return { sql: `NOT ${sql}`, values };
  });
  return [...wanted, ...others];
}

/** The condition that a line of these fields has all texts of one of the alternatives. */
function lines(fields: readonly Field[], alternatives: readonly (readonly string[])[]): Condition {
  const places = fields.map((name) => FIELD_NAMES.indexOf(name) + 1);
  const any = alternatives.map((parts) => `(${parts.map(() => 'strpos(l.line, ?) > 0').join(' AND ')})`).join(' OR ');
  return {
    sql: `EXISTS (SELECT 1 ${LINES} AND l.at IN (${places}) AND (${any || 'false'}))`,
    values: alternatives.flat(),
  };
}

function inBox(near: Near): Condition {
  const [south, north, west, east] = boxOf(near);
  const sql = 'point(s.longitude, s.latitude) <@ box(point(?, ?), point(?, ?))';
  return { sql, values: [west, south, east, north] };
}

/** Whether a row is in a circle, by the haversine formula. */
function inCircle({ latitude, longitude, km }: Near): Condition {
  const sql = `2 * ${RADIUS_KM} * asin(least(1, sqrt(power(sin(radians(s.latitude - ?) / 2), 2)
    + cos(radians(?)) * cos(radians(s.latitude)) * power(sin(radians(s.longitude - ?) / 2), 2)))) <= ?`;
  return { sql, values: [latitude, latitude, longitude, km] };
}
