import type { FindingRule } from './rule.ts';

const MODEL = 'Modelling Opportunity Data 2.0';
const EVENTS = `${MODEL}, Describing events`;
const RELATED = `${MODEL}, Relating events`;

/** What is found about events, series, sessions and slots. */
export const EVENT_CODES = {
  'id-missing': {
    severity: 'warning',
    rule: `${MODEL}: @id`,
    text: ({ type }) => `Give the ${type} an "@id": without one it cannot be referred to, nor matched to a template.`,
  },
  'id-not-url': {
    severity: 'warning',
    rule: `${MODEL}: @id`,
    text: ({ value }) => `Make "@id" an absolute address: "${value}" may mean something else in another feed.`,
  },
  'id-unusable': {
    severity: 'error',
    rule: `${MODEL}: @id`,
    text: ({ value }) => `Make "@id" an absolute address of at most 2,048 characters; found ${value}.`,
  },
  'reference-not-url': {
    severity: 'warning',
    rule: RELATED,
    text: ({ property, value }) =>
      `Make "${property}" the "@id" of what it refers to, an absolute address; found "${value}".`,
  },
  'reference-unusable': {
    severity: 'error',
    rule: RELATED,
    text: ({ property, value }) => `Make "${property}" an "@id" or an object; found ${value}.`,
  },
  'super-event-is-itself': {
    severity: 'error',
    rule: RELATED,
    text: () => 'Make "superEvent" the series that this is part of; it names itself.',
  },
  'super-event-type-unknown': {
    severity: 'warning',
    rule: RELATED,
    text: ({ value, used }) => `Give "superEvent" a type of the model; "${value}" was read as ${used}.`,
  },
  'name-missing': { severity: 'warning', rule: EVENTS, text: ({ type }) => `Give the ${type} a "name".` },
  'status-unknown': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value }) =>
      `Set "eventStatus" to https://schema.org/EventScheduled, EventCancelled, EventPostponed or EventRescheduled; found "${value}".`,
  },
  'status-spelling': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value, used }) => `Write https://schema.org/${used} as "eventStatus"; found "${value}".`,
  },
  'attendance-mode-unknown': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value }) => `Set "eventAttendanceMode" to an attendance mode of schema.org; found "${value}".`,
  },
  'gender-unknown': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value }) =>
      `Set "genderRestriction" to https://openactive.io/NoRestriction, FemaleOnly or MaleOnly; found "${value}".`,
  },
  'age-range-invalid': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value }) =>
      `Give "ageRange" a minValue, a maxValue or both, the first not above the second; found ${value}.`,
  },
  'price-invalid': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value }) => `Make "price" a number such as 5.5; found ${value}.`,
  },
  'price-as-text': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value }) => `Write "price" as a number without quotation marks; found "${value}".`,
  },
  'event-with-schedule': {
    severity: 'warning',
    rule: `${EVENTS}: eventSchedule and subEvent must not be used on an Event`,
    text: () => 'Publish this as a SessionSeries: a plain Event has neither "eventSchedule" nor "subEvent".',
  },
  'series-not-here': {
    severity: 'info',
    rule: RELATED,
    text: ({ id, count }) =>
      `Publish the series ${id} too: ${count} of its sessions are here, and no series has a calendar before it comes.`,
  },
  'facility-not-here': {
    severity: 'info',
    rule: RELATED,
    text: ({ id, count }) =>
      `Publish the facility ${id} too: ${count} of its slots are here, and say nothing without it.`,
  },
  'session-without-series': {
    severity: 'error',
    rule: RELATED,
    text: () =>
      'Give the session its "superEvent": it has a calendar only if a series names it, or a Schedule generates its "@id".',
  },
  'session-without-start': {
    severity: 'error',
    rule: EVENTS,
    text: () =>
      'Give the session a "startDate" with date, time and zone: without, it can only replace an occurrence of a Schedule.',
  },
  'start-without-time': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value }) =>
      `Give "startDate" its time of day, or publish "subEvent" or "eventSchedule"; "${value}" is shown as an event of the whole day.`,
  },
  'start-inherited': {
    severity: 'info',
    rule: RELATED,
    text: () => 'Give the sub-event a "startDate" if it has one of its own: it takes place when its parent does.',
  },
  'session-without-end': {
    severity: 'warning',
    rule: EVENTS,
    text: () => 'Give the session an "endDate" or a "duration".',
  },
  'end-without-time': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ value }) => `Give "endDate" its time of day; found "${value}".`,
  },
  'end-before-start': {
    severity: 'error',
    rule: `${EVENTS}: endDate is after startDate`,
    text: ({ start, end }) => `Set "endDate" after "startDate"; found ${end} and ${start}.`,
  },
  'session-too-long': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ end }) => `Set "endDate" to when this session ends, not the whole series; ${end} was not used.`,
  },
  'session-end-far-off': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ end, duration }) =>
      `Correct "endDate": ${end} is more than a day after the start of a session of ${duration}, which was used.`,
  },
  'end-at-59-seconds': {
    severity: 'info',
    rule: EVENTS,
    text: () => 'Set the end to the full minute: sessions end before their "endDate", not in its last second.',
  },
  'end-differs-from-duration': {
    severity: 'info',
    rule: EVENTS,
    text: ({ duration }) => `Make "endDate" and "duration" (${duration}) agree; "endDate" was used.`,
  },
  'series-without-time': {
    severity: 'warning',
    rule: EVENTS,
    text: ({ type }) =>
      `Give the ${type} "subEvent" or "eventSchedule", or a "startDate" with a time: nothing in it has one.`,
  },
  'series-without-schedule': {
    severity: 'warning',
    rule: `${MODEL}: SessionSeries has eventSchedule or subEvent`,
    text: () =>
      'Give the SessionSeries "eventSchedule" or "subEvent"; until then its calendar lives from sessions that name it.',
  },
  'on-demand-event': {
    severity: 'info',
    rule: EVENTS,
    text: () => 'Change nothing: an OnDemandEvent has no time, and calendars show times, so nothing was made of it.',
  },
  'course-without-instance': {
    severity: 'info',
    rule: EVENTS,
    text: () => 'Publish the CourseInstances of this Course too: only they have times, so nothing was made of it.',
  },
  'sub-event-by-reference': {
    severity: 'info',
    rule: RELATED,
    text: ({ count }) =>
      `Publish the ${count} sub-events that are given by "@id" only: they appear when they come as items of their own.`,
  },
  'repeated-within-item': {
    severity: 'warning',
    rule: RELATED,
    text: () => 'List each object once, or give each its own "@id"; one that cannot be told from another was left out.',
  },
  'sub-events-of-parent': {
    severity: 'info',
    rule: RELATED,
    text: () => 'Publish the other sub-events of "superEvent" as items: those within an embedded parent are not read.',
  },
  'slots-not-harvested': {
    severity: 'info',
    rule: 'Configuration',
    text: ({ count }) => `Change nothing: slots are not harvested from this feed, and ${count} were left out.`,
  },
  'slot-unusable': {
    severity: 'error',
    rule: `${MODEL}: Slot`,
    text: ({ missing }) => `Give the slot a usable ${missing}; it was left out.`,
  },
  'slot-without-uses': {
    severity: 'error',
    rule: `${MODEL}: Slot`,
    text: () => 'Give the slot its "remainingUses"; it is taken to be full.',
  },
  'slot-without-facility': {
    severity: 'error',
    rule: `${MODEL}: Slot`,
    text: () => 'Give the slot its "facilityUse": without it the slot belongs to nothing.',
  },
} as const satisfies Record<string, FindingRule>;
