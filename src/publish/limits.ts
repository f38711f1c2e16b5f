import { DAY_MS } from '../time/days.ts';

/** Limits for one calendar, each with its reason, because calendars come from anybody. */

const MB = 1024 * 1024;

/** Characters of one calendar. The largest real exports (fifteen years of a booking system) are 8 MB. */
export const MAX_CALENDAR = 20 * MB;
/** Components of one calendar: 20 MB of the shortest real events. */
export const MAX_COMPONENTS = 100_000;
/** Content lines of one calendar. */
export const MAX_LINES = 1_000_000;
/** Characters of one unfolded line: attachments are inline in some exports; a description of a megabyte is none. */
export const MAX_LINE_CHARS = 1 * MB;
/** Lines of one name (EXDATE, RDATE) and the dates on them, for one event: ten years of days. */
export const MAX_DATES = 4_000;
/** RRULEs, and EXRULEs, of one event: RFC 5545 advises one. */
export const MAX_RULES = 10;
/** Own time zones (VTIMEZONE) of one calendar that are read: Outlook writes one for each zone used. */
export const MAX_ZONES = 50;
/** Characters of an RRULE: every part with every value it may have. */
export const MAX_RULE = 4_000;
/** Values of one BY… part: days of a year. */
export const MAX_PART = 366;
/** Starts within one day, by BYHOUR × BYMINUTE × BYSECOND or by a frequency: every quarter of an hour. */
export const MAX_TIMES = 96;
/** Sessions that one rule is written out into, where no Schedule can say it: four a day for two years. */
export const MAX_SESSIONS = 3_000;
/** How far ahead such a rule is written out without an end. */
export const AHEAD_MS = 2 * 366 * DAY_MS;
/** Series and sessions of one calendar: fifteen years of a booking system, all written out. */
export const MAX_OF_CALENDAR = 50_000;
/** Series and sessions of all calendars together: feeds of 400 pages. Each calendar may have its share of it. */
export const MAX_PUBLISHED = 200_000;
/** Schedules of one event: every reader has a limit, and ours is 20 for a series. */
export const MAX_SCHEDULES = 20;
/** Characters of a LOCATION: a name and an address with directions. */
export const MAX_LOCATION = 1_000;
/** CATEGORIES of one event: labels, which people read. */
export const MAX_CATEGORIES = 20;
/** Pictures of one event. */
export const MAX_IMAGES = 5;
/** The largest `repeatCount` that readers follow; beyond it the date of the last instance is given. */
export const MAX_COUNT = 10_000;
/** Findings of one code in one calendar: people read the first ones, and the rest is counted. */
export const MAX_FINDINGS = 100;

/** Memory of the thread that reads one calendar: twelve times the largest calendar. */
export const THREAD_MB = 256;
export const THREAD_MS = 10_000;
