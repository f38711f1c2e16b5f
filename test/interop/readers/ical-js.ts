import { readFileSync } from 'node:fs';
import ICAL from 'ical.js';
import { inWindow, type Row, utc } from '../rows.ts';

/** Overrides may have been moved into the window from this far behind it. */
const MOVED_MS = 400 * 86_400_000;
/** Longest expansion of one master: thirty years of days. */
const INSTANCES = 11_000;

/** Mozilla's ical.js, Thunderbird's engine: its iterator, its own VTIMEZONE arithmetic. */
export function readWithIcalJs(file: string, from: string, to: string): Row[] {
  const root = new ICAL.Component(ICAL.parse(readFileSync(file, 'utf8')));
  ICAL.TimezoneService.reset();
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  // Without `exceptions: []` it would relate every override of the file to every master, whatever the UID.
  const events = root.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component, { exceptions: [] }));
  const overrides = Map.groupBy(
    events.filter((event) => event.isRecurrenceException()),
    (event) => event.uid,
  );
  const rows: Row[] = [];
  for (const event of events) {
    if (event.isRecurrenceException()) continue;
    for (const override of overrides.get(event.uid) ?? []) event.relateException(override);
    overrides.delete(event.uid);
    rows.push(
      ...(event.isRecurring()
        ? instancesOf(event, Date.parse(to) + MOVED_MS)
        : [rowOf(event, event.startDate, event.endDate)]),
    );
  }
  const orphans = [...overrides.values()].flat().map((event) => rowOf(event, event.startDate, event.endDate));
  return [...rows, ...orphans].filter((row) => inWindow(row, from, to));
}

function instancesOf(event: ICAL.Event, until: number): Row[] {
  const rows: Row[] = [];
  const iterator = event.iterator();
  for (let n = 0; n < INSTANCES; n++) {
    const next = iterator.next();
    if (!next || next.toUnixTime() * 1000 > until) break;
    const details = event.getOccurrenceDetails(next);
    rows.push(rowOf(details.item, details.startDate, details.endDate));
  }
  return rows;
}

function rowOf(event: ICAL.Event, start: ICAL.Time, end: ICAL.Time): Row {
  const status = event.component.getFirstPropertyValue('status');
  return {
    uid: event.uid,
    start: utc(start.toUnixTime() * 1000),
    end: utc(end.toUnixTime() * 1000),
    summary: event.summary ?? '',
    status: typeof status === 'string' ? status : '',
  };
}
