import { DAY_MS } from '../time/days.ts';

/** Limits of what is taken from one item, each with its reason. They bound memory and work, and keep text readable. */

/** RPDE ids and kinds: GUIDs, URLs at most. They are database keys. */
export const MAX_ID = 1_000;
/** `modified`: a 64-bit integer or a date-time. Longer ones would cost time to compare. */
export const MAX_MODIFIED = 100;
/** `@id`s and addresses: what browsers and servers agree to carry. */
export const MAX_URL = 2_048;
/** Names, addresses and other single lines: calendars show far less. */
export const MAX_LINE = 300;
/** Descriptions: Google shows 8,192 characters. */
export const MAX_TEXT = 8_000;
/** Characters of a description that are read: markup may be most of it. */
export const MAX_MARKUP = 64_000;
/** Entries of a list of names, offers, leaders: what a description can carry. */
export const MAX_LIST = 20;
/** Entries of `eventSchedule` that are kept. Live series carry about 50 PartialSchedules. */
export const MAX_SCHEDULES = 200;
/** Entries of `eventSchedule` that are expanded: each is a rule of its own in every calendar. */
export const MAX_EXPANDED = 20;
/** `repeatCount`: 27 years of days. */
export const MAX_COUNT = 10_000;
/** `repeatFrequency`: every thousandth day is not a timetable. */
export const MAX_EVERY = 1_000;
/** Exceptions of one Schedule: ten years of days. */
export const MAX_EXCEPT = 4_000;
/** Sub-events, slots and facilities within one item: ten years of five a day; nearly all items carry one or two. */
export const MAX_CHILDREN = 20_000;
/** How deep `superEvent`, `subEvent` and containing places are followed. The model knows three levels. */
export const MAX_DEPTH = 4;
/** Entries of opening hours: a period for each hour of the week, and special days for a year. */
export const MAX_HOURS = 600;
/** Findings of one item: people read the first ones. */
export const MAX_FINDINGS = 100;
/** The longest one occurrence may be, in ms: a leap year. More is a mistaken end of a whole course. */
export const MAX_LENGTH = 366 * DAY_MS;
/** How deep objects are compared with the data model: a facility of an offer of an event of a series, and some. */
export const MAX_DEPTH_AUDITED = 8;
