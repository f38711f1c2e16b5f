import { z } from 'zod';
import { didYouMean } from '../../nearest.ts';
import { nearestZone } from '../../time/nearest-zone.ts';
import { zone } from '../../time/zone.ts';
import { isWebAddress } from '../read/extras.ts';

/**
 * The schema of a mapping file. `describe` is the meaning of a key, and `allowed` its values: docs/mapping.md and the errors
 * are made of both.
 */

/** The allowed values of a key in words, for errors and docs/mapping.md. */
interface Allowed {
  allowed: string;
}

const ADDRESS = 'an http(s) address';
const BASE = 'an http(s) address that goes on: without ?, #, { and }';
const TEMPLATE = 'an http(s) address with {startDate}, and besides it only {endDate} and {uid}';
const ZONE = 'an IANA zone such as Europe/London';
const COUNT = 'a whole number from 0 to 1000000';
const TIME = 'a time such as 18:30';
const AGE = 'a whole number of years from 0 to 150';

const allowed = <T extends z.ZodType>(schema: T, words: string): T => schema.meta({ allowed: words } satisfies Allowed);

/** A note for people. Some notes of the starter mapping begin with "To decide". */
const comment = z.string({ error: 'a text' }).max(10_000, 'at most 10000 characters');

/** An object without other keys; the error for one names the nearest key. */
function object<T extends z.core.$ZodLooseShape>(shape: T) {
  const known = Object.keys(shape);
  const unknown = (key: string) =>
    `has ${JSON.stringify(key.slice(0, 60))}, which means nothing here${didYouMean(key, known)}`;
  return z.strictObject(
    { ...shape, $comment: comment.optional() },
    {
      error: ({ code, keys = [] }) =>
        code === 'unrecognized_keys' ? (keys as string[]).map(unknown).join('; it ') : 'an object',
    },
  );
}

function oneOrMore<T extends z.ZodType>(one: T, words: string) {
  const list = z.union([one.transform((value) => [value]), z.array(one).min(1, `at least one: ${words}`)], {
    error: `${words}, or a list of them`,
  });
  return allowed(list, `${words}, or a list of them`);
}

const address = allowed(z.string({ error: ADDRESS }).refine(isWebAddress, ADDRESS), ADDRESS);
const text = allowed(
  z.string({ error: 'a text' }).trim().min(1, 'a text that is not empty').max(300, 'at most 300 characters'),
  'a text',
);
const zoneName = allowed(
  z
    .string({ error: ZONE })
    .refine((name) => zone(name) !== undefined, { error: ZONE, params: { nearest: nearestZone } }),
  ZONE,
);
const flag = allowed(z.boolean({ error: 'true or false' }), 'true or false');
const time = allowed(z.string({ error: TIME }).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, TIME), TIME);
const tests = oneOrMore(text, 'a text');

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  const words = `one of ${values.join(', ')}`;
  return allowed(z.enum(values, { error: words }), words);
}

function wholeNumber(most: number, words: string) {
  return allowed(z.int({ error: words }).min(0, words).max(most, words), words);
}

/** Details of calendars that are no open data, unless the mapping file includes them. */
const INCLUDED_DETAILS = ['phones', 'emails', 'conferences', 'organizers'] as const;
export type IncludedDetail = (typeof INCLUDED_DETAILS)[number];
const include = allowed(
  z.array(oneOf(INCLUDED_DETAILS), { error: `a list of ${INCLUDED_DETAILS.join(', ')}` }),
  `a list of ${INCLUDED_DETAILS.join(', ')}`,
);

/** The roles of an event. */
const ROLES = ['session', 'nothing', 'cancellation', 'open', 'closed'] as const;
export type Role = (typeof ROLES)[number];

const body = object({
  name: text.describe('its name'),
  id: address.optional().describe('its `@id`'),
  url: address.optional().describe('its page'),
  email: text.optional().describe('an e-mail address for everybody'),
  telephone: text.optional().describe('a telephone number for everybody'),
  logo: address.optional().describe('the address of its logo'),
}).meta({ id: 'organizer' });

const concept = allowed(
  z.union(
    [
      text.transform((label): { label: string; id?: string | undefined; scheme?: string | undefined } => ({ label })),
      object({
        label: text.describe('`prefLabel`'),
        id: address.optional().describe('`@id`: where it is no concept of the list of OpenActive'),
        scheme: address.optional().describe('`inScheme`: the list it is in'),
      }),
    ],
    { error: 'a name, or {"label", "id", "scheme"}' },
  ),
  'a name of the list of OpenActive, or {"label", "id", "scheme"}',
).meta({ id: 'concept' });

