import { z } from 'zod';
import { nearest } from '../nearest.ts';
import {
  canonical,
  DEFAULT_WITHIN,
  FILTER_NAMES,
  FILTER_ROWS,
  FILTERS,
  type FilterName,
  type Filters,
} from './filters.ts';

/** Filters read from the query of an address, and written into one. No other code validates filters. */

/** A parameter that is unknown, or a value that cannot be read. */
export interface FilterProblem {
  name: string;
  /** The value as it was given, cut to 100 characters. */
  value?: string;
  /** The allowed values, in words. */
  allowed: string;
  /** The known name or value that was most likely meant. */
  nearest?: string;
  /** Another parameter that can have this value: `near` for a town that was given as a place. */
  instead?: { name: FilterName; value: string };
}

/** The filters of an address. */
export interface ReadFilters {
  /** The filters that could be read, in canonical form. */
  filters: Filters;
  problems: FilterProblem[];
  /** The cursor, which is a value of `after` that is no time. */
  cursor?: string;
}

/** The parameters of an address. */
export interface ReadOptions {
  /** Names of parameters besides the filters: `limit`, `facets`. */
  others?: readonly string[];
  /**
   * Whether `after` may be a cursor: then an empty value is a problem, and only a time is the filter. `alone`: it is never
   * the filter.
   */
  cursor?: boolean | 'alone';
}

/** The most characters of a value that is read; the longest filter has 200. */
const MAX_VALUE = 1000;
const MAX_PROBLEMS = 20;
const LIKE_TIME = /^\s*\d{1,2}:\d\d\s*$/;

/** Parameters that advertisers and mailings add to addresses, which only scripts read. */
const TRACKING =
  /^(?:utm_.*|mc_.*|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|twclid|yclid|igshid|srsltid|_ga|_gl)$/;

/**
 * Reads filters. Empty values count as absent, as forms send them; tracking parameters are ignored.
 *
 * @example readFilters(new URLSearchParams('day=mon,tue&after=18:00')).filters // { day: [0, 1], after: 64800 }
 */
export function readFilters(params: URLSearchParams, { others = [], cursor = false }: ReadOptions = {}): ReadFilters {
  const filters: Filters = {};
  const problems: FilterProblem[] = [];
  let found: string | undefined;
  for (const name of new Set(params.keys())) {
    if (problems.length >= MAX_PROBLEMS) break;
    if (others.includes(name) || TRACKING.test(name)) continue;
    if (!isFilter(name)) {
      problems.push(unknownName(name, others));
      continue;
    }
    let given = params.getAll(name);
    if (cursor && name === 'after') {
      const isTime = (value: string) => cursor !== 'alone' && LIKE_TIME.test(value);
      const cursors = given.filter((value) => !isTime(value));
      given = given.filter(isTime);
      if (cursors.length > 1 || cursors[0] === '')
        problems.push({ name, value: cursors[0] as string, allowed: 'one cursor' });
      found = cursors[0] || undefined;
    }
    readInto(filters, problems, name, given);
  }
  // A form sends `near` empty where its place was taken off.
  if (params.has('near') && filters.near === undefined) delete filters.within;
  const read = canonical(filters);
  if (read.from !== undefined && read.to !== undefined && read.from >= read.to) {
    problems.push({ name: 'to', value: read.to, allowed: 'a date after from, which it is not part of' });
  }
  if (filters.within !== undefined && read.within === undefined)
    problems.push({
      name: 'within',
      value: shown(params.get('within') ?? ''),
      allowed: 'a distance around near, which is missing',
    });
  return { filters: read, problems, ...(found !== undefined && { cursor: found }) };
}

/**
 * The query of an address with these filters, sorted, so that equal searches have one address.
 *
 * @example queryOf({ day: [1, 0], free: true }) // 'day=mon,tue&free=1'
 */
