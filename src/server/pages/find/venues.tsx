import { counted, type FoundPage, type FoundRow, type Publisher } from '../../../library/index.ts';
import type { Page } from '../frame/document.tsx';
import { type Markup, separated } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { ChoiceChip, NameLink } from '../parts.tsx';
import { OpenOrNext, type ShownVenue } from '../venue/open-or-next.tsx';
import { addressWords, distanceWords } from '../wording.ts';
import { type FindQuery, searchPath } from './asked.ts';
import { Reworded, SearchBand } from './found.tsx';

interface FoundVenues {
  asked: FindQuery;
  page: FoundPage<FoundRow>;
  /** The items of `page`, with what is on next at places without hours. */
  venues: readonly ShownVenue[];
  publishers: readonly Publisher[];
  now: number;
}

/** The page of found places or facilities: each with its address, and with its state or its next occurrence. */
export function venuesPage({ asked, page, venues, publishers, now }: FoundVenues, site: Site): Page {
  const { filters, kind, nearText } = asked;
  const [one, many] = kind === 'facilities' ? ['facility', 'facilities'] : ['place', 'places'];
  const near = nearText === undefined ? '' : ` near ${nearText}`;
  const all = kind === 'facilities' ? 'Courts and pitches' : 'Places';
  const title = `${page.total === undefined ? all : counted(page.total, one, many)}${near}`;
  return {
    title,
    description: `${title}: opening hours, what is on, and calendars of both.`,
    hero: <SearchBand site={site} asked={asked} />,
    body: (
      <>
        <div class="head">
          <h1 class="h2">
            <bdi>{title}</bdi>
          </h1>
          <Kinds asked={asked} site={site} />
        </div>
        <Reworded asked={asked} page={page} site={site} />
        {page.items.length === 0 ? <p>Nothing of this name is known here. Try fewer or other words.</p> : null}
        <ul class="rows places">
          {venues.map((venue) => (
            <VenueRow venue={venue} site={site} now={now} />
          ))}
        </ul>
        {page.next === undefined ? null : (
          <p class="part">
            <a class="btn line" href={site.links.path(searchPath(filters, { kind, more: page.next }))} rel="next">
              More {many}
            </a>
          </p>
        )}
      </>
    ),
    publishers,
    path: searchPath(filters, asked),
    current: 'places',
    style: ['rows', 'home'],
    freshFor: 60,
  };
}

function Kinds({ asked, site }: { asked: FindQuery; site: Site }): Markup {
  const chip = (kind: FindQuery['kind'], words: string) => (
    <ChoiceChip href={site.links.path(searchPath(asked.filters, { kind }))} isOn={asked.kind === kind}>
      {words}
    </ChoiceChip>
  );
  return (
    <p class="chips">
      {chip('sessions', 'Sessions')}
      {chip('places', 'Places')}
      {chip('facilities', 'Courts and pitches')}
    </p>
  );
}

function VenueRow({ venue, site, now }: { venue: ShownVenue; site: Site; now: number }): Markup {
  const { row } = venue;
  const address = row.place && addressWords(row.place, row.zone, site.zone);
  const whole = row.facility === row.name ? undefined : row.facility;
  const facts = [whole, address, row.activity.slice(0, 3).join(', ')].filter((fact) => fact);
  return (
    <li>
      <NameLink href={site.links.path(`/${row.kind}/${row.key}`)} name={row.name || 'Without a name'} />
      <p class="soft">
        {separated(facts, ' · ', (fact) => (
          <bdi>{fact}</bdi>
        ))}
        {row.distanceKm === undefined ? null : <span class="num"> · {distanceWords(row.distanceKm)}</span>}
      </p>
      <OpenOrNext venue={venue} home={site.zone} now={now} />
    </li>
  );
}
