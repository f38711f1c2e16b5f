import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { OccurrenceWindow, TimeOfWeek } from '../../contract/index.ts';

/** The parts of a window that are at some times of each week. */

const WEEK_MS = 7 * DAY_MS;

type Stretch = Pick<OccurrenceWindow, 'from' | 'to'>;

/** The first part of a window at one of these times; undefined where there is none. Without times, the whole window. */
export function firstStretch({ from, to, weekly }: Stretch & Pick<OccurrenceWindow, 'weekly'>): Stretch | undefined {
  if (from >= to) return undefined;
  if (weekly === undefined) return { from, to };
  const next = weekly.map((time) => nextTime(time, from)).sort((a, b) => a.from - b.from);
  const [first] = next;
  return first === undefined || first.from >= to ? undefined : { from: first.from, to: Math.min(first.to, to) };
}

/** All parts of a window, by start. They do not overlap. */
export function* stretchesOf(window: Stretch & Pick<OccurrenceWindow, 'weekly'>): Generator<Stretch> {
  for (let { from } = window; ; ) {
    const next = firstStretch({ ...window, from });
    if (next === undefined) return;
    yield next;
    from = next.to;
  }
}

/** The rest of a time of the week at an instant, else the next such time. */
function nextTime({ from, length }: TimeOfWeek, at: Instant): Stretch {
  const since = (((at - from) % WEEK_MS) + WEEK_MS) % WEEK_MS;
  const begin = since < length ? at : at + WEEK_MS - since;
  return { from: begin, to: since < length ? at + length - since : begin + length };
}
