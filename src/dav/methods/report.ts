import type { Context } from '../properties/properties.ts';
import { unreadable } from '../refusal.ts';
import { calendarMultiget } from '../reports/calendar-multiget.ts';
import { calendarQuery } from '../reports/calendar-query.ts';
import { expandProperty } from '../reports/expand-property.ts';
import { freeBusyQuery } from '../reports/free-busy-query.ts';
import { principalSearch, principalSearchSet, unsupportedReport } from '../reports/principals.ts';
import type { Report } from '../reports/report.ts';
import { syncCollection } from '../reports/sync-collection.ts';
import type { DavAnswer, DavRequest } from '../request.ts';
import { type DavLibrary, resourceAt } from '../resource.ts';
import { CALDAV, DAV, nameText } from '../xml/names.ts';
import { readXml } from '../xml/read.ts';

const REPORTS = new Map<string, (report: Report) => DavAnswer | Promise<DavAnswer>>([
  [nameText({ ns: CALDAV, local: 'calendar-query' }), calendarQuery],
  [nameText({ ns: CALDAV, local: 'calendar-multiget' }), calendarMultiget],
  [nameText({ ns: CALDAV, local: 'free-busy-query' }), freeBusyQuery],
  [nameText({ ns: DAV, local: 'sync-collection' }), syncCollection],
  [nameText({ ns: DAV, local: 'expand-property' }), expandProperty],
  [nameText({ ns: DAV, local: 'principal-property-search' }), principalSearch],
  [nameText({ ns: DAV, local: 'principal-search-property-set' }), principalSearchSet],
]);

/** REPORT (RFC 3253 3.6): the root of the body names the report. */
export async function report(request: DavRequest, library: DavLibrary, context: Context): Promise<DavAnswer> {
  const root = readXml(request.body);
  if (root === undefined) throw unreadable('A REPORT says in its body what is asked.');
  const answer = REPORTS.get(nameText(root));
  const givesTokens = answer === syncCollection || answer === expandProperty;
  const resource = await resourceAt(request.path, library, givesTokens ? 'sync' : 'read');
  if (answer === undefined) throw unsupportedReport({ root });
  return answer({ request, root, resource, library, context });
}
