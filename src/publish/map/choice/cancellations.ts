import { instancesOf } from '../../../recurrence/expand.ts';
import type { Instant } from '../../../time/instant.ts';
import { MAX_SESSIONS } from '../../limits.ts';
import type { CalendarModel, Wording } from '../../read/model.ts';
import type { EventDates, Report, Slot } from '../dates/instances.ts';
import type { Draft } from '../dates/overrides.ts';
import { timeCovered, windowAround } from '../hours.ts';
import type { Cancellation } from './choice.ts';
import { hasWords } from './words.ts';

/** Sessions that other events of their calendar cancel: `Track closed for Christmas`. */

/** When an event cancels what it covers. */
export interface Cancelled {
  uid: string;
  line: number;
  times: readonly Slot[];
  covers: readonly string[] | undefined;
  /** Some session was at that time. */
  used: boolean;
}

export function cancelledTimes(
  cancellations: readonly Cancellation[],
  { zone }: CalendarModel,
  now: Instant,
  reporter: (uid: string) => Report,
): Cancelled[] {
  const window = windowAround(now, zone);
  return cancellations.map(({ group, covers }) => {
    const { uid, master, overrides } = group;
    const events = [...(master ? [master] : []), ...overrides];
    const times = timeCovered(events, window, now, reporter);
    return { uid, line: events[0]?.line ?? 0, times, covers, used: false };
  });
}

/** The sessions of a series with those that are cancelled so, whether a Schedule gives them or not. */
export function withCancelled(
  drafts: readonly Draft[],
  { schedules }: EventDates,
  wording: Wording,
  cancelled: readonly Cancelled[],
): Draft[] {
  const text = [wording.summary, ...wording.categories].join('\n');
  const own = cancelled.filter(({ covers }) => covers === undefined || hasWords(covers, text));
  if (own.length === 0) return [...drafts];
  const found = new Map(drafts.map((draft) => [draft.original, draft]));
  const off = (words: Wording | undefined): Wording => ({ ...(words ?? wording), status: 'CANCELLED' });
  for (const one of own) {
    for (const { start, end } of one.times) {
      for (const draft of drafts) {
        if (draft.start >= end || Math.max(draft.end, draft.start + 1) <= start) continue;
        one.used = true;
        found.set(draft.original, { ...draft, wording: off(draft.wording) });
      }
      for (const instance of schedules.flatMap((schedule) => instancesOf(schedule, start, end))) {
        if (instance.excluded) continue;
        one.used = true;
        if (found.has(instance.start) || found.size >= MAX_SESSIONS) continue;
        const slot = { original: instance.start, start: instance.start, end: instance.end };
        found.set(instance.start, { ...slot, wording: off(undefined), isOverride: true });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.original - b.original);
}
