import type { Instant, LocalDate, Weekday } from '../time/instant.ts';
import { type Details, type Offer, type PlaceSummary, ROWS } from './properties.ts';
import { isElsewhere, isSamePlace } from './whereabouts.ts';

/**
 * The clean records of the field: what a feed says, given its final type once, at the reader. Past the reader nobody asks
 * "string or array?", "URL or object?", "http or https?".
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

/** One entry of `eventSchedule`, cleaned. What is missing is absent; `expandable` says whether occurrences may be made from it. */
export interface Schedule {
  /** A PartialSchedule: words only, never expanded (semantics 3). */
  partial: boolean;
  /** False for a PartialSchedule, for a Schedule that lacks its start date or start time, and for one too many; the finding says which. */
  expandable: boolean;
  /** What a Schedule states and nobody can use, the first of it: without that part it would be another rule. */
  unusable?: 'endDate' | 'repeatFrequency' | 'byDay' | 'byMonth' | 'byMonthDay' | 'repeatCount';
  /** Position in `eventSchedule`. */
  index: number;
  /** The `@id`, where no other Schedule of the series has the same: events have their UIDs by it, wherever the Schedule stands. */
  id?: string;
  startDate?: LocalDate;
  /** Last local date, inclusive. */
  endDate?: LocalDate;
  /** Last time of day on which one starts on `endDate`, where that is a time and the Schedule repeats within a day. */
  lastTime?: number;
  /** Seconds since local midnight. */
  startTime?: number;
  endTime?: number;
  /** Milliseconds; from `duration`, else `endTime − startTime` (past midnight if smaller); absent if neither is usable. */
  duration?: number;
  /** The duration is that of `endTime`: instances end at that wall time, also when the clocks change in between. */
  endsByClock?: true;
  /** Stated or inferred (opportunity/schedule/frequency.ts); absent: one occurrence. PT24H is already a day, P7D already a week. */
  frequency?: { unit: RepeatUnit; every: number };
  byDay: ByDay[];
  byMonth: number[];
  byMonthDay: number[];
  count?: number;
  /**
   * `wall`: written without a zone in a Schedule that states none; the instant is that in the configured default. `at`: where it
   * is in the Schedule, unless it is `exceptDate[…]` of the same index.
   */
  except: (({ instant: Instant; wall?: number } | { date: LocalDate }) & { at?: string })[];
  /** A zone this runtime knows (IANA), the default already applied. */
  zone: string;
  /** Whether the Schedule states its zone; of `effectiveSeries`: or an expandable one has it from its place or another Schedule. */
  zoneStated: boolean;
  /** Dates that are written as instants, where no zone is stated: they are other dates in other zones. */
  instants?: { startDate?: Instant; endDate?: Instant };
  eventType: string;
  idTemplate?: string;
  urlTemplate?: string;
  /** There is an `idTemplate`, and it cannot be used; the finding says why. */
  templateUnusable?: true;
}

/** The BY… parts of a Schedule or a rule. Whoever has to weigh each of them makes one of these: without a new part it does not compile. */
export type ByParts<T> = Pick<T, Extract<keyof T, `by${string}`>>;

export type RulePart = keyof ByParts<Schedule>;

/** No part of a rule is stated. The order of the lists is that of stored records. They are frozen: a part is replaced. */
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

/** A series: SessionSeries and the Event family. `id` is its `@id`, or what stands in for one (see identity.ts). */
export interface Series {
  kind: 'series';
  id: string;
  type: SeriesType;
  url?: string;
  status: EventStatus;
  /** False: neither it nor what is embedded in it states one, and that of the `parent` counts (`effectiveSeries`). */
  statusStated?: false;
  /** Own details over those of an embedded parent (EventSeries). */
  details: Details;
  /** Identity of a parent named by URL only; the store joins it when it arrives. */
  parent?: string;
  /** `@id`s of what is in its `subEvent`, embedded or only named: these sessions are its own, unless they name another. */
  subEvents?: string[];
  schedules: Schedule[];
  /** An Event that names a series: a calendar of its own for as long as that series is not there (`Session.ownSeries`). */
  untilJoined?: true;
  /** The zone of its place, which `effectiveSeries` gives where no Schedule has one. */
  zone?: string;
}

