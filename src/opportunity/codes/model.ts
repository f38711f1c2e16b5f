import type { FindingRule } from './rule.ts';

const MODEL = 'OpenActive data model 2.x';

/** What the data model asks of every object, whether calendars need it or not. */
export const MODEL_CODES = {
  'property-missing': {
    severity: 'error',
    rule: `${MODEL}: required properties`,
    text: ({ type, property }) => `Give the ${type} its "${property}", which is required.`,
  },
  'property-of-several-missing': {
    severity: 'error',
    rule: `${MODEL}: required properties`,
    text: ({ type, properties }) => `Give the ${type} one of ${properties}.`,
  },
  'property-not-allowed': {
    severity: 'warning',
    rule: `${MODEL}: properties of each type`,
    text: ({ type, property }) => `Leave "${property}" out of the ${type}: it has no place there.`,
  },
  'property-unknown': {
    severity: 'warning',
    rule: `${MODEL}: properties of each type`,
    text: ({ type, property }) =>
      `Correct the spelling of "${property}", or name it as an extension ("ext:${property}"): a ${type} has no such property.`,
  },
  'value-empty': {
    severity: 'warning',
    rule: `${MODEL}: properties without a value are left out`,
    text: ({ property, value }) => `Leave "${property}" out where there is nothing to say; found ${value}.`,
  },
  'value-of-wrong-type': {
    severity: 'warning',
    rule: `${MODEL}: values of each property`,
    text: ({ property, expected, value }) => `Make "${property}" ${expected}; found ${value}.`,
  },
  'value-misformatted': {
    severity: 'warning',
    rule: `${MODEL}: formats of values`,
    text: ({ property, expected, value }) => `Write "${property}" as ${expected}; found "${value}".`,
  },
  'value-not-in-list': {
    severity: 'warning',
    rule: `${MODEL}: enumerations`,
    text: ({ property, expected, value }) => `Set "${property}" to one of ${expected}; found "${value}".`,
  },
  'value-too-small': {
    severity: 'warning',
    rule: `${MODEL}: values of each property`,
    text: ({ property, least, value }) => `Set "${property}" to ${least} or more; found ${value}.`,
  },
  'object-without-type': {
    severity: 'warning',
    rule: 'JSON-LD 1.1, Syntax tokens',
    text: ({ property, type }) =>
      `Give the object in "${property}" its "@type"${type === '' ? '' : `, which is ${type}`}.`,
  },
  'context-missing': {
    severity: 'warning',
    rule: `${MODEL}: @context`,
    text: () => 'Give the data an "@context" of "https://openactive.io/", or an array that begins with it.',
  },
  'context-unexpected': {
    severity: 'warning',
    rule: `${MODEL}: @context`,
    text: ({ value }) =>
      `Begin "@context", and every OpenActive address in it, with "https://openactive.io/"; found ${value}.`,
  },
  'context-nested': {
    severity: 'warning',
    rule: `${MODEL}: @context`,
    text: () => 'Leave "@context" out of objects within the data: it belongs to the outermost one alone.',
  },
  'location-of-online-event': {
    severity: 'warning',
    rule: `${MODEL}: location and eventAttendanceMode`,
    text: () => 'Leave "location" out of an event that is only online, or name it "beta:affiliatedLocation".',
  },
  'range-without-bounds': {
    severity: 'warning',
    rule: `${MODEL}: QuantitativeValue`,
    text: ({ property }) => `Give "${property}" a "minValue", a "maxValue" or both.`,
  },
  'duration-missing': {
    severity: 'warning',
    rule: `${MODEL}: duration is required where startDate and endDate are given`,
    text: () => 'Give the "duration" too where "startDate" and "endDate" are given.',
  },
  'type-spelling': {
    severity: 'warning',
    rule: `${MODEL}: @type`,
    text: ({ value, used }) => `Write the "@type" as "${used}"; found "${value}".`,
  },
  'currency-missing': {
    severity: 'warning',
    rule: `${MODEL}: Offer`,
    text: ({ price }) => `Give the offer a "priceCurrency" such as GBP: nobody knows what a price of ${price} is.`,
  },
  'currency-unknown': {
    severity: 'warning',
    rule: 'ISO 4217',
    text: ({ value }) => `Write "priceCurrency" as a code of three letters such as GBP; found "${value}".`,
  },
  'country-code-invalid': {
    severity: 'warning',
    rule: 'ISO 3166-1 alpha-2',
    text: ({ value }) =>
      `Write "addressCountry" as a code of two letters such as GB (the United Kingdom's); found "${value}".`,
  },
  'booking-without-offer': {
    severity: 'warning',
    rule: `${MODEL}: isAccessibleWithoutBooking`,
    text: () => 'Give an event that must be booked an offer with an "@id" or "url" to book it at.',
  },
  'thumbnail-of-thumbnail': {
    severity: 'warning',
    rule: `${MODEL}: ImageObject`,
    text: () => 'Leave "thumbnail" out of an image that is itself a thumbnail.',
  },
} as const satisfies Record<string, FindingRule>;
