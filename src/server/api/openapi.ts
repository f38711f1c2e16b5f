import { MOST_DAYS } from '../../library/index.ts';
import { type FilterName, filterSchemas } from '../../search/filters.ts';
import { SCHEMAS } from './openapi-schemas.ts';
import { MOST_ROWS, USUAL_ROWS, VENUE_FILTERS } from './search-json.ts';

/** `/openapi.json`: every address that answers in JSON, written by hand and held against the answers by a test. */

type Name = keyof typeof SCHEMAS;
type Json = Readonly<Record<string, unknown>>;

const parameter = (name: string, description: string, schema: Json = { type: 'string' }): Json => ({
  name,
  in: 'query',
  description,
  schema,
});
const moment = { anyOf: ['date', 'date-time'].map((format) => ({ type: 'string', format })) };

const inPath = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});
const limit = (description: string, maximum: number, usual: number): Json =>
  parameter('limit', description, { type: 'integer', minimum: 1, maximum, default: usual });

const KEY = inPath('key', 'The key in its address.', { type: 'string', pattern: '^[a-z0-9]{1,64}$' });
const FEED = inPath('id', 'Number of the feed, as in the list of feeds.', { type: 'integer', minimum: 1 });
const AFTER = parameter('after', 'Where the page before ended; follow "next" instead of making it.');
const FILTERS = filterSchemas() as Record<FilterName, Json>;
const ROWS_OF_A_PAGE = limit('Rows of one page.', MOST_ROWS, USUAL_ROWS);
const FACETS = parameter('facets', '1: adds how many there are by weekday, activity and place.', { enum: ['1'] });
/** The cursor has the name of a filter: a time is the filter, anything else the cursor. */
const AFTER_EITHER = parameter('after', `${FILTERS.after.description} Or a cursor, of "next".`);
const SEARCHED = [
  ...(Object.keys(FILTERS) as FilterName[]).filter((name) => name !== 'after').map(filterParameter),
  AFTER_EITHER,
  ROWS_OF_A_PAGE,
  FACETS,
];
const parametersOf = (collection: keyof typeof VENUE_FILTERS): Json[] => [
  ...VENUE_FILTERS[collection].map(filterParameter),
  ROWS_OF_A_PAGE,
  AFTER,
];

function filterParameter(name: FilterName): Json {
  const { description, examples, ...schema } = FILTERS[name];
  const [example] = (examples ?? []) as unknown[];
  return { ...parameter(name, String(description), schema), ...(example !== undefined && { example }) };
}

const AT = parameter(
  'at',
  'The moment it is about, a date (its UTC midnight) or a UTC date-time; default now.',
  moment,
);
const WINDOW = [
  parameter('from', 'Begin: a date (its UTC midnight) or a UTC date-time; default today.', moment),
  parameter('to', `End, excluded; default eight weeks after, at most ${MOST_DAYS} days after "from".`, moment),
];
const ROWS = [
  limit('Rows of one answer.', 1000, 200),
  parameter('after', 'Rows already seen; follow "next" instead of counting.', { type: 'integer', minimum: 0 }),
];

export function openapi(base: string): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'openactive-ical',
      version: '1',
      summary: 'What is on, where, and what is open: OpenActive feeds, cleaned and joined.',
      description:
        'Everything is read-only and open to any origin. Moments are UTC; errors are problem details (RFC 9457).',
    },
    servers: [{ url: base }],
    paths: {
      '/api/occurrences': get('What is on: occurrences, by start.', 'Found', SEARCHED),
      '/api/series': get(
        'Series of sessions, courses and events: by rank with q, else by next start.',
        'Listing',
        SEARCHED,
      ),
      '/api/series/{key}': get('One series: what it is, and its next occurrences.', 'Series', [KEY]),
      '/api/series/{key}/explain': get(
        'Where each occurrence within a window comes from, and why others are not shown.',
        'Explanation',
        [KEY, ...WINDOW, ...ROWS],
        { 410: problem('The series has ended for good.') },
      ),
      ...venuePaths('places', 'place', 'Place', parametersOf('places')),
      ...venuePaths('facilities', 'facility', 'Facility', parametersOf('facilities')),
      '/api/feeds': get('The feeds that are read, and how they are.', 'Feeds', []),
      '/api/feeds/{id}/findings': get('What is odd about a feed: its pages first, then item by item.', 'FeedFindings', [
        FEED,
        limit('Items with findings of one answer.', 200, 50),
        AFTER,
      ]),
      '/openapi.json': { get: { summary: 'This document.', responses: { 200: { description: 'OpenAPI 3.1.' } } } },
      '/healthz': get('Whether the process is alive.', 'Alive', []),
      '/readyz': get('Whether it can serve; 503 if not.', 'Ready', [], { 503: answerSchema('Not ready.', 'Ready') }),
    },
    components: { schemas: SCHEMAS },
  };
}

function venuePaths(collection: string, one: string, schema: Name, listed: readonly Json[]): Json {
  return {
    [`/api/${collection}`]: get(
      `The ${collection}: by rank with q, by distance with near, else by name.`,
      'Listing',
      listed,
    ),
    [`/api/${collection}/{key}`]: get(`One ${one}: whether it is open, and what is on.`, schema, [KEY]),
    [`/api/${collection}/{key}/hours`]: get('When it is open within a window, and why.', 'Periods', [KEY, ...WINDOW]),
    [`/api/${collection}/{key}/open`]: get('Whether it is open at a moment, and when that changes.', 'Opening', [
      KEY,
      AT,
    ]),
  };
}

/** Answered at once, to whoever asks. */
const OPERATIONS: readonly Name[] = ['Alive', 'Ready'];

const REFUSALS = {
  429: problem('More requests in a minute than one caller may make; Retry-After says when to come back.'),
  503: problem('The answer takes too long just now; Retry-After says when to try again.'),
};

function get(summary: string, schema: Name, parameters: readonly Json[], more: Json = {}): Json {
  const failures = {
    ...(parameters.some((one) => one.in === 'query') && { 400: problem('A parameter that cannot be used.') }),
    ...(!OPERATIONS.includes(schema) && REFUSALS),
    ...(parameters.some((one) => one.in === 'path') && { 404: problem('There is none of this name.') }),
  };
  return {
    get: { summary, parameters, responses: { 200: answerSchema('The answer.', schema), ...failures, ...more } },
  };
}

function answerSchema(description: string, schema: Name, type = 'application/json'): Json {
  return { description, content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } } };
}

function problem(description: string): Json {
  return answerSchema(description, 'Problem', 'application/problem+json');
}
