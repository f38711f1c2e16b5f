import { BugError } from '../errors.ts';
import { writtenOctets } from '../ical/write.ts';
import { LIMITS } from '../limits.ts';
import type { Series } from '../opportunity/records.ts';
import { DAY_MS } from '../time/days.ts';
import type { Instant } from '../time/instant.ts';
import { eventComponent, getOrInsertComputed, toComponents } from './components.ts';
import type { Calendar, CalendarEvent, Revision } from './objects.ts';
import { untilOver } from './rule/rrule.ts';
import type { MoreComponents } from './venue/venue-calendar.ts';

/**
 * A subscribed calendar stays small enough for every client (feed rule 29): Google silently drops what is beyond
 * about 1,000 events or 1 MB. Past events go first, then the far future; rules stay.
 */

export const MOST_EVENTS = 1_000;
/** Octets of a subscribed calendar. */
export const MOST_BYTES = 900_000;
/** Octets of an event without its texts: usually 300 to 450, and 750 with every property. */
const BARE_EVENT = 450;
const FULL_EVENT = 800;

/** Octets that an EXDATE is estimated at, with the name of its zone and without. */
const EXCLUSION = 50;
const BARE_EXCLUSION = 30;
/** Octets in reserve for the sentence about omitted events, which is written twice, and for zones. */
const SENTENCES = 800;

/**
 * How many explicit sessions of a series are read for its calendar, those around today first. Where there are rules, all
 * sessions count: an instance whose session was not read would be shown as neither moved nor cancelled.
 */
export function sessionLimit({ schedules }: Series, most = MOST_EVENTS): number {
  return schedules.some((schedule) => schedule.expandable) ? LIMITS.explainedSessions : most;
}

/** Sessions read for the calendar of a whole place. */
const SESSIONS_AT_PLACE = 2_000;
const FEWEST_OF_A_SERIES = 10;

/** How many sessions of a series without rules are read for the calendar of a place with this number of series. */
export function shareOf(series: number): number {
  return Math.max(FEWEST_OF_A_SERIES, Math.floor(SESSIONS_AT_PLACE / Math.max(1, series)));
}

/** What a series brings to the calendar of a place: explicit sessions, and the length of its record. */
export interface Load {
  sessions: number;
  weight: number;
  /** The series belongs to another place: only these of its sessions take place here, and all of them are read. */
  isVisiting?: true;
}

/** Events of a series besides its explicit sessions: rules, and single events where the clocks change. */
const EVENTS_OF_A_RULE = 20;
/** Octets of an event that repeats a description and publisher, which the record of its series has once or elsewhere. */
const WORDY_EVENT = 2 * BARE_EVENT;

/** Whether the calendar of a place may omit events, so that its content moves on with the day. */
export function isCrowded(series: readonly Load[]): boolean {
  const events = series.map(({ sessions, isVisiting }) => sessions + (isVisiting ? 0 : EVENTS_OF_A_RULE));
  const sum = (of: (index: number) => number): number => events.reduce((total, _, index) => total + of(index), 0);
  const most = Math.min(shareOf(series.length), MOST_EVENTS);
  if (series.some(({ sessions, isVisiting }) => !isVisiting && sessions >= most)) return true;
  if (sum((index) => events[index] as number) > MOST_EVENTS) return true;
  return sum((index) => (events[index] as number) * (WORDY_EVENT + (series[index] as Load).weight)) > MOST_BYTES;
}

/** The octets of an event as it is written: an estimate, and a bound. `octets`: of a text. */
function weigh(event: CalendarEvent, octets: (text: string | undefined) => number = octetsOf): Weight {
  const { uid, span, recurrenceId, summary, description, location, categories = [], url, exdates = [], source } = event;
  // The texts of a place stand in LOCATION and in the map pin.
  const place = octets(location?.title) + octets(location?.address);
  const address = octets(url);
  const likely = [summary, description, source?.id, source?.series, ...categories].reduce(
    (sum, text) => sum + octets(text),
    BARE_EVENT + exdates.length * EXCLUSION + address + 2 * place,
  );
  const zone = Math.max(span.zone.length, recurrenceId?.zone.length ?? 0);
  const lines = categories.length + 3 * zone + exdates.length * (BARE_EXCLUSION + zone - EXCLUSION);
  // A parameter may escape every character, and an address may write three characters for one.
  return { likely, most: likely + FULL_EVENT - BARE_EVENT + uid.length * FOLDED + lines + place + 2 * address };
}

interface Weight {
  likely: number;
  most: number;
}

