import type { DayHours } from '../../src/hours/questions.ts';
import type { OccurrenceItem } from '../../src/library/index.ts';
import type { FeedHealth, ListingRow, SeriesExplanation, SeriesPage, VenuePage } from '../../src/library/library.ts';
import type { Finding } from '../../src/opportunity/findings.ts';
import { NOW } from './fake.ts';

/** A Saturday half past nine in London, as the clock of the fake library's server. */
export const AT = NOW;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

const usual: DayHours['open'] = [{ opens: '07:00', closes: '22:00', nextDay: false }];

function day(at: number, more: Partial<DayHours> = {}): DayHours {
  const date = new Date(AT + at * DAY).toISOString().slice(0, 10);
  return { date, weekday: (5 + at) % 7, open: usual, exceptional: false, because: ['standard hours, $.x[0]'], ...more };
}

export const WEEK: DayHours[] = [
  day(0),
  day(1, { exceptional: true, holiday: 'Boxing Day', open: [{ opens: '09:00', closes: '13:00', nextDay: false }] }),
  day(2, { exceptional: true, open: [] }),
  day(3, { exceptional: true, open: [{ opens: '18:00', closes: '03:00', nextDay: true }] }),
  day(4, { open: [{ opens: '00:00', closes: '24:00', nextDay: false }] }),
  day(5, {
    open: [...usual.map((span) => ({ ...span, closes: '12:00' })), { opens: '14:00', closes: '20:30', nextDay: false }],
  }),
  day(6, { open: [] }),
];

export const FINDING: Finding = {
  code: 'item-without-id',
  severity: 'error',
  feed: 'f',
  item: 'i',
  path: '$.id',
  message: 'Give an "id".',
  rule: 'RPDE',
};

export const place = (more: Partial<VenuePage> = {}): VenuePage => ({
  collection: 'places',
  key: 'p1',
  id: 'https://id.example/places/1',
  type: 'Place',
  name: 'Town Hall',
  description: 'A hall.\nWith a stage.',
  url: 'https://hall.example/',
  telephone: '01632 960101',
  address: 'High Street, Wexcombe',
  zone: 'Europe/London',
  holidays: 'GB-ENG',
  hours: {
    at: AT,
    open: true,
    because: ['standard hours, $.x[0]'],
    next: { at: Date.UTC(2026, 10, 21, 22), opens: false, because: ['standard hours, $.x[0]'] },
    week: WEEK,
    exceptions: [],
    openSevenDays: 98.5 * HOUR,
  },
  upcoming: [
    { start: AT + HOUR, end: AT + 2 * HOUR, status: 'EventScheduled', name: 'Gentle yoga', seriesKey: 'abc' },
    { start: AT + DAY, status: 'EventCancelled', name: 'Judo', url: 'https://judo.example/', seriesKey: 'def' },
  ],
  series: 2,
  facilities: 3,
  publisher: {
    name: 'Everyone Active',
    url: 'https://everyone.example',
    license: 'https://creativecommons.org/licenses/by/4.0/',
  },
  ...more,
});

/** A place of whose opening hours nothing is published. */
export function placeWithoutHours(): VenuePage {
  const unknown = place();
  delete unknown.hours;
  return unknown;
}

export const facility = (more: Partial<VenuePage> = {}): VenuePage => {
  const base = place({
    collection: 'facilities',
    key: 'f1',
    type: 'FacilityUse',
    name: 'Badminton courts',
    placeKey: 'p1',
  });
  return { ...base, upcoming: [], series: 0, facilities: 0, ...more };
};

export const row = (more: Partial<ListingRow> = {}): ListingRow => ({
  key: 'abc',
  kind: 'series',
  name: 'Gentle yoga',
  type: 'SessionSeries',
  place: 'Town Hall, High Street',
  activity: ['Yoga'],
  next: AT + HOUR,
  zone: 'Europe/London',
  calendar: true,
  ...more,
});

