import { z } from 'zod';
import { VENUE_PARTS } from '../../library/index.ts';
import { FINDINGS, SEVERITIES } from '../../opportunity/findings.ts';
import { type Kind, ROWS } from '../../opportunity/properties.ts';
import { DAY_NAMES } from '../../search/filters.ts';
import { OCCURRENCE_ITEM } from './occurrence-item.ts';
import { count, flag, instant, listOf, MORE_SCHEMAS, object, ref, type Schema, TEXT, uri } from './openapi-shapes.ts';

/**
 * The shapes of the JSON answers (OpenAPI 3.1, JSON Schema 2020-12), by name. Nothing undocumented is sent: every object is
 * closed, and a test holds real answers against these.
 */

const key = { type: 'string', pattern: '^[a-z0-9]{1,64}$', description: 'The key in its address.' } as const;
const zone = { type: 'string', description: 'IANA time zone.' } as const;
const because = {
  ...listOf(TEXT),
  description: 'What decided: one sentence per specification, with its path in the item.',
} as const;

const status = { enum: ['EventScheduled', 'EventCancelled', 'EventPostponed', 'EventRescheduled'] };
/** An instant, or the date of whole days, the end excluded. */
const moment = { anyOf: [instant, { type: 'string', format: 'date' }] } as const;
const allDay = { const: true, description: 'Whole days: start and end are local dates, the end excluded.' } as const;
const occurrence = { start: moment, status };
const occurrenceMore = { end: moment, allDay, name: TEXT, url: TEXT };

const coordinates = { latitude: { type: 'number' }, longitude: { type: 'number' } };
const BY_KIND: Readonly<Record<Kind, Schema>> = {
  line: TEXT,
  lines: TEXT,
  text: TEXT,
  url: TEXT,
  concepts: listOf(TEXT),
  activities: listOf(TEXT),
  labels: listOf(TEXT),
  people: listOf(TEXT),
  organization: object({}, { id: TEXT, name: TEXT, url: TEXT, email: TEXT, telephone: TEXT }),
  brand: object({}, { name: TEXT, url: TEXT }),
  ages: object({}, { min: { type: 'number' }, max: { type: 'number' } }),
  gender: { enum: ['FemaleOnly', 'MaleOnly', 'NoRestriction'] },
  attendance: { enum: ['offline', 'online', 'mixed'] },
  place: object({}, { id: TEXT, name: TEXT, address: TEXT, url: TEXT, telephone: TEXT, ...coordinates }),
  room: TEXT,
  virtual: object({}, { name: TEXT, url: TEXT, description: TEXT }),
  capacity: { type: 'number' },
  offers: ref('Offers'),
};

const details = object({}, Object.fromEntries(ROWS.map(({ name, kind }) => [name, BY_KIND[kind]])));

const finding = object(
  {
    code: { enum: Object.keys(FINDINGS) },
    severity: { enum: SEVERITIES },
    feed: TEXT,
    item: { type: 'string', description: 'Its kind and RPDE id.' },
    path: TEXT,
    message: TEXT,
    rule: TEXT,
  },
  { object: { type: 'string', description: 'The id of what it is about.' } },
);

const day = object(
  {
    date: { type: 'string', format: 'date', description: 'Local date.' },
    weekday: { type: 'integer', minimum: 0, maximum: 6, description: 'Monday = 0.' },
    open: {
      ...listOf(object({ opens: TEXT, closes: TEXT, nextDay: flag })),
      description: 'Local times HH:MM; 24:00 is midnight; nextDay: it closes on the day after. Empty: closed.',
    },
    exceptional: { ...flag, description: 'Decided by special hours or a public holiday, not by the usual week.' },
    because,
  },
  { holiday: TEXT },
);

