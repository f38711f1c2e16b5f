import { type FindingRule, jsonLd, under } from './rule.ts';

const model = under('OpenActive data model 2.x');

/** Findings about the data model's rules for every object, whether calendars need them or not. */
export const MODEL_CODES = {
  'property-missing': model.error('Give the {type} its "{property}", which is required.', 'required properties'),
  'property-of-several-missing': model.error('Give the {type} one of {properties}.', 'required properties'),
  'property-not-allowed': model.warning(
    'Leave "{property}" out of the {type}: it has no place there.',
    'properties of each type',
  ),
  'property-unknown': model.warning(
    'Correct the spelling of "{property}", or name it as an extension ("ext:{property}"): a {type} has no such property.',
    'properties of each type',
  ),
  'value-empty': model.warning(
    'Leave "{property}" out where there is nothing to say; found {value}.',
    'properties without a value are left out',
  ),
  'value-of-wrong-type': model.warning('Make "{property}" {expected}; found {value}.', 'values of each property'),
  'value-misformatted': model.warning('Write "{property}" as {expected}; found "{value}".', 'formats of values'),
  'value-not-in-list': model.warning('Set "{property}" to one of {expected}; found "{value}".', 'enumerations'),
  'concept-not-in-list': model.warning(
    ({ list, nearest, value }) =>
      `Name a concept of ${list}${nearest === '' ? '' : `, most likely ${nearest}`}; "${value}" is not in it.`,
    'activities, facility types and accessibility support',
  ),
  'concept-label-of-another': model.warning(
    'Give the "@id" and "prefLabel" of one concept: the "@id" is that of {used}, the "prefLabel" that of {labelled}.',
    'activities, facility types and accessibility support',
  ),
  'value-too-small': model.warning('Set "{property}" to {least} or more; found {value}.', 'values of each property'),
  'object-without-type': jsonLd.warning(
    ({ property, type }) => `Give the object in "${property}" its "@type"${type === '' ? '' : `, which is ${type}`}.`,
  ),
  'context-missing': model.warning(
    'Give the data an "@context" of "https://openactive.io/", or an array that begins with it.',
    '@context',
  ),
  'context-unexpected': model.warning(
    'Begin "@context", and every OpenActive address in it, with "https://openactive.io/"; found {value}.',
    '@context',
  ),
  'context-nested': model.warning(
    'Leave "@context" out of objects within the data: it belongs to the outermost one alone.',
    '@context',
  ),
  'location-of-online-event': model.warning(
    'Leave "location" out of an event that is only online, or name it "beta:affiliatedLocation".',
    'location and eventAttendanceMode',
  ),
  'range-without-bounds': model.warning('Give "{property}" a "minValue", a "maxValue" or both.', 'QuantitativeValue'),
  'duration-missing': model.warning(
    'Give the "duration" too where "startDate" and "endDate" are given.',
    'duration is required where startDate and endDate are given',
  ),
  'type-spelling': model.warning('Write the "@type" as "{used}"; found "{value}".', '@type'),
  'currency-missing': model.warning(
    'Give the offer a "priceCurrency" such as GBP: nobody knows what a price of {price} is.',
    'Offer',
  ),
  'currency-unknown': under('ISO 4217').warning(
    'Write "priceCurrency" as a code of three letters such as GBP; found "{value}".',
  ),
  'country-code-invalid': under('ISO 3166-1 alpha-2').warning(
    `Write "addressCountry" as a code of two letters such as GB (the United Kingdom's); found "{value}".`,
  ),
  'booking-without-offer': model.warning(
    'Give an event that must be booked an offer with an "@id" or "url" to book it at.',
    'isAccessibleWithoutBooking',
  ),
  'thumbnail-of-thumbnail': model.warning(
    'Leave "thumbnail" out of an image that is itself a thumbnail.',
    'ImageObject',
  ),
} satisfies Record<string, FindingRule>;
