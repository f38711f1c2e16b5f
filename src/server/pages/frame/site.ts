import type { Library } from '../../../library/index.ts';
import type { Illustrated, ShownImage } from '../../images/address.ts';
import { type Links, links } from '../../links.ts';
import { type Theme, themeOf } from './theme.ts';

/** The settings and sources that every page takes. */

/** The look of the service: the settings of `brand`. */
export interface Brand {
  /** The name in the header, in the title of each page, and in `og:site_name`. */
  name?: string | undefined;
  /** `path`: below the base address, with a hash of the file. */
  logo?: { path: string; width: number; height: number } | undefined;
  /** `#rrggbb` */
  accent?: string | undefined;
  imprint?: string | undefined;
  privacy?: string | undefined;
  /** IANA zone of the operator; default Europe/London. */
  zone?: string | undefined;
}

const NAME = 'Active calendars';
const ZONE = 'Europe/London';

/** The context of every page besides its content. */
export interface Site {
  links: Links;
  name: string;
  brand: Brand;
  /** IANA zone in which days begin on pages that mix places. */
  zone: string;
  theme: Theme;
  /** Whether the base address is that of this machine alone, and the caller is on another one. */
  isForeign: boolean;
  /** A list that its links carry, for browsers without JavaScript (`my/carried.ts`). */
  carried?: string;
}

/** The sources of pages about the library. */
export interface PageRoutes {
  library: Library;
  site: Site;
  now(): number;
}

/** The sources of pages and JSON. */
export interface Pages extends PageRoutes {
  links: Links;
  /** A publisher's image on this origin; undefined where there is none, or images are turned off. */
  imageOf(kind: Illustrated, key: string, url: string | undefined): ShownImage | undefined;
}

/**
 * The site for a base address.
 * @throws TypeError where the base address is not http(s)
 */
export function siteOf(baseUrl: string, brand: Brand = {}, isForeign = false): Site {
  const { name = NAME, zone = ZONE, accent } = brand;
  return { links: links(baseUrl), name, brand, zone, theme: themeOf(accent), isForeign };
}

/**
 * Whether a name of a host means the machine itself: `127.0.0.1`, `[::1]`, `localhost`, and names that end in `.localhost`.
 */
export function isLocal(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
