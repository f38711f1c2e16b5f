import { applicableFilters, type Filters } from '../../../search/filters.ts';
import { askedText } from '../../../search/negation.ts';
import { textFilters, withoutPart } from '../../../search/words.ts';
import { type Day, dateOfDay, dayOfDate } from '../../../time/days.ts';
import type { Page } from '../frame/document.tsx';
import { Icon } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import { PrintedAddress, SubscribeButton } from '../frame/sheet.tsx';
import type { Site } from '../frame/site.ts';
import { ChoiceChip } from '../parts.tsx';
import { shownIn } from '../times.tsx';
import { countWords, dateWords, dayName } from '../wording.ts';
import { type FindQuery, searchPath, withoutFilter } from './asked.ts';
import { Nothing, VenueChips } from './empty.tsx';
import { filtersInUse, plainWords, type WordsContext } from './filter-words.ts';
import { offeredOf, placeNames, Reworded, resultsTitle, SearchBand, type SearchResult, totalOf } from './found.tsx';
import { FilterPanel, PANEL_SCRIPT } from './panel.tsx';
import { byDay, DayList, type DayOfItems } from './rows.tsx';
import { Tiles } from './tiles.tsx';
import { asksWhere } from './typed.ts';
import {
  daysNotShown,
  type LinkedDay,
  type ShownDays,
  WEEK,
  WeekView,
  weekOf,
  wholeDays,
  withOnEachDay,
} from './week-view.tsx';

/** Results by day, with everything that narrows them. */

/** The most rows of a page of the list. */
export const ROWS = 60;
/** The most entries of a page of the week view, where they are smaller. */
export const WEEK_ROWS = 180;

/** The page of the sessions that a search finds. */
export function resultsPage(found: SearchResult, site: Site): Page {
  const { asked } = found;
  const { filters } = asked;
  const title = resultsTitle(found);
  const offered = offeredOf(found, site);
  const subscriptions = offered?.subscription ? [offered.subscription] : [];
  return {
    title,
    description: `${title}: times, places and prices, and a calendar of them that keeps itself up to date.`,
    hero: <SearchBand site={site} asked={asked} />,
    body: <ResultsBody found={found} site={site} />,
    publishers: found.publishers,
    path: searchPath(filters, asked),
    current: 'search',
    style: ['tiles', asked.view === 'week' && found.page.items.length > 0 ? 'week' : 'rows', 'filters'],
    subscriptions,
    calendars: subscriptions.map(({ address }) => address),
    script: PANEL_SCRIPT,
    freshFor: 60,
  };
}

function ResultsBody({ found, site }: { found: SearchResult; site: Site }): Markup {
  const { asked, page, days, facets, today, understood } = found;
  const { filters } = asked;
  const context = { today, places: placeNames(facets) };
  const tileAddress = (date: string) =>
    site.links.path(searchPath({ ...withoutFilter(filters, 'to'), from: date }, { view: asked.view }));
  const isWeek = asked.view === 'week';
  return (
    <div class={isWeek ? undefined : 'two left'}>
      {isWeek ? null : (
        <a class="skip" href="#results">
          Skip to the results
        </a>
      )}
      <div>
        <FilterPanel
          site={site}
          filters={filters}
          understood={understood}
          facets={facets}
          total={totalOf(found)}
          isSheet={isWeek}
        />
      </div>
      <div id="results">
        <p class="onpaper">
          <PrintedAddress address={site.links.base + searchPath(filters, asked)} />
        </p>
        <Heading found={found} site={site} inUse={filtersInUse(filters, context).length} />
        <Picks found={found} site={site} context={context} />
        {asksWhere(filters, understood) ? <WhereAreYou /> : null}
        <Reworded asked={found.asked} page={found.page} site={site} />
        <Tiles
          days={days}
          today={today}
          chosen={filters.from ?? understood?.filters.from ?? dateOfDay(today)}
          address={tileAddress}
        />
        {page.items.length === 0 ? (
          <Nothing found={found} site={site} context={context} />
        ) : (
          <>
            <Bookable found={found} site={site} />
            <Listed found={found} site={site} />
          </>
        )}
      </div>
    </div>
  );
}

/** Facilities that the words find beside the sessions: `badminton court` asks for both. */
function Bookable({ found: { asked, venues = [] }, site }: { found: SearchResult; site: Site }): Markup | null {
  if (venues.length === 0) return null;
  return (
    <ul class="chips part">
      <VenueChips filters={asked.filters} venues={venues} site={site} />
    </ul>
  );
}

