import { z } from 'zod';
import { type Defined, defined } from '../opportunity/records.ts';
import { DAY_SECONDS } from '../time/days.ts';
import { MAX_QUERY } from './tokens.ts';
import {
  age,
  date,
  days,
  distance,
  type FilterType,
  flag,
  gender,
  labels,
  near,
  price,
  support,
  text,
  texts,
  time,
} from './values/filter-types.ts';

export { DAY_NAMES } from './values/filter-types.ts';

/**
 * The filters of a search, a row each: their values, how an address spells them, what is allowed, and their description in
 * `/openapi.json`. Pages, calendars and JSON have the same filters. Other tables say what each filter does; the compiler compares
 * them with the names here (docs/architecture.md, "How a filter is added").
 */

/** `within` of a search that has only `near`, in kilometres. */
export const DEFAULT_WITHIN = 5;
/** The levels that most feeds have; a feed may have others. */
export const LEVELS = ['Beginner', 'Improver', 'Intermediate', 'Advanced'] as const;

interface FilterRow {
  type: FilterType;
  /** `times`: a filter of time. `sessions`: no place has it, so searches for places ignore it in their words. */
  of: 'times' | 'sessions' | 'anything';
  description: string;
  /** Values that `/openapi.json` shows. */
  examples?: readonly unknown[];
}

const ROWS = {
  q: {
    type: text(MAX_QUERY),
    of: 'anything',
    description:
      'Words over name, activity, category, place, town, organiser, leader, level and description; ranked, one typo forgiven. Lengths, as "45 minutes", and what is not wanted, as "not yoga", have no other parameter.',
    examples: ['yoga'],
  },
  activity: {
    type: texts,
    of: 'anything',
    description: 'Activities by name or id, narrower ones included.',
    examples: [['Yoga']],
  },
  place: { type: texts, of: 'anything', description: 'Places by key or name.' },
  series: { type: texts, of: 'anything', description: 'Series by key or name.' },
  organizer: { type: texts, of: 'sessions', description: 'Organisers by id or name.' },
  near: {
    type: near,
    of: 'anything',
    description: 'Latitude and longitude, or a postcode district or town in the data.',
    examples: ['50.72,-3.53', 'EX99'],
  },
  within: {
    type: distance,
    of: 'anything',
    description: `Kilometres around near, or around a place that q names; ${DEFAULT_WITHIN} unless given.`,
    examples: ['3'],
  },
  day: { type: days, of: 'times', description: 'Weekdays of the local start.', examples: [['mon', 'tue']] },
  after: {
    type: time,
    of: 'times',
    description: 'Starts at this local time or later.',
    examples: ['18:00'],
  },
  before: { type: time, of: 'times', description: 'Starts before this local time.', examples: ['21:00'] },
  from: { type: date, of: 'times', description: 'The first local date.', examples: ['2026-11-24'] },
  to: { type: date, of: 'times', description: 'The local date after the last one.', examples: ['2026-12-01'] },
  age: {
    type: age,
    of: 'sessions',
    description: 'Who comes: an age, or ages of which some must be allowed.',
    examples: ['8', '5-11', '60-'],
  },
  level: { type: labels, of: 'sessions', description: 'Levels by name.', examples: [['Beginner']] },
  gender: {
    type: gender,
    of: 'sessions',
    description: 'Only sessions for women, only those for men, or only those for all.',
  },
  free: { type: flag, of: 'sessions', description: 'Costs nothing.' },
  maxPrice: {
    type: price,
    of: 'sessions',
    description: 'An offer costs at most this, in its own currency.',
    examples: ['8'],
  },
  online: { type: flag, of: 'sessions', description: 'Takes place online, also or only.' },
  accessible: {
    type: support,
    of: 'sessions',
    description: 'Accessibility support by name or id; any: whatever support there is.',
    examples: [['Visual impairment'], ['any']],
  },
  cancelled: { type: flag, of: 'sessions', description: 'Lists cancelled ones too.' },
} as const satisfies Record<string, FilterRow>;

export type FilterName = keyof typeof ROWS;

type FilterShape = { [N in FilterName]: z.ZodOptional<(typeof ROWS)[N]['type']['schema']> };

export const FILTER_ROWS: Readonly<Record<FilterName, FilterRow>> = ROWS;

export const FILTER_NAMES = Object.keys(ROWS) as FilterName[];

/** Every filter as an address has it (input) and as the program has it (output). All are optional, and all must hold. */
export const FILTERS = z.object(
  Object.fromEntries(
    Object.entries<FilterRow>(ROWS).map(([name, { type, description }]) => [
      name,
      type.schema.optional().meta({ description }),
    ]),
  ) as FilterShape,
);

/** The filters of a search. Times are seconds since local midnight, `within` is in kilometres, `to` is excluded. */
export type Filters = Defined<z.output<typeof FILTERS>>;

