import type { Context } from 'hono';
import type { Collection, Library } from '../../library/index.ts';
import { isKey } from '../calendars/address.ts';
import type { Illustrated, ShownImage } from '../images/address.ts';
import type { Links } from '../links.ts';
import type { Site } from './frame/site.ts';

export interface Pages {
  library: Library;
  links: Links;
  site: Site;
  now(): number;
  /** A publisher's image from our own origin; undefined: there is none, or none are shown. */
  imageOf(kind: Illustrated, key: string, url: string | undefined): ShownImage | undefined;
}

const COLLECTIONS = ['series', 'places', 'facilities'] as const satisfies readonly Collection[];

/** What was asked of a list, already checked. */
interface ListSearch {
  q?: string;
  place?: string;
  kind?: Collection;
  after?: string;
}

/** What a list is asked for, out of the query; what makes no sense is left out. */
export function searchOf(c: Context): ListSearch {
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
