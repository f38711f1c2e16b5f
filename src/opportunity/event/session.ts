import { CAPACITY, detailsBelow } from '../details.ts';
import type { JsonObject } from '../item/json.ts';
import { at, emit, isEmpty, note, type Part, type Rank, type Spot } from '../item/reading.ts';
import { momentOf, numberOf, urlOf } from '../item/values.ts';
import { type ReadTime, statedTimes, timeOf } from '../local-time.ts';
import { ROWS } from '../properties.ts';
import type { SeriesType, Session } from '../records.ts';
import { type PartSpan, type ReadSpan, spanOf } from './span.ts';
import { statusOf } from './status.ts';

/** The identity and times of a session, which are read first. */
interface SessionFrame {
  id: string;
  idStated: boolean;
  type: string;
  series: string | undefined;
  span: PartSpan;
}

/** A session with its own details. */
export function readSession(part: Part, frame: SessionFrame): Session {
  const session = sessionAlone(part, frame);
  session.details = detailsBelow(part);
  if (hasUnread(part.from)) session.unread = true;
  return session;
}

function sessionAlone(part: Part, { id, idStated, type, series, span }: SessionFrame): Session {
  const { start, length } = span;
  const session: Session =
    start === undefined
      ? { kind: 'session', id, idStated, type, status: 'EventScheduled', details: {} }
      : { kind: 'session', id, idStated, type, start, status: 'EventScheduled', details: {} };
  if (length !== undefined) session.length = length;
  const previous = previousStartOf(part);
  if (previous !== undefined) session.previousStart = previous.instant;
  const before = previous && statedTimes(part, { previousStart: previous });
  const stated = { ...span.stated, ...before };
  if (span.stated !== undefined || before !== undefined) session.stated = stated;
  if (span.end !== undefined) session.end = span.end;
  if (span.allDay) session.allDay = true;
  for (const read of Object.values(ALONE)) read(session, part);
  if (series !== undefined) session.series = series;
  return session;
}

/** Readers of session properties besides identity, times and details, in the order of stored records. */
const ALONE: Readonly<Record<string, (session: Session, part: Part) => void>> = {
  url(session, part) {
    const url = urlOf(part, 'url');
    if (url !== undefined) session.url = url;
  },
  eventStatus(session, part) {
    const status = statusOf(part);
    if (status === undefined) session.statusStated = false;
    else session.status = status;
  },
  remainingAttendeeCapacity(session, part) {
    const left = numberOf(part, 'remainingAttendeeCapacity', CAPACITY);
    if (left !== undefined) session.remainingAttendeeCapacity = left;
  },
};

function previousStartOf(part: Part): ReadTime | undefined {
  if (isEmpty(part.from.previousStartDate)) return undefined;
  const moment = momentOf(part, 'previousStartDate');
  if (moment === undefined || typeof moment === 'string') return undefined;
  if (moment.kind === 'date') {
    note(at(part, 'previousStartDate'), 'previous-start-without-time', { value: moment.date });
    return undefined;
  }
  return timeOf(part, 'previousStartDate', moment);
}

/** Whether a session without a start may replace an instance, and take its start. */
export function mayReplace(id: string | undefined, from: JsonObject): boolean {
  return id !== undefined || !isEmpty(from.previousStartDate);
}

/** Properties that are read in full, so that a session can be compared with its series. */
const COMPARED = new Set([
  ...'@context @type @id type id identifier superEvent startDate endDate duration'.split(' '),
  ...Object.keys(ALONE),
  ...ROWS.filter(({ partial }) => !partial).map(({ from: [name] }) => name),
]);

/** Whether a session has properties that are not read in full, by which it may differ from its series. */
export function hasUnread(from: JsonObject): boolean {
  for (const name in from) if (!COMPARED.has(name) && !isEmpty(from[name])) return true;
  return false;
}

/** Notes that an object has no time; an unreadable value has its finding already. */
export function noteNoSpan(spot: Spot, span: 'undated' | 'invalid'): void {
  if (span === 'undated') note(spot, 'session-without-start');
}

/** Whether an event has sub-events or Schedules. */
export function hasParts(from: JsonObject): boolean {
  return !isEmpty(from.subEvent) || hasPattern(from);
}

function hasPattern(from: JsonObject): boolean {
  return !isEmpty(from.eventSchedule) || !isEmpty(from.schedule);
}

/** The series that an event is itself. */
interface OwnSeries {
  id: string;
  idStated: boolean;
  type: SeriesType;
}

/** Emits the event of a HeadlineEvent itself, if it has times and parts: it is listed beside them (semantics 4.9). */
export function sessionBesideParts(part: Part, known: OwnSeries, rank: Rank): void {
  const { from } = part;
  // With Schedules of parts, the dates are their bounds.
  if (known.type !== 'HeadlineEvent' || isEmpty(from.subEvent) || isEmpty(from.startDate) || hasPattern(from)) return;
  emitOwn(part, known, rank);
}

/** Emits the one session of an event that is its own series, with the same id and without details of its own. */
export function singleSession(part: Part, known: OwnSeries, rank: Rank): void {
  const span = emitOwn(part, known, rank);
  if (typeof span !== 'string') return;
  noteNoSpan(part, span);
  note(part, 'series-without-time', { type: known.type });
}

/** Emits the session of a series that is one event, if it has a span; returns the span. */
function emitOwn(part: Part, known: OwnSeries, rank: Rank): ReadSpan {
  const span = spanOf(part);
  if (typeof span === 'object') emit(part, sessionAlone(part, { ...known, series: known.id, span }), rank);
  return span;
}