/** The type of each filter's value. */
export type FilterValues = Required<Filters>;

/** Filters whose values are names. */
export type NamesFilter = {
  [N in FilterName]: FilterValues[N] extends string[] ? N : never;
}[FilterName];

/** The filters of time. */
export const TIME_FILTERS: readonly FilterName[] = FILTER_NAMES.filter((name) => ROWS[name].of === 'times');

/**
 * Filters by a name in the data. A name may be published again next season, so that a subscription or an embed waits for it.
 */
export const SEASONAL: readonly string[] = ['place', 'series', 'organizer'] satisfies FilterName[];

/** The JSON Schema of each filter, with description and examples, by name, for `/openapi.json`. */
export function filterSchemas(): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(FILTERS, { io: 'input' });
  return Object.fromEntries(
    Object.entries<FilterRow>(ROWS).map(([name, { examples }]) => [
      name,
      // zod leaves out the examples of a codec.
      { ...(properties[name] as object), ...(examples !== undefined && { examples }) },
    ]),
  );
}

/**
 * Filters in canonical form: lists sorted and without duplicates, `within` exactly where there is `near`, or where `q` may name
 * a place. Equal searches have equal filters.
 */
export function canonical(filters: Filters): Filters {
  const entries = Object.entries(filters).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    return [[name, Array.isArray(value) ? [...new Set<string | number>(value)].sort(inOrder) : value]];
  });
  const { within, ...rest } = Object.fromEntries(entries) as Filters;
  if (rest.near !== undefined) return { ...rest, within: within ?? DEFAULT_WITHIN };
  return rest.q === undefined || within === undefined ? rest : { ...rest, within };
}

/**
 * The filters of several parts of the words together. Lists are joined, and dates span all parts. Times of day are intersected,
 * or joined where they exclude each other.
 */
export function merged(all: readonly Filters[]): Filters {
  let filters: Filters = {};
  for (const one of all)
    filters = { ...filters, ...one, ...listsOf(filters, one), ...datesOf(filters, one), ...hoursOf(filters, one) };
  if (filters.from !== undefined && filters.to !== undefined && filters.from >= filters.to) delete filters.to;
  // A named support is more exact than `any`.
  const support = filters.accessible?.filter((one) => one !== 'any') ?? [];
  if (support.length > 0) filters.accessible = support;
  if (filters.after === 0) delete filters.after;
  if (filters.before === DAY_SECONDS) delete filters.before;
  return canonical(filters);
}

/** Filters that belong together. */
const TOGETHER = [
  ['from', 'to'],
  ['after', 'before'],
  ['near', 'within'],
] as const satisfies FilterName[][];

/**
 * Filters without those that an address has, and those that belong to them: `from` replaces both ends of "this week". A place in
 * the words stays beside `within`.
 */
export function yielding(filters: Filters, named: Filters): Filters {
  const isNamed = (name: string): boolean => named[name as FilterName] !== undefined;
  const namesOf = (name: string): readonly string[] =>
    name === 'near' ? ['near'] : (TOGETHER.find((names) => names.some((one) => one === name)) ?? [name]);
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !namesOf(name).some(isNamed))) as Filters;
}

/** The filters of words that apply beside those of the address, without `near: 'me'`. */
export function applicableFilters({ filters }: { filters: Filters }, named: Filters): Filters {
  const { near, within, ...others } = yielding(filters, named);
  return near === 'me' ? others : { ...others, ...defined({ near, within }) };
}

function listsOf(a: Filters, b: Filters): Filters {
  const both = FILTER_NAMES.flatMap((name): [string, unknown][] => {
    const [first, second] = [a[name], b[name]];
    return Array.isArray(first) && Array.isArray(second) ? [[name, [...first, ...second]]] : [];
  });
  return {
    ...Object.fromEntries(both),
    // "within 3 miles" is around the place that is named, whichever comes first.
    ...(a.near !== undefined && b.near === 'me' && { near: a.near }),
  };
}

function datesOf(a: Filters, b: Filters): Filters {
  return {
    ...(a.from && b.from && a.from < b.from && { from: a.from }),
    ...(a.to && b.to && a.to > b.to && { to: a.to }),
  };
}

function hoursOf(a: Filters, b: Filters): Filters {
  if (a.after === undefined && a.before === undefined) return {};
  if (b.after === undefined && b.before === undefined) return {};
  const [after, before] = [
    Math.max(a.after ?? 0, b.after ?? 0),
    Math.min(a.before ?? DAY_SECONDS, b.before ?? DAY_SECONDS),
  ];
  const isNever = after >= before;
  return {
    after: isNever ? Math.min(a.after ?? 0, b.after ?? 0) : after,
    before: isNever ? Math.max(a.before ?? DAY_SECONDS, b.before ?? DAY_SECONDS) : before,
  };
}

const inOrder = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
