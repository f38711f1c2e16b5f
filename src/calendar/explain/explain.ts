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
 * carries it. The reasons come from the code that decides: the overlay (`recurrence/explain.ts`) and the planner
 * (`calendar/series/trace.ts`). Rows are made one by one, on demand.
 */
export class Explanation {
  readonly verdicts: readonly Verdict[];
  readonly #input: Explainable;
  readonly #written: ReadonlySet<CalendarEvent>;

  constructor(input: Explainable, from: Instant, to: Instant) {
    this.#input = input;
    this.#written = new Set(input.written);
    this.verdicts = verdicts(input.series, input.sessions, from, to);
  }

  row(verdict: Verdict, itemOf: ItemOf): ExplainedRow {
    const { occurrence, shown, session } = verdict;
    const { id = null, type, start, end, allDay, url = null, name = null } = occurrence;
    const { status, source, schedule, original } = occurrence;
    const carried = shown ? this.#carried(verdict) : {};
    const seriesItem = itemOf('series', this.#input.series.id);
    const sessionItem = session && itemOf('session', session.id);
    const item = source === 'explicit' ? sessionItem : seriesItem;
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
      sentence: rowSentence(this.#input, verdict, [...statuses, ...absent]),
      ...(schedule !== undefined && { schedule: path(schedule) }),
      ...(original !== undefined && { original: utcText(original) }),
      ...(exception && { exception }),
      ...(item && { item }),
      ...(source === 'generated' && sessionItem && { replacedBy: sessionItem }),
      events: carried.event ? [carried.event] : [],
    };
  }

  schedules(): ExplainedSchedule[] {
    const singles = this.#singles();
    return this.#input.series.schedules.map((schedule) => {
      const expander = expanderOf(schedule);
      const because = expander === undefined ? [whyNot(schedule)] : [];
      const events = (this.#input.trace.rules.get(schedule.index) ?? [])
        .filter(({ event }) => this.#written.has(event))
        .map(({ event, run }) => explained(event, formOf(event), run.because));
      const repeating = events.filter(({ form }) => form === 'rule').length;
      const single = events.length - repeating + (singles.get(schedule.index) ?? 0);
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

  /** Numbers of single events by `Schedule.index`. */
  #singles(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const [key, { event }] of this.#input.trace.instances) {
      const schedule = Number.parseInt(key, 10);
      if (this.#written.has(event)) counts.set(schedule, (counts.get(schedule) ?? 0) + 1);
    }
    return counts;
  }

  #statuses({ occurrence: { status }, session, takesTime }: Verdict): StatusCode[] {
    const time: StatusCode[] = takesTime ? ['time-from-schedule'] : [];
    if (status === 'EventScheduled') return time;
    if (status === 'EventRescheduled') return [...time, 'rescheduled'];
    const ofSession = session !== undefined && session.statusStated !== false;
    if (status === 'EventCancelled') return [...time, ofSession ? 'cancelled' : 'series-cancelled'];
    return [...time, ofSession ? 'postponed' : 'series-postponed'];
  }

  #carried({ occurrence, session, instance }: Verdict): Carried {
    const { trace } = this.#input;
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
    const { trace } = this.#input;
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

/** A rule with one date left is written without RRULE. */
function formOf({ rrule }: CalendarEvent): ExplainedEvent['form'] {
  return rrule === undefined ? 'single' : 'rule';
}

function whyNot({ partial, startDate, startTime, unusable }: Schedule): ScheduleCode {
  if (partial) return 'partial-schedule';
  if (startDate === undefined) return 'no-start-date';
  if (startTime === undefined) return 'no-start-time';
  return unusable === undefined ? 'too-many-schedules' : UNUSABLE[unusable];
}
