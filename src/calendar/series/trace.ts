import type { OrderedSchedule } from '../../recurrence/same-instance.ts';
import type { Instant } from '../../time/instant.ts';
import type { CalendarEvent } from '../objects.ts';
import type { Run } from '../rule/masters.ts';
import type { AbsentCode, EventCode } from '../rule/reasons.ts';

/** What the planner decided on its way, kept to explain why a calendar is as it is (`calendar/explain/explain.ts`). */

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
  /** Generated occurrences that are events of their own, by `instanceKey`. */
  readonly instances = new Map<string, Single>();

  rule(source: OrderedSchedule, run: Run, [event, ...overrides]: readonly [CalendarEvent, ...CalendarEvent[]]): void {
    const own = this.rules.get(source.schedule.index) ?? [];
    own.push({ event, source, run });
    this.rules.set(source.schedule.index, own);
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
