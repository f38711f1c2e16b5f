import { DAY_MS } from '../../../time/days.ts';
import { parseTime } from '../../../time/iso-text.ts';
import { toInstant } from '../../../time/zone.ts';
import type { CalendarEvent, Time } from '../../read/model.ts';
import type { MappedChoice } from '../schema.ts';

/** The times that the mapping file gives events that have dates only. */

/** Milliseconds since midnight of the first and the last day. */
export interface GivenTimes {
  start: number;
  /** Absent: no length. */
  end: number | undefined;
}

/** The times of the first line that has any. */
export function timesIn(lines: readonly MappedChoice[]): GivenTimes | undefined {
  const line = lines.find(({ startTime }) => startTime !== undefined);
  if (line?.startTime === undefined) return undefined;
  return {
    start: sinceMidnight(line.startTime),
    end: line.endTime === undefined ? undefined : sinceMidnight(line.endTime),
  };
}

/** Milliseconds of `18:30`. */
function sinceMidnight(text: string): number {
  return (parseTime(text)?.seconds ?? 0) * 1000;
}

/** An event of whole days at these times, from its first day to its last. `master`: those of the series that it changes. */
export function withTimes(event: CalendarEvent, own: GivenTimes | undefined, master = own): CalendarEvent {
  const { start, length, recurrenceId, extra, except } = event;
  const replaced = master && recurrenceId && { recurrenceId: atTime(recurrenceId, master) };
  if (own === undefined || !start.allDay) return { ...event, ...replaced };
  const whole = own.end === undefined ? 0 : own.end - own.start;
  const exact = whole < 0 ? whole + DAY_MS : whole;
  return {
    ...event,
    ...replaced,
    start: atTime(start, own),
    length: own.end === undefined ? { days: 0, exact: 0 } : { days: Math.max(0, length.days - 1), exact },
    extra: extra.map((one) => ({ start: atTime(one.start, own) })),
    except: except.map((one) => atTime(one, own)),
  };
}

function atTime(time: Time, { start }: GivenTimes): Time {
  if (!time.allDay) return time;
  const wall = time.wall + start;
  return { ...time, wall, instant: toInstant(time.zone, wall), allDay: false };
}
