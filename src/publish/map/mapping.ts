import { z } from 'zod';
import { ConfigError } from '../../errors.ts';
import { jsonFileError } from '../../opportunity/page/file-error.ts';
import { zone } from '../../time/zone.ts';

/**
 * The mapping file: what iCalendar does not say. Everything may be left out; what the OpenActive model requires and neither
 * a calendar nor this file says is a finding, and the feeds say as much as is known.
 */

const ADDRESS = 'an http(s) address';
const BASE = 'an http(s) address that goes on: without ?, #, { and }';
const TEMPLATE = 'an http(s) address with {startDate}, and besides it only {endDate} and {uid}';

const address = z.string({ error: ADDRESS }).refine(isHttp, ADDRESS);
const words = z
  .string({ error: 'a text' })
  .trim()
  .min(1, 'a text that is not empty')
  .max(300, 'at most 300 characters');
const zoneName = z
  .string({ error: 'an IANA zone such as Europe/London' })
  .refine((name) => zone(name) !== undefined, 'an IANA zone such as Europe/London');
const tests = z
  .union([words.transform((one) => [one]), z.array(words).min(1, 'at least one word')], {
    error: 'a text, or a list of texts',
  })
  .describe('matches where one of them stands in the text, whatever the case');

/** Details that calendars hold and open data should not, unless somebody decides so. */
const INCLUDED_DETAILS = ['phones', 'emails', 'conferences', 'organizers'] as const;
export type IncludedDetail = (typeof INCLUDED_DETAILS)[number];
const include = z
  .array(z.enum(INCLUDED_DETAILS, { error: `one of ${INCLUDED_DETAILS.join(', ')}` }))
  .default([])
  .describe('what of persons and meetings is published: nothing unless it is named here');

const flag = z.boolean({ error: 'true or false' });

/** What becomes of an event. */
const ROLES = ['session', 'nothing', 'cancellation', 'open', 'closed'] as const;
export type Role = (typeof ROLES)[number];
const STATUSES = ['CONFIRMED', 'TENTATIVE', 'CANCELLED'] as const;

const choice = z.strictObject({
  words: tests.optional().describe('whole words of SUMMARY or CATEGORIES; `run*` is each word that begins so'),
  category: tests.optional().describe('one of CATEGORIES, whatever the case'),
  calendar: tests.optional().describe('part of the file name, the address or the name of the calendar'),
  allDay: flag.optional().describe('whether the event has dates only'),
  transparent: flag.optional().describe('whether TRANSP says that the event takes no time'),
  status: z
    .enum(STATUSES, { error: `one of ${STATUSES.join(', ')}` })
    .optional()
    .describe('STATUS of the event'),
  as: z
    .enum(ROLES, { error: `one of ${ROLES.join(', ')}` })
    .describe(
      'session: published; nothing: left out; cancellation: cancels the sessions it covers; open, closed: opening hours',
    ),
  covers: tests
    .optional()
    .describe('whole words of the sessions that a cancellation cancels; all of its calendar else'),
});

const body = z.strictObject({
  name: words,
  id: address.optional(),
  url: address.optional(),
  email: words.optional(),
  telephone: words.optional(),
  logo: address.optional(),
});

const concept = z.union(
  [
    words.transform((label): { label: string; id?: string | undefined; scheme?: string | undefined } => ({ label })),
    z.strictObject({ label: words, id: address.optional(), scheme: address.optional() }),
  ],
  { error: 'a name, or {"label", "id", "scheme"}' },
);

const place = z.strictObject({
  name: words,
  id: address.optional(),
  url: address.optional(),
  telephone: words.optional(),
  email: words.optional(),
  street: words.optional(),
  locality: words.optional(),
  region: words.optional(),
  postalCode: words.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a country as GB')
    .optional(),
  latitude: z.number({ error: 'degrees from -90 to 90' }).min(-90).max(90).optional(),
  longitude: z.number({ error: 'degrees from -180 to 180' }).min(-180).max(180).optional(),
});

const offer = z.strictObject({
  name: words.optional(),
  price: z.number({ error: 'a number, 0 for free' }).min(0, 'a number, 0 for free'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'a currency as GBP')
    .optional(),
  url: address.optional(),
});

