import type { Context } from 'hono';
import { type ChosenList, fitting, listName, listOptions, thingsOf, tokenOf } from '../../../library/index.ts';
import type { Links } from '../../links.ts';
import type { Site } from '../frame/site.ts';

/**
 * A list that goes along in the addresses of pages, for browsers without JavaScript: `?list=TOKEN`, or `?list=TOKEN?name=…`
 * where it has options. The script of the frame takes it out of the address again. An edit key is never carried.
 */

/** The most characters of a carried list: a hundred series and a name. A page repeats it in about a hundred links. */
const MOST_CARRIED = 2048;

/** The path of a list's page with the list in it. `removed`: the thing that the page offers to put back. */
export function listPath(list: ChosenList, isMine: boolean, removed?: string): string {
  const { things, name, prefix, cancelled } = list;
  const params = new URLSearchParams({ token: things.length === 0 ? '' : tokenOf(things) });
  if (name !== undefined) params.set('name', name);
  if (prefix !== undefined) params.set('prefix', prefix);
  if (cancelled === false) params.set('cancelled', '0');
  if (isMine) params.set('mine', '1');
  if (removed !== undefined) params.set('removed', removed);
  return `/my?${params}`;
}

/** The routes for a request. Where its address carries a list, the links to other pages carry it too. */
export function carrying<T extends { site: Site; links: Links }>(c: Context, routes: T): T {
  const text = new URL(c.req.url).searchParams.get('list') ?? '';
  const list = text === '' ? undefined : carriedList(text);
  if (list === undefined) return routes;
  const site = siteWith(list, routes.site);
  return { ...routes, site, links: site.links };
}

/** A site whose links carry the list; the same site where the list is empty or too long. */
export function siteWith(list: ChosenList, site: Site): Site {
  const carried = carriedText(list);
  if (carried === undefined) return site;
  const path = (to: string) => site.links.path(pathWith(to, list, carried));
  return { ...site, carried, links: { ...site.links, path } };
}

function carriedText({ things, ...options }: ChosenList): string | undefined {
  if (things.length === 0) return undefined;
  const text = listName(tokenOf(things), options).slice('my/'.length);
  return text.length > MOST_CARRIED ? undefined : text;
}

function carriedList(text: string): ChosenList | undefined {
  const [token = '', query = ''] = text.split('?');
  const things = text.length > MOST_CARRIED ? undefined : thingsOf(token);
  return things && { things: fitting(things), ...listOptions(new URLSearchParams(query)) };
}

/** Paths of pages that can carry a list: the first page, searches, series, places and facilities. */
const PAGES = /^\/(?:(?:search)?(?=$|[?#])|(?:series|places|facilities)\/[a-z0-9]+(?=$|[?#]))/;

function pathWith(path: string, list: ChosenList, carried: string): string {
  if (path === '/my') return listPath(list, false);
  if (path.startsWith('/my?add=')) return `${listPath(list, false)}&${path.slice('/my?'.length)}`;
  if (!PAGES.test(path) || /[?&]list=/.test(path)) return path;
  const [before = '', hash] = path.split('#');
  const sign = before.includes('?') ? '&' : '?';
  return `${before}${sign}list=${encodeURIComponent(carried)}${hash === undefined ? '' : `#${hash}`}`;
}
