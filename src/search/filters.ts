import { z } from 'zod';
import type { Defined } from '../opportunity/records.ts';
import { DAY_SECONDS, dateOfDay, dayOfDate } from '../time/days.ts';
import type { LocalDate, Weekday } from '../time/instant.ts';
import { MAX_QUERY } from './tokens.ts';

/**
 * The filters of a search, once: their values, how an address spells them, what is allowed, and what `/openapi.json` says of
 * them. Pages, calendars and JSON read the same ones.
 */

/** Kilometres within which something may be, where nobody says how far. */
export const DEFAULT_WITHIN = 5;
/** Values of one name. */
const MAX_VALUES = 20;
const MAX_TEXT = 200;
const MAX_AGE = 150;
const HOUR = 3600;

export const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** Levels that people and most feeds name; a feed may have others. */
export const LEVELS = ['Beginner', 'Improver', 'Intermediate', 'Advanced'] as const;
const GENDERS = ['female', 'male'] as const;
const RESTRICTIONS = { female: 'FemaleOnly', male: 'MaleOnly' } as const;

const upTo = (max: number) => z.string().max(max, `a text of at most ${max} characters`);
const texts = () => z.array(upTo(MAX_TEXT)).max(MAX_VALUES, `at most ${MAX_VALUES} values`);

const TIME = 'a time such as 18:00';
const time = () =>
  z.codec(z.string().regex(/^(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)$/, TIME), z.number(), {
    decode: (value) => Number(value.split(':')[0]) * HOUR + Number(value.split(':')[1]) * 60,
    encode: (seconds) => `${twoDigits(Math.floor(seconds / HOUR))}:${twoDigits(Math.floor(seconds / 60) % 60)}`,
  });

const DATE = 'a date such as 2026-11-24';
const date = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, DATE)
    .refine(isDate, DATE) as z.ZodType<LocalDate, LocalDate>;

const PRICE = 'a price such as 8 or 7.50';
const price = z.codec(z.string().regex(/^£?\d{1,5}(?:\.\d{1,2})?$/, PRICE), z.number(), {
  decode: (value) => Number(value.replace('£', '')),
  encode: String,
});

const DISTANCE = 'kilometres, more than 0 and at most 500';
const distance = z.codec(
  z.string().regex(/^\d{1,3}(?:\.\d{1,3})?$/, DISTANCE),
  z.number().positive(DISTANCE).max(500, DISTANCE),
  {
    decode: Number,
    encode: String,
  },
);

const AGE = 'an age such as 8, or ages such as 5-11 or 60-';
const age = z.codec(
  z
    .string()
    .regex(/^\d{1,3}(?:\+|-\d{0,3})?$/, AGE)
    .refine(isAges, AGE),
  z.object({ min: z.number(), max: z.number().optional() }),
  {
    decode: agesOf,
    encode: ({ min, max }) => (max === undefined ? `${min}-` : min === max ? String(min) : `${min}-${max}`),
  },
);

const NEAR = 'coordinates such as 50.72,-3.53, a postcode district or a town';
const COORDINATES = /^(-?\d{1,3}(?:\.\d{1,20})?), ?(-?\d{1,3}(?:\.\d{1,20})?)$/;
const near = z.codec(
  upTo(100).refine(isPlaceText, NEAR),
  z.union([z.object({ latitude: z.number(), longitude: z.number() }), z.string()]),
  {
    decode: (value) => coordinatesOf(value) ?? value,
    encode: (value) => (typeof value === 'string' ? value : `${value.latitude},${value.longitude}`),
  },
);

const flag = () =>
  z.codec(z.literal('1', { error: '1' }), z.literal(true), { decode: () => true as const, encode: () => '1' as const });

const day = z.codec(z.enum(DAY_NAMES, { error: DAY_NAMES.join(', ') }), z.number(), {
  decode: (name) => DAY_NAMES.indexOf(name),
  encode: (weekday) => DAY_NAMES[weekday as Weekday],
}) as unknown as z.ZodType<Weekday, (typeof DAY_NAMES)[number]>;

const gender = z.codec(z.enum(GENDERS, { error: GENDERS.join(', ') }), z.enum(Object.values(RESTRICTIONS)), {
  decode: (name) => RESTRICTIONS[name],
  encode: (restriction) => (restriction === RESTRICTIONS.female ? 'female' : 'male'),
});

