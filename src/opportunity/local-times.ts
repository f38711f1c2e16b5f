import { DAY_MS, DAY_SECONDS } from '../time/days.ts';
import { type Instant, type LocalDate, utcDate } from '../time/instant.ts';
import { toInstant, toWall, type Wall, type Zone } from '../time/zone.ts';
import { MAX_LENGTH } from './limits.ts';
import { defined, type Schedule, type Session, type Slot, type StatedTime, type StatedTimes } from './records.ts';
import { WITHIN_DAY } from './schedule/frequency.ts';

/** The times of sessions, slots and Schedules without a zone, once the zone is known (semantics 3). Pure. */

/** Start, end and `duration` as stated, in instants. */
export interface Times {
  start: Instant;
  end: Instant | undefined;
  length: number | undefined;
}

/** A session of less than a day whose end is further from its start has a wrong date. */
const FAR_OFF = DAY_MS;

/** Why the stated end is not used. */
export function wrongEnd({
  start,
  end,
  length,
}: Times): 'end-before-start' | 'session-end-far-off' | 'session-too-long' | undefined {
  if (end === undefined) return undefined;
  if (end <= start) return 'end-before-start';
  if (end - start > FAR_OFF && length !== undefined && length < FAR_OFF) return 'session-end-far-off';
  return end - start > MAX_LENGTH ? 'session-too-long' : undefined;
}

/** The stated end, else start and `duration`. */
export function endWithin(times: Times): Instant | undefined {
  const { start, end, length } = times;
  if (end !== undefined && wrongEnd(times) === undefined) return end;
  return length === undefined ? undefined : start + length;
}

/** A session whose times without a zone are read in this one; undefined: they stay as its item alone gives them. */
export function sessionIn(zone: Zone | undefined, session: Session, stated: StatedTimes): Session {
  const { start, end, previousStart, stated: _, ...rest } = session;
  const byItem = { start, end, previousStart };
  const times = zone === undefined ? byItem : { ...byItem, ...timesIn(zone, stated) };
  return { ...rest, ...defined(times), zone: zone?.id ?? stated.zone ?? '' };
}

/** A slot whose times without a zone are read in this one; undefined: they stay as its item alone gives them. */
export function slotIn(zone: Zone | undefined, { stated, ...slot }: Slot): Slot {
  if (stated === undefined) return slot;
  const { start, end } = zone === undefined ? slot : timesIn(zone, stated);
  // Where the end is invalid in this zone, the times of the item stay.
  const times = start === undefined || end === undefined ? {} : { start, end };
  return { ...slot, ...times, zone: zone?.id ?? stated.zone ?? '' };
}

type SessionTimes = { [K in 'start' | 'end' | 'previousStart']?: Instant | undefined };

function timesIn(zone: Zone, { length, ...stated }: StatedTimes): SessionTimes {
  const [start, end] = [instantIn(zone, stated.start), instantIn(zone, stated.end)];
  const previousStart = instantIn(zone, stated.previousStart);
  const before = previousStart === undefined ? {} : { previousStart };
  // Whole days have no zone.
  if (start === undefined) return end === undefined ? before : { ...before, end };
  return { ...before, start, end: endWithin({ start, end, length }) };
}

function instantIn(zone: Zone, time: StatedTime | undefined): Instant | undefined {
  if (time === undefined) return undefined;
  return 'instant' in time ? time.instant : toInstant(zone, time.wall);
}

/**
 * The last date of a Schedule whose `endDate` is this local time. A midnight means its date, which is included. After any other
 * time no occurrence starts (semantics 3.1).
 */
export function endAt(
  wall: Wall,
  { frequency, startTime = 0 }: Pick<Schedule, 'frequency' | 'startTime'>,
): { endDate: LocalDate; lastTime?: number } {
  const endDate = utcDate(wall);
  const lastTime = Math.floor(wall / 1000) - Math.floor(wall / DAY_MS) * DAY_SECONDS;
  if (lastTime === 0) return { endDate };
  if (WITHIN_DAY.has(frequency?.unit)) return { endDate, lastTime };
  return startTime <= lastTime ? { endDate } : { endDate: utcDate(wall - DAY_MS) };
}

/** A Schedule that states no zone, read in this one. */
export function scheduleIn(zone: Zone, schedule: Schedule): Schedule {
  if (schedule.zoneStated) return schedule;
  const { instants: { startDate, endDate } = {}, ...stated } = schedule;
  const { lastTime, ...rest } = stated;
  return {
    ...(endDate === undefined ? stated : { ...rest, ...endAt(toWall(zone, endDate), schedule) }),
    ...(startDate !== undefined && { startDate: utcDate(toWall(zone, startDate)) }),
    except: schedule.except.map((one) =>
      'wall' in one && one.wall !== undefined ? exceptionIn(zone, one.wall, one.at) : one,
    ),
    zone: zone.id,
    zoneStated: schedule.expandable,
  };
}

function exceptionIn(zone: Zone, wall: Wall, at: string | undefined): Schedule['except'][number] {
  const instant = toInstant(zone, wall);
  return at === undefined ? { instant } : { instant, at };
}
