import type { ExplainedRow } from '../../../../calendar/explain/explained.ts';
import type { PageOccurrence, SeriesExplanation } from '../../../../library/index.ts';
import type { Finding } from '../../../../opportunity/findings.ts';
import type { Day } from '../../../../time/days.ts';
import type { Instant } from '../../../../time/instant.ts';
import type { Site } from '../../frame/site.ts';
import { localDay } from '../../wording.ts';

/** What the page that explains a series needs. */

export interface ExplainView {
  explanation: SeriesExplanation;
  site: Site;
  now: Instant;
  window: { from: Instant; to: Instant };
  /** The rows after these. */
  next?: string | undefined;
  /** There are more sessions than were read. */
  truncated?: string | undefined;
  findings: readonly Finding[];
  /** What programmers ask is open: a window or a page was asked for. */
  isOpen: boolean;
}

export function rowSpan({ start, end, allDay }: ExplainedRow): Pick<PageOccurrence, 'start' | 'end' | 'allDay'> {
  return { start: Date.parse(start), end: Date.parse(end), ...(allDay && { allDay }) };
}

export function dayOfRow({ start, allDay }: Pick<ExplainedRow, 'start' | 'allDay'>, zone: string): Day {
  return localDay({ start: Date.parse(start), ...(allDay && { allDay }) }, zone);
}