const place = object({
  name: text.describe('`name`'),
  id: address.optional().describe('its `@id`'),
  url: address.optional().describe('its page'),
  telephone: text.optional().describe('a telephone number for everybody'),
  email: text.optional().describe('an e-mail address that is no secret where it stands in a calendar'),
  street: text.optional().describe('`streetAddress`'),
  locality: text.optional().describe('`addressLocality`: town or city'),
  region: text.optional().describe('`addressRegion`: county or district'),
  postalCode: text.optional().describe('`postalCode`'),
  country: allowed(z.string().regex(/^[A-Z]{2}$/, 'a country as GB'), 'two capital letters, as GB')
    .optional()
    .describe('`addressCountry`; an address is a PostalAddress where all five parts are given, else one line of text'),
  latitude: allowed(z.number({ error: 'degrees from -90 to 90' }).min(-90).max(90), 'degrees from -90 to 90')
    .optional()
    .describe('`geo`, with `longitude`'),
  longitude: allowed(z.number({ error: 'degrees from -180 to 180' }).min(-180).max(180), 'degrees from -180 to 180')
    .optional()
    .describe('`geo`, with `latitude`'),
}).meta({ id: 'place' });

const offer = object({
  name: text.optional().describe('who it is for, such as Adult or Member'),
  price: allowed(
    z.number({ error: 'a number, 0 for free' }).min(0, 'a number, 0 for free'),
    'a number, 0 for free',
  ).describe('`price`'),
  currency: allowed(z.string().regex(/^[A-Z]{3}$/, 'a currency as GBP'), 'three capital letters, as GBP')
    .optional()
    .describe('`priceCurrency`; GBP where a price has none'),
  url: address.optional().describe('where people book or pay'),
}).meta({ id: 'offer' });

const person = allowed(
  z.union(
    [
      text.transform((name): { name: string; id?: string | undefined; url?: string | undefined } => ({ name })),
      object({ name: text, id: address.optional(), url: address.optional() }),
    ],
    { error: 'a name, or {"name", "id", "url"}' },
  ),
  'a name, or {"name", "id", "url"}',
);

const ageRange = object({
  min: wholeNumber(150, AGE).optional().describe('`minValue`: the youngest, in years'),
  max: wholeNumber(150, AGE).optional().describe('`maxValue`: the oldest, in years'),
})
  .refine(({ min, max }) => min !== undefined || max !== undefined, '{"min", "max"}, one of them at least')
  .refine(({ min = 0, max = 150 }) => min <= max, 'a min that is no more than the max')
  .meta({ id: 'ageRange' });

/** Details of sessions besides time, place and activity: for all sessions, those of a calendar, or those that a line fits. */
const details = {
  offers: allowed(z.array(offer, { error: 'a list of offers' }), 'a list of offers')
    .optional()
    .describe('what it costs'),
  leader: oneOrMore(person, 'a name, or {"name", "id", "url"}').optional().describe('who leads it'),
  ageRange: ageRange.optional().describe('`ageRange`: for whom'),
  genderRestriction: oneOf(['NoRestriction', 'FemaleOnly', 'MaleOnly']).optional().describe('`genderRestriction`'),
  level: oneOrMore(text, 'a text').optional().describe('`level`, such as Beginner, Intermediate or Advanced'),
  maximumAttendeeCapacity: wholeNumber(1_000_000, COUNT)
    .optional()
    .describe('`maximumAttendeeCapacity`: how many people may take part'),
  accessibilitySupport: oneOrMore(concept, 'a name of the list of OpenActive, or {"label", "id", "scheme"}')
    .optional()
    .describe('`accessibilitySupport`: what it is prepared for'),
  accessibilityInformation: text.optional().describe('`accessibilityInformation`'),
  image: oneOrMore(address, ADDRESS).optional().describe('`image`'),
};

/** The tests of a line: it is about the events that pass all of them. */
const choice = object({
  title: tests
    .optional()
    .describe(
      'the whole SUMMARY, whatever the case; `Track*` is each that begins so; events without one are called Session',
    ),
  words: tests.optional().describe('whole words of SUMMARY or CATEGORIES; `run*` is each word that begins so'),
  category: tests.optional().describe('one of CATEGORIES, whatever the case'),
  calendar: tests.optional().describe('part of the file name, the address or the name of the calendar'),
  allDay: flag.optional().describe('whether the event has dates only'),
  transparent: flag.optional().describe('whether TRANSP says that the event takes no time'),
  status: oneOf(['CONFIRMED', 'TENTATIVE', 'CANCELLED']).optional().describe('STATUS of the event'),
  as: oneOf(ROLES)
    .optional()
    .describe(
      'session: published; nothing: left out; cancellation: cancels the sessions it covers; open, closed: opening hours. Without it the line only says what sessions have',
    ),
  covers: tests
    .optional()
    .describe('whole words of the sessions that a cancellation cancels; all of its calendar else'),
  startTime: time.optional().describe('when events without times start, as local time'),
  endTime: time.optional().describe('when they end, on their last day; with `startTime`'),
  url: address.optional().describe('the page of events that name none'),
  ...details,
}).meta({ id: 'event' });