const FOLDED = 1 + 3 / 70;
const encoder = new TextEncoder();

/** The octets of a text in a content line, with its escapes, and three octets for each fold. */
function octetsOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const escaped = text.match(/[\\;,\n]/g)?.length ?? 0;
  return (encoder.encode(text).length + escaped) * FOLDED;
}

/** A bound of the octets of a text by its length alone: a UTF-16 code unit has at most three in UTF-8, or two escaped. */
function mostOctetsOf(text = ''): number {
  return text.length * 3 * FOLDED;
}

/** A master with its overrides, or a single event. */
type Whole = readonly [first: CalendarEvent, ...overrides: CalendarEvent[]];

/** Rules that go on, then coming events, soonest first, then past events, latest first. */
function inOrder(wholes: readonly Whole[], around: Instant): Whole[] {
  const ends = new Map(wholes.map((whole) => [whole, Math.max(...whole.map(endOf))]));
  const end = (whole: Whole): Instant => ends.get(whole) as Instant;
  const rank = (whole: Whole): number => (end(whole) < around ? 2 : whole[0].rrule === undefined ? 1 : 0);
  return wholes.toSorted((a, b) => {
    const order = rank(a) - rank(b);
    return order || (rank(a) === 2 ? end(b) - end(a) : a[0].span.start - b[0].span.start);
  });
}

/** The master, then its overrides from `around` on outwards. */
function nearestFirst([first, ...overrides]: Whole, around: Instant): CalendarEvent[] {
  const distance = ({ recurrenceId, span }: CalendarEvent): number =>
    Math.abs((recurrenceId?.wall ?? span.start) - around);
  return [first, ...overrides.sort((a, b) => distance(a) - distance(b))];
}

/** How the octets of events are counted, and how many all events may have together. */
interface Scale {
  bytes: number;
  of(event: CalendarEvent): number;
  exclusion(master: CalendarEvent): number;
}

/**
 * Omits events that a subscribed calendar cannot hold. Events past before `around` go first, oldest first, then single events
 * of the far future, latest first, and rules last. A master goes with all its overrides. Where one is too large by itself, the
 * overrides nearest to `around` are kept, and the instances of the others are excluded. Returns the calendar itself if all
 * fits, otherwise a copy whose description gives the number omitted. `unread`: number of sessions that were not read.
 * `more`: components beside the events.
 */
export function bounded(calendar: Calendar, around: Instant, unread = 0, more?: MoreComponents): Bounded {
  // Fast path: nearly all calendars are small by the lengths of their texts. Otherwise `composeSeries` takes a third longer.
  const roughly = (event: CalendarEvent) => weigh(event, mostOctetsOf);
  if (unread === 0 && calendar.events.length <= MOST_EVENTS && mostOctets(calendar, roughly, more) <= MOST_BYTES)
    return { calendar, omitted: 0 };
  const byUid = Map.groupBy(calendar.events, (event) => event.uid);
  const wholes = Array.from(byUid.values(), ([first, ...overrides]): Whole => [first as CalendarEvent, ...overrides]);
  const ordered = inOrder(wholes, around);
  const kept = (scale: Scale) => withKept(calendar, selected(ordered, around, scale), unread);
  const weights = new Map<CalendarEvent, Weight>();
  const weightOf = (event: CalendarEvent) => getOrInsertComputed(weights, event, weigh);
  const estimate = {
    bytes: MOST_BYTES,
    of: (event: CalendarEvent) => weightOf(event).likely,
    exclusion: () => EXCLUSION,
  };
  const likely = kept(estimate);
  // Fast path: most others are small enough by a nearer bound, and are not written to be measured.
  if (mostOctets(likely.calendar, weightOf, more) <= MOST_BYTES) return likely;
  const octets = measured(() => calendarOctets(likely.calendar, more));
  if (octets === undefined || octets <= MOST_BYTES) return likely;
  const lengthOf = (event: CalendarEvent) => measured(() => eventOctets(event)) ?? weightOf(event).most;
  const beside = likely.calendar.events.reduce((left, event) => left - lengthOf(event), octets);
  return kept({
    bytes: MOST_BYTES - beside - SENTENCES,
    of: lengthOf,
    exclusion: ({ span }) => BARE_EXCLUSION + span.zone.length,
  });
}

interface Bounded {
  calendar: Calendar;
  omitted: number;
}

