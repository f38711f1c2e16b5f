import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import type { Moment } from '../../time/iso-text.ts';
import { shown } from '../findings.ts';
import { at, isEmpty, note, noteOnce, type Part } from '../item/reading.ts';
import { durationOf, momentOf } from '../item/values.ts';
import { MAX_LENGTH } from '../limits.ts';
import { type ReadTime, statedTimes, timeOf } from '../local-time.ts';
import { endWithin, type Times, wrongEnd } from '../local-times.ts';
import type { StatedTimes } from '../records.ts';

export interface StatedSpan {
  start: Instant;
  end?: Instant;
  /** Whole days: `start` and `end` are midnights in UTC of local dates, the end excluded. */
  allDay?: true;
  /** The times as they are written, where a zone is missing. */
  stated?: StatedTimes;
}

/** The time of a session, or its parts without a start. */
export type PartSpan = Partial<StatedSpan> & { length?: number };

/** A span; `undated`: there is no date; `invalid`: the date cannot be read, and has a finding. */
export type ReadSpan = StatedSpan | 'undated' | 'invalid';

/** The time of one session: instants, or whole days where `startDate` is a date (semantics 3.10). */
export function spanOf(part: Part): ReadSpan {
  const moment = momentOf(part, 'startDate');
  if (moment === undefined) return 'undated';
  if (moment === 'far' || moment === 'invalid') return 'invalid';
  if (moment.kind === 'date') {
    note(at(part, 'startDate'), 'start-without-time', { value: moment.date });
    return { start: moment.wall, end: lastDay(part, moment.wall) + DAY_MS, allDay: true };
  }
  const span = timedSpan(part, moment);
  if (span.end === undefined && isEmpty(part.from.endDate)) note(part, 'session-without-end');
  return span;
}

/** The span of a session or slot, from an instant to the stated end, else for the length of `duration`. */
export function timedSpan(part: Part, moment: Moment & { kind: 'instant' | 'wall' }): StatedSpan {
  const start = timeOf(part, 'startDate', moment);
  const length = durationOf(part, 'duration');
  const stated = statedEnd(part);
  const isSkipped = start.wall !== undefined && stated?.wall !== undefined && stated.wall > start.wall;
  const end = endFrom(part, { start: start.instant, end: stated?.instant, length, isSkipped });
  const times = statedTimes(part, { start, end: stated, length });
  return { start: start.instant, ...(end !== undefined && { end }), ...(times && { stated: times }) };
}

/** The time of a session without a start, which it takes from the instance that it replaces (semantics 4.7). */
export function spanWithoutStart(part: Part): PartSpan {
  const length = durationOf(part, 'duration');
  const end = statedEnd(part);
  const times = statedTimes(part, { end });
  return {
    ...(end !== undefined && { end: end.instant }),
    ...(length !== undefined && { length }),
    ...(times && { stated: times }),
  };
}

/**
 * The last of whole days, as its midnight in UTC: `endDate`, which is included, else by `duration`, else the first day. A
 * duration of hours stays within the first day.
 */
function lastDay(part: Part, first: Instant): Instant {
  const length = durationOf(part, 'duration');
  const stated = momentOf(part, 'endDate');
  const hasEnd = stated !== undefined && stated !== 'far' && stated !== 'invalid';
  const byLength = first + (Math.ceil((length ?? DAY_MS) / DAY_MS) - 1) * DAY_MS;
  const last = hasEnd ? lastDayOf(stated, first) : byLength;
  const [start, end] = [shown(part.from.startDate, 40), shown(part.from.endDate, 40)];
  if (last < first) {
    note(at(part, 'endDate'), 'end-before-start', { start, end });
    return first;
  }
  // Systems differ in whether a length counts the last day.
  if (hasEnd && length !== undefined && length >= DAY_MS && Math.abs(last - byLength) > DAY_MS) {
    note(at(part, 'endDate'), 'end-differs-from-duration', { duration: shown(part.from.duration) });
  }
  if (last - first < MAX_LENGTH) return last;
  note(at(part, hasEnd ? 'endDate' : 'duration'), 'session-too-long', { end });
  return first;
}

/** The last day of an end: its date as written, or the day before for an end at midnight. */
function lastDayOf(end: Exclude<Moment, { kind: 'far' }>, first: Instant): Instant {
  const day = Math.floor(end.wall / DAY_MS) * DAY_MS;
  return end.kind !== 'date' && end.wall === day && day > first ? day - DAY_MS : day;
}

/**
 * The end: a valid `endDate`, else start and `duration`. `isSkipped`: the end is written after the start, so that it precedes
 * the start only where the clocks skip the start.
 */
function endFrom(part: Part, { isSkipped, ...times }: Times & { isSkipped: boolean }): Instant | undefined {
  const { start, end, length } = times;
  const { from } = part;
  const here = at(part, 'endDate');
  const wrong = wrongEnd(times);
  if (wrong === 'session-end-far-off') {
    note(here, wrong, { end: shown(from.endDate, 40), duration: shown(from.duration) });
  } else if (wrong === 'end-before-start') {
    const facts = { start: shown(from.startDate, 40), end: shown(from.endDate, 40) };
    if (isSkipped) note(at(part, 'startDate'), 'start-skipped-by-clocks', facts);
    else note(here, wrong, facts);
  } else if (wrong !== undefined) note(here, wrong, { end: shown(from.endDate, 40) });
  // Up to a minute apart is tolerated: Gladstone ends sessions at 13:29:59.
  const differs = end !== undefined && length !== undefined && Math.abs(end - start - length) > 60_000;
  if (wrong === undefined && differs) note(here, 'end-differs-from-duration', { duration: shown(from.duration) });
  return endWithin(times);
}

function statedEnd(part: Part): ReadTime | undefined {
  if (part.from.endDate === undefined || part.from.endDate === null) return undefined;
  const moment = momentOf(part, 'endDate');
  if (moment === undefined || moment === 'far' || moment === 'invalid') return undefined;
  const here = at(part, 'endDate');
  if (moment.kind === 'date') {
    note(here, 'end-without-time', { value: moment.date });
    return undefined;
  }
  const end = timeOf(part, 'endDate', moment);
  if (end.instant % 60_000 !== 59_000) return end;
  noteOnce(here, 'end-at-59-seconds');
  return { instant: end.instant + 1000, ...(end.wall !== undefined && { wall: end.wall + 1000 }) };
}
