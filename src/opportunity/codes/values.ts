import { type FindingRule, jsonLd, modelling, related, schedules, under } from './rule.ts';

/** Findings about single values: types, texts, dates, numbers, addresses. */
export const VALUE_CODES = {
  'too-many-findings': modelling.info('Correct these first: only {most} findings of this item are listed.'),
  'type-missing': jsonLd.error('Give the object its "@type": what it is cannot be told without it.'),
  'unknown-type': modelling.warning(
    'Use a type that calendars can show, such as SessionSeries: nothing was made of this "{value}".',
  ),
  'type-unofficial': modelling.warning('Use "{used}" as the type; "{value}" is not in the model.'),
  'unprefixed-keywords': jsonLd.warning('Write "@type" and "@id" instead of "type" and "id".'),
  'vocabulary-spelling': modelling.warning('Write "{used}" instead of "{value}".'),
  'property-misnamed': modelling.warning('Use the property "{use}" instead of "{found}".'),
  'single-value': modelling.warning('Make "{property}" an array, also when it has one value.'),
  'several-languages': modelling.warning(
    ({ property, used = 'English' }) => `Write "${property}" as one text; of its languages only ${used} was used.`,
  ),
  'several-values': modelling.warning('Give "{property}" one value; only the first was used.'),
  capped: modelling.warning(({ property, most, count, omitted, since }) =>
    since === undefined
      ? `Give "${property}" at most ${most} entries: it has ${count}, and the last ${omitted} were left out.`
      : `Use a "${property}" that calendars can repeat: this one becomes single events, at most ${most}, counted from ${since}.`,
  ),
  'nested-too-deep': related.warning(
    'Publish what lies more than {most} levels deep as items of their own: it was left out.',
  ),
  'value-not-text': modelling.warning('Make "{property}" a text; found {value}.'),
  'value-unused': modelling.warning(
    'Correct "{property}": nothing of what it states is of the data model, and nothing was used.',
  ),
  'html-in-text': modelling.warning(
    'Write "{property}" as plain text; HTML belongs in "beta:formattedDescription".',
    'description must not contain HTML',
  ),
  'control-characters': modelling.info('Take the control characters out of "{property}".'),
  'text-too-long': modelling.info('Shorten "{property}" to {most} characters: calendars show no more.'),
  'url-invalid': modelling.warning(
    'Make "{property}" an absolute http(s) address; found "{value}".',
    'URLs are absolute',
  ),
  'number-invalid': modelling.warning('Make "{property}" a number that makes sense there; found {value}.'),
  'date-invalid': under('ISO 8601').error(
    'Write "{property}" as a date (2027-03-28) or date and time (2027-03-28T09:30:00Z); found "{value}".',
  ),
  'date-out-of-range': modelling.warning('Leave "{property}" out where there is no such date; "{value}" was not used.'),
  'date-with-time': schedules.warning('Write "{property}" as a date without a time; found "{value}".'),
  'datetime-without-zone': under('ISO 8601; Modelling Opportunity Data 2.0, Describing events').warning(
    'End "{property}" with Z or an offset; it was read as local time of its place, else of its Schedule, else of the settings.',
  ),
  'time-invalid': schedules.error('Write "{property}" as a 24-hour time, HH:mm; found "{value}".'),
  'time-without-leading-zero': schedules.warning('Write the hour of "{property}" with two digits; found "{value}".'),
  'time-with-zone': schedules.warning('Leave the time zone out of "{property}", which is local time; found "{value}".'),
  'duration-invalid': under('ISO 8601, durations').warning(
    'Write "{property}" as an ISO 8601 duration such as PT1H30M; found "{value}".',
  ),
  'duration-zero': schedules.warning(
    'Give "{property}" its real length, or leave it out: zero is no duration.',
    'duration must not be zero',
  ),
  'duration-calendar-units': schedules.warning(
    'Write "{property}" in days, hours and minutes: months and years have no fixed length; found "{value}".',
  ),
  'duration-too-long': schedules.warning('Set "{property}" to the length of one occurrence; {value} was not used.'),
  'timezone-unknown': under('IANA time zone database').error(
    'Set "{property}" to an IANA zone name; "{value}" is none, and was not used.',
  ),
} satisfies Record<string, FindingRule>;
