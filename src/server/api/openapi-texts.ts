import {
  answerSchema,
  filterParameters,
  getText,
  inPath,
  KEY,
  type Operation,
  type Parameter,
  type Paths,
  parameter,
  problem,
  REFUSALS,
  WINDOW,
} from './openapi-operations.ts';

/** The addresses of `/openapi.json` that do not answer in JSON (calendars, Atom, HTML), and those of stored lists. */

const TOKEN = inPath('token', 'The token of the list: of one that is kept, or one that names everything by itself.', {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{1,6000}$',
});
const DOWNLOAD = parameter('download', '1: as a file to save.', { enum: ['1'] });
const THEMED = [
  parameter('theme', 'light or dark; default what the reader’s device prefers.', { enum: ['light', 'dark'] }),
  { ...parameter('accent', 'A colour, as six hexadecimal digits.'), example: '0b6338' },
];
const ID = { ...parameter('id', 'The @id of the object, in the publisher’s data.'), required: true };

const calendar = (summary: string, parameters: readonly Parameter[], more = {}) =>
  getText('text/calendar', summary, [...parameters, DOWNLOAD], {
    304: { description: 'It is as it was (If-None-Match, If-Modified-Since).' },
    412: { description: 'It is not what If-Match or If-Unmodified-Since names.' },
    ...more,
  });
const ofObject = {
  308: { description: 'It has another address now.' },
  410: { description: 'It has ended for good.' },
};
const unreadable = { 400: { description: 'A parameter that cannot be read; the line says which.' } };

function venueCalendars(collection: 'places' | 'facilities', one: string): Paths {
  const at = `/${collection}/{key}`;
  const of = (summary: string, parameters = [KEY], more = {}) =>
    calendar(summary, parameters, { ...ofObject, ...more });
  return {
    [`${at}.ics`]: of(`One ${one}: its sessions, and its opening hours as VAVAILABILITY.`),
    [`${at}/sessions.ics`]: of('Its sessions alone.'),
    [`${at}/availability.ics`]: of('Its opening hours as VAVAILABILITY (RFC 7953).'),
    [`${at}/freebusy.ics`]: of('Its opening hours as VFREEBUSY.', [KEY, ...WINDOW], unreadable),
    [`${at}/hours.ics`]: of('Its opening hours as events.'),
  };
}

export const CALENDARS: Paths = {
  '/series/{key}.ics': calendar('One series: rules, exceptions, overrides.', [KEY], ofObject),
  ...venueCalendars('places', 'place'),
  ...venueCalendars('facilities', 'facility'),
  '/search.ics': calendar('A search that people subscribe to.', filterParameters(), unreadable),
  '/my/{token}.ics': calendar('Several series, places and searches in one.', [
    TOKEN,
    { ...parameter('name', 'The name of the calendar.'), example: 'My week' },
    parameter('prefix', 'place: puts the place before each title.', { enum: ['place'] }),
    parameter('cancelled', '0: leaves cancelled dates out; otherwise they stay, marked.', { enum: ['0'] }),
  ]),
  ...Object.fromEntries(
    ['series', 'places', 'facilities'].map((kind) => [
      `/${kind}`,
      {
        get: {
          summary: 'Leads from an @id to the calendar; without one, to the search.',
          parameters: [ID],
          responses: { 308: { description: 'The calendar.' }, 404: { description: 'There is none of this @id.' } },
        },
      },
    ]),
  ),
};

const atom = (summary: string) => getText('application/atom+xml', summary, [KEY], ofObject);

export const CHANGES: Paths = {
  '/changes/series/{key}.atom': atom('What changed of the dates of a series, as Atom (RFC 4287).'),
  '/changes/places/{key}.atom': atom('What changed of the dates at a place.'),
};

const html = (summary: string, parameters: readonly Parameter[], more = {}) =>
  getText('text/html', summary, parameters, more);

export const EMBEDS: Paths = {
  '/embed/series/{key}': html('The dates of a series.', [KEY, ...THEMED], ofObject),
  '/embed/places/{key}': html('What is on at a place.', [KEY, ...THEMED], ofObject),
  '/embed/search': html('What a search finds.', [...filterParameters(), ...THEMED], unreadable),
};

const sent = {
  'application/json': { schema: { $ref: '#/components/schemas/SentList' } },
  'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/SentList' } },
};
const toPage = { 303: { description: 'A form was sent: the page of the list.' } };
const refusedList = {
  400: problem('Something else was sent than a list.'),
  413: problem('It is longer than any list.'),
  415: problem('It is neither JSON nor a form.'),
  ...REFUSALS,
};
const change: Operation = {
  summary: 'Changes a list. The edit key in the body is all that allows it.',
  parameters: [TOKEN],
  requestBody: { required: true, content: sent },
  responses: {
    200: answerSchema('The list.', 'KeptList'),
    ...toPage,
    403: problem('This is not the key of this list.'),
    404: problem('There is no such list.'),
    412: problem('It is not the list that If-Match, If-None-Match or If-Unmodified-Since names.'),
    ...refusedList,
  },
};

export const LISTS: Paths = {
  '/my': {
    get: html('The page on which a list is made.', []).get,
    post: {
      summary: 'Makes a list that is kept, with an address that stays and a key to change it.',
      requestBody: { required: true, content: sent },
      responses: { 201: answerSchema('The list, with its edit key.', 'KeptList'), ...toPage, ...refusedList },
    },
  },
  '/my/{token}': {
    get: html('The list as a page, or as JSON where that alone is accepted.', [TOKEN], {
      200: {
        description: 'The list. Its ETag as JSON is for If-Match.',
        content: {
          'text/html': { schema: { type: 'string' } },
          'application/json': { schema: { $ref: '#/components/schemas/KeptList' } },
        },
      },
      303: { description: 'The token names everything by itself: that list, where it is made.' },
    }).get,
    post: change,
    put: change,
  },
};

export const PAGES: Paths = {
  '/': html('Today, tomorrow, this weekend.', []),
  '/search': html('What is on, by day.', filterParameters(), unreadable),
  '/series/{key}': html('One series.', [KEY], ofObject),
  '/series/{key}/explain': html('Why a series has its dates.', [KEY], ofObject),
  '/places/{key}': html('One place: whether it is open, its hours, its timetable.', [KEY], ofObject),
  '/facilities/{key}': html('One facility, and when it is free.', [KEY], ofObject),
  '/feeds': html('The feeds that are read, and how they are.', []),
  '/feeds/{id}': html('One feed, and what is odd about its data.', [
    inPath('id', 'Number of the feed, as in the list of feeds.', { type: 'integer', minimum: 1 }),
  ]),
  '/api': html('This description, as a page.', []),
};
