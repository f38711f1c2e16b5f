import type { Instant, LocalDate, Weekday } from '../time/instant.ts';
import { type Details, type Offer, type PlaceSummary, ROWS } from './properties.ts';
import { isElsewhere, isSamePlace } from './whereabouts.ts';

/**
 * The clean records of the field: the reader gives the data of a feed its final type once. No other code has to ask "string or
 * array?", "URL or object?", "http or https?".
 *
 * Units, everywhere in the program: an `Instant` is epoch milliseconds (whole seconds in practice), and a `LocalDate` is
 * `YYYY-MM-DD`. A time of day is seconds since local midnight, a length is milliseconds.
 */

/** schema.org eventStatus, without its vocabulary base. */
export type EventStatus = 'EventScheduled' | 'EventCancelled' | 'EventPostponed' | 'EventRescheduled';

export type { Details, Offer, Organization, PlaceSummary } from './properties.ts';

/** Types that are a calendar of their own; an EventSeries is one unless it only groups others (`isGroup`). */
export type SeriesType = 'SessionSeries' | 'Event' | 'HeadlineEvent' | 'CourseInstance' | 'EventSeries';

/** A weekday of a recurrence rule, with an ordinal in months and years (`2TH`, `-1FR`). */
export interface ByDay {
  day: Weekday;
  ordinal?: number;
}

export type RepeatUnit = 'day' | 'week' | 'month' | 'year' | 'hour' | 'minute' | 'second';

/** One entry of `eventSchedule`, cleaned. Missing properties are absent; `expandable`: whether occurrences may be made of it. */
export interface Schedule {
  /** A PartialSchedule: words only, never expanded (semantics 3). */
  partial: boolean;
  /** False for a PartialSchedule, a Schedule without a start date, start time or usable parts, and Schedules beyond the limit. */
  expandable: boolean;
  /** The first stated part that cannot be used: without that part it would be another rule. */
  unusable?: 'endDate' | 'repeatFrequency' | 'byDay' | 'byMonth' | 'byMonthDay' | 'repeatCount';
  /** Position in `eventSchedule`. */
  index: number;
  /** The `@id`, if no other Schedule of the series has it: UIDs depend on it, and not on the position of the Schedule. */
  id?: string;
  startDate?: LocalDate;
  /** Last local date, inclusive. */
  endDate?: LocalDate;
  /** Last start of an instance on `endDate`, where that has a time and the Schedule repeats within a day. */
  lastTime?: number;
  /** Seconds since local midnight. */
  startTime?: number;
  endTime?: number;
  /** Milliseconds; from `duration`, else `endTime − startTime` (past midnight if smaller); absent if neither is usable. */
  duration?: number;
  /** Whether `duration` comes from `endTime`: instances end at that wall time, also when the clocks change in between. */
  endsByClock?: true;
  /** Stated or inferred (opportunity/schedule/frequency.ts); absent: one occurrence. PT24H is already a day, P7D already a week. */
  frequency?: { unit: RepeatUnit; every: number };
  byDay: ByDay[];
  byMonth: number[];
  byMonthDay: number[];
  count?: number;
  /**
   * `wall`: written without a zone in a Schedule that states none; the instant is in the configured default. `at`: its path in
   * the Schedule, unless that is `exceptDate[…]` of the same index.
   */
  except: (({ instant: Instant; wall?: number } | { date: LocalDate }) & { at?: string })[];
  /** A zone this runtime knows (IANA), the default already applied. */
  zone: string;
  /** Whether the Schedule states its zone. After `effectiveSeries`, also whether an expandable one inherits it. */
  zoneStated: boolean;
  /** Dates that are written as instants in a Schedule without a zone, on which the date depends. */
  instants?: { startDate?: Instant; endDate?: Instant };
  eventType: string;
  idTemplate?: string;
  urlTemplate?: string;
  /** Whether there is an `idTemplate` that cannot be used; a finding has the reason. */
  templateUnusable?: true;
}

/** The BY… parts of a Schedule or a rule. Code that handles each part uses this type, so that it does not compile without a new part. */
export type ByParts<T> = Pick<T, Extract<keyof T, `by${string}`>>;

export type RulePart = keyof ByParts<Schedule>;