const facility = z.strictObject({
  name: words.optional(),
  /** A concept of the facility-types list. */
  type: concept.optional(),
  activity: concept.optional(),
  url: address.optional(),
});

const calendar = z.strictObject({
  /** Which calendars are meant: part of their file name or address. */
  source: tests,
  /** Its events are not sessions but the hours something is open. */
  openingHours: z.boolean({ error: 'true or false' }).optional(),
  /** What is open, for opening hours. */
  facility: facility.optional(),
  organizer: body.optional(),
  activity: concept.optional(),
  place: place.optional(),
  offers: z.array(offer).optional(),
  zone: zoneName.optional(),
  url: address.optional(),
  include: include.optional(),
});

const dataset = z.strictObject({
  name: words.optional(),
  description: words.optional(),
  url: address.optional(),
  publisher: body.optional(),
  /** Where people ask about the data: an e-mail address or a page. */
  contact: words.optional(),
  documentation: address.optional(),
});

const mapping = z.strictObject({
  /** Address that every `@id` begins with; it need not answer. */
  base: address
    .refine((url) => !/[?#{}]/.test(url), BASE)
    .transform((url) => (url.endsWith('/') ? url : `${url}/`))
    .optional(),
  /** The page of an event that names none. */
  url: address.optional(),
  /** The page of one session: `{startDate}` is its start in UTC, `{uid}` the event's UID. */
  urlTemplate: z
    .string({ error: TEMPLATE })
    .refine(
      (text) => isHttp(text.replaceAll(/\{(?:startDate|endDate|uid)\}/g, 'x')) && text.includes('{startDate}'),
      TEMPLATE,
    )
    .optional(),
  organizer: body.optional(),
  /** Of events for which no line of `activities` fits. */
  activity: concept.optional(),
  /** First line of which a whole word stands in CATEGORIES or SUMMARY. */
  activities: z.array(z.strictObject({ words: tests, activity: concept })).default([]),
  /** Of events for which no line of `places` fits and which name no place themselves. */
  place: place.optional(),
  /** First line of which a whole word stands in LOCATION. */
  places: z.array(z.strictObject({ location: tests, place })).default([]),
  offers: z.array(offer).optional(),
  /** Of times that name no zone, in calendars that name none. */
  zone: zoneName.default('Europe/London'),
  licence: address.default('https://creativecommons.org/licenses/by/4.0/'),
  dataset: dataset.default({}),
  calendars: z.array(calendar).default([]),
  events: z.array(choice).default([]).describe('what becomes of an event: the first line that fits decides'),
  include,
});

export type Mapping = z.output<typeof mapping>;
export type MappedCalendar = Mapping['calendars'][number];
export type MappedPlace = z.output<typeof place>;
export type MappedBody = z.output<typeof body>;
export type MappedConcept = z.output<typeof concept>;
export type MappedChoice = z.output<typeof choice>;
export type MappedOffer = z.output<typeof offer>;

/** What holds where there is no mapping file. */
export const NO_MAPPING: Mapping = mapping.parse({});

/**
 * Reads a mapping file. `name` is what people call it.
 *
 * @throws ConfigError with every problem: where it is (line, or path into the file), what stands there, what is allowed
 */
export function parseMapping(text: string, name: string): Mapping {
  const given = parseText(text, name);
  const result = mapping.safeParse(given, { reportInput: true });
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => problemOf(name, given, issue)));
}

function parseText(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ConfigError([jsonFileError(name, text, cause).message], { cause });
  }
}

function problemOf(name: string, given: unknown, issue: z.core.$ZodIssue): string {
  const path = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const where = `${name}: $${path}`;
  if (issue.code === 'unrecognized_keys')
    return `${where} has ${issue.keys.map(quoted).join(', ')}, which means nothing here`;
  const value = issue.path.reduce<unknown>(
    (from, step) => (from as Record<PropertyKey, unknown> | undefined)?.[step],
    given,
  );
  if (value === undefined) return `${where} is missing: ${issue.message}`;
  return `${where} is ${quoted(value)}; allowed is ${issue.message}`;
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function isHttp(text: string): boolean {
  return text.length <= 2048 && /^https?:\/\//i.test(text) && URL.canParse(text);
}
