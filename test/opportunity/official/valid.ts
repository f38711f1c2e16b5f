/** Objects that the official validator has nothing to say against, but for its list of activities, which is remote. */

const CONTEXT = 'https://openactive.io/';
const activity = [
  {
    '@type': 'Concept',
    '@id': 'https://openactive.io/activity-list#bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e',
    inScheme: 'https://openactive.io/activity-list',
    prefLabel: 'Yoga',
  },
];
const facilityType = [
  {
    '@type': 'Concept',
    '@id': 'https://openactive.io/facility-types#9db5681e-700e-4b30-99a5-355885d94db2',
    inScheme: 'https://openactive.io/facility-types',
    prefLabel: 'Badminton Court',
  },
];
const organizer = {
  '@type': 'Organization',
  '@id': 'https://id.example.com/organizations/1',
  name: 'Marlowe Leisure',
  url: 'https://example.com/',
  telephone: '01234 567890',
};
const hours = (more: object = {}) => ({
  '@type': 'OpeningHoursSpecification',
  dayOfWeek: ['https://schema.org/Monday', 'https://schema.org/Tuesday'],
  opens: '09:00',
  closes: '17:30',
  ...more,
});
const place = {
  '@type': 'Place',
  '@id': 'https://id.example.com/places/1',
  name: 'Marlowe Centre',
  description: 'By the river.',
  telephone: '01234 567891',
  address: {
    '@type': 'PostalAddress',
    streetAddress: '1 High Street',
    addressLocality: 'Marlowe',
    addressRegion: 'Kent',
    postalCode: 'CT1 1AA',
    addressCountry: 'GB',
  },
  geo: { '@type': 'GeoCoordinates', latitude: 51.2802, longitude: 1.0789 },
  image: [{ '@type': 'ImageObject', url: 'https://example.com/centre.jpg' }],
  amenityFeature: [{ '@type': 'ChangingFacilities', name: 'Changing rooms', value: true }],
  openingHoursSpecification: [hours(), hours({ dayOfWeek: ['https://schema.org/PublicHolidays'], closes: '12:00' })],
  specialOpeningHoursSpecification: [
    {
      '@type': 'OpeningHoursSpecification',
      opens: '00:00',
      closes: '00:00',
      validFrom: '2026-12-25',
      validThrough: '2026-12-25',
    },
  ],
};
const offers = [
  {
    '@type': 'Offer',
    '@id': 'https://id.example.com/series/1#/offers/1',
    name: 'Adult',
    price: 5.5,
    priceCurrency: 'GBP',
    url: 'https://example.com/book',
  },
];
const described = {
  url: 'https://example.com/yoga',
  name: 'Yoga',
  description: 'For beginners.',
  location: place,
  activity,
  organizer,
  offers,
  ageRange: { '@type': 'QuantitativeValue', minValue: 16, maxValue: 80 },
  genderRestriction: 'https://openactive.io/NoRestriction',
  leader: [{ '@type': 'Person', '@id': 'https://id.example.com/people/1', name: 'Ann Lee' }],
  level: ['Beginner'],
  isAccessibleForFree: false,
};
const schedule = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Monday'],
  startDate: '2026-01-05',
  endDate: '2026-12-28',
  startTime: '18:00',
  endTime: '19:00',
  duration: 'PT1H',
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
  idTemplate: 'https://id.example.com/series/1/{startDate}',
  urlTemplate: 'https://example.com/yoga/{startDate}',
  exceptDate: ['2026-02-02T18:00:00Z'],
};
const times = { startDate: '2026-01-12T18:00:00Z', endDate: '2026-01-12T19:00:00Z', duration: 'PT1H' };
const event = { '@context': CONTEXT, '@id': 'https://id.example.com/events/1', ...described, ...times };

export const VALID: Record<string, Record<string, unknown>> = {
  SessionSeries: {
    '@context': [CONTEXT, 'https://openactive.io/ns-beta'],
    '@type': 'SessionSeries',
    '@id': 'https://id.example.com/series/1',
    ...described,
    maximumAttendeeCapacity: 20,
    eventSchedule: [schedule],
    subEvent: [
      {
        '@type': 'ScheduledSession',
        '@id': 'https://id.example.com/series/1/2026-01-12T18:00:00Z',
        ...times,
        eventStatus: 'https://schema.org/EventCancelled',
        remainingAttendeeCapacity: 3,
      },
    ],
  },
  PartialSchedule: {
    '@context': CONTEXT,
    '@type': 'SessionSeries',
    '@id': 'https://id.example.com/series/2',
    ...described,
    eventSchedule: [
      {
        '@type': 'PartialSchedule',
        byDay: ['https://schema.org/Monday'],
        startTime: '18:00',
        scheduleTimezone: 'Europe/London',
      },
    ],
  },
  ScheduledSession: {
    '@context': CONTEXT,
    '@type': 'ScheduledSession',
    '@id': 'https://id.example.com/series/1/2026-01-12T18:00:00Z',
    identifier: 'A12',
    superEvent: 'https://id.example.com/series/1',
    ...times,
    eventStatus: 'https://schema.org/EventScheduled',
    maximumAttendeeCapacity: 20,
    remainingAttendeeCapacity: 3,
    url: 'https://example.com/yoga/12',
  },
  Event: { '@type': 'Event', ...event, remainingAttendeeCapacity: 3 },
  HeadlineEvent: { '@type': 'HeadlineEvent', ...event },
  CourseInstance: {
    '@type': 'CourseInstance',
    ...event,
    startDate: '2026-01-12',
    endDate: '2026-02-12',
    eventSchedule: [{ ...schedule, scheduledEventType: 'Event' }],
  },
  Place: { '@context': CONTEXT, ...place },
  FacilityUse: {
    '@context': CONTEXT,
    '@type': 'FacilityUse',
    '@id': 'https://id.example.com/facilities/1',
    url: 'https://example.com/courts',
    name: 'Courts',
    location: place,
    provider: organizer,
    facilityType,
    hoursAvailable: [hours()],
    offers,
    individualFacilityUse: [
      {
        '@type': 'IndividualFacilityUse',
        '@id': 'https://id.example.com/facilities/1/1',
        url: 'https://example.com/courts/1',
        name: 'Court 1',
      },
    ],
  },
  Slot: {
    '@context': CONTEXT,
    '@type': 'Slot',
    '@id': 'https://id.example.com/slots/1',
    facilityUse: 'https://id.example.com/facilities/1',
    ...times,
    remainingUses: 1,
    maximumUses: 1,
    offers,
  },
};
