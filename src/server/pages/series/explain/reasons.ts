import type { ExplainedRow } from '../../../../calendar/explain/explained.ts';
import { ABSENCES, type AbsentCode, type StatusCode } from '../../../../calendar/rule/reasons.ts';
import type { OccurrenceCode } from '../../../../recurrence/explain.ts';

/** Why a date differs from the rules, for people: the codes of an explanation as sentences. */

const EXTRA = 'An extra date: no rule gives it.';

/**
 * The sentence of each code; undefined where the date follows the rule, or another row has the sentence. `{was}`: the time by
 * the rule.
 */
const BECAUSE: Record<OccurrenceCode, string | undefined> = {
  generated: undefined,
  excepted: 'Not on: the organiser left this date out.',
  'same-as-earlier-schedule': undefined,
  'same-id-as-earlier-schedule': 'Not shown: two rules give it, with different ends. The first counts.',
  'replaced-by-session': undefined,
  'moved-by-session': undefined,
  'replaces-by-id': undefined,
  'replaces-by-start': undefined,
  'replaces-by-near-id': undefined,
  'replaces-without-id': undefined,
  moved: 'New time: the rule says {was}.',
  'moved-by-previous-start': 'New time: it was {was}.',
  'no-schedule': undefined,
  'same-as-part': undefined,
  'second-session': 'An extra date: the rule gives one then, and the organiser has published two.',
  'instance-excepted': 'Published by itself, in place of a date that was left out.',
  'id-of-no-instance': EXTRA,
  'id-fits-no-template': EXTRA,
  'start-of-no-instance': EXTRA,
  'series-missing': undefined,
};

const STATUS: Record<StatusCode, string | undefined> = {
  cancelled: 'Cancelled.',
  postponed: 'Postponed: no new date yet.',
  rescheduled: 'The organiser says that it has a new time.',
  'time-from-schedule': undefined,
  'series-cancelled': 'Cancelled, as the whole series is.',
  'series-postponed': 'Postponed, as the whole series is.',
};

/** The sentences of one row; none where its date does not differ. `was`: the time by the rule, in words. */
export function reasonsOf({ because }: ExplainedRow, was: string): string[] {
  const isMoved = because.some((code) => code === 'moved' || code === 'moved-by-previous-start');
  return because.flatMap((code) => {
    if (code in ABSENCES) return ABSENCES[code as AbsentCode];
    if (code === 'rescheduled' && isMoved) return [];
    const words = code in STATUS ? STATUS[code as StatusCode] : BECAUSE[code as OccurrenceCode];
    return words === undefined ? [] : words.replace('{was}', was);
  });
}

/** Shown dates that the page explains. */
const NEXT = 30;

export interface NextDates {
  /** Rows that are shown, and hidden rows among them. */
  rows: readonly ExplainedRow[];
  /** The number of rows that are shown. */
  count: number;
}

/**
 * The next thirty rows that are shown, with the hidden rows before the last of them; all rows where no more than thirty are
 * shown.
 */
export function nextDates(rows: readonly ExplainedRow[]): NextDates {
  const shown = rows.filter((row) => row.shown);
  const count = Math.min(NEXT, shown.length);
  const last = shown[count - 1];
  const isWhole = shown.length <= NEXT || last === undefined;
  return { rows: isWhole ? rows : rows.filter(({ start }) => start <= last.start), count };
}

/** How many of the dates each rule gives, by its path. */
export function givenBy({ rows }: NextDates): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { shown, schedule } of rows)
    if (shown && schedule !== undefined) counts.set(schedule, (counts.get(schedule) ?? 0) + 1);
  return counts;
}
