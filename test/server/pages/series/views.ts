import type { PageDate, SeriesDates, SeriesPage } from '../../../../src/library/index.ts';
import type { Details } from '../../../../src/opportunity/records.ts';
import { siteOf } from '../../../../src/server/pages/frame/site.ts';
import type { SeriesView } from '../../../../src/server/pages/series/view.ts';
import { series } from '../../made.ts';

/** Views of a series, as its page is given them: Tuesday 24 November 2026, five past twelve. */

export const NOW = Date.UTC(2026, 10, 24, 12, 5);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** An hour on a day of November, or later ones as 31 and so on. */
export function on(day: number, hour: number, more: Partial<PageDate> = {}): PageDate {
  const start = Date.UTC(2026, 10, day, hour);
  return { start, end: start + HOUR, status: 'EventScheduled', ...more };
}

/** Every other day at seven. */
export function daily(count: number, step = 1): PageDate[] {
  return Array.from({ length: count }, (_, at) => on(25 + at * step, 7));
}

export interface Given {
  details?: Details;
  dates?: PageDate[];
  more?: Partial<SeriesDates>;
  series?: Partial<SeriesPage>;
  view?: Partial<SeriesView>;
}

const WEEKLY = { days: 'Every Monday and Friday', time: '07:00–08:00', zone: 'Europe/London' };

export function viewOf({ details, dates = [on(25, 7), on(27, 7)], more, series: own, view }: Given = {}): SeriesView {
  return {
    series: series({ schedules: [], details: { name: 'Dawn Yoga', activity: ['Yoga'], ...details }, ...own }),
    dates: { dates, times: [WEEKLY], similar: [], zone: 'Europe/London', homeZone: 'Europe/London', ...more },
    changes: [],
    site: siteOf('https://wexcombe.example/open'),
    now: NOW,
    ...view,
  };
}

/** The words of a page, without its style and scripts. */
export function words(text: string): string {
  return text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}
