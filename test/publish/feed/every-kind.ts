import type { RpdeJson } from '../../generate/series.ts';

/** One object of each kind that is easily lost: places with hours, with and without `@id`, parts with names and prices of their own. */
export function everyKind(): RpdeJson[] {
  return OBJECTS.map((data, index) => ({
    state: 'updated',
    kind: data['@type'],
    id: `kind-${index}`,
    modified: 1_700_000_000 + index,
    data,
  }));
}

const at = (path: string) => `https://kinds.example.org/${path}`;
const MONDAY = ['https://schema.org/Monday'];
const HOURS = [{ '@type': 'OpeningHoursSpecification', dayOfWeek: MONDAY, opens: '08:00', closes: '20:00' }];
const HALL = {
  '@type': 'Place',
  name: 'A hall without an id',
  openingHoursSpecification: HOURS,
  specialOpeningHoursSpecification: [
    {
      '@type': 'OpeningHoursSpecification',
      validFrom: '2026-12-25',
      validThrough: '2026-12-25',
      opens: '00:00',
      closes: '00:00',
    },
  ],
};
const WEEKLY = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  byDay: MONDAY,
  startDate: '2026-01-05',
  startTime: '18:00',
  duration: 'PT1H',
  scheduleTimezone: 'Europe/London',
};
const HOUR = { startDate: '2026-12-05T10:00:00Z', duration: 'PT1H' };
const price = (name: string, amount: number) => ({ '@type': 'Offer', name, price: amount, priceCurrency: 'GBP' });

const OBJECTS: (Record<string, unknown> & { '@type': string })[] = [
  {
    '@type': 'Place',
    '@id': at('pool'),
    name: 'A pool',
    description: 'Open all year.',
    telephone: '01632 960200',
    email: 'pool@kinds.example.org',
    url: at('pool'),
    address: { '@type': 'PostalAddress', streetAddress: '1 Lane', addressLocality: 'Town', addressCountry: 'GB' },
    geo: { '@type': 'GeoCoordinates', latitude: 51.5, longitude: -0.1 },
    openingHoursSpecification: [
      ...HOURS,
      {
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: ['https://schema.org/PublicHolidays'],
        opens: '10:00',
        closes: '12:00',
      },
      {
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: ['https://schema.org/Saturday'],
        opens: '18:00',
        closes: '03:00',
        validFrom: '2026-11-01',
      },
    ],
  },
  {
    '@type': 'SessionSeries',
    '@id': at('at-pool'),
    name: 'In the pool',
    location: at('pool'),
    eventSchedule: [WEEKLY],
  },
  {
    '@type': 'SessionSeries',
    '@id': at('in-a-room'),
    name: 'In a room',
    location: {
      '@type': 'Place',
      name: 'Studio 2',
      containedInPlace: { '@type': 'Place', '@id': at('centre'), name: 'Centre', address: 'High Street' },
    },
    eventSchedule: [WEEKLY, { '@type': 'PartialSchedule', byDay: MONDAY, startTime: '20:00' }],
  },
  {
    '@type': 'SessionSeries',
    '@id': at('online'),
    name: 'Online',
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    'beta:virtualLocation': {
      '@type': 'VirtualLocation',
      name: 'A call',
      url: 'https://calls.example/1',
      description: 'Camera on.',
    },
    eventSchedule: [{ ...WEEKLY, exceptDate: ['2026-12-07', '2026-12-14T18:00:00Z'] }],
  },
  {
    '@type': 'SessionSeries',
    '@id': at('by-parts'),
    name: 'With an event as its part',
    subEvent: [{ '@type': 'Event', '@id': at('by-parts/1'), name: 'Its part', ...HOUR }],
  },
  { '@type': 'EventSeries', '@id': at('group'), name: 'A group', description: 'Of what it holds.' },
  { '@type': 'Event', '@id': at('group/1'), superEvent: at('group'), ...HOUR },
  { '@type': 'ScheduledSession', '@id': at('group/2'), superEvent: at('group'), ...HOUR },
  { '@type': 'SessionSeries', '@id': at('group/3'), superEvent: at('group'), eventSchedule: [WEEKLY] },
  { '@type': 'EventSeries', '@id': at('scheduled-group'), name: 'A group with a Schedule', eventSchedule: [WEEKLY] },
  {
    '@type': 'HeadlineEvent',
    '@id': at('weekend'),
    name: 'A weekend',
    startDate: '2026-12-05',
    endDate: '2026-12-06',
    offers: [price('All of it', 10)],
    subEvent: [
      {
        '@type': 'Event',
        '@id': at('weekend/1'),
        name: 'Its first part',
        offers: [price('One part', 3)],
        location: {
          '@type': 'Place',
          name: 'Elsewhere',
          address: { '@type': 'PostalAddress', streetAddress: '1 Way', addressCountry: 'IE' },
        },
        ...HOUR,
      },
      {
        '@type': 'HeadlineEvent',
        '@id': at('weekend/2'),
        name: 'Its second part',
        eventStatus: 'https://schema.org/EventCancelled',
        startDate: '2026-12-06T10:00:00Z',
        duration: 'PT1H',
      },
    ],
  },
  {
    '@type': 'HeadlineEvent',
    '@id': at('gala'),
    name: 'A gala with times of its own',
    startDate: '2026-12-05T08:00:00Z',
    endDate: '2026-12-05T20:00:00Z',
    subEvent: [{ '@type': 'Event', '@id': at('gala/1'), name: 'A race', ...HOUR }],
  },
  {
    '@type': 'CourseInstance',
    '@id': at('course'),
    name: 'A course',
    startDate: '2026-12-05',
    endDate: '2026-12-12',
    location: HALL,
    subEvent: [
      { '@type': 'Event', '@id': at('course/1'), ...HOUR },
      { '@type': 'Event', '@id': at('course/2'), startDate: '2026-12-12T10:00:00Z', duration: 'PT1H' },
    ],
  },
  {
    '@type': 'FacilityUse',
    '@id': at('courts'),
    name: 'Courts',
    location: HALL,
    individualFacilityUse: [
      { '@type': 'IndividualFacilityUse', '@id': at('courts/1'), name: 'Court 1' },
      { '@type': 'IndividualFacilityUse', '@id': at('courts/2'), name: 'Court 2', hoursAvailable: HOURS },
    ],
  },
  {
    '@type': 'Slot',
    '@id': at('slots/1'),
    facilityUse: at('courts/1'),
    remainingUses: 1,
    maximumUses: 2,
    offers: [price('One hour', 8)],
    ...HOUR,
  },
];
