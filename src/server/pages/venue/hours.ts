import type { DayHours } from '../../../hours/questions.ts';

/** The week's opening hours as a picture: an axis of whole hours, and bars on it. Pure. */

/** Minutes since midnight. */
export interface Axis {
  from: number;
  to: number;
  /** Whole hours, evenly apart; the first and the last are its ends. */
  labels: number[];
}

const HOUR = 60;
const MIDNIGHT = 24 * HOUR;
const STEPS = [1, 2, 3, 4, 6, 8, 12];
const MOST_LABELS = 6;
/** The hours of the axis in a week without open hours. */
const DEFAULT_RANGE: readonly [number, number] = [6, 22];

type OpenSpan = DayHours['open'][number];

/** Minutes since midnight of `HH:mm`. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR + minutes;
}

/** The bar of a span, in minutes since midnight; one that ends on the next day ends at midnight. */
export function barOf({ opens, closes, nextDay }: OpenSpan): { from: number; to: number } {
  return { from: minutesOf(opens), to: nextDay ? MIDNIGHT : minutesOf(closes) };
}

/** An axis from the earliest opening to the latest closing, in whole hours that labels divide evenly. */
export function axisOf(week: readonly DayHours[]): Axis {
  const bars = week.flatMap(({ open }) => open.map(barOf));
  const first = Math.floor(Math.min(...bars.map(({ from }) => from), MIDNIGHT) / HOUR);
  const last = Math.ceil(Math.max(...bars.map(({ to }) => to), 0) / HOUR);
  const [from, to, step] = stepped(bars.length === 0 ? DEFAULT_RANGE : [first, Math.max(last, first + 1)]);
  const labels = Array.from({ length: (to - from) / step + 1 }, (_, at) => from + at * step);
  return { from: from * HOUR, to: to * HOUR, labels };
}

/**
 * The range, in hours, with the smallest step that gives `MOST_LABELS` at most; an hour longer where no step divides the
 * range.
 */
function stepped([from, to]: readonly [number, number]): [from: number, to: number, step: number] {
  const step = STEPS.find((one) => (to - from) % one === 0 && (to - from) / one < MOST_LABELS);
  if (step !== undefined) return [from, to, step];
  return to < 24 ? stepped([from, to + 1]) : stepped([from - 1, to]);
}
