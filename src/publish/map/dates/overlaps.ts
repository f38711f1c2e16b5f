import { lengthOf } from '../../../ical/content.ts';
import { isObject, type Json, type JsonObject } from '../../../opportunity/item/json.ts';
import { expanderOf, instancesOf } from '../../../recurrence/expand.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { EventDates } from './instances.ts';
import type { Draft } from './overrides.ts';

/**
 * Rule 8 of the complementary feed: a Schedule that has changed lists in `exceptDate` every overlap with sessions that were
 * made under an earlier one. Those sessions keep the `@id` of a start that the new Schedule does not generate, so they hide
 * nothing: without the exception people would see both. One that was cancelled takes no place: what the new rule gives on
 * that day is on, as it is in the calendar.
 */
export function exceptOverlaps(dates: EventDates, drafts: readonly Draft[], before: JsonObject | undefined): void {
  const leftOver = drafts.filter(({ isLeftOver, wording }) => isLeftOver === true && wording?.status !== 'CANCELLED');
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
    const except = [...expander.schedule.except, ...[...overlaps].map((instant) => ({ instant }))];
    return expanderOf({ ...expander.schedule, except: except.sort(byInstant) }) ?? expander;
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
