import type { Context } from 'hono';
import { isKey, type SeriesPage } from '../../../library/index.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { toInstant, zone } from '../../../time/zone.ts';
import { findExplanation, nextAddress, readExplainQuery, truncated } from '../../api/explain.ts';
import { readMoment } from '../../api/window.ts';
import { permanentRedirect } from '../../calendars/calendars.ts';
import { pageResponse } from '../frame/document.tsx';
import { notFound, noticeResponse, withdrawnResponse } from '../frame/notice.tsx';
import type { Pages } from '../frame/site.ts';
import { explainPage } from './explain/page.tsx';
import { seriesPage } from './page.tsx';

/** The addresses of a series that answer with a page. */

/** The most changes on the page of a series. */
const CHANGES = 6;

/** `/series/{key}`; `?from`: dates from that day on. */
export async function seriesByKey(c: Context, key: string, pages: Pages): Promise<Response> {
  const { library, links, site, now } = pages;
  if (!isKey(key)) return notFound(site);
  const head = await library.head(key);
  if (head?.movedTo !== undefined) return permanentRedirect(links.path(`/series/${head.movedTo}`));
  if (head?.state === 'gone') return withdrawnResponse('series', key, library, site);
  const series = head && (await library.series(key));
  if (!series) return head?.state === 'deleted' ? withdrawnResponse('series', key, library, site) : notFound(site);
  const from = requestedStart(c, series, now());
  const { zone: own } = series;
  // A series that is withdrawn between these reads has no dates.
  const none = { dates: [], times: [], similar: [], zone: own, homeZone: own };
  const dates = (await library.seriesDates(key, from)) ?? none;
  const changes = (await library.changeFeed('series', key, CHANGES))?.entries ?? [];
  const image = pages.imageOf('series', key, series.details.image);
  return pageResponse(seriesPage({ series, dates, changes, site, now: now(), from, image }), site);
}

/** `?from` as an instant, by the clocks of the series. Undefined, for today: absent, unreadable or past. */
function requestedStart(c: Context, series: SeriesPage, now: Instant): Instant | undefined {
  const asked = c.req.query('from');
  const read = asked === undefined ? undefined : readMoment('from', asked);
  if (read === undefined || 'bad' in read) return undefined;
  const z = zone(series.zone);
  const from = z === undefined ? read.value : toInstant(z, read.value);
  return from > now ? from : undefined;
}

/** The length of the window that is explained unless the address has one. */
const YEAR = 366 * DAY_MS;
/** The most rows of an explanation, so that its page stays under 100 KB. */
const ROWS = 100;

/** `/series/{key}/explain`; `?from&to`: the window, `?after`: the next rows. */
export async function explainForPeople(c: Context, pages: Pages): Promise<Response> {
  const { library, links, site } = pages;
  const now = pages.now();
  const today = now - (now % DAY_MS);
  const query = readExplainQuery(c, now, { window: { from: today, to: today + YEAR }, rows: ROWS });
  if ('bad' in query) return noticeResponse({ title: 'Not understood', says: [query.bad], status: 400 }, site);
  const found = await findExplanation(c, library, query.value);
  if (found === undefined) return notFound(site);
  if ('movedTo' in found) return permanentRedirect(links.path(`/series/${found.movedTo}/explain`), c);
  if ('isGone' in found) return withdrawnResponse('series', c.req.param('key') ?? '', library, site);
  const view = {
    explanation: found,
    site,
    now,
    window: query.value.window,
    next: nextAddress(query.value, found, links.path(`/series/${found.head.key}/explain`)),
    truncated: found.sessions === undefined ? undefined : truncated(found.sessions),
    findings: (await library.series(found.head.key))?.findings ?? [],
    isOpen: new URL(c.req.url).search !== '',
  };
  return pageResponse(explainPage(view), site);
}
