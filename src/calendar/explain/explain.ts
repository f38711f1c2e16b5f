import { recurrenceValue } from '../../ical/recurrence.ts';
import type { Schedule, Series, Session } from '../../opportunity/records.ts';
import { expanderOf, type Instance } from '../../recurrence/expand.ts';
import { type Verdict, verdicts } from '../../recurrence/explain.ts';
import { occursOn } from '../../recurrence/rule.ts';
import { DAY_MS, type Day } from '../../time/days.ts';
import { type Instant, momentText, utcText } from '../../time/instant.ts';
import type { CalendarEvent } from '../objects.ts';
import type { Run } from '../rule/masters.ts';
import { type AbsentCode, type EventCode, type ScheduleCode, type StatusCode, UNUSABLE } from '../rule/reasons.ts';
import { ruleText } from '../rule/rrule.ts';
import { FIRST, LAST } from '../series/context.ts';
import { HORIZON } from '../series/excluded-days.ts';
import { path } from '../series/match-findings.ts';
import { instanceKey, type Trace } from '../series/trace.ts';
import { scheduleWords } from '../wording/schedule-words.ts';
import { eventSentence, exceptionOf, rowSentence, scheduleSentence } from './explain-words.ts';
import type { ExplainedEvent, ExplainedRow, ExplainedSchedule, ItemOf } from './explained.ts';

interface Explainable {
  series: Series;
  sessions: readonly Session[];
  /** The trace of the plan whose events are `written`. */
  trace: Trace;
  written: readonly CalendarEvent[];
  zone: string;
}

interface Carried {
  event?: ExplainedEvent;
  absent?: AbsentCode;
}

/**
 * Where each occurrence of a series within a window comes from, why others are not shown, and which event of the calendar
 * carries it. It is given by those who decide: the overlay (`recurrence/explain.ts`) and the planner
 * (`calendar/series/trace.ts`). Rows are made one by one, as far as they are asked for.
 */
export class Explanation {
  readonly verdicts: readonly Verdict[];
  readonly #of: Explainable;
  readonly #written: ReadonlySet<CalendarEvent>;

  constructor(of: Explainable, from: Instant, to: Instant) {
    this.#of = of;
    this.#written = new Set(of.written);
    this.verdicts = verdicts(of.series, of.sessions, from, to);
  }

  row(verdict: Verdict, itemOf: ItemOf): ExplainedRow {
    const { occurrence, shown, session } = verdict;
    const { id = null, type, start, end, allDay, url = null, name = null } = occurrence;
    const { status, source, schedule, original } = occurrence;
    const carried = shown ? this.#carried(verdict) : {};
    const own = itemOf('series', this.#of.series.id);
    const sentence = session && itemOf('session', session.id);
    const item = source === 'explicit' ? sentence : own;
    const exception = exceptionOf(verdict);
    const statuses = shown ? this.#statuses(verdict) : [];
    const absent = carried.absent === undefined ? [] : [carried.absent];
    return {
      id,
      type,
      start: momentText(start, allDay),
      end: momentText(end, allDay),
      ...(allDay && { allDay }),
      url,
      name,
      status,
      source,
      shown,
      because: [verdict.because, ...statuses, ...absent],
      sentence: rowSentence(this.#of, verdict, [...statuses, ...absent]),
      ...(schedule !== undefined && { schedule: path(schedule) }),
      ...(original !== undefined && { original: utcText(original) }),
      ...(exception && { exception }),
      ...(item && { item }),
      ...(source === 'generated' && sentence && { replacedBy: sentence }),
      events: carried.event ? [carried.event] : [],
    };
  }

  schedules(): ExplainedSchedule[] {
    const alone = this.#alone();
    return this.#of.series.schedules.map((schedule) => {
      const expander = expanderOf(schedule);
      const because = expander === undefined ? [whyNot(schedule)] : [];
      const events = (this.#of.trace.rules.get(schedule.index) ?? [])
        .filter(({ event }) => this.#written.has(event))
        .map(({ event, run }) => explained(event, formOf(event), run.because));
      const repeating = events.filter(({ form }) => form === 'rule').length;
      const single = events.length - repeating + (alone.get(schedule.index) ?? 0);
      return {
        path: path(schedule.index),
        expanded: expander !== undefined,
        because,
        words: scheduleWords(schedule) ?? null,
        rrule: expander === undefined ? null : ruleText(expander.rule, expander.zone),
        timezone: schedule.zone,
        sentence: scheduleSentence(schedule, because, { repeating, single }),
        events,
      };
    });
  }

  /** How many instances of each schedule are events of their own. */
  #alone(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const [key, { event }] of this.#of.trace.instances) {
      const schedule = Number.parseInt(key, 10);
      if (this.#written.has(event)) counts.set(schedule, (counts.get(schedule) ?? 0) + 1);
    }
    return counts;
  }

  #statuses({ occurrence: { status }, session, takesTime }: Verdict): StatusCode[] {
    const time: StatusCode[] = takesTime ? ['time-from-schedule'] : [];
    if (status === 'EventScheduled') return time;
    if (status === 'EventRescheduled') return [...time, 'rescheduled'];
    const own = session !== undefined && session.statusStated !== false;
    if (status === 'EventCancelled') return [...time, own ? 'cancelled' : 'series-cancelled'];
    return [...time, own ? 'postponed' : 'series-postponed'];
  }

