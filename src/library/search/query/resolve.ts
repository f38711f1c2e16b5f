import { defined, type RecordKind } from '../../../opportunity/records.ts';
import type { Position } from '../../../search/distance.ts';
import { foldedKey, postcodeOf } from '../../../search/document.ts';
import {
  DEFAULT_WITHIN,
  FILTER_NAMES,
  FILTER_ROWS,
  type Filters,
  LEVELS,
  TIME_FILTERS,
} from '../../../search/filters.ts';
import type { FilterProblem } from '../../../search/query.ts';
import { ADULT } from '../../../search/values/context.ts';
import type { Understood } from '../../../search/words.ts';
import type { Reader, SearchQuery, TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { isKey } from '../../head.ts';
import type { ReplacedWord } from '../types.ts';
import { askedQueries, asksForAdults, type WiderQuery } from './asked-queries.ts';
import { queryOfValues } from './filter-queries.ts';
import { hasOne, isFound } from './matching.ts';
import { knownPlace, placeLike } from './places.ts';
import { combined, nowhere } from './understanding.ts';
import { levelKeys, unknownValues } from './unknown.ts';
import { type Exclusion, exclusionOf, withoutUnwanted } from './unwanted.ts';
import { withoutGeneric } from './wider-words.ts';
import { asTyped, wordGroups } from './word-groups.ts';

/** Filters as a query of the index. */

/** A query, with what became of the words. */
export interface Resolved {
  query: SearchQuery;
  /** Filters of the address, over those in the words. */
  filters: Filters;
  /** Lists of groups that only rank: documents with the first list come first, then those with the next. */
  better: readonly (readonly TermGroup[])[];
  near?: Position;
  /** The whole postcode that the address or the words name (`postcodeOf`). */
  postcode?: string;
  replaced: ReplacedWord[];
  /** Parts of the words that cannot be asked for. */
  leftOut: string[];
  /** Parts of the words that nothing has beside the others. */
  unmatched: string[];
  /** Whether only children have a length among these, as in `FoundPage`. */
  forChildren?: true;
  /** Towns among the words, as keys. */
  towns: readonly string[];
  /** Whether something else than words that yield is among these. */
  isLess: boolean;
  /** Whether nothing has all of the words in its names: its description mentions some. */
  isDescribed: boolean;
  problems: FilterProblem[];
  /** The problem of "near me" without a position, as in `FoundPage`. */
  nowhere?: FilterProblem;
}

/** The most records that names of one filter may stand for. */
const MOST_NAMED = 500;

/** Tells whether a query finds something on the dates of filters. */
export type IsOn = (query: SearchQuery, filters: Filters) => Promise<boolean>;

/**
 * The query of some filters. `understood`: the words of `filters` as they were read, where there are any. `isOn`: decides
 * between queries of series.
 */
export async function resolve(
  read: Reader,
  kind: RecordKind,
  filters: Filters,
  understood: Understood | undefined,
  isOn: IsOn,
): Promise<Resolved> {
  const problems = await unknownValues(read, kind, filters);
  const all = combined(filters, askedInWords(kind, understood));
  const where = await nearOf(read, all);
  let words = understood?.words ?? '';
  if (where !== undefined && 'problem' in where) {
    // An unknown place in the words may be any word, and is searched for.
    if (filters.near !== undefined) problems.push(where.problem);
    else if (where.problem.value !== 'me')
      words = words === '' ? where.problem.value : `${words} in ${where.problem.value}`;
  }
  const groups = await wordGroups(read, kind, words, isFiltered(all));
  const { better, replaced } = groups;
  const excluded = await exclusionOf(read, kind, understood);
  const wanted = withoutUnwanted(groups.wanted, excluded.names);
  const wider = wanted.length > 0 ? [...groups.instead, ...withoutGeneric(words, all)] : groups.instead;
  const instead = wider.map((one) => ({ ...one, words: withoutUnwanted(one.words, excluded.names) }));
  const position = where !== undefined && 'latitude' in where ? where : undefined;
  const [rows, values] = [await namedRows(read, kind, all), queryOfValues(all)];
  const keys = { ...rows.keys, ...values.keys };
  const query: SearchQuery = {
    kind,
    ...excluded.query,
    ...rows,
    ...values,
    ...(Object.keys(keys).length > 0 && { keys }),
    ...(wanted.length > 0 && { words: wanted }),
    ...(position && { near: { ...position, km: all.within ?? DEFAULT_WITHIN } }),
    ...(all.age === undefined && asksForAdults(understood, filters) && { age: { min: ADULT } }),
  };
  const open = withoutLevel(read, query, understood, filters);
  const queries = [...askedQueries(query, instead, understood, filters), ...open] as const;
  const found = await firstFound(read, queries, query, (one) => isOn(one, all));
  const named = await withNames(read, found.query);
  return {
    query: named,
    isDescribed: named.words?.some(({ within }) => within === undefined) === true,
    filters: all,
    better: withPlace([asTyped(understood), better], all),
    replaced: replacedIn(replaced, found),
    leftOut: leftOutOf(kind, understood, excluded),
    unmatched: found.unmatched,
    towns: groups.towns,
    isLess: found.unmatched.length > 0 && found.isYielding !== true,
    problems,
    ...defined({
      near: position,
      postcode: postcodeIn(all, understood),
      nowhere: nowhere(filters, understood?.filters ?? {}),
    }),
  };
}

/**
 * The first query that finds something on the dates, else the first that anything matches. `whole`: the query with all words.
 */
async function firstFound(
  read: Reader,
  queries: readonly [WiderQuery, ...WiderQuery[]],
  whole: SearchQuery,
  isOn: (query: SearchQuery) => Promise<boolean>,
): Promise<WiderQuery> {
  if (queries.length === 1) return queries[0];
  let known: WiderQuery | undefined;
  let hasAll: boolean | undefined;
  for (const one of queries) {
    // A session may have all words by itself.
    if (one.isLast) hasAll ??= known !== undefined || (await isFound(read, whole));
    if (one.isLast && hasAll) continue;
    if (!(await hasOne(read, one.query)) || (await one.condition?.()) === false) continue;
    if (one.query.kind !== 'series' || (await isOn(one.query))) return one;
    if (!one.isLast) known ??= one;
  }
  return known ?? queries[0];
}

/** Words that were replaced, without those that the query leaves out or joins with another. */
function replacedIn(replaced: readonly ReplacedWord[], { unmatched, joined }: WiderQuery): ReplacedWord[] {
  const isAsked = ({ word }: ReplacedWord): boolean =>
    !unmatched.includes(word) && joined?.word.split(' ').includes(word) !== true;
  return [...replaced.filter(isAsked), ...(joined === undefined ? [] : [joined])];
}

/** The groups that rank, with the named town or postcode: what is there comes before what is near it. */
function withPlace(better: readonly (readonly TermGroup[])[], { near }: Filters): (readonly TermGroup[])[] {
  const ranks = better.filter(({ length }) => length > 0);
  const place = typeof near === 'string' ? wordsIn(near).map(stem) : [];
  if (place.length === 0) return ranks;
  const there: TermGroup = { any: [place], within: 'names' };
  return [...ranks.flatMap((one) => [[...one, there], one]), [there]];
}

/** The most records among which one without a level is looked for. */
const MOST_OF_LEVELS = 1000;

/**
 * A query without the level of the words, where some of what has the other words states none: most classes are for all
 * levels.
 */
function withoutLevel(
  read: Reader,
  { keys: { levels, ...keys } = {}, ...query }: SearchQuery,
  understood: Understood | undefined,
  named: Filters,
): WiderQuery[] {
  if (levels === undefined || named.level !== undefined || query.words === undefined) return [];
  const open: SearchQuery = { ...query, ...(Object.keys(keys).length > 0 && { keys }) };
  const condition = async (): Promise<boolean> => {
    const records = (await read.search(open, MOST_OF_LEVELS)).map(({ record }) => record);
    const stated: SearchQuery = { kind: query.kind, records, keys: { levels: LEVELS.flatMap(levelKeys) } };
    return (await read.countFound(stated, MOST_OF_LEVELS)) < records.length;
  };
  const parts = (understood?.understood ?? []).filter(({ filters }) => filters.level !== undefined);
  return [{ query: open, unmatched: parts.map(({ text }) => text), condition }];
}

/** The whole postcode of `near`: as the address has it, else as the words have it, whose filter has the district alone. */
function postcodeIn({ near }: Filters, understood: Understood | undefined): string | undefined {
  if (typeof near !== 'string') return undefined;
  const part = understood?.understood.find(({ filters }) => filters.near === near);
  return postcodeOf(part?.text ?? near);
}

/** Parts of the words that a query of a kind cannot express. */
function leftOutOf(kind: RecordKind, understood: Understood | undefined, { unasked }: Exclusion): string[] {
  const names = kind === 'series' ? [] : kind === 'place' ? UNASKED_OF_PLACES : TIME_FILTERS;
  const parts = (understood?.understood ?? []).flatMap((part) => {
    const { text, filters, leftOut, unwanted } = part;
    if (leftOut === undefined) return names.some((name) => filters[name] !== undefined) ? text : [];
    if (unwanted === undefined || unasked.has(part)) return leftOut;
    return unwanted.filter((one) => unasked.has(one)).map((one) => one.text);
  });
  return [...parts, ...signsIn(understood?.query ?? '')];
}

/** Emoji of a text, or all of it where it has no word: `???`. */
function signsIn(query: string): string[] {
  if (query !== '' && !/[\p{L}\p{N}]/u.test(query)) return [query];
  return query.match(/\p{Emoji_Presentation}/gu) ?? [];
}

const UNASKED_OF_PLACES = FILTER_NAMES.filter((name) => FILTER_ROWS[name].of !== 'anything');

/** The filters of the words, for places without those that no place has: `women only` would find none. */
function askedInWords(kind: RecordKind, understood: Understood | undefined): Filters {
  const filters = { ...understood?.filters };
  if (kind !== 'place') return filters;
  for (const name of UNASKED_OF_PLACES) if (!TIME_FILTERS.includes(name)) delete filters[name];
  return filters;
}

/** A query whose words are not looked for in descriptions, where it finds something; else the query as it is. */
async function withNames(read: Reader, query: SearchQuery): Promise<SearchQuery> {
  if (query.words === undefined || query.words.every(({ within }) => within !== undefined)) return query;
  const words = query.words.map((group): TermGroup => ({ within: 'names', ...group }));
  const narrowed = { ...query, words };
  return (await hasOne(read, narrowed)) ? narrowed : query;
}

function isFiltered({ q: _, within: _within, cancelled: _cancelled, ...filters }: Filters): boolean {
  return Object.keys(filters).length > 0;
}

/** The position of `near`, or its problem; undefined without `near`. */
async function nearOf(
  read: Reader,
  { near }: Filters,
): Promise<Position | { problem: FilterProblem & { value: string } } | undefined> {
  if (near === undefined) return undefined;
  if (typeof near !== 'string') return near;
  const allowed = 'coordinates such as 50.72,-3.53, or a town, place or postcode district in the data';
  if (near === 'me') return { problem: { name: 'near', value: near, allowed } };
  const place = await knownPlace(read, near);
  if (place?.position !== undefined) return place.position;
  const like = place === undefined ? await placeLike(read, near) : undefined;
  return { problem: { name: 'near', value: near, allowed, ...(like !== undefined && { nearest: like }) } };
}

/** Series and places, by the keys of their addresses or by their names. */
async function namedRows(
  read: Reader,
  kind: RecordKind,
  { place, series }: Filters,
): Promise<Omit<SearchQuery, 'kind' | 'words' | 'near'>> {
  const places = place && (await rowsOf(read, 'place', place));
  const listed = series && (await rowsOf(read, kind, series));
  return {
    ...(places?.rows && { venues: places.rows }),
    ...(listed?.rows && { records: listed.rows }),
    ...((places?.names || listed?.names) && {
      keys: { ...(places?.names && { places: places.names }), ...(listed?.names && { names: listed.names }) },
    }),
  };
}

/** Values of a filter as rows or names. Beside the key of a row, names become the rows that have them. */
async function rowsOf(
  read: Reader,
  kind: RecordKind,
  values: readonly string[],
): Promise<{ rows?: number[]; names?: string[] }> {
  const rows: number[] = [];
  const names: string[] = [];
  for (const value of values) {
    const row = await rowByKey(read, kind, value);
    if (row === undefined) names.push(foldedKey(value));
    else rows.push(row);
  }
  if (rows.length === 0) return { names };
  const named = names.length === 0 ? [] : await read.search({ kind, keys: { names } }, MOST_NAMED);
  return { rows: [...rows, ...named.map(({ record }) => record)] };
}

async function rowByKey(read: Reader, kind: RecordKind, key: string): Promise<number | undefined> {
  if (!isKey(key)) return undefined;
  const row = await read.calendarByKey(key);
  const moved = row?.movedTo === undefined ? row : await read.calendarByKey(row.movedTo);
  return moved?.kind === kind ? moved.record : undefined;
}
