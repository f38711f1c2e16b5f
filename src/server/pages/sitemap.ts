import type { Collection, Library } from '../../library/index.ts';
import { utcText } from '../../time/instant.ts';
import { DAY } from '../lifetimes.ts';
import type { Links } from '../links.ts';

/** `/sitemap.xml`: the pages for search engines, written while they are read from the store. */

/** The most addresses that the protocol of sitemaps allows in one file. */
const MOST_ADDRESSES = 50_000;
/** Rows of one read. */
const PAGE = 1000;
const COLLECTIONS: readonly Collection[] = ['places', 'facilities', 'series'];
const HEADERS = { 'Content-Type': 'application/xml; charset=utf-8', ...DAY };
const OPENING =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';

/** The sitemap as a stream. */
export function sitemap(library: Pick<Library, 'keys'>, links: Links): Response {
  const body = ReadableStream.from(linesOf(library, links)).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: HEADERS });
}

/** The lines of the file, places first, because there are fewer. Keys are `[a-z0-9]`; the base address is escaped. */
async function* linesOf(library: Pick<Library, 'keys'>, links: Links): AsyncGenerator<string> {
  const base = links.base.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  yield `${OPENING}<url><loc>${base}/</loc></url>\n<url><loc>${base}/search</loc></url>\n`;
  let left = MOST_ADDRESSES - 2;
  for (const kind of COLLECTIONS) {
    let after: string | undefined;
    do {
      const { rows, next } = await library.keys(kind, { limit: Math.min(PAGE, left), ...(after && { after }) });
      left -= rows.length;
      after = next;
      const addresses = rows.map(
        ({ key, changedAt }) =>
          `<url><loc>${base}/${kind}/${key}</loc><lastmod>${utcText(changedAt)}</lastmod></url>\n`,
      );
      yield addresses.join('');
    } while (after !== undefined && left > 0);
    if (left <= 0) break;
  }
  yield '</urlset>\n';
}
