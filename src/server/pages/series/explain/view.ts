import type { ExplainedRow } from '../../../../calendar/explain/explained.ts';
import type { PageOccurrence, SeriesExplanation } from '../../../../library/index.ts';
import type { Finding } from '../../../../opportunity/findings.ts';
import type { Day } from '../../../../time/days.ts';
import type { Instant } from '../../../../time/instant.ts';
import type { Site } from '../../frame/site.ts';
import { localDay } from '../../wording.ts';

/** The data of the page that explains the dates of a series. */

export interface ExplainView {
  explanation: SeriesExplanation;
  site: Site;
  now: Instant;
  window: { from: Instant; to: Instant };
  /** The address of the rows after these. */
  next?: string | undefined;
  /** A sentence, where the series has more sessions than were read. */
  truncated?: string | undefined;
  findings: readonly Finding[];
  /** Whether the part for programmers is open: the address has a query. */
  isOpen: boolean;
}

/** Start and end of a row, as instants. */
export function rowSpan({ start, end, allDay }: ExplainedRow): Pick<PageOccurrence, 'start' | 'end' | 'allDay'> {
  return { start: Date.parse(start), end: Date.parse(end), ...(allDay && { allDay }) };
}

/** The local day of a row. */
export function dayOfRow({ start, allDay }: Pick<ExplainedRow, 'start' | 'allDay'>, zone: string): Day {
  return localDay({ start: Date.parse(start), ...(allDay && { allDay }) }, zone);
}