  #carried({ occurrence, session, instance }: Verdict): Carried {
    const { trace } = this.#of;
    if (instance !== undefined) return this.#carriedInstance(occurrence.schedule as number, instance);
    const id = (session as Session).id;
    const override = trace.overrides.get(id);
    if (override !== undefined) return this.#event(override, 'override', []);
    const single = trace.sessions.get(id);
    if (single !== undefined) return this.#event(single.event, 'single', single.because);
    // Of a very large series, only the sessions around today are read.
    return { absent: trace.unwritten.get(id) ?? 'calendar-too-large' };
  }

  #carriedInstance(schedule: number, { start, wall }: Instance): Carried {
    const { trace } = this.#of;
    const single = trace.instances.get(instanceKey(schedule, start));
    if (single !== undefined) return this.#event(single.event, 'single', single.because);
    for (const { event, run } of trace.rules.get(schedule) ?? []) {
      const day = (wall - run.rule.time * 1000) / DAY_MS;
      if (occursIn(run, day)) return this.#event(event, formOf(event), run.because);
    }
    if (!(start >= FIRST && start < LAST)) return { absent: 'implausible-date' };
    return { absent: wall >= HORIZON * DAY_MS ? 'beyond-horizon' : 'too-many-single-events' };
  }

  #event(event: CalendarEvent, form: ExplainedEvent['form'], because: readonly EventCode[]): Carried {
    if (!this.#written.has(event)) return { absent: 'calendar-too-large' };
    return { event: explained(event, form, because) };
  }
}

function occursIn({ rule, first, last, excluded, overrides }: Run, day: Day): boolean {
  if (day < first || day > (last ?? day) || excluded.includes(day)) return false;
  return occursOn(rule, day) && overrides.every((one) => one.day !== day);
}

function explained(event: CalendarEvent, form: ExplainedEvent['form'], because: readonly EventCode[]): ExplainedEvent {
  const { uid, rrule, span } = event;
  return {
    uid,
    form,
    ...(rrule !== undefined && { rrule: recurrenceValue(rrule) }),
    timezone: span.zone,
    because: [...because],
    sentence: eventSentence(event, form, because),
  };
}

/** A rule of which one date is left is written without one. */
function formOf({ rrule }: CalendarEvent): ExplainedEvent['form'] {
  return rrule === undefined ? 'single' : 'rule';
}

function whyNot({ partial, startDate, startTime, unusable }: Schedule): ScheduleCode {
  if (partial) return 'partial-schedule';
  if (startDate === undefined) return 'no-start-date';
  if (startTime === undefined) return 'no-start-time';
  return unusable === undefined ? 'too-many-schedules' : UNUSABLE[unusable];
}
