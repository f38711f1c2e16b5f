import { unmet } from '../refusal.ts';
import type { DavAnswer } from '../request.ts';
import { XML_TYPE } from '../xml/multistatus.ts';
import { DECLARATIONS } from '../xml/names.ts';
import { type Report, reportAnswer } from './report.ts';

/** Reports about people (RFC 3744 9), who are never found, because there are no accounts. */

/** principal-property-search: programs that look for people to invite get an empty answer, after which they go on. */
export function principalSearch(report: Report): DavAnswer {
  return reportAnswer(
    report,
    `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus${DECLARATIONS}></D:multistatus>\n`,
  );
}

/** principal-search-property-set: the properties to search for people by, of which there are none. */
export function principalSearchSet(): DavAnswer {
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<D:principal-search-property-set${DECLARATIONS}/>\n`;
  return { status: 200, headers: { 'Content-Type': XML_TYPE }, body };
}

/** The refusal of an unknown report (RFC 3253 3.6). */
export function unsupportedReport({ root }: Pick<Report, 'root'>): Error {
  return unmet('D:supported-report', `The report "${root.local.slice(0, 60)}" is not answered here.`);
}
