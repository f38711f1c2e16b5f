import type { FoundRow } from '../../../library/index.ts';
import { isWritable } from '../../../search/query.ts';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { countWords } from '../wording.ts';
import { type FindQuery, searchPath } from './asked.ts';
import { filtersInUse, type WordsContext } from './filter-words.ts';
import { aroundOf, type SearchResult } from './found.tsx';
import { RowList } from './rows.tsx';

/** The part of a page without results: corrected words, filters to drop, and what else is on. */
export function Nothing({ found, site, context }: { found: SearchResult; site: Site; context: WordsContext }): Markup {
  const { asked, suggestions, venues = [], dateless = [], atOtherTimes, otherwise = [] } = found;
  const items = atOtherTimes ?? otherwise;
  const { filters, view } = asked;
  const { without = [], most = 0 } = suggestions ?? {};
  const didYouMean = (suggestions?.didYouMean ?? []).filter((q) => isWritable({ q }));
  const to = (rest: typeof filters) => site.links.path(searchPath(rest, { view }));
  return (
    <section class="part stack">
      {didYouMean.length + without.length + venues.length + dateless.length === 0 ? (
        <p>Try fewer or other words, or another day.</p>
      ) : null}
      <Dateless series={dateless} site={site} />
      <ul class="chips">
        <VenueChips filters={filters} venues={venues} site={site} />
        {didYouMean.map((q) => (
          <li>
            <a class="chip fill" href={to({ ...filters, q })}>
              Did you mean <bdi>{q}</bdi>?
            </a>
          </li>
        ))}
        {without.map((one) => (
          <li>
            <a class="chip" href={to(one.filters)}>
              Without <bdi>{droppedWords(one, found, context)}</bdi>{' '}
              <small>{countWords(one.count, one.count >= most)}</small>
            </a>
          </li>
        ))}
      </ul>
      {items.length === 0 ? null : (
        <>
          <h2>{atOtherTimes === undefined ? 'What is on next' : 'At other times'}</h2>
          <RowList site={site} items={items} today={found.today} />
        </>
      )}
    </section>
  );
}

/** Series that the words find, of which no dates are known: their pages say when they were last on. */
function Dateless({ series, site }: { series: readonly FoundRow[]; site: Site }): Markup | null {
  if (series.length === 0) return null;
  return (
    <>
      <h2>No dates are known</h2>
      <ul class="chips">
        {series.map(({ key, name }) => (
          <li>
            <a class="chip" href={site.links.path(`/series/${key}`)}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Links to the facilities and places that the words find, as items of a list. */
export function VenueChips({
  filters,
  venues = [],
  site,
}: Pick<SearchResult, 'venues'> & Pick<FindQuery, 'filters'> & { site: Site }): Markup {
  return (
    <>
      {venues.map(({ kind, count }) => (
        <li>
          <a class="chip fill" href={site.links.path(searchPath(aroundOf(filters), { kind }))}>
            {kind === 'facilities' ? 'Courts and pitches' : 'Places'}{' '}
            {count === undefined ? null : <small>{countWords(count)}</small>}
          </a>
        </li>
      ))}
    </>
  );
}

type Dropped = NonNullable<SearchResult['suggestions']>['without'][number];

function droppedWords(dropped: Dropped, found: SearchResult, context: WordsContext): string {
  const { name, part, also } = dropped;
  if (also !== undefined)
    return [{ name: also }, { name, part }]
      .map((one) => droppedWords({ ...dropped, ...one, also: undefined }, found, context))
      .join(' and ');
  // A part stands as it was typed: `Without not yoga` would be unclear.
  if (part !== undefined) return `“${part}”`;
  const { asked } = found;
  if (name === 'near') return `near ${asked.nearText ?? ''}`;
  const words = filtersInUse({ [name]: asked.filters[name] }, context).map(({ words, value }) =>
    value === undefined && name !== 'to' ? words.charAt(0).toLowerCase() + words.slice(1) : words,
  );
  return words.join(', ') || name;
}
