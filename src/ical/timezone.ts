import { perObject } from '../bounded-map.ts';
import { DAY_MS } from '../time/days.ts';
import type { Instant } from '../time/instant.ts';
import { join, onsetAt, onsetIn, ordinalOf, ruleAt, type YearlyRule } from '../time/transition-rule.ts';
import { TABLE_END, type Wall, type Zone } from '../time/zone.ts';
import { type Recurrence, recurrenceValue } from './recurrence.ts';
import { type Component, raw, text } from './tree.ts';
import { offsetValue, wallValue } from './values.ts';

/**
 * VTIMEZONE (RFC 5545 3.6.5) out of the zone table with which this program computes, so that both always agree.
 *
 * Outlook reads only the STANDARD and the DAYLIGHT with the largest DTSTART, wants `FREQ=YEARLY;BYMONTH;BYDAY=nXX` in them and
 * knows no RDATE (feed rule 6). So a zone is cut into periods in which one such pair of rules holds. A calendar gets the
 * periods its events lie in and no others, nearly always one, dated back to 1970.
 *
 * @example
 * ```ts
 * const component = vtimezone(london, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1));
 * ```
 */
export function vtimezone(z: Zone, from: Instant, to: Instant): Component {
  const periods = periodsOf(z);
  const used = periods.slice(periodAt(periods, from), periodAt(periods, to) + 1);
  const observances = used.flatMap((period, index) => {
    if (period.rules.length === 0) return single(z, period, index === 0);
    return pair(z, period, index === 0, index < used.length - 1 || needsEnd(z, period, to));
  });
  return {
    name: 'VTIMEZONE',
    properties: [text('TZID', z.id)],
    components: observances.map(observance),
  };
}

/** A stretch of the table. Without rules it is one change, or (`first` = -1) the time before all changes. */
interface Period {
  since: Instant;
  /** Indices into the zone's transitions. */
  first: number;
  last: number;
  /** In the order of `first`, `first + 1`. */
  rules: readonly YearlyRule[];
  /** Whether no change follows within a year. */
  lasting: boolean;
}

interface Observance {
  name: 'STANDARD' | 'DAYLIGHT';
  onset: Wall;
  before: number;
  after: number;
  rrule?: Recurrence;
}

/** The periods of a zone, found from the end backwards, so that the rules in force now reach back as far as they can. */
const periodsOf = perObject((z: Zone): readonly Period[] => {
  const periods: Period[] = [];
  for (let last = z.transitions.length - 1; last >= 0; ) {
    const period = isLasting(z, last) ? undefined : yearlyPeriod(z, last);
    periods.push(period ?? singlePeriod(z, last));
    last = (period?.first ?? last) - 1;
  }
  periods.push({ since: Number.NEGATIVE_INFINITY, first: -1, last: -1, rules: [], lasting: true });
  return periods.reverse();
});

function singlePeriod(z: Zone, index: number): Period {
  return { since: z.transitions[index] as Instant, first: index, last: index, rules: [], lasting: isLasting(z, index) };
}

/** Whether nothing changes for more than a year after a transition. */
function isLasting(z: Zone, index: number): boolean {
  return (z.transitions[index + 1] ?? TABLE_END) - (z.transitions[index] as Instant) > 370 * DAY_MS;
}

function yearlyPeriod(z: Zone, last: number): Period | undefined {
  if (last < 2) return undefined;
  // The two rules of the period take turns, from its end backwards.
  let [turn, other] = [ruleAt(z, last), ruleAt(z, last - 1)];
  let first = last - 1;
  while (first > 0 && !isLasting(z, first - 1)) {
    const joined = join(turn, ruleAt(z, first - 1));
    if (joined === undefined) break;
    [turn, other] = [other, joined];
    first--;
  }
  if (last - first < 2) return undefined;
  return { since: z.transitions[first] as Instant, first, last, rules: [other, turn], lasting: false };
}

function periodAt(periods: readonly Period[], instant: Instant): number {
  return periods.findLastIndex(({ since }) => since <= instant);
}

/** The observance of one change; of the first period, an observance without a change before it. */
function single(z: Zone, period: Period, isFirst: boolean): Observance[] {
  const after = z.offsets[period.first + 1] as number;
  if (isFirst) return [{ name: 'STANDARD', onset: 0, before: after, after }];
  const before = z.offsets[period.first] as number;
  const name = period.lasting ? 'STANDARD' : observanceName(before, after);
  return [{ name, onset: onsetAt(z, period.first), before, after }];
}

function pair(z: Zone, period: Period, isFirst: boolean, until: boolean): Observance[] {
  return period.rules.map((rule, index) => {
    const { month, before, after } = rule;
    const onset = isFirst ? onsetIn(1970, rule) : onsetAt(z, period.first + index);
    const lastOfRule = period.last - ((period.last - period.first - index) % 2);
    const rrule: Recurrence = {
      freq: 'YEARLY',
      ...(until && { until: onsetAt(z, lastOfRule) - before }),
      byMonth: [month],
      byDay: [{ day: rule.weekday, ordinal: ordinalOf(rule) }],
    };
    return { name: observanceName(before, after), onset, before, after, rrule };
  });
}

/** Clocks that go forward begin DAYLIGHT, whatever the law calls it (Dublin's winter time is "negative summer time"). */
function observanceName(before: number, after: number): Observance['name'] {
  return after > before ? 'DAYLIGHT' : 'STANDARD';
}

/** Whether rules need an UNTIL although no period follows in this calendar: by `to` they would change clocks that stayed. */
function needsEnd(z: Zone, period: Period, to: Instant): boolean {
  if (period.last === z.transitions.length - 1) return false;
  return period.rules.some((rule, index) => {
    const onsets = Math.floor((period.last - period.first - index) / 2) + 1;
    return onsetIn(rule.year + onsets, rule) - rule.before <= to;
  });
}

function observance({ name, onset, before, after, rrule }: Observance): Component {
  const properties = [
    raw('DTSTART', wallValue(onset)),
    raw('TZOFFSETFROM', offsetValue(before)),
    raw('TZOFFSETTO', offsetValue(after)),
  ];
  if (rrule !== undefined) properties.push(raw('RRULE', recurrenceValue(rrule)));
  return { name, properties, components: [] };
}
