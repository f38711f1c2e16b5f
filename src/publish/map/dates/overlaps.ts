import { lengthOf } from '../../../ical/content.ts';
import { readInput } from '../../../join/input.ts';
import { join } from '../../../join/join.ts';
import { isObject, type Json, type JsonObject } from '../../../opportunity/item/json.ts';
import { type Expander, expanderOf, instancesOf, wallOfInstance } from '../../../recurrence/expand.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { EventDates, Tell } from './instances.ts';
import type { Draft } from './overrides.ts';

/**
 * Rule 8 of the complementary feed: a Schedule that has changed lists in `exceptDate` every overlap with sessions that were
 * made under an earlier one. Those sessions keep the `@id` of a start that the new Schedule does not generate, so they hide
 * nothing: without the exception people would see both. One that was cancelled stays cancelled, where an earlier Schedule
 * is known to have given it: else it would be on again at the new time.
 */
export function exceptOverlaps(
  dates: EventDates,
  drafts: readonly Draft[],
  before: JsonObject | undefined,
  tell: Tell,
): void {
  const earlierSchedules = onlyWhere(drafts.some(isCancelled), () => schedulesOf(before));
  const leftOver = drafts.filter(
    (draft) => draft.isLeftOver === true && (!isCancelled(draft) || wasGiven(draft, earlierSchedules)),
  );
  if (leftOver.length === 0) return;
  const claimed = new Set(drafts.map(({ original }) => original));
  const earlier = longestOf(before);
  dates.schedules = dates.schedules.map((expander) => {
    const overlaps = new Set<Instant>();
    const length = Math.max(earlier ?? 0, expander.duration, 1);
    for (const { original, start, end } of leftOver) {
      for (const [from, to] of [
        [original, original + length],
        [start, Math.max(end, start + 1)],
      ] as const) {
        for (const one of instancesOf(expander, from, to))
          if (!one.excluded && !claimed.has(one.start)) overlaps.add(one.start);
      }
    }
    if (overlaps.size === 0) return expander;
    if (leftOver.some(isCancelled)) tell('cancelled-under-earlier-rule', 'STATUS');
    const except = [...expander.schedule.except, ...[...overlaps].map((instant) => ({ instant }))];
    return expanderOf({ ...expander.schedule, except: except.sort(byInstant) }) ?? expander;
  });
}

function isCancelled({ isLeftOver, wording }: Draft): boolean {
  return isLeftOver === true && wording?.status === 'CANCELLED';
}

function onlyWhere<T>(holds: boolean, list: () => T[]): T[] {
  return holds ? list() : [];
}

function schedulesOf(before: JsonObject | undefined): Expander[] {
  if (before === undefined) return [];
  const { records } = readInput(JSON.stringify(before), { zone: 'UTC', feed: '' });
  return join(records).series.flatMap(({ series }) => series.schedules.flatMap((one) => expanderOf(one) ?? []));
}

/** An earlier Schedule gave it, or excepted what overlaps it for the same reason. */
function wasGiven({ original }: Draft, schedules: readonly Expander[]): boolean {
  return schedules.some((expander) => {
    const reach = Math.max(expander.duration, 1);
    const isNear = (one: Except) => 'instant' in one && Math.abs(one.instant - original) < reach;
    return wallOfInstance(expander, original) !== undefined || expander.schedule.except.some(isNear);
  });
}

type Except = { instant: Instant } | { date: string };

function byInstant(a: Except, b: Except): number {
  return ('instant' in a ? a.instant : 0) - ('instant' in b ? b.instant : 0);
}

/** The longest duration of the Schedules that were published before, in ms. */
function longestOf(before: JsonObject | undefined): number | undefined {
  const schedules: Json = before?.eventSchedule ?? [];
  if (!Array.isArray(schedules)) return undefined;
  const lengths = schedules.flatMap((one) => {
    const length = isObject(one) && typeof one.duration === 'string' ? lengthOf(one.duration) : undefined;
    return length === undefined ? [] : [length.days * DAY_MS + length.exact];
  });
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}
