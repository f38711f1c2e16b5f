import { type FindingRule, places, under } from './rule.ts';

const hours = under('Opening hours guide');

/** Findings about places and opening hours. */
export const PLACE_CODES = {
  'place-without-id': places.info('Give the place an "@id", so that the same place is known again everywhere.', '@id'),
  'place-unknown': places.warning('Give the place an "@id" or at least a name: nothing tells it from others.'),
  'place-name-is-coordinates': places.warning('Give the place a name that people know; found "{value}".'),
  'location-as-text': places.warning('Make "location" a Place with a name and an address.'),
  'location-is-address': places.warning('Make "location" a Place, with this PostalAddress as its "address".'),
  'address-as-text': places.info('Make "address" a PostalAddress with its parts.'),
  'geo-invalid': places.warning(
    'Give "geo" a latitude from -90 to 90 and a longitude from -180 to 180, with a decimal point; found {value}.',
  ),
  'geo-zero': places.warning('Leave "geo" out where the coordinates are not known: around 0, 0 is only sea.'),
  'geo-transposed': places.warning('Exchange latitude and longitude: {value} seem to have changed places.'),
  'hours-not-an-object': hours.error('Make each entry an OpeningHoursSpecification; found {value}.'),
  'hours-time-missing': hours.error('Give the opening hours "{property}"; the entry was left out.'),
  'hours-day-unknown': hours.error(
    'Use days such as https://schema.org/Monday in "dayOfWeek"; "{value}" was left out.',
  ),
  'hours-days-unusable': hours.error('Correct "dayOfWeek": none of its days can be read; the entry was left out.'),
  'hours-without-days': hours.warning(
    'Give the opening hours "dayOfWeek"; they were taken for every day.',
    'dayOfWeek is required',
  ),
  'hours-dates-reversed': hours.error(
    'Set "validThrough" ({through}) to or after "validFrom" ({from}); the entry was left out.',
  ),
  'special-hours-without-times': hours.warning(
    'Write a closure with "opens" and "closes" of "00:00"; without them it was taken as closed all day.',
    'specialOpeningHoursSpecification',
  ),
  'special-hours-without-dates': hours.warning(
    'Give the special opening hours both "validFrom" and "validThrough": without, they override every day there is.',
  ),
  'special-hours-look-standard': hours.warning(
    'Put hours that hold from {from} to {through} in "openingHoursSpecification": special hours are exceptions.',
    'special hours must not describe standard hours',
  ),
  'special-hours-on-no-day': hours.warning(
    'Correct "dayOfWeek" or the dates: no day from {from} to {through} is one of the days, so the entry says nothing.',
  ),
  'special-hours-on-holidays': hours.warning(
    'Put the hours of PublicHolidays in "openingHoursSpecification", or give the special hours the dates they are for.',
    'PublicHolidays belong to standard hours',
  ),
  'hours-same-times': hours.warning(
    'Write "00:00" to "23:59" for open all day, "00:00" twice for closed; {value} twice was read as open for 24 hours.',
  ),
  'hours-overlap': hours.warning(
    'Let the periods of one day not overlap: on {day} there are {first} and {second}, and they were joined.',
    'one entry for each period',
  ),
  'hours-contradict': hours.warning(
    'Take one of two entries out: on {day} one says closed, the other open {value}, which was used.',
  ),
  'standard-hours-look-special': hours.warning(
    'Put hours for {date} in "specialOpeningHoursSpecification": standard hours describe no exceptions.',
  ),
  'hours-seasons-overlap': hours.warning(
    'Let only one season cover a date: on {day} from {from} several do, and their hours were added up.',
  ),
  'zone-assumed': hours.warning(({ country }) =>
    country === undefined
      ? 'Give the place its "geo", or times their zone: those without one were read in the zone of the settings.'
      : `Give the place its "geo": ${country} has several time zones, and the times were read in the zone of the settings.`,
  ),
  'hours-holidays-without-country': hours.warning(
    'Give the place an "addressCountry": whose public holidays are meant is not known.',
  ),
} satisfies Record<string, FindingRule>;
