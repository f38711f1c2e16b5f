import { calendarAround } from '../../calendar/components.ts';
import { instancesOf } from '../../calendar/rule/instances.ts';
import { periodsOf, unitedFreeBusy } from '../../calendar/venue/united-freebusy.ts';
import { writeBytes } from '../../ical/write.ts';
import { MOST_WINDOW_DAYS } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import { sha256 } from '../../platform/hash.ts';
import { DAY_MS } from '../../time/days.ts';
import type { InstantWindow } from '../../time/instant.ts';
import { windowOf, zoneOfQuery } from '../query/time-range.ts';
import { unmet, unreadable } from '../refusal.ts';
import type { DavAnswer } from '../request.ts';
import { type CalendarResource, calendarsIn } from '../resource.ts';
import { CALDAV } from '../xml/names.ts';
import { childOf } from '../xml/read.ts';
import { noCalendar } from './calendar-query.ts';
import type { Report } from './report.ts';

/** free-busy-query (RFC 4791 7.10): one VFREEBUSY of events and of opening hours (RFC 7953). */
export async function freeBusyQuery(report: Report): Promise<DavAnswer> {
  const { resource, root, library } = report;
  if (resource.kind !== 'calendar' && resource.kind !== 'home') throw noCalendar();
  const range = childOf(root, CALDAV, 'time-range');
  if (range === undefined) throw unreadable('A free-busy-query has a time-range.');
  const window = windowOf(range, 'C:valid-filter');
  if (window.to - window.from > MOST_WINDOW_DAYS * DAY_MS)
    throw unmet('D:number-of-matches-within-limits', `A free-busy-query may ask for ${MOST_WINDOW_DAYS} days at most.`);
  const calendars = resource.kind === 'home' ? await calendarsIn(resource, library, 'read') : [resource];
  const periods: Busy = [];
  for (const calendar of calendars) await addBusy(calendar, window, report, periods);
  const stamp = Math.max(0, ...calendars.map(({ collection }) => collection.head.changedAt));
  const uid = sha256(`free-busy ${resource.path} ${window.from} ${window.to}`).slice(0, 40);
  const component = unitedFreeBusy({ uid: `${uid}@openactive-ical`, stamp, window }, periods);
  const body = [writeBytes(calendarAround([component]))];
  return { status: 200, headers: { 'Content-Type': 'text/calendar; charset=utf-8' }, body };
}

type Busy = ReturnType<typeof periodsOf>;

/** Adds the busy periods of a calendar. @throws Refusal where there are too many for an answer */
async function addBusy(
  calendar: CalendarResource,
  window: InstantWindow,
  report: Report,
  periods: Busy,
): Promise<void> {
  const zone = zoneOfQuery(report.root, calendar.collection.calendar.zone);
  for (const { events } of calendar.collection.members) {
    for (const { event, start, end } of instancesOf(events, window, zone)) {
      // RFC 4791 7.10: transparent and cancelled events take no time.
      if (event.transparent === true || event.status === 'CANCELLED') continue;
      periods.push({ type: event.status === 'TENTATIVE' ? 'BUSY-TENTATIVE' : 'BUSY', start, end });
      checkRoom(periods);
    }
  }
  for (const period of await closedIn(calendar, window, report)) periods.push(period);
  checkRoom(periods);
}

function checkRoom({ length }: Busy): void {
  const { instances } = LIMITS.dav;
  if (length > instances)
    throw unmet('D:number-of-matches-within-limits', `More than ${instances} busy periods: ask for less time.`);
}

/** The closed and booked periods of a place or facility, out of its own free/busy. */
async function closedIn({ thing }: CalendarResource, window: InstantWindow, { library }: Report): Promise<Busy> {
  if (thing.kind !== 'places' && thing.kind !== 'facilities') return [];
  const stored = await library.freeBusy(thing.kind, thing.key, window);
  return (stored?.more?.components ?? []).flatMap(periodsOf);
}