const feed = object(
  {
    id: count,
    name: TEXT,
    address: { ...TEXT, description: 'Without keys.' },
    state: {
      enum: ['new', 'reading', 'ended', 'failing', 'stalled', 'gone', 'held', 'retired', 'paused'],
      description:
        'ended: read to its end; held: read to its end, and what it would take away waits for somebody to confirm it; retired: not read any more; paused: left alone until somebody resumes it.',
    },
    failures: { ...count, description: 'Failed passes in a row.' },
    totalFailures: count,
    pages: { ...count, description: 'Taken in, ever.' },
    taken: { ...count, description: 'Items on these pages, live and deleted.' },
    items: { ...count, description: 'Live ones.' },
    deleted: { ...count, description: 'Deleted ones that are remembered.' },
    findings: count,
    page: uri,
    allFindings: uri,
  },
  {
    publisher: ref('Publisher'),
    license: TEXT,
    lastAttempt: instant,
    lastSuccess: { ...instant, description: 'When it was last read to its end.' },
    lastChange: instant,
    modified: { ...TEXT, description: '`modified` of the last item that was read.' },
    lastError: { ...TEXT, description: 'In words; also when it is over.' },
    lastErrorAt: instant,
    nextVisit: instant,
    paused: { ...instant, description: 'Since when somebody wants it left alone.' },
    held: object({
      items: { ...count, description: 'Items that stay as they were meanwhile.' },
      calendars: { ...count, description: 'Calendars that would be gone with them.' },
      sessions: { ...count, description: 'Sessions that would be gone with them.' },
      of: { ...object({ calendars: count, sessions: count }), description: 'What the feed had before.' },
      since: instant,
    }),
    resync: object({ since: instant, reason: TEXT }),
  },
);
const item = object({ feed: TEXT, kind: TEXT, id: TEXT });
const codes = listOf(TEXT);
const carried = object(
  { uid: TEXT, form: { enum: ['rule', 'override', 'single'] }, timezone: TEXT, because: codes, sentence: TEXT },
  { rrule: TEXT },
);
const maybe = { type: ['string', 'null'] } as const;
const explained = object(
  {
    id: maybe,
    type: TEXT,
    start: moment,
    end: moment,
    url: maybe,
    name: maybe,
    status,
    source: { enum: ['generated', 'explicit'] },
    shown: { ...flag, description: 'Whether it is an occurrence of the series.' },
    because: codes,
    sentence: TEXT,
    events: { ...listOf(carried), description: 'The event of the calendar that carries it.' },
  },
  {
    allDay,
    schedule: { ...TEXT, description: 'JSON path of the schedule in the item of the series.' },
    original: { ...instant, description: 'When the rule has it.' },
    exception: object({ value: TEXT, type: { enum: ['Date', 'DateTime'] } }),
    item: { ...item, description: 'The RPDE item that says so.' },
    replacedBy: { ...item, description: 'The RPDE item that replaces or moves it.' },
  },
);
const explanation = object(
  {
    key,
    state: { enum: ['live'] },
    from: instant,
    to: instant,
    timezone: zone,
    schedules: listOf(
      object({
        path: TEXT,
        expanded: flag,
        because: codes,
        words: maybe,
        rrule: maybe,
        timezone: zone,
        sentence: TEXT,
        events: { ...listOf(carried), description: 'The events with a rule that it has become.' },
      }),
    ),
    items: listOf(explained),
    total: { ...count, description: 'Rows in the window.' },
    events: { ...count, description: 'Events in the whole calendar.' },
    calendar: uri,
    id: TEXT,
  },
  { next: { ...uri, description: 'The rows after these.' }, truncated: TEXT },
);

/** The opening hours at one moment; all members are there unless no hours are published. */
const opening = {
  at: { ...instant, description: 'The moment that the answers are about.' },
  open: flag,
  because,
  week: { ...listOf(ref('Day')), description: 'Seven days from the local day of "at".' },
  openSevenDays: { type: 'string', format: 'duration', description: 'Time open within the 168 hours from "at".' },
};
const next = {
  ...object({ at: instant, opens: { ...flag, description: 'False: it closes.' }, because }),
  description: 'The next change; missing if there is none within 400 days.',
};
const holidays = { ...TEXT, description: 'The public holidays it goes by, as GB-ENG.' };
const published = {
  ...flag,
  description: 'Whether opening hours are published at all; if not, it is unknown, not closed.',
};

const venueCommon = {
  key,
  id: TEXT,
  type: TEXT,
  timezone: zone,
  findings: listOf(ref('Finding')),
  page: uri,
  upcoming: listOf(ref('VenueOccurrence')),
  calendars: object(Object.fromEntries(VENUE_PARTS.map((part) => [part, uri]))),
};
const venueFields = {
  name: TEXT,
  description: TEXT,
  url: TEXT,
  telephone: TEXT,
  address: TEXT,
  ...coordinates,
  holidays,
  hours: object(opening, { next }),
  publisher: ref('Publisher'),
};

const offered = { ...uri, description: 'Absent where only patterns of a series are published.' };

