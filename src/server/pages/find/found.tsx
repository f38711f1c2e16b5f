import { thingPath } from '../../../dav/index.ts';
import {
  counted,
  type DayCount,
  type Facets,
  type FoundPage,
  type FoundRow,
  type OccurrenceItem,
  type Publisher,
  type Suggestions,
} from '../../../library/index.ts';
import { defined } from '../../../opportunity/records.ts';
import { applicableFilters, type Filters } from '../../../search/filters.ts';
import { askedText } from '../../../search/negation.ts';
import { isWritable, queryOf, writable } from '../../../search/query.ts';
import { subjectOf } from '../../../search/subject.ts';
import { withWord } from '../../../search/tokens.ts';
import { textFilters, type Understood } from '../../../search/words.ts';
import { type Day, dayOfDate } from '../../../time/days.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { Hero, SearchForm } from '../frame/band.tsx';
import { type Markup, type Piece, separated } from '../frame/markup.tsx';
import type { Subscription } from '../frame/sheet.tsx';
import type { Site } from '../frame/site.ts';
import { addAddress } from '../frame/tray.tsx';
import { dateWords, daysWords, listWords } from '../wording.ts';
import { calendarFilters, type FindQuery, searchPath } from './asked.ts';
import { filtersInUse } from './filter-words.ts';
import type { Folded } from './folded.ts';
import { asksWhere, searchedWords } from './typed.ts';

/** A search with its results: title, notes on its words, and the calendar that it offers. */

/** A search with its results. */
export interface SearchResult {
  asked: FindQuery;
  understood: Understood | undefined;
  page: FoundPage<OccurrenceItem>;
  days: readonly DayCount[];
  facets: Facets;
  /** The results with each series once, where they repeat few series. */
  folded?: Folded;
  /** Where nothing was found. */
  suggestions?: Suggestions;
  /** Facilities and places that the same words find. `count`: undefined where they are too many to be counted. */
  venues?: readonly { kind: 'facilities' | 'places'; count: number | undefined }[];
  /** Occurrences at other times, where nothing was found at the requested ones. */
  atOtherTimes?: readonly OccurrenceItem[];
  /** Series that the words find and that have no dates, where nothing was found. */
  dateless?: readonly FoundRow[];
  /** Occurrences near the place, whatever the words, where nothing was found at any time. */
  otherwise?: readonly OccurrenceItem[];
  today: Day;
  publishers: readonly Publisher[];
}

/** The filters that apply to facilities and places too: words and position. */
export function aroundOf({ q, near, within }: Filters): Filters {
  return defined({ q, near, within });
}

/** `9 yoga sessions near Wexcombe on Tue 24 Nov`, `3 sessions at Harbour Lane` */
export function resultsTitle(found: SearchResult): string {
  const { asked, understood, page } = found;
  if (page.items.length === 0) return nothingTitle(asked);
  const total = totalOf(found);
  // Words such as `something to do` and `classes` name no subject.
  const [activity = '', ...others] = valueWords(asked.filters, 'activity', found.today);
  const subject = subjectOf(searchedWords(understood, page), activityList()) || (others.length === 0 ? activity : '');
  const noun = subject === '' ? 'session' : `${subject} session`;
  const what = total === undefined ? `${noun[0]?.toUpperCase()}${noun.slice(1)}s` : counted(total, noun);
  return `${what}${placeAsked(found)}${daysAsked(found)}`;
}

/** The number of sessions that were found; undefined where they were not counted to the end. */
export function totalOf({ asked, page, facets }: SearchResult): number | undefined {
  return page.total ?? (facets.whole && asked.more === undefined ? facets.counted : undefined);
}

/** ` at` the one requested place, else ` near` the requested position. */
function placeAsked({ asked: { filters, nearText }, understood, facets }: SearchResult): string {
  const [place = '', ...others] = filters.place ?? [];
  const name = others.length === 0 ? placeNames(facets).get(place) : undefined;
  if (name !== undefined) return ` at ${name}`;
  if (filters.near !== undefined) return typeof filters.near === 'string' ? ` near ${nearText}` : ' near you';
  const near = understood?.filters.near;
  return typeof near === 'string' && near !== 'me' ? ` near ${near}` : '';
}

