import { type Expander, expanderOf, instancesOf, wallOfInstance } from '../../../recurrence/expand.ts';
import { DAY_MS, dateOfDay } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { toInstant, toWall } from '../../../time/zone.ts';
import { AHEAD_MS, MAX_SESSIONS } from '../../limits.ts';
import type { CalendarEvent, Time, Wording } from '../../read/model.ts';
import { LAST } from '../../read/values.ts';
import type { EventGroup } from './groups.ts';
import { type EventDates, endOf, hasInstance, type Report, type Slot, slotOf } from './instances.ts';

/** A session to be published. */
export interface Draft extends Slot {
  /** The generated start, of which its `@id` is made. */
  original: Instant;
  /** Absent: the wording of the series. */
  wording?: Wording;
  /** Whether the event overrides an instance. */
  isOverride: boolean;
  /** Whether it is an override without an instance, of an earlier rule of the calendar. */
  isLeftOver?: boolean;
}

interface OverrideContext {
  now: Instant;
  report: Report;
  /** Whether a wording differs from that of the series. */
  saysOther: (own: Wording) => boolean;
}

/**
 * The sessions of a group, by original start: dates that no Schedule gives, and overrides that differ from their instance. An
 * override that changes nothing is no session (rule 3 of the complementary feed).
 */
export function applyOverrides(group: EventGroup, dates: EventDates, context: OverrideContext): Draft[] {
  const { now, report } = context;
  const drafts = new Map<Instant, Draft>();
  for (const [original, slot] of dates.explicit) drafts.set(original, { original, ...slot, isOverride: false });
  const { master, overrides } = group;
  const later = overrides.filter((one) => one.andFuture).sort((a, b) => originalStart(a) - originalStart(b));
  if (master !== undefined) for (const one of later) changeFuture(master, one, dates, drafts, now, report);
  for (const one of overrides) if (!one.andFuture || master === undefined) override(group, one, dates, drafts, context);
  return [...drafts.values()].sort((a, b) => a.original - b.original);
}

function originalStart({ recurrenceId, start }: CalendarEvent): Instant {
  return (recurrenceId ?? start).instant;
}

function override(
  group: EventGroup,
  event: CalendarEvent,
  dates: EventDates,
  drafts: Map<Instant, Draft>,
  { report, saysOther }: OverrideContext,
): void {
  const { master } = group;
  const place = `line ${event.line} RECURRENCE-ID`;
  const original =
    master === undefined ? originalStart(event) : originalOf(master, event.recurrenceId as Time, dates, drafts);
  const isInstance = master !== undefined && (drafts.has(original) || hasInstance(dates, original));
  if (master === undefined) report('override-without-master', place);
  else if (!isInstance) report('override-without-instance', place);
  else if (event.recurrenceId?.allDay !== master.start.allDay) report('instance-of-day', place);
  const start = event.start.instant;
  const end = endOf(event.start, event.length);
  const { wording } = event;
  const generated = master !== undefined && !drafts.has(original) ? generatedAt(dates, original) : undefined;
  const isSame = generated !== undefined && start === original && end === generated.end && !saysOther(wording);
  if (isSame) return;
  drafts.set(original, {
    original,
    ...slotOf(event.start, event.length),
    wording,
    isOverride: true,
    ...(!isInstance && master && { isLeftOver: true }),
  });
}

/** RECURRENCE-ID as the start of an instance: an instant, the master's wall time written as another zone's, or a day. */
function originalOf(master: CalendarEvent, id: Time, dates: EventDates, drafts: ReadonlyMap<Instant, Draft>): Instant {
  const has = (instant: Instant) => drafts.has(instant) || hasInstance(dates, instant);
  if (!id.allDay && has(id.instant)) return id.instant;
  const z = master.start.zone;
  const time = master.start.wall - Math.floor(master.start.wall / DAY_MS) * DAY_MS;
  const day = Math.floor(id.wall / DAY_MS) * DAY_MS;
  const candidates = [toInstant(z, id.wall), ...(id.allDay || master.start.allDay ? [toInstant(z, day + time)] : [])];
  if (id.allDay)
    for (const { rule, zone: own } of dates.schedules) candidates.push(toInstant(own, day + rule.time * 1000));
  return candidates.find(has) ?? (id.allDay ? toInstant(z, day + time) : id.instant);
}

function generatedAt({ schedules }: EventDates, start: Instant): Slot | undefined {
  for (const schedule of schedules) {
    const wall = wallOfInstance(schedule, start);
    if (wall !== undefined && !schedule.excludes(start, wall)) return { start, end: schedule.endOf(start, wall) };
  }
  return undefined;
}

/** Applies RANGE=THISANDFUTURE (RFC 5545 3.2.13): every later instance moves by as much, and has the override's wording. */
function changeFuture(
  master: CalendarEvent,
  event: CalendarEvent,
  dates: EventDates,
  drafts: Map<Instant, Draft>,
  now: Instant,
  report: Report,
): void {
  report('range-this-and-future', `line ${event.line} RECURRENCE-ID`);
  const from = originalOf(master, event.recurrenceId as Time, dates, drafts);
  const z = master.start.zone;
  const shift = toWall(z, event.start.instant) - toWall(z, from);
  const changed = (original: Instant): Draft => {
    const wall = toWall(z, original) + shift;
    const start: Time = { ...event.start, zone: z, wall, instant: toInstant(z, wall) };
    return {
      original,
      ...slotOf(start, event.length),
      wording: event.wording,
      isOverride: true,
    };
  };
  const horizon = Math.max(now, from) + AHEAD_MS;
  const starts = dates.schedules.flatMap((schedule) => startsFrom(schedule, from, horizon));
  for (const original of [...drafts.keys(), ...starts]) if (original >= from) drafts.set(original, changed(original));
  dates.schedules = dates.schedules.flatMap((schedule) => endedBefore(schedule, from) ?? []);
}

function startsFrom(schedule: Expander, from: Instant, to: Instant): Instant[] {
  const found = instancesOf({ ...schedule, duration: 0 }, from, to).filter(({ excluded }) => !excluded);
  return found.slice(0, MAX_SESSIONS).map(({ start }) => start);
}

/** The Schedule without instances that start at or after an instant; undefined when none is left. */
function endedBefore(schedule: Expander, before: Instant): Expander | undefined {
  const time = schedule.rule.time * 1000;
  const day = Math.floor((toWall(schedule.zone, before) - time - 1) / DAY_MS);
  const { count, ...rest } = schedule.schedule;
  // A Schedule has one end: a count that was reached before stays, and no other.
  if (count !== undefined && instancesOf({ ...schedule, duration: 0 }, before, LAST).length === 0) return schedule;
  const endDate = dateOfDay(day);
  if (rest.startDate === undefined || endDate < rest.startDate) return undefined;
  const known = rest.endDate !== undefined && rest.endDate < endDate ? rest.endDate : endDate;
  const except = rest.except.filter((one) => !('instant' in one) || one.instant < before);
  return expanderOf({ ...rest, endDate: known, except });
}
