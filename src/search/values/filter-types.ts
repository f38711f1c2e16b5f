import { z } from 'zod';
import { bareName, parseGender, parseWeekday } from '../../opportunity/item/vocabulary.ts';
import { dateOfDay, dayOfDate, WEEKDAYS } from '../../time/days.ts';
import type { LocalDate, Weekday } from '../../time/instant.ts';
import { timeText } from '../../time/iso-text.ts';

/** Types of values of filters: how an address writes them, and which values are allowed. */

/** A type of values. */
export interface FilterType<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  /**
   * Whether a filter has several values. `repeated`: the parameter is repeated; `commas`: values may also be joined by
   * commas.
   */
  list?: 'repeated' | 'commas';
  /** A value in the spelling of the schema; undefined: it has no other spelling. */
  spelled?: (value: string) => string | undefined;
  /** All allowed values, and other words for them that people try. */
  known?: readonly string[];
}

/** The most values of one filter. */
export const MAX_VALUES = 20;
const MAX_TEXT = 200;
const MAX_AGE = 150;
const HOUR = 3600;

export const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const upTo = (max: number) => z.string().max(max, `a text of at most ${max} characters`);

export const text = (max: number) => ({ schema: upTo(max) }) satisfies FilterType;

export const texts = {
  schema: z.array(upTo(MAX_TEXT)).max(MAX_VALUES, `at most ${MAX_VALUES} values`),
  list: 'repeated',
} as const satisfies FilterType;

/** Names without commas. */
export const labels = { ...texts, list: 'commas' } as const satisfies FilterType;

/** A number without a sign. A program may send more decimals than are read, as three miles in kilometres: 4.828032. */
const decimal = (digits: number): string => `\\d{1,${digits}}(?:\\.\\d{1,20})?`;
/** A number rounded to some decimals, so that each value has one text without an exponent. */
const rounded = (value: string, decimals: number): number => Number(Number(value).toFixed(decimals));

const TIME = 'a local time from 00:00 to 24:00, such as 18:00';
export const time = {
  schema: z.codec(z.string().regex(/^(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)$/, TIME), z.number(), {
    decode: (value) => Number(value.split(':')[0]) * HOUR + Number(value.split(':')[1]) * 60,
    encode: timeText,
  }),
} satisfies FilterType;

const DATE = 'a date such as 2026-11-24';
export const date = {
  schema: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, DATE)
    .refine(isDate, DATE) as z.ZodType<LocalDate, LocalDate>,
} satisfies FilterType;

const PRICE = 'a price such as 8 or 7.50, less than 100000';
const PRICE_TEXT = new RegExp(`^£?${decimal(5)}$`);
export const price = {
  schema: z.codec(z.string().regex(PRICE_TEXT, PRICE), z.number(), {
    decode: (value) => rounded(value.replace('£', ''), 2),
    encode: String,
  }),
} satisfies FilterType;

/** Three decimals are a metre. */
const DISTANCE = 'a number of kilometres such as 5 or 4.8, more than 0 and at most 500';
const DISTANCE_TEXT = new RegExp(`^${decimal(3)}$`);
export const distance = {
  schema: z.codec(z.string().regex(DISTANCE_TEXT, DISTANCE), z.number().positive(DISTANCE).max(500, DISTANCE), {
    decode: (value) => rounded(value, 3),
    encode: String,
  }),
} satisfies FilterType;

const AGE = `an age such as 8, or ages such as 5-11 or 60-, the lower first and none above ${MAX_AGE}`;
export const age = {
  schema: z.codec(
    z
      .string()
      .regex(/^\d{1,3}(?:\+|-\d{0,3})?$/, AGE)
      .refine(isAges, AGE),
    z.object({ min: z.number(), max: z.number().optional() }),
    {
      decode: agesOf,
      encode: ({ min, max }) => (max === undefined ? `${min}-` : min === max ? String(min) : `${min}-${max}`),
    },
  ),
} satisfies FilterType;

const NEAR = 'latitude and longitude in degrees such as 50.72,-3.53, a postcode district or a town';
const COORDINATES = /^(-?\d{1,3}(?:\.\d{1,20})?), ?(-?\d{1,3}(?:\.\d{1,20})?)$/;
export const near = {
  schema: z.codec(
    upTo(100).refine(isPlaceText, NEAR),
    z.union([z.object({ latitude: z.number(), longitude: z.number() }), z.string()]),
    {
      decode: (value) => coordinatesOf(value) ?? value,
      encode: (value) => (typeof value === 'string' ? value : `${value.latitude},${value.longitude}`),
    },
  ),
} satisfies FilterType;

const FLAGS = new Map(Object.entries({ true: '1', yes: '1', on: '1', false: '', no: '', off: '', 0: '' }));
const flagText = (value: string): string | undefined => FLAGS.get(value.toLowerCase());

export const flag = {
  schema: z.codec(z.literal('1', { error: '1' }), z.literal(true), {
    decode: () => true as const,
    encode: () => '1' as const,
  }),
  spelled: flagText,
} satisfies FilterType;

const day = z.codec(z.enum(DAY_NAMES, { error: DAY_NAMES.join(', ') }), z.number(), {
  decode: (name) => DAY_NAMES.indexOf(name),
  encode: (weekday) => DAY_NAMES[weekday as Weekday],
}) as unknown as z.ZodType<Weekday, (typeof DAY_NAMES)[number]>;

export const days = {
  schema: z.array(day).max(DAY_NAMES.length * 2, DAY_NAMES.join(', ')),
  list: 'commas',
  spelled: (value) => DAY_NAMES.find((_, weekday) => weekday === parseWeekday(value)),
  known: [...DAY_NAMES, ...WEEKDAYS.map((name) => name.toLowerCase())],
} as const satisfies FilterType;

const GENDERS = { FemaleOnly: 'female', MaleOnly: 'male', NoRestriction: 'all' } as const;
const GENDER_NAMES = Object.values(GENDERS);
const RESTRICTIONS = Object.keys(GENDERS) as (keyof typeof GENDERS)[];

export const gender = {
  schema: z.codec(z.enum(GENDER_NAMES, { error: GENDER_NAMES.join(', ') }), z.enum(RESTRICTIONS), {
    decode: (name) => RESTRICTIONS.find((one) => GENDERS[one] === name) ?? 'NoRestriction',
    encode: (restriction) => GENDERS[restriction],
  }),
  spelled: (value) => {
    if (value.toLowerCase() === GENDERS.NoRestriction) return GENDERS.NoRestriction;
    const restriction = parseGender(value);
    if (restriction !== 'NoRestriction') return restriction && GENDERS[restriction];
    // Earlier releases had no filter for sessions without a restriction.
    return bareName(value) === 'NoRestriction' ? '' : undefined;
  },
  known: [...GENDER_NAMES, 'women', 'men'],
} satisfies FilterType;

/** Names of accessibility support; `any`: whatever support there is. */
export const support = {
  ...labels,
  spelled: (value) => (/^(?:1|true|yes|on|any)$/i.test(value) ? 'any' : flagText(value)),
} satisfies FilterType;

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
