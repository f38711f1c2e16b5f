import { lineOf, type ReadComponent, textIn } from '../../ical/read.ts';
import { DAY_MS } from '../../time/days.ts';
import { toWall, type Wall } from '../../time/zone.ts';
import type { CalendarEvent, RuleParts, Time } from './model.ts';

/**
 * The event as one of whole days, where X-MICROSOFT-CDO-ALLDAYEVENT or VALUE=DATE says so: Exchange writes the days of such an
 * event as midnights (MS-OXCICAL 2.1.3.1.1.20.28).
 */
export function withWholeDays(event: CalendarEvent, component: ReadComponent): CalendarEvent {
  const { start, length, recurrenceId, rules, exRules, extra, except } = event;
  const isStated =
    textIn(component, 'X-MICROSOFT-CDO-ALLDAYEVENT')?.toUpperCase() === 'TRUE' ||
    lineOf(component, 'DTSTART')?.params.get('VALUE')?.toUpperCase() === 'DATE';
  if (!isStated || start.allDay || start.wall !== dayOf(start.wall)) return event;
  const asDay = (time: Time): Time => {
    const wall = time.allDay ? time.wall : dayOf(toWall(start.zone, time.instant));
    return { ...time, wall, zone: start.zone, allDay: true };
  };
  const end = toWall(start.zone, start.instant + length.exact) + length.days * DAY_MS;
  const untilDay = (rule: RuleParts): RuleParts =>
    rule.until !== undefined && 'instant' in rule.until
      ? { ...rule, until: { wall: dayOf(toWall(start.zone, rule.until.instant)), isDate: true } }
      : rule;
  return {
    ...event,
    start: asDay(start),
    length: { days: Math.max(1, Math.ceil((end - start.wall) / DAY_MS)), exact: 0 },
    ...(recurrenceId && { recurrenceId: asDay(recurrenceId) }),
    rules: rules.map(untilDay),
    exRules: exRules.map(untilDay),
    extra: extra.map((one) => ({ start: asDay(one.start) })),
    except: except.map(asDay),
  };
}

function dayOf(wall: Wall): Wall {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}