/** The days of the address, else those of the words. */
function daysAsked({ asked, understood, today }: SearchResult): string {
  const typed = understood === undefined ? {} : applicableFilters(understood, asked.filters);
  const { from, to, day = [] } = { ...typed, ...asked.filters };
  const first = from === undefined ? today : dayOfDate(from);
  if (to !== undefined) {
    const last = dayOfDate(to) - 1;
    return last > first ? `, ${daysWords(first, last, today)}` : ` on ${dateWords(first, today)}`;
  }
  const weekdays = valueWords({ day }, 'day', today);
  const on = weekdays.length === 0 ? '' : ` on ${listWords(weekdays)}`;
  return from === undefined ? on : `${on} from ${dateWords(first, today)}`;
}

/** The values of one filter, in words. */
function valueWords(filters: Filters, name: 'activity' | 'day', today: Day): string[] {
  const context = { today, places: new Map<string, string>() };
  return filtersInUse({ [name]: filters[name] }, context).map(({ words }) => words);
}

/** `Nothing for “yooga” near Wexcombe` */
function nothingTitle({ filters, nearText }: FindQuery): string {
  const near = nearText === undefined ? '' : ` near ${nearText}`;
  return filters.q === undefined ? `Nothing${near} on these days` : `Nothing for “${filters.q}”${near}`;
}

/**
 * The search form in one line, with the words of the search. New words keep kind, view and filters, which chips can remove.
 */
export function SearchBand({ site, asked, wrongNear }: { site: Site; asked: FindQuery; wrongNear?: Piece }): Markup {
  const { kind, view, nearText, filters } = asked;
  const others = [...new URLSearchParams(queryOf(writable(filters)))].filter(
    ([name]) => name !== 'q' && name !== 'near',
  );
  const hidden = [
    ...(kind === 'sessions' ? [] : [['kind', kind] as const]),
    ...(view === 'list' ? [] : [['view', view] as const]),
    ...others,
  ];
  return (
    <Hero slim>
      <SearchForm site={site} words={{ q: filters.q, near: nearText, wrongNear, hidden }} />
    </Hero>
  );
}

/**
 * Notes on words that were searched for differently: corrected, or left out because no search has such a filter or nothing
 * has them all.
 */
export function Reworded({ asked, page, site }: { asked: FindQuery; page: Worded; site: Site }): Markup {
  const { filters, kind } = asked;
  const asks = kind === 'sessions' ? 'no search' : `no list of ${kind}`;
  const nothing = page.forChildren ? 'Nothing for adults' : 'Nothing';
  const children = site.links.path(searchPath({ ...filters, age: CHILDREN }, asked));
  return (
    <>
      <Replaced asked={asked} page={page} site={site} />
      <LeftOut parts={page.leftOut} why={`Left out, because ${asks} can ask for it:`} />
      <LeftOut parts={page.items.length > 0 ? page.unmatched : []} why={`${nothing} has all of it. Shown without`}>
        {page.forChildren ? <a href={children}>Show what is for children</a> : null}
      </LeftOut>
    </>
  );
}

const CHILDREN = { min: 0, max: 17 };

type Worded = Pick<FoundPage<unknown>, 'items' | 'replaced' | 'leftOut' | 'unmatched' | 'forChildren'>;

/** The words that were corrected, with a link to the search for the word as it was typed. */
function Replaced({ asked, page, site }: { asked: FindQuery; page: Worded; site: Site }): Markup | null {
  const { filters, kind } = asked;
  const { q } = filters;
  if (page.replaced.length === 0 || q === undefined) return null;
  const quoted = (word: string): Filters => ({ ...filters, q: withWord(q, word, `"${word}"`) });
  return (
    <p class="picks">
      {page.replaced.map(({ word, by }) => (
        <>
          Showing <b>{by}</b>.{' '}
          {isWritable(quoted(word)) ? (
            <>
              <a href={site.links.path(searchPath(quoted(word), { kind }))}>
                Search for <bdi>{word}</bdi> instead
              </a>
              .{' '}
            </>
          ) : null}
        </>
      ))}
    </p>
  );
}

interface LeftOutOptions {
  parts: readonly string[] | undefined;
  why: string;
  children?: Markup | null;
}

/** Parts of the words that were not searched for. `children`: what to do about it. */
function LeftOut({ parts = [], why, children }: LeftOutOptions): Markup | null {
  if (parts.length === 0) return null;
  return (
    <p class="picks">
      {why}{' '}
      {separated(parts, ', ', (part) => (
        <>
          “<bdi>{part}</bdi>”
        </>
      ))}
      . {children}
    </p>
  );
}

