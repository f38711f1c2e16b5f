import { LIMITS } from '../../limits.ts';
import { decodedSegment } from '../address.ts';
import { zoneOfQuery } from '../query/time-range.ts';
import { Refusal, unreadable } from '../refusal.ts';
import type { DavAnswer } from '../request.ts';
import { type CalendarResource, objectIn } from '../resource.ts';
import { DAV } from '../xml/names.ts';
import { childrenOf } from '../xml/read.ts';
import { noCalendar } from './calendar-query.ts';
import { type Report, reportAnswer, reportMultistatus } from './report.ts';

/** calendar-multiget (RFC 4791 7.9): objects by their addresses, with a response for each address. */
export function calendarMultiget(report: Report): DavAnswer {
  const { resource, root, context } = report;
  if (resource.kind !== 'calendar' && resource.kind !== 'object') throw noCalendar();
  const calendar = resource.kind === 'object' ? resource.calendar : resource;
  const hrefs = new Set(childrenOf(root, DAV, 'href').map(({ text }) => text.trim()));
  if (hrefs.size === 0) throw unreadable('A calendar-multiget names at least one href.');
  const { hrefs: most } = LIMITS.dav;
  if (hrefs.size > most) throw new Refusal(413, `A calendar-multiget may name at most ${most} hrefs.`);
  const answer = reportMultistatus(report, zoneOfQuery(root, calendar.collection.calendar.zone));
  const { host } = new URL(context.base);
  const hosts = new Set([host, URL.parse(`http://${report.request.header('host') ?? host}`)?.host]);
  const members = new Map(calendar.collection.members.map((member) => [member.name, member]));
  for (const href of hrefs) {
    const name = nameIn(href, calendar, { prefix: context.prefix, hosts });
    const member = name === undefined ? undefined : members.get(name);
    if (member === undefined) answer.status(href, '404 Not Found');
    // The href of the request, with which programs compare that of the response.
    else answer.resource(objectIn(calendar, member), href);
  }
  return reportAnswer(report, answer.pieces());
}

/** The name of an object of this calendar; undefined: the address is of another resource. */
function nameIn(href: string, calendar: CalendarResource, { prefix, hosts }: OwnAddresses): string | undefined {
  const path = pathOf(href, hosts);
  if (path === undefined) return undefined;
  const bare = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  const at = bare.lastIndexOf('/') + 1;
  return sameSegments(bare.slice(0, at), calendar.path) ? decodedSegment(bare.slice(at)) : undefined;
}

/** The path of the base address, and the hosts under which the service is known. */
interface OwnAddresses {
  prefix: string;
  hosts: ReadonlySet<string | undefined>;
}

/** The path of a path or of a whole address of this service. */
function pathOf(href: string, hosts: OwnAddresses['hosts']): string | undefined {
  if (href.startsWith('/')) return href.startsWith('//') ? undefined : href;
  const url = /^https?:\/\//i.test(href) ? URL.parse(href) : null;
  return url !== null && hosts.has(url.host) ? url.pathname : undefined;
}

/** Whether paths have equal segments once they are percent-decoded. */
function sameSegments(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [a.split('/'), b.split('/')];
  return (
    left.length === right.length &&
    left.every((segment, at) => {
      const decoded = decodedSegment(segment);
      return decoded !== undefined && decoded === decodedSegment(right[at] ?? '');
    })
  );
}