/** With every member that an occurrence may have. */
export const found = (more: Partial<OccurrenceItem> = {}): OccurrenceItem => ({
  id: 'https://id.example/1/1',
  start: AT + HOUR,
  end: AT + 2 * HOUR,
  zone: 'Europe/London',
  name: 'Gentle yoga',
  status: 'EventScheduled',
  url: 'https://book.example/1',
  series: { key: 'abc', id: 'https://id.example/1', name: 'Gentle yoga' },
  place: {
    key: 'p1',
    id: 'https://id.example/places/1',
    name: 'Town Hall',
    address: 'High Street, Wexcombe',
    latitude: 50.7,
    longitude: -3.5,
    distanceKm: 1.2,
  },
  activity: [{ id: 'https://openactive.io/activity-list#bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e', name: 'Yoga' }],
  price: { currency: 'GBP', min: 0, max: 6.5, free: true },
  age: { min: 16, max: 60 },
  level: ['Beginner'],
  organizer: { id: 'https://id.example/', name: 'Active Wexcombe' },
  placesLeft: 3,
  was: AT,
  details: { name: 'Gentle yoga' },
  rows: { series: 1, session: 2, schedule: 0 },
  ...more,
});

export const series = (more: Partial<SeriesPage> = {}): SeriesPage => ({
  head: { key: 'abc', kind: 'series', state: 'live', revision: 1, changedAt: AT },
  hasCalendar: true,
  id: 'https://id.example/1',
  type: 'SessionSeries',
  status: 'EventScheduled',
  details: { name: 'Gentle yoga', ageRange: { min: 16 }, offers: [{ name: 'Adult', price: 6.5, currency: 'GBP' }] },
  schedules: ['Thursdays 18:00–19:00'],
  upcoming: [{ start: AT + HOUR, end: AT + 2 * HOUR, status: 'EventScheduled' }],
  zone: 'Europe/London',
  findings: [],
  ...more,
});

const carrier = {
  uid: 'a@x',
  form: 'rule' as const,
  rrule: 'FREQ=WEEKLY',
  timezone: 'Europe/London',
  because: ['season' as const],
  sentence: 'In the calendar.',
};
const item = { feed: 'https://x.example/feed', kind: 'SessionSeries', id: '1' };

/** With every member that an explanation may have. */
export const explanation = (more: Partial<SeriesExplanation> = {}): SeriesExplanation => ({
  head: { key: 'abc', kind: 'series', state: 'live', revision: 1, changedAt: AT },
  id: 'https://x.example/series/1',
  name: 'Yoga',
  zone: 'Europe/London',
  when: {},
  schedules: [
    {
      path: '$.eventSchedule[0]',
      expanded: false,
      because: ['partial-schedule'],
      words: null,
      rrule: null,
      timezone: 'Europe/London',
      sentence: 'No dates are made of it.',
      events: [carrier],
    },
  ],
  rows: [
    {
      id: null,
      type: 'ScheduledSession',
      start: '2026-11-24T18:00:00Z',
      end: '2026-11-24T19:00:00Z',
      url: null,
      name: 'Yoga',
      status: 'EventCancelled',
      source: 'generated',
      shown: false,
      because: ['excepted'],
      sentence: 'Not shown: <removed>.',
      schedule: '$.eventSchedule[0]',
      original: '2026-11-24T18:00:00Z',
      exception: { value: '2026-11-24', type: 'Date' },
      item,
      replacedBy: item,
      events: [carrier],
    },
  ],
  total: 3,
  events: 1,
  sessions: 5000,
  publisher: { name: 'Everyone Active' },
  ...more,
});

/** With every member that a feed may have. */
export const feed = (more: Partial<FeedHealth> = {}): FeedHealth => ({
  id: 7,
  name: 'Wexcombe sessions',
  address: 'https://x.example/feed',
  publisher: { name: 'Everyone Active', url: 'https://everyone.example' },
  license: 'https://creativecommons.org/licenses/by/4.0/',
  state: 'held',
  lastAttempt: AT - 60_000,
  lastSuccess: AT - 2 * HOUR,
  lastChange: AT - DAY,
  lastError: 'answered 503',
  lastErrorAt: AT - 60_000,
  failures: 3,
  totalFailures: 12,
  pages: 1234,
  taken: 1_500_000,
  nextVisit: AT + HOUR,
  items: 700_000,
  deleted: 12,
  findings: 2,
  held: {
    items: 671_000,
    calendars: 4_000,
    sessions: 670_000,
    of: { calendars: 5_000, sessions: 700_000 },
    since: AT - HOUR,
  },
  resync: { since: AT - HOUR, reason: 'the cursor is older than 7 days' },
  ...more,
});
