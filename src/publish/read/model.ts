import type { SessionSource } from '../../calendar/source-properties.ts';
import type { Length } from '../../ical/content.ts';
import type { ByDay, RepeatUnit } from '../../opportunity/records.ts';
import type { Instant, Weekday } from '../../time/instant.ts';
import type { Wall, Zone } from '../../time/zone.ts';

/** A calendar as read: plain, with every time in its zone, nothing of iCalendar's spellings left. */

export interface CalendarModel {
  source: string;
  name?: string;
  /** Our own properties of the series it shows (calendar/source-properties.ts): JSON, as anybody may have written it. */
  series: string[];
  /** The zone of floating times. */
  zone: Zone;
  events: CalendarEvent[];
  availabilities: Availability[];
  /** Components that nothing was made of. */
  skipped: number;
  /** Whether this program wrote the calendar: what it holds came from open data. */
  ours: boolean;
  /** Events with ATTENDEEs. */
  attended: number;
}

/** A start, a RECURRENCE-ID, an exception: what the clock on the wall shows in a zone. */
export interface Time {
  wall: Wall;
  zone: Zone;
  instant: Instant;
  /** A DATE: the whole day; `wall` is its midnight. */
  allDay: boolean;
}

/** RRULE as RFC 5545 3.3.10 has it. */
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

/** What an event states besides its times; absent: not stated. */
export interface Wording {
  summary?: string;
  description?: string;
  location?: string;
  geo?: { latitude: number; longitude: number };
  url?: string;
  /** Where people join it online, at a place as well or alone. */
  meeting?: Meeting;
  categories: string[];
  status: Status;
  organizer?: string;
  /** CONTACT: whom to ask, mostly a person. */
  contact?: string;
  /** Addresses of pictures: IMAGE, and ATTACH of a picture. */
  images?: readonly string[];
  /** What it costs, where a property says so: nothing of iCalendar does, but exports of booking systems. */
  price?: Price;
  /** Lines of `events` in the mapping file that are about the event. */
  lines?: readonly number[];
}

export interface Meeting {
  /** Where people join it; absent where that is not for everybody. */
  url?: string;
  /** The property that says so. */
  property: string;
}

export interface Price {
  amount: number;
  currency?: string;
  /** Where people pay. */
  url?: string;
}

/** A VEVENT. */
export interface CalendarEvent {
  uid: string;
  line: number;
  start: Time;
  /** From start to end: whole days are nominal, the rest is exact. Zero: no end. */
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
  /** What it does to opening hours, where the mapping says so. */
  hours?: 'open' | 'closed';
  sequence: number;
  /** LAST-MODIFIED or DTSTAMP, to choose the newer of two. */
  stamp: Instant;
  /** Our own property of an explicit session. */
  source?: SessionSource;
}

/** A VAVAILABILITY (RFC 7953): when something is open. */
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
