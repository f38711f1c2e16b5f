import { type Library, tokenOf } from '../../../library/index.ts';
import { defined } from '../../../opportunity/records.ts';

/** Examples of the described addresses, with keys that this store has now. */

/** Values for the parameters of paths. A path whose parameter has no value has no example. */
export interface KnownExamples {
  series?: string;
  /** The `@id` of `series`. */
  id?: string;
  places?: string;
  facilities?: string;
  feed?: number;
}

/** The rows among which an example with a calendar is looked for. */
const ROWS = 20;

/** A series, a place, a facility and a feed of this store, with a calendar where the first `ROWS` have one. */
export async function knownOf(library: Pick<Library, 'feeds' | 'search' | 'series'>): Promise<KnownExamples> {
  const [found, places, facilities, sources] = await Promise.all([
    library.search.series({}, { limit: ROWS }),
    library.search.venues('places', {}, { limit: ROWS }),
    library.search.venues('facilities', {}, { limit: ROWS }),
    library.feeds(),
  ]);
  const [one, place, facility] = [found, places, facilities].map(
    ({ items }) => (items.find(({ calendar }) => calendar) ?? items[0])?.key,
  );
  const id = one === undefined ? undefined : (await library.series(one))?.id;
  const feed = sources[0]?.id;
  return defined({ series: one, id, places: place, facilities: facility, feed });
}

const FILTERED = 'day=sat,sun&before=13:00';
/** Queries of the examples. */
const QUERIES: Readonly<Record<string, string>> = {
  '/api/occurrences': `${FILTERED}&limit=5&facets=1`,
  '/api/series': 'q=yoga&limit=5',
  '/api/places': 'limit=5',
  '/api/facilities': 'limit=5',
  '/api/series/{key}/explain': 'limit=20',
  '/search.ics': FILTERED,
  '/search': FILTERED,
  '/embed/search': `${FILTERED}&theme=dark`,
  '/embed/places/{key}': 'accent=0b6338',
  '/my/{token}.ics': 'name=My+week&prefix=place',
};

/** An example of a path, below the base address and with a query; undefined where the store has no value for a parameter. */
export function exampleOf(path: string, known: KnownExamples): string | undefined {
  const kind = (/\/(series|places|facilities)/.exec(path) ?? [])[1] as 'series' | 'places' | 'facilities' | undefined;
  if (kind !== undefined && path === `/${kind}`) return idExample(path, kind, known);
  const values: Readonly<Record<string, string | undefined>> = {
    key: kind && known[kind],
    token: known.series && tokenOf([{ kind: 'series', key: known.series }]),
    id: known.feed === undefined ? undefined : String(known.feed),
  };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => values[name] === undefined)) return undefined;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] as string);
  const query = QUERIES[path];
  return query === undefined ? filled : `${filled}?${query}`;
}

function idExample(path: string, kind: string, { id }: KnownExamples): string | undefined {
  return kind === 'series' && id !== undefined ? `${path}?id=${encodeURIComponent(id)}` : undefined;
}
