import { defined, type RecordKind } from '../../opportunity/records.ts';
import { applicableFilters, type Filters } from '../../search/filters.ts';
import { askedText } from '../../search/negation.ts';
import { queryOf } from '../../search/query.ts';
import { withWord } from '../../search/tokens.ts';
import type { Length } from '../../search/values/context.ts';
import { asSearched, textFilters, type Understood, type UnderstoodText, withoutPart } from '../../search/words.ts';
import type { Reader, SearchQuery } from '../../store/index.ts';
import { DAY_SECONDS, dateOfDay, dayOfDate } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { dayAt, toWall, type Zone, zone } from '../../time/zone.ts';
import type { LibraryOptions } from '../library.ts';
import { activityCounts, countOf, facetsOf, occurrencesByDay } from './counts.ts';
import { Finder } from './finder.ts';
import { type OccurrenceRequest, occurrencePage } from './lists/occurrence-list.ts';
import { seriesPage } from './lists/series-list.ts';
import { type RowOf, venuePage } from './lists/venue-list.ts';
import { LocalTimes, lengthIn } from './query/local-times.ts';
import { detailsAsked } from './query/matching.ts';
import { asWholeName, withWholeName } from './query/names.ts';
import { forAdults, narrowed } from './query/narrowing.ts';
import { type Resolved, resolve } from './query/resolve.ts';
import { understoodByFinding, understoodIn } from './query/understanding.ts';
import { MOST_COUNTED, suggestionsFor } from './suggestions.ts';
import type { DayCount, Facets, FoundPage, PageQuery, PopularActivity, Search, TypedFilter } from './types.ts';

/** Days whose occurrences decide which activities are popular. */
const POPULAR_DAYS = 7;
const MOST_POPULAR = 12;
/** How long counts that are the same for every caller are kept, and how many of them. */
const KEPT_MS = 60_000;
const MOST_KEPT = 100;

/** The search over a store. `rowOf`: the row of a place or facility. */
export class StoredSearch implements Search {
  readonly #read: Reader;
  readonly #options: LibraryOptions;
  readonly #rowOf: RowOf;
  readonly #kept = new Map<string, { at: number; value: Promise<unknown> }>();

  constructor(read: Reader, options: LibraryOptions, rowOf: RowOf) {
    this.#read = read;
    this.#options = options;
    this.#rowOf = rowOf;
  }