/** A time as it is written: with its zone or offset, or wall time (read as UTC) without one. */
export type StatedTime = { instant: Instant } | { wall: number };

/** What a session says of its times, where one of them names no zone. */
export interface StatedTimes {
  start?: StatedTime;
  end?: StatedTime;
  /** Milliseconds: `duration`. */
  length?: number;
  previousStart?: StatedTime;
  /** The zone that the item itself says, where none of the records does. */
  zone?: string;
}

/** One explicitly defined occurrence: ScheduledSession, or a sub-event of the Event family. */
export interface Session {
  kind: 'session';
  id: string;
  /** False when the publisher gave no `@id` and `id` only stands in for one: then it cannot match a template. */
  idStated: boolean;
  type: string;
  /** Identity of the series that it names; absent: it names none, and a series may name or generate it (join/super-events.ts). */
  series?: string;
  /** A series of this `@id` takes it for as long as the one that it names is not there (`Series.untilJoined`). */
  ownSeries?: true;
  /** Absent: that of the instance it replaces; a session that replaces none is not shown (semantics 4.7). */
  start?: Instant;
  /** Absent: neither endDate nor duration. */
  end?: Instant;
  /** Milliseconds: `duration`, where the start is not known. */
  length?: number;
  /** When it was to start before it was rescheduled. */
  previousStart?: Instant;
  /** Times without a zone: `start`, `end` and `previousStart` are what the item alone makes of them, until `effectiveSession`. */
  stated?: StatedTimes;
  /** The zone that `effectiveSession` gives: that in which times without one were read in; empty: the configured default, for nothing says it. */
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
  /** Whether it says something that is not among these fields (`offers` in full, `beta:…`), which may differ from its series. */
  unread?: true;
}

/** A session whose start is known: its own, or that of the instance it replaces. */
export type TimedSession = Session & { start: Instant };

/** One OpeningHoursSpecification, cleaned. */
export interface OpeningHours {
  /** Weekdays it names; empty: none named (usual in special hours: every day of its validity). */
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

/** A Place of its own right: from a Place item or embedded as `location`. */
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
  /** The FacilityUse this is one court or lane of. */
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
  /** Times without a zone: `start` and `end` are what the item alone makes of them, until `slotIn`. */
  stated?: StatedTimes;
  /** The zone that `slotIn` gives: that in which times without one were read; empty: the configured default. */
  zone?: string;
  remainingUses: number;
  maximumUses?: number;
  /** What this time costs. Those of its facility are not inherited (semantics 2). */
  offers?: Offer[];
}

export type OpportunityRecord = Series | Session | Place | Facility | Slot;

/**
 * Puts a parent's details under a child's (semantics 2.2): the child's value wins, `offers` go only where `withOffers`. Where both
 * are at one place, that holds for what they say of it. What is elsewhere has neither the room nor the meeting point of the usual
 * place. Pure; returns a new object.
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

/** Whether a series is a calendar only where it has sessions: an EventSeries that has no Schedule, an Event that names a series. Pure. */
export function isGroup({ type, schedules, untilJoined }: Series): boolean {
  return untilJoined === true || (type === 'EventSeries' && schedules.length === 0);
}

/**
 * The status of one occurrence of a series: what its session states, else what the series is (semantics 2: everything is
 * inherited). A rescheduled series says nothing about the times of what it generates. Pure.
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

/** The currency of offers that name none: that of the others, where they have one between them (semantics 2.6). */
export function usualCurrency(offers: readonly Offer[]): string | undefined {
  const [usual, ...others] = new Set(offers.flatMap(({ currency }) => currency || []));
  return others.length === 0 ? usual : undefined;
}

/**
 * The currency in which an offer without one is shown: the usual one, or GBP where no offer names any. Beside several nobody
 * knows it: the empty text.
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
