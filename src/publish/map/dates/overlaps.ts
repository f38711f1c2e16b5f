import { lengthOf } from '../../../ical/content.ts';
import { readInput } from '../../../join/input.ts';
import { join } from '../../../join/join.ts';
import { isObject, type Json, type JsonObject } from '../../../opportunity/item/json.ts';
import { type Expander, expanderOf, instancesOf, wallOfInstance } from '../../../recurrence/expand.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { dayAt } from '../../../time/zone.ts';
import type { EventDates, Report } from './instances.ts';
import type { Draft } from './overrides.ts';

/**
 * Rule 8 of the complementary feed: a changed Schedule lists in `exceptDate` every overlap with sessions of an earlier one.
 * Those sessions keep the `@id` of a start that the new Schedule does not generate, so they replace nothing, and without the
 * exception people would see both. A cancelled session stays cancelled, where an earlier Schedule is known to have generated
 * it: else it would be on again at the new time.
 */
export function exceptOverlaps(
  dates: EventDates,
  drafts: readonly Draft[],
  before: JsonObject | undefined,
  report: Report,
): void {
  const earlierSchedules = onlyWhere(drafts.some(isCancelled), () => schedulesOf(before));
  const leftOver = drafts.filter(
    (draft) => draft.isLeftOver === true && (!isCancelled(draft) || wasGiven(draft, earlierSchedules)),
  );
  if (leftOver.length === 0) return;
  const claimed = new Set(drafts.map(({ original }) => original));
  const earlier = longestOf(before);
  const isOneADay = dates.schedules.length === 1;
  dates.schedules = dates.schedules.map((expander) => {
    const length = Math.max(earlier ?? 0, expander.duration, 1);
    const overlaps = leftOver
      .flatMap((draft) => overlapsOf(expander, draft, length, isOneADay))
      .filter((start) => !claimed.has(start));
    if (overlaps.length === 0) return expander;
    report('earlier-date-excepted', 'RECURRENCE-ID');
    const except = [...expander.schedule.except, ...[...new Set(overlaps)].map((instant) => ({ instant }))];
    return expanderOf({ ...expander.schedule, except: except.sort(byInstant) }) ?? expander;
  });
}

/** Instances that overlap an earlier session at its original or present time; those of a Schedule alone, on all of those days. */
function overlapsOf(
  expander: Expander,
  { original, start, end }: Draft,
  length: number,
  isOneADay: boolean,
): Instant[] {
  const spans = [
    [original, original + length],
    [start, Math.max(end, start + 1)],
  ] as const;
  return spans.flatMap(([from, to]) => {
    const day = dayAt(expander.zone, from);
    const during = instancesOf(expander, from, to);
    const near = isOneADay ? instancesOf(expander, from - DAY_MS, from + DAY_MS) : [];
    const sameDay = near.filter(({ wall }) => Math.floor(wall / DAY_MS) === day);
    return [...during, ...sameDay].filter(({ excluded }) => !excluded).map((one) => one.start);
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

/** Whether an earlier Schedule generated a session, or excepted what overlaps it for the same reason. */
function wasGiven({ original }: Draft, schedules: readonly Expander[]): boolean {
  return schedules.some((expander) => {
    const isNear = (one: Except) =>
      'instant' in one && dayAt(expander.zone, one.instant) === dayAt(expander.zone, original);
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
