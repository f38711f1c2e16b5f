import { type DurationParts, parseDuration } from '../../time/iso-text.ts';
import { shown } from '../findings.ts';
import { at, first, isEmpty, named, note, type Part } from '../item/reading.ts';
import { MAX_EVERY } from '../limits.ts';
import type { RepeatUnit, Schedule } from '../records.ts';

type Frequency = NonNullable<Schedule['frequency']>;

/**
 * `repeatFrequency` as unit and interval (semantics 3): whole weeks of days are weeks, whole days of hours are days.
 * Undefined: not stated. `invalid`: stated and unreadable; nothing is guessed.
 */
export function frequencyOf(part: Part): Frequency | 'invalid' | undefined {
  const property = named(part, 'repeatFrequency', ['frequency']);
  if (isEmpty(part.from[property])) return undefined;
  const value = first(part, property);
  const parts = typeof value === 'string' ? parseDuration(value.trim()) : undefined;
  const frequency = parts === undefined ? undefined : frequencyOfParts(parts);
  if (frequency === undefined || frequency.every > MAX_EVERY) {
    note(at(part, property), 'schedule-frequency-invalid', { value: shown(value) });
    return 'invalid';
  }
  if (WITHIN_DAY.has(frequency.unit))
    note(at(part, property), 'schedule-frequency-within-day', { value: shown(value) });
  return frequency;
}

/** A frequency, and the property that implies it where `repeatFrequency` is not stated. */
export type Meant =
  | { frequency: Frequency; from: 'byDay' | 'byMonthDay' | 'byMonth' | 'byMonthWeek'; used: string }
  | { frequency: Frequency; from?: undefined; used?: undefined };

/**
 * The frequency of a Schedule, implied by its other parts where `repeatFrequency` is absent (semantics 3). Numbered weeks imply
 * months, also beside a stated frequency of weeks. Undefined: no part implies one, and there is one occurrence.
 */
export function meantFrequency(
  { byDay, byMonth, byMonthDay }: Pick<Schedule, 'byDay' | 'byMonth' | 'byMonthDay'>,
  stated: Frequency | undefined,
  weeks: readonly number[],
): Meant | undefined {
  if (weeks.length > 0 && stated?.unit !== 'month') return { ...MONTHLY, from: 'byMonthWeek' };
  if (stated !== undefined) return { frequency: stated };
  if (byMonthDay.length > 0) return { ...MONTHLY, from: 'byMonthDay' };
  if (byDay.some(({ ordinal }) => ordinal !== undefined)) return { ...MONTHLY, from: 'byDay' };
  if (byDay.length > 0) return { frequency: { unit: 'week', every: 1 }, used: 'P1W', from: 'byDay' };
  return byMonth.length > 0 ? { frequency: { unit: 'year', every: 1 }, used: 'P1Y', from: 'byMonth' } : undefined;
}

const MONTHLY = { frequency: { unit: 'month', every: 1 }, used: 'P1M' } as const;

/** Units of which a day has several. */
export const WITHIN_DAY: ReadonlySet<RepeatUnit | undefined> = new Set<RepeatUnit>(['hour', 'minute', 'second']);

/** An interval has one unit: `P1M2D` is none. Units of fixed length add up: `P1W1D` is eight days. */
function frequencyOfParts({
  years,
  months,
  weeks,
  days,
  hours,
  minutes,
  seconds,
}: DurationParts): Frequency | undefined {
  const fixed = (weeks * 7 + days) * 86_400 + hours * 3600 + minutes * 60 + seconds;
  if (years > 0 || months > 0) {
    if (fixed > 0) return undefined;
    const every = years > 0 && months > 0 ? years * 12 + months : years + months;
    return wholeFrequency(years > 0 && months === 0 ? 'year' : 'month', every);
  }
  for (const [unit, seconds] of FIXED) if (fixed % seconds === 0) return wholeFrequency(unit, fixed / seconds);
  return undefined;
}

const FIXED: readonly [RepeatUnit, number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

function wholeFrequency(unit: RepeatUnit, every: number): Frequency | undefined {
  return Number.isInteger(every) && every >= 1 ? { unit, every } : undefined;
}
