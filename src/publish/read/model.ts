import type { SessionSource } from '../../calendar/source-properties.ts';
import type { Length } from '../../ical/content.ts';
import type { ByDay, RepeatUnit } from '../../opportunity/records.ts';
import type { Instant, Weekday } from '../../time/instant.ts';
import type { Wall, Zone } from '../../time/zone.ts';

/** A calendar after reading, with every time in its zone and without iCalendar's spellings. */

export interface CalendarModel {
  source: string;
  name?: string;
  /** Source properties of its series (calendar/source-properties.ts): JSON, which anybody may have written. */
  series: string[];
  /** The zone of floating times. */
  zone: Zone;
  events: CalendarEvent[];
  availabilities: Availability[];
  /** Number of components that were not read. */
  skipped: number;
  /** Whether this program wrote the calendar, so that its content comes from open data. */
  ours: boolean;
  /** Number of events with ATTENDEEs. */
  attended: number;
}

/** A start, a RECURRENCE-ID or an exception: a wall time in a zone. */
export interface Time {
  wall: Wall;
  zone: Zone;
  instant: Instant;
  /** A DATE: the whole day; `wall` is its midnight. */
  allDay: boolean;
}

/** The parts of an RRULE (RFC 5545 3.3.10). */
export interface RuleParts {
  unit: RepeatUnit;
  every: number;
  count?: number;
  /** The last moment an instance may start, inclusive. A date: any time of that day. */
  until?: { instant: Instant } | { wall: Wall; isDate: boolean };
  bySecond: number[];
  byMinute: number[];
  byHour: number[];
  byDay: ByDay[];
  byMonthDay: number[];
  byYearDay: number[];
  byWeekNo: number[];
  byMonth: number[];
  bySetPos: number[];
  weekStart: Weekday;
  /** The rule as written, for people. */
  text: string;
  line: number;
}

export type Status = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';

/** The properties of an event besides its times; absent: not stated. */
export interface Wording {
  summary?: string;
  description?: string;
  location?: string;
  geo?: { latitude: number; longitude: number };
  url?: string;
  /** The online meeting, alone or beside a place. */
  meeting?: Meeting;
  categories: string[];
  status: Status;
  organizer?: string;
  /** CONTACT, usually a person. */
  contact?: string;
  /** Addresses of pictures: IMAGE, and ATTACH of a picture. */
  images?: readonly string[];
  /** The price, from a property that iCalendar does not have and exports of booking systems do. */
  price?: Price;
  /** Lines of `events` in the mapping file that are about the event. */
  lines?: readonly number[];
}

export interface Meeting {
  /** The address of the meeting; absent where it is not public. */
  url?: string;
  /** The property that states it. */
  property: string;
}

export interface Price {
  amount: number;
  currency?: string;
  /** The address for payment. */
  url?: string;
}

/** A VEVENT. */
export interface CalendarEvent {
  uid: string;
  line: number;
  start: Time;
  /** From start to end: whole days are nominal, the rest is exact. Zero: there is no end. */
  length: Length;
  recurrenceId?: Time;
  /** RANGE=THISANDFUTURE. */
  andFuture: boolean;
  rules: RuleParts[];
  exRules: RuleParts[];
  extra: { start: Time; length?: Length }[];
  except: Time[];
  wording: Wording;
  transparent: boolean;
  /** CLASS, where it is not PUBLIC. */
  access?: string;
  /** The effect on opening hours, where the mapping states one. */
  hours?: 'open' | 'closed';
  sequence: number;
  /** LAST-MODIFIED or DTSTAMP, by which the newer of two events is chosen. */
  stamp: Instant;
  /** The source property of an explicit session. */
  source?: SessionSource;
}

/** A VAVAILABILITY (RFC 7953). */
export interface Availability {
  uid: string;
  line: number;
  name?: string;
  location?: string;
  priority: number;
  from?: Instant;
  to?: Instant;
  open: CalendarEvent[];
}
