import { unmet } from '../refusal.ts';
import type { DavAnswer } from '../request.ts';
import { XML_TYPE } from '../xml/multistatus.ts';
import { DECLARATIONS } from '../xml/names.ts';
import type { Report } from './report.ts';

/** Reports about people (RFC 3744 9): nobody is known here, so nobody is found. */

/** principal-property-search: programs search for people to invite, and bear an empty answer better than an error. */
export function principalSearch(report: Report): DavAnswer {
  return report.answer(`<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus${DECLARATIONS}></D:multistatus>\n`);
}

/** principal-search-property-set: what people could be found by. */
export function principalSearchSet(): DavAnswer {
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<D:principal-search-property-set${DECLARATIONS}/>\n`;
  return { status: 200, headers: { 'Content-Type': XML_TYPE }, body };
}

/** RFC 3253 3.6: the condition that does not hold. */
export function unsupportedReport({ root }: Pick<Report, 'root'>): Error {
  return unmet('D:supported-report', `The report "${root.local.slice(0, 60)}" is not answered here.`);
}