/** The events to keep: those in front of the first event that does not fit. */
function selected(ordered: readonly Whole[], around: Instant, scale: Scale): ReadonlySet<CalendarEvent> {
  const keep = new Set<CalendarEvent>();
  let [events, bytes] = [MOST_EVENTS, scale.bytes];
  ordered.every((whole) => {
    const exclusion = scale.exclusion(whole[0]);
    bytes -= (whole.length - 1) * exclusion;
    return nearestFirst(whole, around).every((event) => {
      events -= 1;
      // The octets of an override's exclusion are subtracted already.
      bytes -= scale.of(event) - (event.recurrenceId === undefined ? 0 : exclusion);
      if (events < 0 || bytes < 0) return false;
      keep.add(event);
      return true;
    });
  });
  return keep;
}

function withKept(calendar: Calendar, keep: ReadonlySet<CalendarEvent>, unread: number): Bounded {
  const omitted = calendar.events.length - keep.size + unread;
  if (omitted === 0) return { calendar, omitted };
  const sentence = `This calendar would be too large for some programs: ${omitted} ${omitted === 1 ? 'event is' : 'events are'} left out, the past first, then the far future.`;
  const description = calendar.description === undefined ? sentence : `${calendar.description}\n${sentence}`;
  const left = calendar.events.filter((event) => !keep.has(event));
  const excluded = Map.groupBy(left, ({ uid }) => uid);
  const kept = calendar.events.filter((event) => keep.has(event)).map((event) => without(event, excluded));
  return { calendar: { ...calendar, description, events: kept }, omitted };
}

function mostOctets(calendar: Calendar, weightOf: (event: CalendarEvent) => Weight, more?: MoreComponents): number {
  const zones = new Set(calendar.events.map(({ span }) => span.zone));
  return calendar.events.reduce((sum, event) => sum + weightOf(event).most, mostBeside(calendar, zones.size, more));
}

/** Undefined: the calendar cannot be written. The server decides what is served instead (feed rule 21). */
function measured(octets: () => number): number | undefined {
  try {
    return octets();
  } catch (error) {
    if (error instanceof BugError) return undefined;
    throw error;
  }
}

/** A master that excludes the instances of its omitted overrides, which it would otherwise show unchanged. */
function without(event: CalendarEvent, left: ReadonlyMap<string, readonly CalendarEvent[]>): CalendarEvent {
  if (event.rrule === undefined) return event;
  const walls = (left.get(event.uid) ?? []).flatMap(({ recurrenceId }) => recurrenceId?.wall ?? []);
  if (walls.length === 0) return event;
  return { ...event, exdates: [...(event.exdates ?? []), ...walls].sort((a, b) => a - b) };
}

/**
 * When an event is over for good, in every zone: a day late at least, for wall times are read as UTC. Infinity for a rule
 * without an UNTIL.
 */
export function endOf({ rrule, span }: CalendarEvent): Instant {
  if (rrule === undefined) return span.end + DAY_MS;
  if (rrule.until === undefined) return Number.POSITIVE_INFINITY;
  // The last instance may be as long as the first.
  return untilOver(rrule.until) + (span.end - span.start);
}

/**
 * The revision with which octets are counted. Which events are kept must not depend on how often they changed, so SEQUENCE has
 * seven digits here: a change a second for four months.
 */
const OFTEN: Revision = { sequence: 9_999_999, modified: 0 };

/** Octets of an event, without the calendar around it. */
function eventOctets(event: CalendarEvent): number {
  return writtenOctets(eventComponent(event, OFTEN));
}

/** Octets of a calendar, with room for the address that it is served at. */
function calendarOctets(calendar: Calendar, more?: MoreComponents): number {
  const source = calendar.source === undefined ? SOURCE : 0;
  return writtenOctets(toComponents(calendar, () => OFTEN, more)) + source;
}

/** A content line with the address of a series or a place. */
const SOURCE = 300;
/** VTIMEZONE of all years: that of Hebron has 13,838. */
const ZONE = 14_000;
/** The content lines of a header, without the texts. */
const HEADER = 1_000;

/** A bound of the octets of a calendar beside its events, without writing it. `zones`: how many zones its events are in. */
function mostBeside(
  { name, description, url, source, series = [] }: Calendar,
  zones: number,
  more?: MoreComponents,
): number {
  const texts = [name, name, description, description, url, source, ...series];
  // Ten octets a character: three in UTF-8, each of which an address writes as three and a text escapes with two; and folds.
  const header = texts.reduce((sum, text) => sum + (text?.length ?? 0) * 10, HEADER + SOURCE);
  const components = more?.components.reduce((sum, component) => sum + writtenOctets(component), 0) ?? 0;
  return header + components + (zones + (more?.zones.size ?? 0)) * ZONE;
}