export function queryOf(filters: Filters): string {
  const { within, ...rest } = z.encode(FILTERS, canonical(filters));
  const written = within === undefined || Number(within) === DEFAULT_WITHIN ? rest : { ...rest, within };
  const pairs = Object.entries(written)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => valuesOf(name as FilterName, value).map((one): [string, string] => [name, one]));
  return new URLSearchParams(pairs).toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/**
 * Filters without those that no address can have, because a name in the data may be longer than a filter.
 *
 * @example writable({ activity: ['y'.repeat(5000)], free: true }) // { free: true }
 */
export function writable(filters: Filters): Filters {
  if (z.safeEncode(FILTERS, filters).success) return filters;
  const entries = Object.entries(filters).filter(([name, value]) => z.safeEncode(FILTERS, { [name]: value }).success);
  return Object.fromEntries(entries) as Filters;
}

/** Whether an address can have all of these filters. */
export function isWritable(filters: Filters): boolean {
  return z.safeEncode(FILTERS, filters).success;
}

function valuesOf(name: FilterName, value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  return FILTER_ROWS[name].type.list === 'commas' ? [value.join(',')] : [...value];
}

function readInto(filters: Filters, problems: FilterProblem[], name: FilterName, given: readonly string[]): void {
  const long = given.find((value) => value.length > MAX_VALUE);
  const { list } = FILTER_ROWS[name].type;
  const split = list === 'commas' ? given.flatMap((value) => value.slice(0, MAX_VALUE).split(',')) : given;
  const values = [...new Set(split.map((value) => spelled(name, tidy(value.slice(0, MAX_VALUE)))))].filter(
    (value) => value !== '',
  );
  if (values.length === 0) return;
  if (values.length > 1 && list === undefined) {
    problems.push({ name, value: shown(values.join(', ')), allowed: 'one value' });
    return;
  }
  const input = list === undefined ? values[0] : values;
  const result = FILTERS.shape[name].safeParse(input);
  if (result.success && long === undefined) Object.assign(filters, { [name]: result.data });
  else problems.push(badValue(name, values, long, result.error));
}

function badValue(
  name: FilterName,
  values: readonly string[],
  long: string | undefined,
  error: z.ZodError | undefined,
): FilterProblem {
  const issue = error?.issues[0];
  const index = issue?.path[0];
  const value = long ?? (typeof index === 'number' ? values[index] : values[0]) ?? '';
  const { known = [] } = FILTER_ROWS[name].type;
  const meant = nearest(value.slice(0, MAX_VALUE), known);
  return {
    name,
    value: shown(value),
    allowed: issue?.message ?? `at most ${MAX_VALUE} characters`,
    ...(meant !== undefined && { nearest: spelled(name, meant) }),
  };
}

/** The problems of unknown parameters, for an address without filters. Tracking parameters are ignored. */
export function unknownParameters(params: URLSearchParams, known: readonly string[]): FilterProblem[] {
  const names = [...new Set(params.keys())].filter((name) => !known.includes(name) && !TRACKING.test(name));
  return names.slice(0, MAX_PROBLEMS).map((name) => unknownOf(name, known));
}

function unknownName(name: string, others: readonly string[]): FilterProblem {
  return unknownOf(name, [...FILTER_NAMES, ...others]);
}

function unknownOf(name: string, known: readonly string[]): FilterProblem {
  const meant = nearest(name, known);
  const allowed = known.length === 0 ? 'none' : known.join(', ');
  return { name: shown(name), allowed, ...(meant !== undefined && { nearest: meant }) };
}

function isFilter(name: string): name is FilterName {
  return Object.hasOwn(FILTERS.shape, name);
}

/** A value in the spelling of the schema; a value without one stays as it is, and is refused later. */
function spelled(name: FilterName, value: string): string {
  return FILTER_ROWS[name].type.spelled?.(value) ?? value;
}

/** A value in one line, without control characters, direction marks and repeated blanks. */
function tidy(value: string): string {
  return value
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .trim();
}

function shown(value: string): string {
  const line = tidy(value.slice(0, 200));
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
