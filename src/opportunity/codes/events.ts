import { events, type FindingRule, jsonLd, modelling, related, under } from './rule.ts';

/** Findings about events, series, sessions and slots. */
export const EVENT_CODES = {
  'id-missing': modelling.warning(
    'Give the {type} an "@id": without one it cannot be referred to, nor matched to a template.',
    '@id',
  ),
  'id-not-url': modelling.warning(
    'Make "@id" an absolute address: "{value}" may mean something else in another feed.',
    '@id',
  ),
  'id-unusable': modelling.error('Make "@id" an absolute address of at most 2,048 characters; found {value}.', '@id'),
  'id-in-array': jsonLd.warning('Write "@id" as a text; it is in an array, of which "{value}" was used.'),
  'reference-not-url': related.warning(
    'Make "{property}" the "@id" of what it refers to, an absolute address; found "{value}".',
  ),
  'reference-unusable': related.error('Make "{property}" an "@id" or an object; found {value}.'),
  'super-event-is-itself': related.error('Make "superEvent" the series that this is part of; it names itself.'),
  'super-event-type-unknown': related.warning('Give "superEvent" a type of the model; "{value}" was read as {used}.'),
  'name-missing': events.warning('Give the {type} a "name".'),
  'status-unknown': events.warning(
    'Set "eventStatus" to https://schema.org/EventScheduled, EventCancelled, EventPostponed or EventRescheduled; found "{value}".',
  ),
  'status-spelling': events.warning('Write https://schema.org/{used} as "eventStatus"; found "{value}".'),
  'status-several': events.warning(
    'Give "eventStatus" one value; of {value} the one that takes most away was used, {used}.',
  ),
  'status-moved-online': events.warning(
    'Set "eventAttendanceMode" to https://schema.org/OnlineEventAttendanceMode, as EventMovedOnline was read, and "eventStatus" to https://schema.org/EventScheduled.',
  ),
  'attendance-mode-unknown': events.warning(
    'Set "eventAttendanceMode" to an attendance mode of schema.org; found "{value}".',
  ),
  'gender-unknown': events.warning(
    'Set "genderRestriction" to https://openactive.io/NoRestriction, FemaleOnly or MaleOnly; found "{value}".',
  ),
  'age-range-invalid': events.warning(
    'Give "ageRange" a minValue, a maxValue or both, from 0 to 150, the first not above the second; found {value}.',
  ),
  'age-range-in-months': events.warning('Give the ages of "ageRange" in years; found {value} months, left out.'),
  'offer-not-an-object': events.warning('Make each offer an object with a price and a currency; found {value}.'),
  'price-invalid': events.warning('Make "price" a number such as 5.5, from 0 to 1000000; found {value}.'),
  'free-with-price': events.warning(
    'Set "isAccessibleForFree" to false, or give an offer the price 0: each offer costs something, and the offers were used.',
  ),
  'price-as-text': events.warning('Write "price" as a number without quotation marks; found "{value}".'),
  'event-with-schedule': events.warning(
    'Publish this as a SessionSeries: a plain Event has neither "eventSchedule" nor "subEvent".',
    'eventSchedule and subEvent must not be used on an Event',
  ),
  'series-not-here': related.info(
    'Publish the series {id} too: {count} of its sessions are here, and no series has a calendar before it comes.',
  ),
  'facility-not-here': related.info(
    'Publish the facility {id} too: {count} of its slots are here, and say nothing without it.',
  ),
  'place-not-here': related.warning(
    'Embed the Place {id} in "location", or publish it too: {count} of the events and facilities show no place.',
  ),
  'session-without-series': related.error(
    'Give the session its "superEvent": it has a calendar only if a series names it, or a Schedule generates its "@id".',
  ),
  'session-without-start': events.error(
    'Give the session a "startDate" with date, time and zone: without, it can only replace an occurrence of a Schedule.',
  ),
  'start-without-time': events.warning(
    'Give "startDate" its time of day, or publish "subEvent" or "eventSchedule"; "{value}" is shown as an event of the whole day.',
  ),
  'start-inherited': related.info(
    'Give the sub-event a "startDate" if it has one of its own: it takes place when its parent does.',
  ),
  'session-without-end': events.warning('Give the session an "endDate" or a "duration".'),
  'previous-start-without-time': events.warning(
    'Give "previousStartDate" its time of day: "{value}" alone does not tell which occurrence this session replaces.',
  ),
  'end-without-time': events.warning('Give "endDate" its time of day; found "{value}".'),
  'end-before-start': events.error(
    'Set "endDate" after "startDate"; found {end} and {start}.',
    'endDate is after startDate',
  ),
  'start-skipped-by-clocks': events.error(
    'Correct "startDate": {start} is no time of its place, as the clocks are put forward then. "endDate" ({end}) was not used.',
  ),
  'session-too-long': events.warning(
    'Set "endDate" to when this session or slot ends, not the whole series; {end} was not used.',
  ),
  'session-end-far-off': events.warning(
    'Correct "endDate": {end} is more than a day after the start, and the duration is {duration}, which was used.',
  ),
  'end-at-59-seconds': events.info(
    'Set the end to the full minute: sessions and slots end before their "endDate", not in its last second.',
  ),
  'end-differs-from-duration': events.info('Make "endDate" and "duration" ({duration}) agree; "endDate" was used.'),
  'series-without-time': events.warning(
    'Give the {type} "subEvent" or "eventSchedule", or a "startDate" with a time: nothing in it has one.',
  ),
  'series-without-schedule': modelling.warning(
    'Give the SessionSeries "eventSchedule" or "subEvent"; until then its calendar lives from sessions that name it.',
    'SessionSeries has eventSchedule or subEvent',
  ),
  'on-demand-event': events.info(
    'Change nothing: an OnDemandEvent has no time, and calendars show times, so nothing was made of it.',
  ),
  'course-without-instance': events.info(
    'Give this Course an "@id" that its CourseInstances name: only they have times, so nothing was made of it.',
  ),
  'course-beside-super-event': related.warning(
    'Embed the Course in "instanceOfCourse": beside a "superEvent" that is only named, it was not read.',
  ),
  'sub-event-by-reference': related.info(
    'Publish the {count} sub-events that are given by "@id" only: they appear when they come as items of their own.',
  ),
  'repeated-within-item': related.warning(
    'List each object once, or give each its own "@id"; one that cannot be told from another was left out.',
  ),
  'repeated-in-feed': related.warning(
    'Give each item its own "@id", or delete one of them: {other} has "{id}" too and is used, so this item is left out.',
  ),
  'sub-events-of-parent': related.info(
    'Publish the other sub-events of "superEvent" as items: those within an embedded parent are not read.',
  ),
  'slots-not-harvested': under('Configuration').info(
    'Change nothing: slots are not harvested from this feed, and {count} were left out.',
  ),
  'slot-unusable': modelling.error('Give the slot a usable {missing}; it was left out.', 'Slot'),
  'slot-without-uses': modelling.error('Give the slot its "remainingUses"; it is taken to be full.', 'Slot'),
  'slot-uses-exceed-maximum': modelling.warning(
    'Set "maximumUses" ({most}) to all uses of the slot: "remainingUses" says that {left} are left.',
    'Slot',
  ),
  'slot-cancelled': modelling.warning(
    'Delete the slot instead of giving it "eventStatus", which slots do not have; it is taken to be full.',
    'Slot',
  ),
  'slot-without-facility': modelling.error(
    'Give the slot its "facilityUse": without it the slot belongs to nothing.',
    'Slot',
  ),
} satisfies Record<string, FindingRule>;

/** Findings where several publishers publish the same object (semantics 1.4). */
export const PUBLISHER_CODES = {
  'claimed-by-another-publisher': modelling.warning(
    `Give the {kind} an "@id" of your own: {id} is another publisher's, and what is published of it here shows nothing.`,
    '@id',
  ),
  'series-of-another-publisher': modelling.warning(
    `Name a series of your own as "superEvent": {id} is another publisher's, and what is part of it here shows nothing.`,
    '@id',
  ),
  'facility-of-another-publisher': modelling.warning(
    `Name a facility of your own as "facilityUse": {id} is another publisher's, and its slots here show nothing.`,
    '@id',
  ),
} satisfies Record<string, FindingRule>;
