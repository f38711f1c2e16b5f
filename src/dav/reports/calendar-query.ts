import { type CompFilter, readFilter } from '../query/filter.ts';
import { matches } from '../query/match.ts';
import { zoneOfQuery } from '../query/time-range.ts';
import { unmet } from '../refusal.ts';
import type { DavAnswer } from '../request.ts';
import { objectIn } from '../resource.ts';
import { type Report, reportAnswer, reportMultistatus } from './report.ts';

/** calendar-query (RFC 4791 7.8): the objects that match a filter. */
export function calendarQuery(report: Report): DavAnswer {
  const { resource, root } = report;
  if (resource.kind !== 'calendar' && resource.kind !== 'object') throw noCalendar();
  const calendar = resource.kind === 'object' ? resource.calendar : resource;
  const filter = readFilter(root);
  const zone = zoneOfQuery(root, calendar.collection.calendar.zone);
  const answer = reportMultistatus(report, zone);
  const members = resource.kind === 'object' ? [resource.member] : calendar.collection.members;
  const isEvery = takesAll(filter);
  // Depth is ignored: 0 is the collection itself, which is no object, and programs of Microsoft send 0 for 1.
  for (const member of members)
    if (isEvery || matches(member, filter, zone)) answer.resource(objectIn(calendar, member));
  return reportAnswer(report, answer.pieces());
}

/** Whether a filter takes every object, as each is a VCALENDAR with a VEVENT. */
function takesAll({ isNotDefined, props, comps }: CompFilter): boolean {
  if (isNotDefined || props.length > 0) return false;
  return comps.every(
    ({ name, isNotDefined: isMissing, timeRange, props: ofEvent, comps: inner }) =>
      name === 'VEVENT' && !isMissing && timeRange === undefined && ofEvent.length + inner.length === 0,
  );
}

export function noCalendar() {
  return unmet('D:supported-report', 'This report is answered for calendars alone.');
}
