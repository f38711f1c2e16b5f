/** What publishers write, as `convert` and a server must read it alike, and words that must be in what comes of it. */
export interface PathCase {
  name: string;
  objects: object[];
  says: string[];
}

const id = (path: string) => `https://ex.org/${path}`;

const hall = {
  '@type': 'Place',
  '@id': id('places/1'),
  name: 'Town Hall',
  address: { '@type': 'PostalAddress', streetAddress: '1 High St', addressLocality: 'Leeds', addressCountry: 'GB' },
  geo: { '@type': 'GeoCoordinates', latitude: 53.8, longitude: -1.55 },
};

const mondays = [
  {
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: ['https://schema.org/Monday'],
    opens: '09:00',
    closes: '17:00',
  },
];

const courts = {
  '@type': 'FacilityUse',
  '@id': id('facilities/1'),
  name: 'Tennis',
  location: hall,
  hoursAvailable: mondays,
};

const court = { '@type': 'IndividualFacilityUse', '@id': id('facilities/1/1'), name: 'Court 1' };

const yoga = {
  '@type': 'SessionSeries',
  '@id': id('series/1'),
  name: 'Yoga',
  location: hall,
  organizer: { '@type': 'Organization', name: 'Leisure' },
};

const session = {
  '@type': 'ScheduledSession',
  '@id': id('sessions/1'),
  startDate: '2026-12-07T18:00:00Z',
  endDate: '2026-12-07T19:00:00Z',
  superEvent: id('series/1'),
};

const PLACES: PathCase[] = [
  {
    name: 'a court has the hours of the facility that it names by @id',
    objects: [{ ...court, aggregateFacilityUse: id('facilities/1'), location: hall }, courts],
    says: ['SUMMARY:Open: Court 1'],
  },
  {
    name: 'a court has the hours and the place of the facility that it names by @id',
    objects: [{ ...court, aggregateFacilityUse: id('facilities/1') }, courts],
    says: ['SUMMARY:Open: Court 1', 'LOCATION:Town Hall'],
  },
  {
    name: 'a court has the place of a facility whose place is only named',
    objects: [{ ...court, aggregateFacilityUse: id('facilities/1') }, { ...courts, location: id('places/1') }, hall],
    says: ['SUMMARY:Open: Court 1', 'LOCATION:Town Hall'],
  },
  {
    name: 'a facility whose location is the @id of a Place has its address',
    objects: [{ ...courts, location: id('places/1') }, hall],
    says: ['LOCATION:Town Hall\\n1 High St'],
  },
  {
    name: 'a facility whose location is the @id of a Place that is embedded elsewhere has its address',
    objects: [{ ...courts, location: { '@type': 'Place', '@id': id('places/1') } }, yoga],
    says: ['LOCATION:Town Hall\\n1 High St'],
  },
  {
    name: 'a place has its own hours, and its facility others',
    objects: [{ ...hall, openingHoursSpecification: [{ ...mondays[0], opens: '06:00' }] }, courts],
    says: ['SUMMARY:Open: Town Hall', 'SUMMARY:Open: Tennis'],
  },
];

const SERIES: PathCase[] = [
  {
    name: 'a series whose location is the @id of a Place',
    objects: [{ ...yoga, location: id('places/1') }, session, hall],
    says: ['LOCATION:Town Hall\\n1 High St'],
  },
  {
    name: 'a session whose location is the @id of a Place',
    objects: [{ ...yoga, location: undefined }, { ...session, location: id('places/1') }, hall],
    says: ['LOCATION:Town Hall\\n1 High St'],
  },
  {
    name: 'a session whose location says less of the place of its series',
    objects: [yoga, { ...session, location: { '@type': 'Place', '@id': id('places/1'), name: 'Town Hall (rear)' } }],
    says: ['LOCATION:Town Hall (rear)\\n1 High St', 'GEO:53.8;-1.55'],
  },
  {
    name: 'a series in an EventSeries in an EventSeries',
    objects: [
      { ...yoga, location: undefined, superEvent: id('groups/1') },
      session,
      { '@type': 'EventSeries', '@id': id('groups/1'), superEvent: id('groups/2') },
      { '@type': 'EventSeries', '@id': id('groups/2'), description: 'Bring a mat', location: id('places/1') },
      hall,
    ],
    says: ['Bring a mat', 'LOCATION:Town Hall'],
  },
];

const CANCELLED = { eventStatus: 'https://schema.org/EventCancelled' };

SERIES.push(
  {
    name: 'a CourseInstance of a Course that it names by @id',
    objects: [
      { ...session, '@type': 'CourseInstance', superEvent: undefined, instanceOfCourse: id('courses/1') },
      { '@type': 'Course', '@id': id('courses/1'), name: 'Swimming', description: 'In the deep', location: hall },
    ],
    says: ['SUMMARY:Swimming', 'In the deep', 'LOCATION:Town Hall'],
  },
  {
    name: 'a series in an EventSeries in a cancelled EventSeries',
    objects: [
      { ...yoga, superEvent: id('groups/1') },
      session,
      { '@type': 'EventSeries', '@id': id('groups/1'), superEvent: id('groups/2') },
      { '@type': 'EventSeries', '@id': id('groups/2'), ...CANCELLED },
    ],
    says: ['STATUS:CANCELLED', 'SUMMARY:Cancelled: Yoga'],
  },
  {
    name: 'a series that is on, in a cancelled EventSeries',
    objects: [
      { ...yoga, superEvent: id('groups/1'), eventStatus: 'https://schema.org/EventScheduled' },
      session,
      { '@type': 'EventSeries', '@id': id('groups/1'), ...CANCELLED },
    ],
    says: ['STATUS:CONFIRMED', 'SUMMARY:Yoga'],
  },
);