/** The parts of a rule without any, in the order of stored records. The lists are frozen, as a part is replaced as a whole. */
export const NO_PARTS: ByParts<Schedule> = { byDay: [], byMonth: [], byMonthDay: [] };
for (const part of Object.values(NO_PARTS)) Object.freeze(part);

type Parts = Readonly<Record<RulePart, readonly unknown[]>>;

/**
 * The BY… parts that a Schedule or a rule has.
 *
 * @example statedParts({ byDay: [{ day: 1 }], byMonth: [], byMonthDay: [] }) // ['byDay']
 */
export function statedParts({ byDay, byMonth, byMonthDay }: Parts): RulePart[] {
  const parts: Parts = { byDay, byMonth, byMonthDay };
  return (Object.keys(parts) as RulePart[]).filter((part) => parts[part].length > 0);
}

/** A series: SessionSeries and the Event family. `id` is its `@id`, or a stand-in id (see identity.ts). */
export interface Series {
  kind: 'series';
  id: string;
  type: SeriesType;
  url?: string;
  status: EventStatus;
  /** False: neither the series nor an embedded parent states one, and that of `parent` counts (`effectiveSeries`). */
  statusStated?: false;
  /** Own details over those of an embedded parent (EventSeries). */
  details: Details;
  /** Identity of a parent named by URL only; the store joins it when it arrives. */
  parent?: string;
  /** `@id`s in its `subEvent`, of objects or alone: these sessions belong to it, unless they name another series. */
  subEvents?: string[];
  schedules: Schedule[];
  /** An Event that names a series: it has a calendar of its own until that series is published (`Session.ownSeries`). */
  untilJoined?: true;
  /** The zone of its place, which `effectiveSeries` gives where no Schedule has one. */
  zone?: string;
}

/** A time as it is written: with its zone or offset, or wall time (read as UTC) without one. */
export type StatedTime = { instant: Instant } | { wall: number };

/** The times of a session as written, where one of them has no zone. */
export interface StatedTimes {
  start?: StatedTime;
  end?: StatedTime;
  /** Milliseconds: `duration`. */
  length?: number;
  previousStart?: StatedTime;
  /** The zone that the item itself shows, where no record does. */
  zone?: string;
}

/** One explicitly defined occurrence: ScheduledSession, or a sub-event of the Event family. */
export interface Session {
  kind: 'session';
  id: string;
  /** False when the publisher gave no `@id` and `id` only stands in for one: then it cannot match a template. */
  idStated: boolean;
  type: string;
  /** Identity of the series that it names; absent: a series may still name or generate it (join/super-events.ts). */
  series?: string;
  /** A series with the `@id` of this session has it until the series that it names is published (`Series.untilJoined`). */
  ownSeries?: true;
  /** Absent: it takes the start of the instance that it replaces; without an instance it is not shown (semantics 4.7). */
  start?: Instant;
  /** Absent: neither endDate nor duration. */
  end?: Instant;
  /** Milliseconds: `duration`, where the start is not known. */
  length?: number;
  /** The start before it was rescheduled. */
  previousStart?: Instant;
  /** Times without a zone: until `effectiveSession`, `start`, `end` and `previousStart` are by the item alone. */
  stated?: StatedTimes;
  /** The zone in which `effectiveSession` has read times without one; empty: the configured default. */
  zone?: string;
  /** Whole days (a `startDate` without a time): `start` and `end` are midnights in UTC of local dates, the end excluded. */
  allDay?: true;
  url?: string;
  status: EventStatus;
  /** False: the publisher gave no usable eventStatus and `status` is only the default; then the series' counts (`statusIn`). */
  statusStated?: boolean;
  /** The details of the session alone; the series' are put under them when it is joined. */
  details: Details;
  remainingAttendeeCapacity?: number;
  /** Whether it has properties that are not read in full (`offers`, `beta:…`), by which it may differ from its series. */
  unread?: true;
}

/** A session with a start: its own, or that of the instance it replaces. */
export type TimedSession = Session & { start: Instant };

/** One OpeningHoursSpecification, cleaned. */
export interface OpeningHours {
  /** Weekdays; empty: none are named, as usual in special hours, which then cover every day of their validity. */
  days: Weekday[];
  publicHolidays: boolean;
  /** Seconds since local midnight, 0 … 86400. `opens` = `closes` = 0 is closed all day. */
  opens: number;
  closes: number;
  validFrom?: LocalDate;
  validThrough?: LocalDate;
  /** JSON path in the item, for explanations. */
  path: string;
}