const paged = {
  total: { ...count, description: 'Of all pages; absent: it was not counted whole.' },
  next: { ...uri, description: 'The next page.' },
  facets: ref('Facets'),
  replaced: {
    ...listOf(object({ word: TEXT, by: TEXT })),
    description: 'Words that nothing has, and what was searched for instead.',
  },
  understood: {
    ...listOf(object({ text: TEXT, rest: TEXT })),
    description: 'Parts of q that are filters, such as "not yoga", each with q without it.',
  },
  leftOut: {
    ...listOf(TEXT),
    description: 'Parts of q that cannot be searched for: "not free", or a time in a list of places.',
  },
  unmatched: { ...listOf(TEXT), description: 'Parts of q that nothing has beside the rest, which is answered.' },
  forChildren: { ...flag, description: 'A length in unmatched is that of sessions for children alone.' },
};

function frequency(more: Readonly<Record<string, Schema>>, optional?: Readonly<Record<string, Schema>>): Schema {
  return listOf(object({ ...more, name: TEXT, count }, optional));
}

export const SCHEMAS = {
  Problem: object(
    { type: TEXT, title: TEXT, status: { type: 'integer' }, detail: TEXT },
    {
      parameters: {
        ...listOf(
          object(
            { name: TEXT, allowed: TEXT },
            { value: TEXT, nearest: TEXT, instead: object({ name: TEXT, value: TEXT }) },
          ),
        ),
        description:
          'What is wrong with each: its value, what is allowed, the nearest known name or value, and another parameter that has this value.',
      },
    },
  ),
  Found: object({ items: listOf(ref('Item')) }, paged),
  Item: z.toJSONSchema(OCCURRENCE_ITEM, { target: 'draft-2020-12' }) as Schema,
  Facets: {
    ...object({
      day: object(Object.fromEntries(DAY_NAMES.map((name) => [name, count]))),
      activity: frequency({}, { id: TEXT }),
      place: frequency({ key }),
    }),
    description: 'Of the first 5,000 occurrences; total is there if these are all.',
  },
  Listing: object({ items: listOf(ref('Row')) }, paged),
  Row: object(
    { key, name: TEXT, type: TEXT, activity: listOf(TEXT), timezone: zone, page: uri },
    {
      calendar: offered,
      place: TEXT,
      facility: { ...TEXT, description: 'The name of the facility that a court is part of.' },
      distanceKm: { type: 'number' },
      next: { ...moment, description: 'Start of the next occurrence.' },
      hours: {
        ...object(
          { open: flag },
          { next: object({ at: instant, opens: { ...flag, description: 'False: it closes.' } }) },
        ),
        description:
          'Of a place or facility: whether it is open now, and the next change; missing if no hours are published.',
      },
    },
  ),
  Series: object(
    {
      key,
      id: TEXT,
      type: TEXT,
      status,
      details: ref('Details'),
      schedules: listOf(TEXT),
      timezone: zone,
      state: { enum: ['live', 'deleted', 'gone'] },
      revision: count,
      changed: instant,
      upcoming: listOf(ref('Occurrence')),
      findings: listOf(ref('Finding')),
      page: uri,
    },
    { url: TEXT, publisher: ref('Publisher'), calendar: offered },
  ),
  Explanation: explanation,
  Feeds: object({ items: listOf(ref('Feed')), total: count }),
  Feed: feed,
  FeedFindings: object(
    { feed: ref('Feed'), items: listOf(ref('Finding')) },
    { next: { ...uri, description: 'The rest.' } },
  ),
  Details: details,
  Occurrence: object(occurrence, occurrenceMore),
  VenueOccurrence: object({ ...occurrence, series: uri }, occurrenceMore),
  Finding: finding,
  Publisher: object({ name: TEXT }, { url: TEXT, license: TEXT }),
  Place: object({ ...venueCommon, series: count, facilities: count }, venueFields),
  Facility: object(
    { ...venueCommon, slots: ref('Slots') },
    { ...venueFields, offers: ref('Offers'), place: { ...uri, description: 'The place around it.' } },
  ),
  Day: day,
  Opening: object({ key, timezone: zone, published }, { holidays, ...opening, next }),
  Periods: object(
    {
      key,
      timezone: zone,
      published,
      from: instant,
      to: instant,
      periods: {
        ...listOf(object({ start: instant, end: instant, because })),
        description: 'In order, merged and cut at both ends of the window.',
      },
    },
    { holidays },
  ),
  ...MORE_SCHEMAS,
  Alive: object({ status: { const: 'ok' }, timezones: TEXT }),
  Ready: {
    type: 'object',
    properties: { status: { enum: ['ready', 'not ready'] }, reason: TEXT },
    required: ['status'],
    additionalProperties: { type: ['number', 'string'] },
  },
} satisfies Record<string, Schema>;