const facility = object({
  name: text.optional().describe('its name'),
  type: concept.optional().describe('`facilityType`: a concept of the facility types'),
  activity: concept.optional().describe('`activity`: a concept of the activity list'),
  url: address.optional().describe('its page'),
}).meta({ id: 'facility' });

const calendar = object({
  source: tests.describe(
    'which calendars are meant: part of their file name or address; the first line that fits is used',
  ),
  openingHours: flag.optional().describe('its events are not sessions but the hours something is open'),
  facility: facility.optional().describe('what is open, for opening hours'),
  organizer: body.optional().describe('`organizer` of its sessions'),
  activity: concept.optional().describe('of events for which no line of `activities` fits'),
  place: place.optional().describe('of events for which no line of `places` fits and which name no place themselves'),
  zone: zoneName.optional().describe('of times without a zone'),
  url: address.optional().describe('the page of events that name none'),
  include: include.optional().describe('as `include` of the file, for this calendar'),
  ...details,
}).meta({ id: 'calendar' });

const dataset = object({
  name: text.optional().describe('name of the dataset'),
  description: text.optional().describe('what is in it'),
  url: address.optional().describe('its page'),
  publisher: body.optional().describe('who publishes it; the organizer else'),
  contact: text.optional().describe('where people ask about the data: an e-mail address or a page'),
  documentation: address.optional().describe('a page about the feeds'),
}).meta({ id: 'dataset' });

/** The whole file. */
export const mapping = object({
  base: allowed(
    address.refine((url) => !/[?#{}]/.test(url), BASE).transform((url) => (url.endsWith('/') ? url : `${url}/`)),
    BASE,
  )
    .optional()
    .describe('the address that every `@id` begins with; it need not answer'),
  url: address.optional().describe('the page of events that name none'),
  urlTemplate: allowed(
    z
      .string({ error: TEMPLATE })
      .refine(
        (url) => isWebAddress(url.replaceAll(/\{(?:startDate|endDate|uid)\}/g, 'x')) && url.includes('{startDate}'),
        TEMPLATE,
      ),
    TEMPLATE,
  )
    .optional()
    .describe('the page of one session: `{startDate}` is its start in UTC, `{uid}` the UID of the event'),
  organizer: body.optional().describe('`organizer` of sessions, `provider` of facilities'),
  activity: concept.optional().describe('of events for which no line of `activities` fits'),
  activities: z
    .array(
      object({
        words: tests.describe('whole words of SUMMARY or CATEGORIES; `run*` is each word that begins so'),
        activity: concept.describe('`activity`: a concept of the activity list'),
      }),
    )
    .default([])
    .describe('activities by words: the first line that fits'),
  place: place.optional().describe('of events for which no line of `places` fits and which name no place themselves'),
  places: z
    .array(
      object({
        location: tests.describe('whole words of LOCATION'),
        place: place.describe('where that is'),
      }),
    )
    .default([])
    .describe('places by words: the first line that fits'),
  zone: zoneName.default('Europe/London').describe('of times without a zone, in calendars that name none'),
  licence: address.default('https://creativecommons.org/licenses/by/4.0/').describe('the licence of the feeds'),
  dataset: dataset.default({}).describe('what the dataset page says'),
  calendars: z.array(calendar).default([]).describe('what holds for one calendar'),
  events: z
    .array(choice)
    .default([])
    .describe('what becomes of an event and what it has: of each key the first line that fits and has it'),
  include: include.default([]).describe('what of persons and meetings is published: nothing unless it is named here'),
  ...details,
});

export type Mapping = z.output<typeof mapping>;
export type MappedCalendar = Mapping['calendars'][number];
export type MappedPlace = z.output<typeof place>;
export type MappedBody = z.output<typeof body>;
export type MappedConcept = z.output<typeof concept>;
export type MappedChoice = z.output<typeof choice>;
export type MappedOffer = z.output<typeof offer>;
/** Details of sessions in a line, a calendar or the whole file. */
export type MappedDetails = Pick<MappedChoice, keyof typeof details>;
export const DETAILS = Object.keys(details) as readonly (keyof MappedDetails)[];