function Heading({ found, site, inUse }: { found: SearchResult; site: Site; inUse: number }): Markup {
  const { filters, view } = found.asked;
  const chip = (one: FindQuery['view'], words: string) => (
    <ChoiceChip href={site.links.path(searchPath(filters, { view: one }))} isOn={view === one}>
      {words}
    </ChoiceChip>
  );

  return (
    <div class="head">
      <h1 class="h2">
        <bdi>{resultsTitle(found)}</bdi>
      </h1>
      <p class="chips">
        <button class={view === 'week' ? 'chip' : 'chip narrow'} type="button" popovertarget="filters">
          <Icon name="sliders" />
          Filters {inUse > 0 ? <span class="pill">{inUse}</span> : null}
        </button>
        {chip('list', 'List')}
        {chip('week', 'Week')}
      </p>
    </div>
  );
}

interface Pick {
  words: string;
  href: string;
}

/** Chips of the filters of the words and of the address; each removes its filter. */
function Picks({ found, site, context }: { found: SearchResult; site: Site; context: WordsContext }): Markup | null {
  const { asked, understood, page } = found;
  const { filters, view } = asked;
  const to = (rest: Filters) => site.links.path(searchPath(rest, { view }));
  const chosen = filtersInUse(filters, context).map(
    ({ name, value, words }): Pick => ({ words, href: to(withoutFilter(filters, name, value)) }),
  );
  const inText = textFilters(understood, page.leftOut);
  const typed = (understood?.understood ?? []).flatMap((part): (Pick & { text: string })[] => {
    const applicable = applicableFilters(part, filters);
    const text = askedText(part.text, part.unwanted ?? [], page.leftOut ?? []);
    const words = inText.includes(part) ? text : (partWords(applicable, context) ?? part.text);
    const isAsked = inText.includes(part) || Object.keys(applicable).length > 0;
    if (!isAsked || understood === undefined) return [];
    const q = withoutPart(understood, part);
    return [{ text: part.text, words, href: to(q === '' ? withoutFilter(filters, 'q') : { ...filters, q }) }];
  });
  if (chosen.length + typed.length === 0) return null;
  // Both parts of `weekend but not sunday` mean Saturdays. Their chips have the typed words, as each removes its own part.
  const isShared = ({ words }: Pick): boolean => typed.filter((one) => one.words === words).length > 1;
  const parts = typed.map((pick) => (isShared(pick) ? { ...pick, words: pick.text } : pick));
  const { near, from } = filters;
  const q = understood?.words ?? filters.q;
  const bare: Filters = { ...(q && { q }), ...(near && { near }), ...(from && { from }) };
  return (
    <ul class="chips scroll picks" aria-label="Filters in use">
      {[...parts, ...chosen].map(({ words, href }) => (
        <li>
          <a class="chip on" href={href}>
            <bdi>{words}</bdi> <Icon name="cross" />
            <span class="vh">, remove</span>
          </a>
        </li>
      ))}
      {chosen.length > 0 || typed.length > 1 ? (
        <li>
          <a class="bare" href={to(bare)}>
            Clear all
          </a>
        </li>
      ) : null}
    </ul>
  );
}

/** Asks for a place where the words say "near me" and the address has none. */
function WhereAreYou(): Markup {
  return (
    <p class="picks">
      <a href="#near">Where are you?</a> Type a town or postcode under Where, or tap the crosshair in it.
    </p>
  );
}

/** The filters of one part of the words: `Saturdays, before 12:00`; undefined where it has none. */
function partWords(filters: Filters, context: WordsContext): string | undefined {
  const { near, from, to, ...rest } = filters;
  const words = filtersInUse(rest, context).map((one) => one.words);
  if (typeof near === 'string') words.push(`Near ${near}`);
  if (from !== undefined && to === undefined) words.push(`From ${dateWords(dayOfDate(from), context.today)}`);
  if (to !== undefined) words.push(...filtersInUse({ ...(from && { from }), to }, context).map((one) => one.words));
  return words.length === 0 ? undefined : words.join(', ');
}

function Listed({ found, site }: { found: SearchResult; site: Site }): Markup {
  const { asked, page, today } = found;
  const { folded } = found;
  const { shown, next } = shownDays(found, site);
  const isCut = folded === undefined && next === undefined && page.next !== undefined;
  return (
    <>
      <Standing found={found} site={site} />
      <OtherClocks found={found} site={site} />
      {asked.view === 'week' ? (
        <WeekView site={site} days={shown} later={laterDays(found, site)} today={today} />
      ) : (
        shown.map((one) => <DayList site={site} {...one} today={today} further={folded?.further} wide />)
      )}
      {isCut ? <MoreOfDay found={found} site={site} last={shown.findLast(({ items }) => items.length > 0)} /> : null}
      <OtherDays found={found} site={site} next={next} />
    </>
  );
}

