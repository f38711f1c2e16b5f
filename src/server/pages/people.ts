import type { Context } from 'hono';
import type { Collection, Library, Listing } from '../../library/index.ts';
import { isKey } from '../calendars/address.ts';
import type { Links } from '../links.ts';
import { pageResponse } from './frame/document.tsx';
import type { Site } from './frame/site.ts';
import { COLLECTIONS, type Found, homePage, type Search } from './home.ts';

export interface Pages {
  library: Library;
  links: Links;
  site: Site;
  now(): number;
  /** Our own address of a picture elsewhere; absent: pictures are not shown. */
  imageAddress?: (url: string) => string | undefined;
}

/** Rows of one list on one page; the first page shows fewer places, because most people look for a session. */
const ROWS = 20;
const VENUES_ON_FIRST = 8;

/** `/`: the lists, searched with `q`, filtered with `kind` and `place`, continued with `after`. */
export async function home(c: Context, { library, links, site }: Pages): Promise<Response> {
  const search = searchOf(c);
  const { kind, ...query } = search;
  const list = async (one: Collection): Promise<[Collection, Listing]> => {
    const limit = kind === undefined && one !== 'series' ? VENUES_ON_FIRST : ROWS;
    return [one, await library.list({ ...query, kind: one, limit })];
  };
  const shown = kind === undefined ? COLLECTIONS : [kind];
  const [lists, publishers] = await Promise.all([Promise.all(shown.map(list)), library.publishers()]);
  const found: Found = { lists: new Map(lists), publishers };
  return pageResponse(homePage(search, found, links), site);
}

/** What a list is asked for, out of the query; what makes no sense is left out. */
export function searchOf(c: Context): Search {
  const { q = '', kind, place, after } = c.req.query();
  const words = q.trim().slice(0, 200).toWellFormed();
  const atPlace = place !== undefined && isKey(place);
  const chosen = chosenKind(kind, atPlace);
  return {
    ...(words !== '' && { q: words }),
    ...(chosen && { kind: chosen }),
    ...(atPlace && { place }),
    // A cursor belongs to one list.
    ...(after && after.length <= 500 && chosen && { after }),
  };
}

/** Places are not at a place. */
function chosenKind(kind: string | undefined, atPlace: boolean): Collection | undefined {
  const chosen = COLLECTIONS.find((one) => one === kind);
  return atPlace && chosen !== 'facilities' ? 'series' : chosen;
}
