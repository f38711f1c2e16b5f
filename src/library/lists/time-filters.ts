import type { CalendarEvent } from '../../calendar/objects.ts';
import { startOf } from '../../calendar/series/compose.ts';
import { endOf } from '../../calendar/size.ts';
import type { Filters } from '../../search/filters.ts';
import { isAsLong, type Length } from '../../search/values/context.ts';
import { DAY_MS, dateOfDay, EVERY_DAY, weekdayOf } from '../../time/days.ts';
import type { LocalDate, Weekday } from '../../time/instant.ts';
import { dayAt, toInstant, toWall, type Wall, zone } from '../../time/zone.ts';

/** Whether whole events satisfy filters of time: a rule does only if each of its dates does. */

type TimeFilters = Pick<Filters, 'day' | 'after' | 'before' | 'from' | 'to'> & { lasts?: Length };

export function isTimed({ day, after, before, from, to, lasts }: TimeFilters): boolean {
  return [day, after, before, from, to, lasts].some((one) => one !== undefined);
}

/** Whether all coming events satisfy the filters. Cancelled events do not count, because they do not take place. */
export function takesAll(
  filters: TimeFilters,
  events: readonly CalendarEvent[],
  zoneName: string,
  today: LocalDate,
): boolean {
  const around = startOf(today);
  return events.every((event) => {
    if (event.status === 'CANCELLED' || endOf(event) < around) return true;
    if (filters.lasts !== undefined && !isAsLong(filters.lasts, event.span.end - event.span.start)) return false;
    return event.rrule === undefined ? takesWall(filters, wallOf(event, zoneName)) : takesRule(filters, event, today);
  });
}

function takesWall({ day, after, before, from, to }: TimeFilters, wall: Wall): boolean {
  const date = Math.floor(wall / DAY_MS);
  const time = (wall - date * DAY_MS) / 1000;
  if (day !== undefined && !day.includes(weekdayOf(date))) return false;
  if ((after !== undefined && time < after) || (before !== undefined && time >= before)) return false;
  const text = dateOfDay(date);
  return (from === undefined || text >= from) && (to === undefined || text < to);
}

function takesRule(filters: TimeFilters, { span, rrule }: CalendarEvent, today: LocalDate): boolean {
  const { from, to, day, ...times } = filters;
  if (rrule === undefined || !takesWall(times, span.start)) return false;
  if (from !== undefined && from > today && dateOfDay(Math.floor(span.start / DAY_MS)) < from) return false;
  if (day !== undefined && !weekdaysOfRule(span.start, rrule).every((one) => day.includes(one))) return false;
  if (to === undefined) return true;
  const z = zone(span.zone);
  if (rrule.until === undefined || z === undefined) return false;
  return dateOfDay(dayAt(z, rrule.until)) < to;
}

function weekdaysOfRule(start: Wall, { freq, byDay }: NonNullable<CalendarEvent['rrule']>): readonly Weekday[] {
  if (byDay !== undefined) return byDay.map(({ day }) => day);
  return freq === 'WEEKLY' ? [weekdayOf(Math.floor(start / DAY_MS))] : EVERY_DAY;
}

/** The start of an event in the zone of its series: some events are written in UTC. */
function wallOf({ span }: CalendarEvent, zoneName: string): Wall {
  const [written, shown] = [zone(span.zone), zone(zoneName)];
  if (span.allDay === true || span.zone === zoneName || written === undefined || shown === undefined) return span.start;
  return toWall(shown, toInstant(written, span.start));
}
