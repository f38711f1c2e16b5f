import type { OrderedSchedule } from '../../recurrence/same-instance.ts';
import type { Instant } from '../../time/instant.ts';
import type { CalendarEvent } from '../objects.ts';
import type { Run } from '../rule/masters.ts';
import type { AbsentCode, EventCode } from '../rule/reasons.ts';

/** The decisions of the planner, kept to explain a calendar (`calendar/explain/explain.ts`). */

interface Single {
  event: CalendarEvent;
  because: readonly EventCode[];
}

export class Trace {
  /** Events with a rule (or a single instance of one), by `Schedule.index`. */
  readonly rules = new Map<number, { event: CalendarEvent; source: OrderedSchedule; run: Run }[]>();
  readonly overrides = new Map<string, CalendarEvent>();
  readonly sessions = new Map<string, Single>();
  readonly unwritten = new Map<string, AbsentCode>();
  /** Generated occurrences that are events of their runs, by `instanceKey`. */
  readonly instances = new Map<string, Single>();

  rule(source: OrderedSchedule, run: Run, [event, ...overrides]: readonly [CalendarEvent, ...CalendarEvent[]]): void {
    const runs = this.rules.get(source.schedule.index) ?? [];
    runs.push({ event, source, run });
    this.rules.set(source.schedule.index, runs);
    for (const [i, { session }] of run.overrides.entries())
      this.overrides.set(session.id, overrides[i] as CalendarEvent);
  }

  instance(schedule: number, start: Instant, single: Single): void {
    this.instances.set(instanceKey(schedule, start), single);
  }
}

export function instanceKey(schedule: number, start: Instant): string {
  return `${schedule} ${start}`;
}
