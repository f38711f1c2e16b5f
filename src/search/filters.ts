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
 * The filters of a search, a row each: their values, how an address spells them, what is allowed, and what `/openapi.json` says of
 * them. Pages, calendars and JSON read the same ones. What each filter does has a table elsewhere, which the compiler compares
 * with the names here (docs/architecture.md, "How a filter is added").
 */

/** Kilometres within which something may be, where nobody says how far. */
export const DEFAULT_WITHIN = 5;
/** Levels that people and most feeds name; a feed may have others. */
export const LEVELS = ['Beginner', 'Improver', 'Intermediate', 'Advanced'] as const;

interface FilterRow {
  type: FilterType;
  /** `times`: it says when. `sessions`: no place has it, and lists of places leave it out of their words. */
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
    description: `Kilometres around near, beside which it stands; ${DEFAULT_WITHIN} unless given.`,
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

/** The value that each filter has where it is asked for. */
export type FilterValues = Required<Filters>;

/** Filters whose values are names. */
export type NamesFilter = {
  [N in FilterName]: FilterValues[N] extends string[] ? N : never;
}[FilterName];

/** Filters that say when. */
export const TIME_FILTERS: readonly FilterName[] = FILTER_NAMES.filter((name) => ROWS[name].of === 'times');

/** Filters by a name in the data. Names come and go with the seasons: a subscription or an embed waits for one to be published again. */
export const SEASONAL: readonly string[] = ['place', 'series', 'organizer'] satisfies FilterName[];

/** What `/openapi.json` says of each filter: its JSON Schema, with description and examples, by name. */
export function filterSchemas(): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(FILTERS, { io: 'input' });
  return Object.fromEntries(
    Object.entries<FilterRow>(ROWS).map(([name, { examples }]) => [
      name,
      // zod leaves out the examples of what is read into another type.
      { ...(properties[name] as object), ...(examples !== undefined && { examples }) },
    ]),
  );
}

/**
 * Filters in their one form: lists sorted and without what is there twice, `within` only beside `near`. Equal
 * searches have equal filters.
 */
export function canonical(filters: Filters): Filters {
  const entries = Object.entries(filters).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    return [[name, Array.isArray(value) ? [...new Set<string | number>(value)].sort(inOrder) : value]];
  });
  const { within, ...rest } = Object.fromEntries(entries) as Filters;
  return rest.near === undefined ? rest : { ...rest, within: within ?? DEFAULT_WITHIN };
}

/** Several filters at once: days are added up, dates reach over all of them, times hold together unless they exclude each other. */
export function merged(all: readonly Filters[]): Filters {
  let filters: Filters = {};
  for (const one of all)
    filters = { ...filters, ...one, ...listsOf(filters, one), ...datesOf(filters, one), ...hoursOf(filters, one) };
  if (filters.from !== undefined && filters.to !== undefined && filters.from >= filters.to) delete filters.to;
  // Who names the support that they need wants no other.
  const support = filters.accessible?.filter((one) => one !== 'any') ?? [];
  if (support.length > 0) filters.accessible = support;
  if (filters.after === 0) delete filters.after;
  if (filters.before === DAY_SECONDS) delete filters.before;
  return canonical(filters);
}

/** Names of filters that say one thing together. */
const TOGETHER = [
  ['from', 'to'],
  ['after', 'before'],
  ['near', 'within'],
] as const satisfies FilterName[][];

/** Filters without those that an address names, or a part of: `from` in it takes the place of both ends of "this week". */
export function yielding(filters: Filters, named: Filters): Filters {
  const isNamed = (name: string): boolean => named[name as FilterName] !== undefined;
  const namesOf = (name: string): readonly string[] =>
    TOGETHER.find((names) => names.some((one) => one === name)) ?? [name];
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !namesOf(name).some(isNamed))) as Filters;
}

/** The filters of words that apply: those that the address does not name, without a `near` that names no place. */
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
