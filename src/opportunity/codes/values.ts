import type { FindingRule } from './rule.ts';

const MODEL = 'Modelling Opportunity Data 2.0';
const RELATED = `${MODEL}, Relating events`;
const SCHEDULES = `${MODEL}, Publishing event schedules`;
const JSON_LD = 'JSON-LD 1.1, Syntax tokens';

/** What is found about single values: types, texts, dates, numbers, addresses. */
export const VALUE_CODES = {
  'too-many-findings': {
    severity: 'info',
    rule: MODEL,
    text: ({ most }) => `Correct these first: only ${most} findings of this item are listed.`,
  },
  'type-missing': {
    severity: 'error',
    rule: JSON_LD,
    text: () => 'Give the object its "@type": what it is cannot be told without it.',
  },
  'unknown-type': {
    severity: 'warning',
    rule: MODEL,
    text: ({ value }) =>
      `Use a type that calendars can show, such as SessionSeries: nothing was made of this "${value}".`,
  },
  'type-unofficial': {
    severity: 'warning',
    rule: MODEL,
    text: ({ value, used }) => `Use "${used}" as the type; "${value}" is not in the model.`,
  },
  'unprefixed-keywords': {
    severity: 'warning',
    rule: JSON_LD,
    text: () => 'Write "@type" and "@id" instead of "type" and "id".',
  },
  'vocabulary-spelling': {
    severity: 'warning',
    rule: MODEL,
    text: ({ value, used }) => `Write "${used}" instead of "${value}".`,
  },
  'property-misnamed': {
    severity: 'warning',
    rule: MODEL,
    text: ({ found, use }) => `Use the property "${use}" instead of "${found}".`,
  },
  'single-value': {
    severity: 'warning',
    rule: MODEL,
    text: ({ property }) => `Make "${property}" an array, also when it has one value.`,
  },
  'several-values': {
    severity: 'warning',
    rule: MODEL,
    text: ({ property }) => `Give "${property}" one value; only the first was used.`,
  },
  capped: {
    severity: 'warning',
    rule: MODEL,
    text: ({ property, most, count, omitted, since }) =>
      since === undefined
        ? `Give "${property}" at most ${most} entries: it has ${count}, and the last ${omitted} were left out.`
        : `Use a "${property}" that calendars can repeat: this one becomes single events, at most ${most}, counted from ${since}.`,
  },
  'nested-too-deep': {
    severity: 'warning',
    rule: RELATED,
    text: ({ most }) => `Publish what lies more than ${most} levels deep as items of their own: it was left out.`,
  },
  'value-not-text': {
    severity: 'warning',
    rule: MODEL,
    text: ({ property, value }) => `Make "${property}" a text; found ${value}.`,
  },
  'html-in-text': {
    severity: 'warning',
    rule: `${MODEL}: description must not contain HTML`,
    text: ({ property }) => `Write "${property}" as plain text; HTML belongs in "beta:formattedDescription".`,
  },
  'control-characters': {
    severity: 'info',
    rule: MODEL,
    text: ({ property }) => `Take the control characters out of "${property}".`,
  },
  'text-too-long': {
    severity: 'info',
    rule: MODEL,
    text: ({ property, most }) => `Shorten "${property}" to ${most} characters: calendars show no more.`,
  },
  'url-invalid': {
    severity: 'warning',
    rule: `${MODEL}: URLs are absolute`,
    text: ({ property, value }) => `Make "${property}" an absolute http(s) address; found "${value}".`,
  },
  'number-invalid': {
    severity: 'warning',
    rule: MODEL,
    text: ({ property, value }) => `Make "${property}" a number that makes sense there; found ${value}.`,
  },
  'date-invalid': {
    severity: 'error',
    rule: 'ISO 8601',
    text: ({ property, value }) =>
      `Write "${property}" as a date (2027-03-28) or date and time (2027-03-28T09:30:00Z); found "${value}".`,
  },
  'date-out-of-range': {
    severity: 'warning',
    rule: MODEL,
    text: ({ property, value }) => `Leave "${property}" out where there is no such date; "${value}" was not used.`,
  },
  'date-with-time': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ property, value }) => `Write "${property}" as a date without a time; found "${value}".`,
  },
  'datetime-without-zone': {
    severity: 'warning',
    rule: 'ISO 8601; Modelling Opportunity Data 2.0, Describing events',
    text: ({ property }) =>
      `End "${property}" with Z or an offset; it was read as local time of its place, else of its Schedule, else of the settings.`,
  },
  'time-invalid': {
    severity: 'error',
    rule: SCHEDULES,
    text: ({ property, value }) => `Write "${property}" as a 24-hour time, HH:mm; found "${value}".`,
  },
  'time-without-leading-zero': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ property, value }) => `Write the hour of "${property}" with two digits; found "${value}".`,
  },
  'time-with-zone': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ property, value }) => `Leave the time zone out of "${property}", which is local time; found "${value}".`,
  },
  'duration-invalid': {
    severity: 'warning',
    rule: 'ISO 8601, durations',
    text: ({ property, value }) => `Write "${property}" as an ISO 8601 duration such as PT1H30M; found "${value}".`,
  },
  'duration-zero': {
    severity: 'warning',
    rule: `${SCHEDULES}: duration must not be zero`,
    text: ({ property }) => `Give "${property}" its real length, or leave it out: zero is no duration.`,
  },
  'duration-calendar-units': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ property, value }) =>
      `Write "${property}" in days, hours and minutes: months and years have no fixed length; found "${value}".`,
  },
  'duration-too-long': {
    severity: 'warning',
    rule: SCHEDULES,
    text: ({ property, value }) => `Set "${property}" to the length of one occurrence; ${value} was not used.`,
  },
  'timezone-unknown': {
    severity: 'error',
    rule: 'IANA time zone database',
    text: ({ property, value }) => `Set "${property}" to an IANA zone name; "${value}" is none, and was not used.`,
  },
} as const satisfies Record<string, FindingRule>;