/** A Place: from a Place item, or embedded as `location`. */
export interface Place extends Omit<PlaceSummary, 'zone'> {
  kind: 'place';
  id: string;
  description?: string;
  email?: string;
  street?: string;
  locality?: string;
  region?: string;
  postalCode?: string;
  /** The country as written: a name or an ISO 3166 code. */
  country?: string;
  hours: OpeningHours[];
  specialHours: OpeningHours[];
}

/** FacilityUse or IndividualFacilityUse. */
export interface Facility {
  kind: 'facility';
  id: string;
  type: 'FacilityUse' | 'IndividualFacilityUse';
  url?: string;
  details: Details;
  /** Identity of its Place record, if it has one. */
  place?: string;
  /** The FacilityUse of which this is a court or lane. */
  aggregate?: string;
  hours: OpeningHours[];
}

/** One bookable time of a facility; harvested only where the operator asks for it. */
export interface Slot {
  kind: 'slot';
  id: string;
  facility?: string;
  start: Instant;
  end: Instant;
  /** Times without a zone: until `slotIn`, `start` and `end` are by the item alone. */
  stated?: StatedTimes;
  /** The zone in which `slotIn` has read times without one; empty: the configured default. */
  zone?: string;
  remainingUses: number;
  maximumUses?: number;
  /** The offers of this slot. Those of its facility are not inherited (semantics 2). */
  offers?: Offer[];
}

export type OpportunityRecord = Series | Session | Place | Facility | Slot;

/**
 * The details of a child with those of its parent (semantics 2.2): the child's value wins, and `offers` are inherited only
 * `withOffers`. Where both have one place, its properties are merged likewise. A child at another place inherits neither room nor
 * meeting point. Pure; returns a new object.
 *
 * @example
 * ```ts
 * for (const { details } of sessions) console.log(inherit(series.details, details, true).name);
 * ```
 */
export function inherit(parent: Details | undefined, child: Details, withOffers: boolean): Details {
  if (parent === undefined) return child;
  const merged: Details = { ...parent, ...child };
  if (isSamePlace(parent.location, child.location)) merged.location = { ...parent.location, ...child.location };
  if (isElsewhere(parent, child)) for (const name of OF_PLACE) if (child[name] === undefined) delete merged[name];
  if (withOffers) return merged;
  for (const name of BY_SESSIONS_ONLY) if (child[name] === undefined) delete merged[name];
  return merged;
}

const OF_PLACE = ['room', 'meetingPoint'] as const;

const BY_SESSIONS_ONLY = ROWS.filter(({ bySessionsOnly }) => bySessionsOnly).map(({ name }) => name);

/** Whether a series has a calendar only with sessions: an EventSeries without Schedules, or an Event that names a series. Pure. */
export function isGroup({ type, schedules, untilJoined }: Series): boolean {
  return untilJoined === true || (type === 'EventSeries' && schedules.length === 0);
}

/**
 * The status of one occurrence of a series: that of its session, else that of the series (semantics 2: everything is
 * inherited). A rescheduled series does not make its generated occurrences rescheduled. Pure.
 *
 * @example
 * ```ts
 * for (const session of sessions) console.log(session.id, statusIn(series, session));
 * ```
 */
export function statusIn(series: Series, session?: Session): EventStatus {
  if (session !== undefined && session.statusStated !== false) return session.status;
  return series.status === 'EventCancelled' || series.status === 'EventPostponed' ? series.status : 'EventScheduled';
}

/** The currency of offers without one: that of the other offers, if they share one (semantics 2.6). */
export function usualCurrency(offers: readonly Offer[]): string | undefined {
  const [usual, ...others] = new Set(offers.flatMap(({ currency }) => currency || []));
  return others.length === 0 ? usual : undefined;
}

/**
 * The currency in which an offer without one is shown: the usual one, or GBP where no offer names any. Beside several
 * currencies it is unknown, and empty.
 */
export function shownCurrency(offers: readonly Offer[]): string {
  const isNamed = offers.some(({ currency }) => currency !== undefined);
  return usualCurrency(offers) ?? (isNamed ? '' : 'GBP');
}

/** Kinds of records, in the order of their numbers in a database. */
export const RECORD_KINDS = ['series', 'session', 'place', 'facility', 'slot'] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];

export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without the properties that are undefined. */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