  readonly occurrences: Search['occurrences'] = async (filters, query) => {
    const asked = await this.#request('series', filters, query);
    return ofWords(asked, await occurrencePage(this.#read, asked, query));
  };

  readonly series: Search['series'] = async (filters, query) => {
    const asked = await this.#request('series', filters, query);
    return ofWords(asked, await seriesPage(this.#read, asked, query));
  };

  readonly venues: Search['venues'] = async (kind, filters, query) => {
    const asked = await this.#request(kind === 'places' ? 'place' : 'facility', filters, query);
    return ofWords(asked, await venuePage(this.#read, asked, query, this.#rowOf));
  };

  readonly facets: Search['facets'] = (filters, query) => {
    const count = async (): Promise<Facets> => {
      const { wanted, zone: home } = await this.#request('series', filters, query);
      return facetsOf(this.#read, wanted, home);
    };
    // The pages of one search share counts; programs get current ones.
    return query?.notBefore === undefined ? count() : this.#keep(`facets ${queryOf(filters)}`, count);
  };

  readonly days: Search['days'] = (filters, days) =>
    this.#keep(`days ${days} ${queryOf(filters)}`, async (): Promise<DayCount[]> => {
      const today = dayOfDate(this.#today());
      const window = { from: this.#today(), to: dateOfDay(today + days) };
      const { wanted, zone: home } = await this.#request('series', filters, { notBefore: this.#options.now() }, window);
      const dates = Array.from({ length: days }, (_, at) => today + at);
      const counts = await occurrencesByDay(this.#read, wanted, home, dates);
      return dates.map((day, at) => ({ date: dateOfDay(day), count: 0, ...counts[at] }));
    });

  readonly popular: Search['popular'] = async (limit = MOST_POPULAR) => {
    const counted = await this.#keep('popular', async (): Promise<PopularActivity[]> => {
      const to = dateOfDay(dayOfDate(this.#today()) + POPULAR_DAYS);
      const { wanted, zone: home } = await this.#request('series', { to }, undefined);
      return activityCounts(this.#read, wanted, home);
    });
    return counted.slice(0, limit);
  };

  readonly understood: Search['understood'] = async (q, beside = {}) => {
    // Words are read alike on pages of different dates.
    const { from: _from, to: _to, ...always } = beside;
    const understood = await understoodByFinding(
      this.#read,
      q,
      this.#moment(),
      always.near !== undefined,
      async (understood) => {
        const {
          resolved,
          wanted,
          zone: home,
        } = await this.#requestAs('series', { ...always, q }, understood, undefined);
        const isAny = resolved.problems.length === 0 && (await countOf(this.#read, wanted, home, 1)).count > 0;
        if (!isAny) return 'none';
        return resolved.isLess ? 'some' : resolved.isDescribed ? 'described' : 'all';
      },
    );
    return (await asWholeName(this.#read, understood, (filters) => this.#count(filters))) ?? understood;
  };

  readonly detailsAsked: Search['detailsAsked'] = async (filters) =>
    detailsAsked((await this.#request('series', filters, undefined)).wanted.query);

  readonly suggestions: Search['suggestions'] = async (filters) => {
    const understood = await this.#understood('series', filters);
    return suggestionsFor(this.#read, filters, understood, (others) => this.#count(others));
  };

  /** The number of occurrences that filters find, `MOST_COUNTED` at most. */
  async #count(filters: Filters): Promise<number> {
    const { resolved, wanted, zone: home } = await this.#request('series', filters, undefined);
    // The number for fewer words is that of another search.
    const isOther = resolved.problems.length > 0 || resolved.isLess;
    return isOther ? 0 : (await countOf(this.#read, wanted, home, MOST_COUNTED)).count;
  }

  /** The search for filters, words included. `dates`: the dates of the answer, where the query is narrowed by other ones. */
  async #request(
    kind: RecordKind,
    filters: Filters,
    query: Pick<PageQuery, 'notBefore'> | undefined,
    dates?: Pick<Filters, 'from' | 'to'>,
  ): Promise<OccurrenceRequest> {
    const understood = await this.#understood(kind, filters);
    const asked = await this.#requestAs(kind, filters, understood, query, dates);
    const { replaced } = asked.resolved;
    if (understood === undefined || replaced.length === 0) return asked;
    // A word without its typing error may be a filter: `teeens street dance`.
    const q = replaced.reduce((text, { word, by }) => withWord(text, word, by), understood.query);
    const meant = (await this.#understood(kind, { ...filters, q })) as Understood;
    if (meant.understood.length <= understood.understood.length) return asked;
    const again = await this.#requestAs(kind, filters, meant, query, dates);
    return { ...again, resolved: { ...again.resolved, replaced: [...replaced, ...again.resolved.replaced] } };
  }

  async #requestAs(
    kind: RecordKind,
    filters: Filters,
    read: Understood | undefined,
    query: Pick<PageQuery, 'notBefore'> | undefined,
    dates: Pick<Filters, 'from' | 'to'> = {},
  ): Promise<OccurrenceRequest> {
    const { compose } = this.#options;
    const understood = read && (await withWholeName(this.#read, read));
    const zones = await this.#read.searchZones();
    // Without `from` the query is narrowed by the usual window, so that all answers narrow it alike.
    const isOn = (narrow: SearchQuery, all: Filters, lasts?: Length): Promise<boolean> => {
      const since = all.from === undefined ? undefined : query?.notBefore;
      const times = this.#times(all, filters, zones, since, lasts);
      return new Finder(this.#read, compose.zone).findsOne({ query: narrow, times, cancelled: all.cancelled === true });
    };
    const whole = await resolve(this.#read, kind, filters, understood, isOn);
    const all = whole.filters;
    const { length: lasts, ...ofLength } = await heldLength(whole, kind === 'series' ? understood : undefined, isOn);
    const asked = { ...whole, ...ofLength };
    const narrow = await narrowed(this.#read, { ...asked, named: filters, understood }, (one) => isOn(one, all, lasts));
    const times = this.#times({ ...all, ...dates }, { ...filters, ...dates }, zones, query?.notBefore, lasts);
    const resolved = { ...asked, query: narrow };
    const wanted = { query: narrow, times, cancelled: all.cancelled === true };
    return { filters, understood: read, resolved, wanted, zone: compose.zone };
  }

  /** The filters of time among `all`. `named`: the filters of the address; `all` has those of the words too. */
  #times(
    all: Filters,
    named: Filters,
    zones: readonly string[],
    notBefore: Instant | undefined,
    lasts?: Length,
  ): LocalTimes {
    const { now, horizonDays, compose } = this.#options;
    // Dates in words, such as "today", mean what starts on them and has not ended.
    const startsInside = named.from === undefined && all.from !== undefined;
    const since = notBefore ?? (startsInside ? now() : undefined);
    const { zone: home } = compose;
    return new LocalTimes(all, { now: now(), horizonDays, zone: home, zones, notBefore: since, startsInside, lasts });
  }

  async #understood(kind: RecordKind, filters: Filters): Promise<Understood | undefined> {
    const { q } = filters;
    if (q === undefined) return undefined;
    // Words of searches for places and facilities are read once, because no reading finds more of them by times.
    return kind === 'series' ? this.understood(q, filters) : understoodIn(this.#read, q, this.#moment());
  }

  #moment(): { today: string; time: number } {
    const wall = toWall(this.#home(), this.#options.now());
    return { today: this.#today(), time: Math.floor(wall / 1000) % DAY_SECONDS };
  }

  #home(): Zone {
    return zone(this.#options.compose.zone) as Zone;
  }

  #today(): string {
    return dateOfDay(dayAt(this.#home(), this.#options.now()));
  }

  /** An answer that is the same for every caller, made anew after `KEPT_MS`. */
  #keep<T>(name: string, make: () => Promise<T>): Promise<T> {
    const now = this.#options.now();
    const known = this.#kept.get(name);
    if (known !== undefined && now >= known.at && now < known.at + KEPT_MS) return known.value as Promise<T>;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const value = make();
    this.#kept.set(name, { at: now, value });
    value.catch(() => this.#kept.delete(name));
    return value;
  }
}

/**
 * The length that words ask for, where something of that length is open to the ages that they name, or to adults where they name
 * none. Otherwise the words for the length are unmatched.
 */
async function heldLength(
  { query, filters, leftOut, unmatched }: Resolved,
  understood: Understood | undefined,
  isOn: (query: SearchQuery, all: Filters, lasts: Length) => Promise<boolean>,
): Promise<Pick<Resolved, 'leftOut' | 'unmatched' | 'forChildren'> & { length?: Length }> {
  const { length, texts } = lengthIn(understood) ?? { texts: [] };
  const left = { leftOut: leftOut.filter((text) => !texts.includes(text)), unmatched };
  const isAsLong = async (one: SearchQuery) => length !== undefined && (await isOn(one, filters, length));
  if (length !== undefined && (await isAsLong(forAdults(query)))) return { ...left, length };
  const isOfChildren = texts.length > 0 && query.age === undefined && (await isAsLong(query));
  return { ...left, unmatched: [...unmatched, ...texts], ...(isOfChildren && { forChildren: true }) };
}

/** With what a list itself does not know of its words. */
function ofWords<Item>(
  { filters, understood, resolved: { nowhere, leftOut, unmatched, forChildren } }: OccurrenceRequest,
  page: FoundPage<Item>,
): FoundPage<Item> {
  const typed = understood === undefined ? [] : askedParts(asSearched(understood, unmatched), filters, leftOut);
  return {
    ...page,
    ...(typed.length > 0 && { understood: typed }),
    ...(leftOut.length > 0 && { leftOut }),
    ...(unmatched.length > 0 && { unmatched }),
    ...defined({ nowhere, forChildren }),
  };
}

/**
 * Parts of the words that are searched for as filters, each with the words without it. `named`: the filters of the address.
 */
function askedParts(understood: Understood, named: Filters, leftOut: readonly string[]): TypedFilter[] {
  const inText = textFilters(understood, leftOut);
  const isAsked = (part: UnderstoodText): boolean =>
    inText.includes(part) || Object.keys(applicableFilters(part, named)).length > 0;
  const parts = understood.understood.filter((part) => isAsked(part) && !leftOut.includes(part.text));
  return parts.map((part) => ({
    text: askedText(part.text, part.unwanted ?? [], leftOut),
    rest: withoutPart(understood, part),
  }));
}