/** The days of a week whose sessions did not fit on the page, as links. */
function laterDays(found: SearchResult, site: Site): LinkedDay[] {
  const { filters, view } = found.asked;
  const end = filters.to === undefined ? undefined : dayOfDate(filters.to);
  const lastCounted = found.days.at(-1)?.date ?? '';
  return daysNotShown(shownDays(found, site), end).map((day) => {
    const from = dateOfDay(day);
    const known = found.days.find(({ date }) => date === from);
    const count = known?.isLeast ? undefined : (known?.count ?? (from < lastCounted ? 0 : undefined));
    return { day, count, href: site.links.path(searchPath({ ...filters, from }, { view })) };
  });
}

function Standing({ found, site }: { found: SearchResult; site: Site }): Markup | null {
  const offered = offeredOf(found, site);
  if (offered === undefined) return null;
  const { subscription, note, isUsual } = offered;
  return (
    <div class="standing noprint">
      <p class={isUsual && 'wide'}>
        {subscription === undefined ? null : <b>Have this search in your calendar.</b>} <span class="soft">{note}</span>
      </p>
      {subscription === undefined ? null : <SubscribeButton id="sub">Subscribe to this search</SubscribeButton>}
    </div>
  );
}

/** A note that times of day are those of each place, where a place has another zone than the operator. */
function OtherClocks({ found, site }: { found: SearchResult; site: Site }): Markup | null {
  const { asked, understood, page } = found;
  const { after, before } = { ...understood?.filters, ...asked.filters };
  const isElsewhere = page.items.some((item) => !item.allDay && shownIn(item.zone, site.zone, item.start).note);
  if (!isElsewhere || (after === undefined && before === undefined)) return null;
  const times = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
  return <p class="picks soft">{plainWords(times)} is meant in the time of each place: some here have other clocks.</p>;
}

function shownDays({ asked, page, folded, today }: SearchResult, site: Site): ShownDays {
  const begin = asked.filters.from === undefined ? today : dayOfDate(asked.filters.from);
  if (folded !== undefined) return { shown: byDay(folded.items, site.zone, begin), next: folded.next };
  const days = byDay(page.items, site.zone, begin);
  if (asked.view !== 'week') return wholeDays(days, page.next);
  return withOnEachDay(weekOf(days, { asked, today, cursor: page.next }), page.items, site.zone);
}

function MoreOfDay({
  found,
  site,
  last,
}: {
  found: SearchResult;
  site: Site;
  last: DayOfItems | undefined;
}): Markup | null {
  const { asked, page, days, today } = found;
  if (last === undefined || page.next === undefined) return null;
  const date = dateOfDay(last.day);
  const counted = days.find((one) => one.date === date && !one.isLeast)?.count;
  const isFirst = asked.more === undefined && counted !== undefined && counted > last.items.length;
  const more = isFirst ? `${countWords(counted - last.items.length)} more` : 'More';
  const href = site.links.path(searchPath(asked.filters, { view: asked.view, more: page.next }));
  return (
    <p class="part">
      <a href={href} rel="next">
        {more} on {dateWords(last.day, today)}
      </a>
    </p>
  );
}

/** Links to earlier and later days: results are turned by day, and have no page numbers. */
function OtherDays({ found, site, next }: { found: SearchResult; site: Site; next: Day | undefined }): Markup | null {
  const { asked, today } = found;
  const { filters, view } = asked;
  const from = filters.from === undefined ? today : dayOfDate(filters.from);
  const back = asked.more === undefined ? Math.max(today, from - WEEK) : from;
  const hasBack = from > today || asked.more !== undefined;
  const to = (day: Day) => site.links.path(searchPath({ ...filters, from: dateOfDay(day) }, { view }));
  if (!hasBack && next === undefined) return null;
  return (
    <nav class="part chips" aria-label="More days">
      {hasBack ? (
        <a class="btn line" href={to(back)}>
          <Icon name="left" />
          From {dayName(back, today)}
        </a>
      ) : null}
      {next === undefined ? null : (
        <a class="btn line" href={to(next)} rel="next">
          From {dateWords(next, today)}
          <Icon name="right" />
        </a>
      )}
    </nav>
  );
}
