import type { Context } from 'hono';
import { listPath as homePath } from '../../../dav/index.ts';
import { type ChosenList, type Thing, tokenOf } from '../../../library/index.ts';
import { pageResponse } from '../frame/document.tsx';
import { notFound } from '../frame/notice.tsx';
import type { PageRoutes } from '../frame/site.ts';
import { askedList, keptToken, removedFrom, seeOther } from './asked.ts';
import { listPath, siteWith } from './carried.ts';
import { calendarPath, isOffered, MyBody, type MyPage, SHEET_ID, UNNAMED } from './page.tsx';
import { MY_SCRIPT } from './script.ts';
import { shownList } from './shown.ts';

/** The answers at `/my` and `/my/{token}`. */

/** `/my`: the list in the query; an empty list without one. */
export async function myPage(c: Context, routes: PageRoutes): Promise<Response> {
  const asked = askedList(c);
  if (asked === undefined) return notFound(routes.site);
  const { list, isMine, isChanged, removed } = asked;
  // A redirect to the address of the changed list, so that reloading the page changes nothing.
  if (isChanged) return seeOther(routes.site.links.path(listPath(list, isMine, removed)));
  return listResponse(list, { isMine }, routes, removedFrom(c, list));
}

/** `/my/{token}`: a stored list, which `?edit` may change. A token that holds its list leads to `/my`. */
export async function listPage(c: Context, routes: PageRoutes): Promise<Response> {
  const path = c.req.path;
  const token = keptToken(path);
  const list = await routes.library.chosenList(token ?? path.slice(path.lastIndexOf('/') + 1));
  if (list === undefined) return notFound(routes.site);
  if (token === undefined) return seeOther(routes.site.links.path(listPath(list, false)));
  const key = c.req.query('edit') || undefined;
  if (key === undefined || (await routes.library.isEditKey(token, key)))
    return listResponse(
      list,
      { isMine: false, kept: { token, editKey: key } },
      routes,
      key === undefined ? key : removedFrom(c, list),
    );
  return listResponse(list, { isMine: false, kept: { token, isWrongKey: true } }, routes);
}

async function listResponse(
  list: ChosenList,
  how: Pick<MyPage, 'isMine' | 'kept'>,
  { library, site, now }: PageRoutes,
  gone?: Thing,
): Promise<Response> {
  const at = now();
  const around = { library, now: at, home: site.zone };
  const shown = await shownList(list, around);
  const removed = gone && (await shownList({ things: [gone] }, around)).things[0];
  const address = site.links.base + calendarPath(list, how.kept?.token);
  const carrier = siteWith(list, site);
  const page: MyPage = { site, to: carrier.links.path, list, shown, removed, now: at, ...how, address };
  const title = list.name ?? UNNAMED;
  const says = `${shown.things.map(({ name }) => name).join(', ')}, in one calendar.`;
  const ownPage = `${site.links.base}/my/${how.kept?.token}`;
  const dav = site.links.base + homePath(how.kept?.token ?? tokenOf(list.things));
  const sheet = { id: SHEET_ID, title: `Subscribe to “${title}”`, says, address, dav, name: title, page: ownPage };
  const isKept = how.kept !== undefined && isOffered(shown);
  return pageResponse(
    {
      title,
      description: 'Choose classes, places and searches; get one calendar address for all of them.',
      body: MyBody(page),
      publishers: shown.publishers,
      current: 'my',
      style: ['rows', 'my'],
      subscriptions: isKept ? [sheet] : [],
      script: MY_SCRIPT,
      isPrivate: true,
      isHidden: list.things.length > 0,
    },
    carrier,
  );
}
