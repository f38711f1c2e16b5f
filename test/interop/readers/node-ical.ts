import ical, { type EventInstance, type VEvent } from 'node-ical';
import { inWindow, type Row, utc } from '../rows.ts';

const DAY = 86_400_000;

/** node-ical, with rrule-temporal inside. */
export function readWithNodeIcal(file: string, from: string, to: string): Row[] {
  const window = { from: new Date(Date.parse(from) - 2 * DAY), to: new Date(Date.parse(to) + 2 * DAY) };
  const events = Object.values(ical.sync.parseFile(file)).filter((part): part is VEvent => part?.type === 'VEVENT');
  const rows = events.flatMap((event) =>
    ical
      .expandRecurringEvent(event, { ...window, includeOverrides: true, excludeExdates: true, expandOngoing: true })
      .map((instance) => rowOf(instance.event ?? event, instance)),
  );
  return rows.filter((row) => inWindow(row, from, to));
}

function rowOf(event: VEvent, { start, end, isFullDay }: Pick<EventInstance, 'start' | 'end' | 'isFullDay'>): Row {
  const summary: unknown = event.summary;
  const text = typeof summary === 'object' && summary !== null && 'val' in summary ? summary.val : summary;
  // It gives whole days at midnight of the machine's zone.
  const zone = (at: Date) => (isFullDay ? at.getTimezoneOffset() * 60_000 : 0);
  const instantOf = (at: Date) => at.getTime() - zone(at);
  return {
    uid: event.uid,
    start: utc(instantOf(start)),
    end: utc(instantOf(end)),
    summary: typeof text === 'string' ? text : '',
    status: event.status ?? '',
  };
}