/** Weekly from Monday 30 November; the second one is a session of its own too. */
const weekly = {
  ...yoga,
  eventSchedule: [
    {
      '@type': 'Schedule',
      startDate: '2026-11-30',
      startTime: '18:00',
      endTime: '19:00',
      duration: 'PT1H',
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
      repeatFrequency: 'P1W',
      repeatCount: 4,
      idTemplate: id('sessions/{startDate}'),
    },
  ],
};
const generated = id('sessions/2026-12-07T18:00:00Z');
const cancelled = {
  ...session,
  '@id': generated,
  superEvent: undefined,
  eventStatus: 'https://schema.org/EventCancelled',
};
const OFF = ['STATUS:CANCELLED'];

const JOINS: PathCase[] = [
  {
    name: 'an EventSeries with a Schedule of its own and no sessions',
    objects: [{ ...weekly, '@type': 'EventSeries', name: 'Winter Yoga' }],
    says: ['SUMMARY:Winter Yoga', 'RRULE:FREQ=WEEKLY;COUNT=4'],
  },
  { name: 'a session of the @id that a Schedule generates', objects: [weekly, cancelled], says: OFF },
  {
    name: 'a session of the @id that a Schedule generates, percent-encoded',
    objects: [weekly, { ...cancelled, '@id': id('sessions/2026-12-07T18%3A00%3A00Z') }],
    says: OFF,
  },
  {
    name: 'a session of the @id that a Schedule generates, with a slash at its end and the host in capitals',
    objects: [weekly, { ...cancelled, '@id': 'HTTPS://EX.org/sessions/2026-12-07T18:00:00Z/' }],
    says: OFF,
  },
  {
    name: 'a session that names its series with a slash at its end and the host in capitals',
    objects: [yoga, { ...session, superEvent: 'https://EX.org/series/1/' }],
    says: ['SUMMARY:Yoga'],
  },
  {
    name: 'a session that comes twice, once with a slash at its end',
    objects: [
      { ...yoga, subEvent: [{ ...session, superEvent: undefined, name: 'Once' }] },
      { ...session, '@id': id('sessions/1/'), name: 'Twice' },
    ],
    says: ['SUMMARY:Twice'],
  },
  {
    name: 'a session that subEvent names by URL',
    objects: [
      { ...yoga, subEvent: [id('sessions/1')] },
      { ...session, superEvent: undefined },
    ],
    says: ['SUMMARY:Yoga'],
  },
  {
    name: 'a session that subEvent names by an object with nothing but its @id',
    objects: [
      { ...yoga, subEvent: [{ '@type': 'ScheduledSession', '@id': id('sessions/1') }] },
      { ...session, superEvent: undefined },
    ],
    says: ['SUMMARY:Yoga'],
  },
  {
    name: 'a session that is embedded in its series, and an item of its own without superEvent',
    objects: [
      { ...yoga, subEvent: [{ ...session, superEvent: undefined, name: 'As the series has it' }] },
      { ...session, superEvent: undefined, name: 'As its item has it' },
    ],
    says: ['SUMMARY:As its item has it'],
  },
  {
    name: 'a generated session that subEvent names by URL',
    objects: [{ ...weekly, subEvent: [generated] }, cancelled],
    says: OFF,
  },
  {
    name: 'a session that one series names and another generates is of the one that names it',
    objects: [weekly, { ...yoga, '@id': id('series/2'), name: 'Pilates', subEvent: [generated] }, cancelled],
    says: ['SUMMARY:Cancelled: Pilates'],
  },
  {
    name: 'a session that names its series is of that one, whoever names or generates it',
    objects: [
      weekly,
      { ...yoga, '@id': id('series/2'), name: 'Pilates', subEvent: [generated] },
      { ...yoga, '@id': id('series/3'), name: 'Boxing' },
      { ...cancelled, superEvent: id('series/3') },
    ],
    says: ['SUMMARY:Cancelled: Boxing'],
  },
  {
    name: 'a session that two series generate is of the first',
    objects: [{ ...weekly, '@id': id('series/2'), name: 'Pilates' }, weekly, cancelled],
    says: ['SUMMARY:Cancelled: Yoga'],
  },
  {
    name: 'of many series that share a template, the first twenty are looked at',
    objects: [
      ...Array.from({ length: 20 }, (_, n) => ({
        ...weekly,
        '@id': id(`series/1${String(n).padStart(2, '0')}`),
        name: 'Other hours',
        eventSchedule: [{ ...weekly.eventSchedule[0], startTime: '09:00', endTime: '10:00' }],
      })),
      { ...weekly, '@id': id('series/2') },
      cancelled,
    ],
    says: ['SUMMARY:Other hours', 'SUMMARY:Yoga'],
  },
  {
    name: 'a session of an @id that the template makes and the Schedule does not generate is of nobody',
    objects: [weekly, { ...cancelled, '@id': id('sessions/2026-12-08T18:00:00Z') }],
    says: ['SUMMARY:Yoga'],
  },
];

export const CASES: PathCase[] = [...PLACES, ...SERIES, ...JOINS];
