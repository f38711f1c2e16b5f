import ICAL from 'ical.js';
import type { Instant } from '../../src/time/instant.ts';

/** What ical.js, Thunderbird's engine, shows of a calendar: `start end status summary`, one line per occurrence, sorted. */
export function readWithIcalJs(text: string, from: Instant, to: Instant): string[] {
  const root = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.reset();
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const events = root.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component, { exceptions: [] }));
  const rows: string[] = [];
  for (const [uid, own] of Map.groupBy(events, (event) => event.uid)) {
    const masters = own.filter((event) => !event.isRecurrenceException());
    const [master] = masters;
    if (masters.length !== 1 || master === undefined) throw new Error(`${uid}: ${masters.length} masters`);
    for (const override of own) if (override !== master) master.relateException(override);
    rows.push(...rowsOf(master, from, to));
  }
  return rows.sort();
}

function rowsOf(event: ICAL.Event, from: Instant, to: Instant): string[] {
  if (!event.isRecurring()) return rowOf(event, event.startDate, event.endDate, from, to);
  const rows: string[] = [];
  const iterator = event.iterator();
  // Overrides may have been moved into the window from behind it.
  for (let next = iterator.next(); next && instantOf(next) < to + 400 * 86_400_000; next = iterator.next()) {
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    rows.push(...rowOf(item, startDate, endDate, from, to));
  }
  return rows;
}

function rowOf(event: ICAL.Event, startDate: ICAL.Time, endDate: ICAL.Time, from: Instant, to: Instant): string[] {
  const [start, end] = [instantOf(startDate), instantOf(endDate)];
  if (!(start < to && (end > start ? end > from : start >= from))) return [];
  const status = event.component.getFirstPropertyValue('status');
  return [row(start, end, String(status), event.summary)];
}

export function row(start: Instant, end: Instant, status: string, summary: string): string {
  return [start, end]
    .map((one) => new Date(one).toISOString().slice(0, 19))
    .concat(status, summary)
    .join(' ');
}

function instantOf(time: ICAL.Time): Instant {
  return time.toUnixTime() * 1000;
}
