import {
  answerSchema,
  CONDITIONS,
  FILTERS,
  filterParameter,
  filterParameters,
  get,
  getText,
  inPath,
  type Json,
  KEY,
  MOMENT,
  type Parameter,
  type Paths,
  parameter,
  problem,
  type SchemaName,
  tagged,
  WINDOW,
} from './openapi-operations.ts';
import { SCHEMAS } from './openapi-schemas.ts';
import { CALENDARS, CHANGES, EMBEDS, LISTS, PAGES } from './openapi-texts.ts';
import { MOST_ROWS, USUAL_ROWS, VENUE_FILTERS } from './search-json.ts';

/** `/openapi.json`: every address, written by hand; a test compares it with the answers. */

const limit = (description: string, maximum: number, usual: number): Parameter =>
  parameter('limit', description, { type: 'integer', minimum: 1, maximum, default: usual });

const FEED = inPath('id', 'Number of the feed, as in the list of feeds.', { type: 'integer', minimum: 1 });
const AFTER = parameter('after', 'Where the page before ended; follow "next" instead of making it.');
const ROWS_OF_A_PAGE = limit('Rows of one page.', MOST_ROWS, USUAL_ROWS);
const FACETS = parameter('facets', '1: adds how many there are by weekday, activity and place.', { enum: ['1'] });
/** The cursor has the name of a filter: a time is the filter, anything else the cursor. */
const AFTER_EITHER = parameter(
  'after',
  `${FILTERS.after.description} Or the cursor of "next", which has both where there is a time.`,
);
const SEARCHED = [...filterParameters().filter(({ name }) => name !== 'after'), AFTER_EITHER, ROWS_OF_A_PAGE, FACETS];
const parametersOf = (collection: keyof typeof VENUE_FILTERS): Parameter[] => [
  ...VENUE_FILTERS[collection].map(filterParameter),
  ROWS_OF_A_PAGE,
  AFTER,
];

const AT = parameter(
  'at',
  'The moment it is about, a date (its UTC midnight) or a UTC date-time; default now.',
  MOMENT,
);
const ROWS = [limit('Rows of one answer.', 1000, 200), AFTER];

/** Answers for a series that is no longer served at its address. */
const ENDED = {
  308: { description: 'It has another address now.' },
  410: problem('The publisher has withdrawn the series.'),
};

const JSON_PATHS: Paths = {
  '/api/occurrences': get(
    'What is on: occurrences, by start, then by id; those without an id come first.',
    'Found',
    SEARCHED,
  ),
  '/api/series': get(
    'Series of sessions, courses and events: by rank with q, else by next start.',
    'Listing',
    SEARCHED,
  ),
  '/api/series/{key}': get('One series: what it is, and its next occurrences.', 'Series', [KEY], ENDED),
  '/api/series/{key}/explain': get(
    'Where each occurrence within a window comes from, and why others are not shown.',
    'Explanation',
    [KEY, ...WINDOW, ...ROWS],
    ENDED,
  ),
  ...venuePaths('places', 'place', 'Place', parametersOf('places')),
  ...venuePaths('facilities', 'facility', 'Facility', parametersOf('facilities')),
  '/api/feeds': get('The feeds that are read, and how they are.', 'Feeds', []),
  '/api/feeds/{id}/findings': get('What is odd about a feed: its pages first, then item by item.', 'FeedFindings', [
    FEED,
    limit('Items with findings of one answer.', 200, 50),
    AFTER,
  ]),
};

const PATHS_OF_OPERATORS: Paths = {
  '/openapi.json': {
    get: {
      summary: 'This description.',
      responses: {
        200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
        ...CONDITIONS,
      },
    },
  },
  '/robots.txt': getText('text/plain', 'What crawlers may read: everything.', []),
  '/sitemap.xml': getText('application/xml', 'The pages for search engines: at most 50,000, places first.', []),
  '/healthz': get('Whether the process is alive.', 'Alive', []),
  '/readyz': get('Whether it can serve; 503 if not.', 'Ready', [], { 503: answerSchema('Not ready.', 'Ready') }),
};

/** Addresses by heading, in the order of the page `/api`. */
const GROUPS = {
  JSON: JSON_PATHS,
  Calendars: CALENDARS,
  'Feeds of changes': CHANGES,
  'Timetables for other sites': EMBEDS,
  Lists: LISTS,
  Pages: PAGES,
  Operations: PATHS_OF_OPERATORS,
};

export interface Description {
  openapi: string;
  info: Readonly<Record<'title' | 'version' | 'summary' | 'description', string>>;
  servers: readonly { url: string }[];
  tags: readonly { name: string }[];
  paths: Paths;
  components: Json;
}

/** The description of the JSON answers (OpenAPI 3.1), for addresses below a base. */
export function openapi(base: string): Description {
  return {
    openapi: '3.1.1',
    info: {
      title: 'openactive-ical',
      version: '1',
      summary: 'What is on, where, and what is open: OpenActive feeds, cleaned and joined.',
      description:
        'All but lists is read-only, and JSON, calendars and Atom are open to any origin. Moments are UTC; errors of JSON are problem details (RFC 9457).',
    },
    servers: [{ url: base }],
    tags: Object.keys(GROUPS).map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(GROUPS).flatMap(([name, paths]) => Object.entries(tagged(name, paths)))),
    components: { schemas: SCHEMAS },
  };
}

function venuePaths(collection: string, one: string, schema: SchemaName, listed: readonly Parameter[]): Paths {
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