/** The calendar of a search. `note`: which days it shows, or why there is no calendar. */
interface Offered {
  subscription?: Subscription;
  note: string;
  /** Whether the note is the usual one, which narrow screens leave out. */
  isUsual?: true;
}

/** A calendar keeps a range of more days, such as a season, and leaves a shorter one out. */
const FEW_DAYS = 14;

/** The calendar of a search; undefined where nothing was found, or where "near me" has no position. */
export function offeredOf(found: SearchResult, site: Site): Offered | undefined {
  const { asked, understood, today, page } = found;
  if (page.items.length === 0 || asksWhere(asked.filters, understood)) return undefined;
  const { from, to } = asked.filters;
  if (from === undefined && to === undefined && hasFixedDates(found))
    return { note: 'A calendar of these dates would be empty soon: leave them out to subscribe.' };
  if (to === undefined)
    return { subscription: subscriptionOf(found, calendarFilters(asked.filters), '', site), ...movingNote(found) };
  const [first, last] = [from === undefined ? today : dayOfDate(from), dayOfDate(to) - 1];
  const dates = last > first ? daysWords(first, last, today) : dateWords(first, today);
  if (last - first >= FEW_DAYS) {
    const note = `It ends with these dates: ${dates}.`;
    return { subscription: subscriptionOf(found, asked.filters, note, site), note };
  }
  const { from: _from, to: _to, ...always } = asked.filters;
  const note = `With all its dates, not only ${dates}.`;
  return { subscription: subscriptionOf(found, always, note, site), note };
}

/** The note on words such as "tonight", which mean another day every day; else the usual note. */
function movingNote({ understood }: SearchResult): Pick<Offered, 'note' | 'isUsual'> {
  const part = understood?.understood.find(({ filters }) => filters.to !== undefined);
  if (part === undefined) return { note: 'New matches appear by themselves.', isUsual: true };
  return { note: `“${part.text}” is read anew every day.` };
}

/** Words for dates that do not move from day to day: "24 Nov", and not "tonight". */
const FIXED =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|christmas|xmas|boxing day|new year|easter|summer|\d-\d|\d\/\d|\d(?:st|nd|rd|th)\b/i;

function hasFixedDates({ understood }: SearchResult): boolean {
  return understood?.understood.some(({ filters, text }) => filters.to !== undefined && FIXED.test(text)) ?? false;
}

/** The filters of the words and of the address as chips name them, without days: the note has these. */
function filterWords({ asked, understood, facets, today, page }: SearchResult): string[] {
  const typed = understood === undefined ? {} : applicableFilters(understood, asked.filters);
  const { from: _from, to: _to, ...others } = { ...typed, ...asked.filters };
  const { leftOut = [] } = page;
  const inText = textFilters(understood, leftOut).map(({ text, unwanted = [] }) => askedText(text, unwanted, leftOut));
  const words = [...inText, ...filtersInUse(others, { today, places: placeNames(facets) }).map((one) => one.words)];
  return typeof typed.near === 'string' ? [...words, `Near ${typed.near}`] : words;
}

/** Names of the places that were counted, by key. */
export function placeNames({ place }: Facets): Map<string, string> {
  return new Map(place.map(({ key, name }) => [key, name]));
}

function subscriptionOf(found: SearchResult, filters: Filters, note: string, site: Site): Subscription {
  const { asked, understood, page } = found;
  const query = queryOf(filters);
  const parts = [
    searchedWords(understood, page),
    typeof filters.near === 'string' ? `near ${asked.nearText}` : undefined,
  ];
  const name = parts.filter((one) => one !== undefined && one !== '').join(' ') || site.name;
  const { base } = site.links;
  const what = [`${name[0]?.toUpperCase()}${name.slice(1)}`, ...filterWords(found)].join(' · ');
  const says = `${what}: whatever matches appears by itself; what is cancelled is marked.`;
  return {
    id: 'sub',
    title: 'Subscribe to this search',
    says: note === '' ? says : `${says} ${note}`,
    address: `${base}/search.ics${query === '' ? '' : `?${query}`}`,
    ...(query !== '' && { dav: base + thingPath({ kind: 'search', query }) }),
    name,
    page: base + searchPath(filters),
    add: { entry: `search?${query}`, href: addAddress(site, `search?${query}`) },
  };
}
