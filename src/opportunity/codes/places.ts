import type { FindingRule } from './rule.ts';

const MODEL = 'Modelling Opportunity Data 2.0';
const PLACES = `${MODEL}, Describing locations`;
const HOURS = 'Opening hours guide';

/** What is found about places and opening hours. */
export const PLACE_CODES = {
  'place-without-id': {
    severity: 'info',
    rule: `${PLACES}: @id`,
    text: () => 'Give the place an "@id", so that the same place is known again everywhere.',
  },
  'place-unknown': {
    severity: 'warning',
    rule: PLACES,
    text: () => 'Give the place an "@id" or at least a name: nothing tells it from others.',
  },
  'place-name-is-coordinates': {
    severity: 'warning',
    rule: PLACES,
    text: ({ value }) => `Give the place a name that people know; found "${value}".`,
  },
  'location-as-text': {
    severity: 'warning',
    rule: PLACES,
    text: () => 'Make "location" a Place with a name and an address.',
  },
  'address-as-text': { severity: 'info', rule: PLACES, text: () => 'Make "address" a PostalAddress with its parts.' },
  'geo-invalid': {
    severity: 'warning',
    rule: PLACES,
    text: ({ value }) => `Give "geo" a latitude from -90 to 90 and a longitude from -180 to 180; found ${value}.`,
  },
  'geo-zero': {
    severity: 'warning',
    rule: PLACES,
    text: () => 'Leave "geo" out where the coordinates are not known: 0, 0 lies in the sea.',
  },
  'geo-transposed': {
    severity: 'warning',
    rule: PLACES,
    text: ({ value }) => `Exchange latitude and longitude: ${value} seem to have changed places.`,
  },
  'hours-not-an-object': {
    severity: 'error',
    rule: HOURS,
    text: ({ value }) => `Make each entry an OpeningHoursSpecification; found ${value}.`,
  },
  'hours-time-missing': {
    severity: 'error',
    rule: HOURS,
    text: ({ property }) => `Give the opening hours "${property}"; the entry was left out.`,
  },
  'hours-day-unknown': {
    severity: 'error',
    rule: HOURS,
    text: ({ value }) => `Use days such as https://schema.org/Monday in "dayOfWeek"; "${value}" was left out.`,
  },
  'hours-days-unusable': {
    severity: 'error',
    rule: HOURS,
    text: () => 'Correct "dayOfWeek": none of its days can be read; the entry was left out.',
  },
  'hours-without-days': {
    severity: 'warning',
    rule: `${HOURS}: dayOfWeek is required`,
    text: () => 'Give the opening hours "dayOfWeek"; they were taken for every day.',
  },
  'hours-dates-reversed': {
    severity: 'error',
    rule: HOURS,
    text: ({ from, through }) =>
      `Set "validThrough" (${through}) to or after "validFrom" (${from}); the entry was left out.`,
  },
  'special-hours-without-times': {
    severity: 'warning',
    rule: `${HOURS}: specialOpeningHoursSpecification`,
    text: () => 'Write a closure with "opens" and "closes" of "00:00"; without them it was taken as closed all day.',
  },
  'special-hours-without-dates': {
    severity: 'warning',
    rule: HOURS,
    text: () =>
      'Give the special opening hours both "validFrom" and "validThrough": without, they override every day there is.',
  },
  'special-hours-look-standard': {
    severity: 'warning',
    rule: `${HOURS}: special hours must not describe standard hours`,
    text: ({ from, through }) =>
      `Put hours that hold from ${from} to ${through} in "openingHoursSpecification": special hours are exceptions.`,
  },
  'special-hours-on-holidays': {
    severity: 'warning',
    rule: `${HOURS}: PublicHolidays belong to standard hours`,
    text: () =>
      'Put the hours of PublicHolidays in "openingHoursSpecification", or give the special hours the dates they are for.',
  },
  'hours-same-times': {
    severity: 'warning',
    rule: HOURS,
    text: ({ value }) =>
      `Write "00:00" to "23:59" for open all day, "00:00" twice for closed; ${value} twice was read as open for 24 hours.`,
  },
  'hours-overlap': {
    severity: 'warning',
    rule: `${HOURS}: one entry for each period`,
    text: ({ day, first, second }) =>
      `Let the periods of one day not overlap: on ${day} there are ${first} and ${second}, and they were joined.`,
  },
  'hours-contradict': {
    severity: 'warning',
    rule: HOURS,
    text: ({ day, value }) =>
      `Take one of two entries out: on ${day} one says closed, the other open ${value}, which was used.`,
  },
  'standard-hours-look-special': {
    severity: 'warning',
    rule: HOURS,
    text: ({ date }) =>
      `Put hours for ${date} in "specialOpeningHoursSpecification": standard hours describe no exceptions.`,
  },
  'hours-seasons-overlap': {
    severity: 'warning',
    rule: HOURS,
    text: ({ day, from }) =>
      `Let only one season cover a date: on ${day} from ${from} several do, and their hours were added up.`,
  },
  'zone-assumed': {
    severity: 'warning',
    rule: HOURS,
    text: ({ country }) =>
      country === undefined
        ? 'Give the place its "geo", or times their zone: those without one were read in the zone of the settings.'
        : `Give the place its "geo": ${country} has several time zones, and the times were read in the zone of the settings.`,
  },
  'hours-holidays-without-country': {
    severity: 'warning',
    rule: HOURS,
    text: () => 'Give the place an "addressCountry": whose public holidays are meant is not known.',
  },
} as const satisfies Record<string, FindingRule>;
