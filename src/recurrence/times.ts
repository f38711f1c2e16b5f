import { DAY_MS } from '../time/days.ts';
import type { Wall } from '../time/zone.ts';
import type { FullRule, MoreParts } from './types.ts';

/** BYHOUR, BYMINUTE, BYSECOND and BYSETPOS (RFC 5545 3.3.10). */

type Clock = Pick<MoreParts, 'byHour' | 'byMinute' | 'bySecond'>;

/** Times of day at which a rule of days or longer starts, ascending, in seconds since midnight. `time`: of DTSTART. */
export function timesOfDay(time: number, more: Clock | undefined): number[] {
  const [hour, minute, second] = clockOf(time);
  const hours = orElse(more?.byHour, hour);
  const minutes = orElse(more?.byMinute, minute);
  const seconds = orElse(more?.bySecond, second);
  return hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * 3600 + m * 60 + s)));
}

/** The starts within an hour, minute or second that begins with a step: larger parts limit, smaller ones expand. */
export function startsWithin({ unit, time }: FullRule, more: MoreParts): (step: Wall) => readonly Wall[] {
  const [, minute, second] = clockOf(time);
  const minutes = unit === 'hour' ? orElse(more.byMinute, minute) : [0];
  const seconds = unit === 'second' ? [0] : orElse(more.bySecond, second);
  const offsets = minutes.flatMap((m) => seconds.map((s) => (m * 60 + s) * 1000));
  const limits = [more.byHour, unit === 'hour' ? [] : more.byMinute, unit === 'second' ? more.bySecond : []];
  return (step) => {
    const clock = clockOf((step - Math.floor(step / DAY_MS) * DAY_MS) / 1000);
    if (limits.some((limit, index) => limit.length > 0 && !limit.includes(clock[index] as number))) return [];
    const moments = offsets.map((offset) => step + offset);
    return positioned(more.bySetPos, moments);
  };
}

/** The starts of a period that stand at the positions of BYSETPOS. */
export function positioned(bySetPos: readonly number[], walls: Wall[]): Wall[] {
  if (bySetPos.length === 0) return walls;
  const kept = new Set(bySetPos.map((position) => walls.at(position > 0 ? position - 1 : position)));
  return walls.filter((wall) => kept.has(wall));
}

function clockOf(time: number): [hour: number, minute: number, second: number] {
  return [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60];
}

function orElse(list: readonly number[] | undefined, fallback: number): readonly number[] {
  return list === undefined || list.length === 0 ? [fallback] : list;
}