/** Every filter as an address has it (input) and as the program has it (output). All are optional, and all must hold. */
export const FILTERS = z.object({
  q: upTo(MAX_QUERY)
    .optional()
    .meta({
      description:
        'Words over name, activity, category, place, town, organiser, leader, level and description; ranked, one typo forgiven.',
      examples: ['yoga'],
    }),
  activity: texts()
    .optional()
    .meta({
      description: 'Activities by name or id, narrower ones included.',
      examples: [['Yoga']],
    }),
  place: texts().optional().meta({ description: 'Places by key or name.' }),
  series: texts().optional().meta({ description: 'Series by key or name.' }),
  organizer: texts().optional().meta({ description: 'Organisers by id or name.' }),
  near: near.optional().meta({
    description: 'Latitude and longitude, or a postcode district or town in the data.',
    examples: ['50.72,-3.53', 'EX99'],
  }),
  within: distance
    .optional()
    .meta({ description: `Kilometres around near; ${DEFAULT_WITHIN} unless given.`, examples: ['3'] }),
  day: z
    .array(day)
    .max(DAY_NAMES.length * 2, DAY_NAMES.join(', '))
    .optional()
    .meta({
      description: 'Weekdays of the local start.',
      examples: [['mon', 'tue']],
    }),
  after: time()
    .optional()
    .meta({ description: 'Starts at this local time or later.', examples: ['18:00'] }),
  before: time()
    .optional()
    .meta({ description: 'Starts before this local time.', examples: ['21:00'] }),
  from: date()
    .optional()
    .meta({ description: 'The first local date.', examples: ['2026-11-24'] }),
  to: date()
    .optional()
    .meta({ description: 'The local date after the last one.', examples: ['2026-12-01'] }),
  age: age.optional().meta({
    description: 'Who comes: an age, or ages of which some must be allowed.',
    examples: ['8', '5-11', '60-'],
  }),
  level: texts()
    .optional()
    .meta({ description: 'Levels by name.', examples: [['Beginner']] }),
  gender: gender.optional().meta({ description: 'Only sessions for women, or for men.' }),
  free: flag().optional().meta({ description: 'Costs nothing.' }),
  maxPrice: price
    .optional()
    .meta({ description: 'An offer costs at most this, in its own currency.', examples: ['8'] }),
  online: flag().optional().meta({ description: 'Takes place online, also or only.' }),
  accessible: texts()
    .optional()
    .meta({
      description: 'Accessibility support by name or id; any: whatever support there is.',
      examples: [['Visual impairment'], ['any']],
    }),
  cancelled: flag().optional().meta({ description: 'Lists cancelled ones too.' }),
});

/** The filters of a search. Times are seconds since local midnight, `within` is in kilometres, `to` is excluded. */
export type Filters = Defined<z.output<typeof FILTERS>>;

export type FilterName = keyof Filters;

export const FILTER_NAMES = Object.keys(FILTERS.shape) as FilterName[];

/** May be named several times. */
export const REPEATABLE: readonly FilterName[] = [
  'activity',
  'place',
  'series',
  'organizer',
  'day',
  'level',
  'accessible',
];
/** Filters by a name in the data. Names come and go with the seasons: a subscription or an embed waits for one to be published again. */
export const SEASONAL: readonly string[] = ['place', 'series', 'organizer'] satisfies FilterName[];
/** May have several values with commas between them: none of their values has one. */
export const WITH_COMMAS: readonly FilterName[] = ['day', 'level', 'accessible'];

/** What `/openapi.json` says of each filter: its JSON Schema, with description and examples, by name. */
export function filterSchemas(): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(FILTERS, { io: 'input' });
  // zod leaves out the examples of what is read into another type.
  const examplesOf = (name: FilterName): object => {
    const { examples } = (FILTERS.shape[name].meta() ?? {}) as { examples?: unknown };
    return examples === undefined ? {} : { examples };
  };
  return Object.fromEntries(
    FILTER_NAMES.map((name) => [name, { ...(properties[name] as object), ...examplesOf(name) }]),
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

function listsOf(a: Filters, b: Filters): Filters {
  return {
    ...(a.day && b.day && { day: [...a.day, ...b.day] }),
    ...(a.level && b.level && { level: [...a.level, ...b.level] }),
    ...(a.accessible && b.accessible && { accessible: [...a.accessible, ...b.accessible] }),
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

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function isDate(value: string): boolean {
  return dateOfDay(dayOfDate(value)) === value;
}

function agesOf(value: string): { min: number; max?: number } {
  const [min, max] = value.split(/[-+]/).map((part) => (part === '' ? undefined : Number(part))) as [number, number?];
  if (!/[-+]/.test(value)) return { min, max: min };
  return { min, ...(max !== undefined && { max }) };
}

function isAges(value: string): boolean {
  const { min, max = MAX_AGE } = agesOf(value);
  return min <= max && max <= MAX_AGE;
}

/** Five decimals are a metre. */
function coordinatesOf(value: string): { latitude: number; longitude: number } | undefined {
  const [, latitude, longitude] = COORDINATES.exec(value) ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  // Adding 0 makes 0 of -0, which is written alike.
  return { latitude: Number(Number(latitude).toFixed(5)) + 0, longitude: Number(Number(longitude).toFixed(5)) + 0 };
}

function isPlaceText(value: string): boolean {
  const coordinates = coordinatesOf(value);
  if (coordinates !== undefined) return Math.abs(coordinates.latitude) <= 90 && Math.abs(coordinates.longitude) <= 180;
  return /\p{L}/u.test(value);
}
