import { hasOnlyPatterns } from '../../../calendar/wording/partial-schedules.ts';
import { compareText } from '../../../opportunity/ids.ts';
import { defined } from '../../../opportunity/records.ts';
import type { Reader, SearchHit } from '../../../store/index.ts';
import { Finder } from '../finder.ts';
import type { Hit, Wanted } from '../hits.ts';
import type { FoundPage, FoundRow, PageQuery } from '../types.ts';
import { cursorText, readCursor, refusedPage } from './cursor.ts';
import { itemPlace } from './items.ts';
import type { OccurrenceRequest } from './occurrence-list.ts';

/** A page of series: by rank where there are words, else by next start, those without dates last. */

/** The most series of a list by rank. */
const MOST_RANKED = 1000;
/** Ranks by which the last series of a page may have moved when the next page is read. */
const MOVED = 20;
/**
 * Series that are read for each that is shown, where filters of time leave some out. Each further read has as many times
 * more.
 */
const FILTERED = 4;
/** The most series among which those without dates are looked for. */
const MOST_DATELESS = 10_000;
/** The most series that are counted. */
const MOST_COUNTED = 1000;
/** The most series whose dates one page looks for. */
const MOST_PROBED = 2000;
const BY_START = 'series';
const BY_RANK = 'series by rank';
const DATELESS = 'series without dates';

/** A series with its next occurrence. */
interface ListedSeries {
  record: number;
  next?: Hit;
}

interface RankedHit extends Pick<SearchHit, 'record'> {
  /** Whether the series does not match itself, but some of its sessions do. */
  bySession?: true;
}

interface Page {
  listed: ListedSeries[];
  next?: string;
}

/** One page of the series that a search finds, each with its next occurrence. */
export async function seriesPage(
  read: Reader,
  asked: OccurrenceRequest,
  query: PageQuery,
): Promise<FoundPage<FoundRow>> {
  const { replaced, problems } = asked.resolved;
  const list = new SeriesList(read, asked);
  const page = await list.page(query);
  const refused = refusedPage(asked.resolved, query.after, page);
  if (refused) return refused;
  const items: FoundRow[] = [];
  for (const one of page?.listed ?? []) items.push(...(await list.row(one)));
  const total = await list.total();
  return { items, replaced, problems, ...defined({ total, next: page?.next }) };
}

class SeriesList {
  readonly #read: Reader;
  readonly #asked: OccurrenceRequest;
  readonly #finder: Finder;

  constructor(read: Reader, asked: OccurrenceRequest) {
    this.#read = read;
    this.#asked = asked;
    this.#finder = new Finder(read, asked.zone);
  }

  /** A page; undefined where the cursor is of another search. */
  async page({ after, limit }: PageQuery): Promise<Page | undefined> {
    const { filters, resolved } = this.#asked;
    if (resolved.problems.length > 0) return { listed: [] };
    if (isRanked(this.#asked)) {
      const cursor = readCursor(BY_RANK, filters, after);
      return after !== undefined && cursor === undefined
        ? undefined
        : this.#ranked(limit, cursor?.at ?? -1, cursor?.id);
    }
    const start = readCursor(BY_START, filters, after);
    const dateless = readCursor(DATELESS, filters, after);
    if (after !== undefined && start === undefined && dateless === undefined) return undefined;
    if (dateless !== undefined) return this.#dateless(limit, dateless.at);
    const page = await this.#byStart(limit, start);
    const room = limit - page.listed.length;
    if (page.next !== undefined || this.#asked.wanted.times.isFiltering) return page;
    const rest = await this.#dateless(Math.max(1, room), 0);
    if (room > 0) return { ...rest, listed: [...page.listed, ...rest.listed] };
    return rest.listed.length === 0 ? page : { ...page, next: cursorText(DATELESS, filters, { at: 0, id: '' }) };
  }

  /** The number of series; undefined where they were not counted. */
  async total(): Promise<number | undefined> {
    const { times, query } = this.#asked.wanted;
    if (times.isFiltering) return undefined;
    const total = await this.#read.countWithin(query, MOST_COUNTED);
    const others = total === undefined ? new Set() : await this.#foundBySessions();
    if (others.size === 0) return total;
    const own = new Set((await this.#read.search(query, MOST_COUNTED)).map(({ record }) => record));
    return others.isSubsetOf(own) ? total : undefined;
  }

  async row({ record, next }: ListedSeries): Promise<FoundRow[]> {
    const known = await this.#finder.records.series(record);
    if (known === undefined) return [];
    const { series, key, venue, sessions } = known;
    const { name = '', activity = [] } = series.details;
    const place = itemPlace(
      series.details,
      await this.#finder.records.placeOf(series.details, venue),
      this.#asked.resolved.near,
    );
    const zone = next?.zone ?? (await this.#read.searchFacts([record])).get(record)?.zone ?? this.#asked.zone;
    return [
      {
        key,
        kind: 'series',
        name,
        type: series.type,
        activity,
        zone,
        calendar: !hasOnlyPatterns(series, sessions),
        ...(next?.occurrence.allDay && { nextAllDay: true }),
        ...defined({ place: place?.name, next: next?.occurrence.start, distanceKm: place?.distanceKm }),
      },
    ];
  }

  async #ranked(limit: number, after: number, key: string | undefined): Promise<Page> {
    const { filters, wanted } = this.#asked;
    const isFiltering = wanted.times.isFiltering;
    const known = key === undefined ? undefined : (await this.#read.calendarByKey(key))?.record;
    // Filters of time leave series out, so more are read.
    const many = after + 1 + MOVED + (isFiltering ? FILTERED * limit : limit) + 1;
    let most = Math.min(many, MOST_RANKED);
    let hits = await this.#rankedHits(most);
    const moved = known === undefined ? -1 : hits.findIndex(({ record }) => record === known);
    let at = (moved < 0 ? after : moved) + 1;
    const listed: ListedSeries[] = [];
    const bySessions = new Set<number>();
    for (let size = limit; at < hits.length && listed.length < limit; size *= FILTERED) {
      const some = hits.slice(at, at + (isFiltering ? size : limit)).map(({ record }) => record);
      for (const { record, bySession } of hits) if (bySession) bySessions.add(record);
      const next = await this.#first(wanted, some, bySessions);
      for (const record of some) {
        if (listed.length === limit) break;
        at++;
        if (!(isFiltering || bySessions.has(record)) || next.has(record))
          listed.push(defined({ record, next: next.get(record) }) as ListedSeries);
      }
      // The rest of the ranking, which ends with series that match by sessions alone.
      if (at >= hits.length && hits.length >= most && most < MOST_RANKED) {
        most = MOST_RANKED;
        hits = await this.#rankedHits(most);
      }
    }
    if (at >= hits.length) return { listed };
    const last = hits[at - 1] as RankedHit;
    const id = (await this.#finder.records.series(last.record))?.key ?? '';
    return { listed, next: cursorText(BY_RANK, filters, { at: at - 1, id }) };
  }

  /** Series that match, by rank, then series of which only sessions match. */
  async #rankedHits(most: number): Promise<RankedHit[]> {
    const hits: RankedHit[] = await rankedHits(this.#read, this.#asked, most);
    if (hits.length >= most) return hits;
    const known = new Set(hits.map(({ record }) => record));
    for (const record of await this.#foundBySessions()) if (!known.has(record)) hits.push({ record, bySession: true });
    return hits.slice(0, most);
  }

  #foundBySessions(): Promise<Set<number>> {
    return this.#finder.seriesOfSessions(this.#asked.wanted, MOST_RANKED);
  }

  /** A page by next start, then by row. */
  async #byStart(limit: number, after: { at: number; id: string } | undefined): Promise<Page> {
    const { filters, wanted } = this.#asked;
    const listed = new Map<number, Hit>();
    const seen = new Set<number>();
    let reached: number | undefined;
    for await (const { hits, upTo } of this.#finder.batches(
      { ...wanted, order: 'series' },
      limit + 1,
      after && { at: after.at, tie: after.id },
    )) {
      const fresh = firstOfEach(hits).filter(({ found }) => !listed.has(found.series) && !seen.has(found.series));
      const before = after === undefined ? new Map() : await this.#before(fresh, after.at);
      for (const hit of fresh) {
        const isSeen = before.has(hit.found.series) || (hit.occurrence.start === after?.at && hit.tie <= after.id);
        if (isSeen) seen.add(hit.found.series);
        else listed.set(hit.found.series, hit);
      }
      reached = upTo;
      if (listed.size > limit) break;
    }
    const all = [...listed].map(([record, next]): ListedSeries => ({ record, next }));
    const shown = all.slice(0, limit);
    if (all.length <= limit && reached === undefined) return { listed: shown };
    const last = shown.at(-1)?.next;
    const end =
      all.length > limit && last ? { at: last.occurrence.start, id: last.tie } : { at: (reached ?? 0) + 1, id: '' };
    return { listed: shown, next: cursorText(BY_START, filters, end) };
  }

  /** The earlier occurrences of series that a page before this one has listed. */
  async #before(hits: readonly Hit[], at: number): Promise<Map<number, Hit>> {
    const { wanted } = this.#asked;
    const earlier = { ...wanted, times: wanted.times.until(at) };
    const series = hits.map(({ found }) => found.series);
    const bySessions = hits.flatMap(({ found }) => (found.byItself ? found.series : []));
    return this.#first(earlier, series, new Set(bySessions));
  }

  /** The first occurrence of each series. `bySessions`: series of which only sessions match. */
  async #first(
    wanted: Wanted,
    records: readonly number[],
    bySessions: ReadonlySet<number> = new Set(),
  ): Promise<Map<number, Hit>> {
    return records.length === 0 ? new Map() : this.#finder.firstOfEach({ ...wanted, bySessions }, records);
  }

  async #dateless(limit: number, after: number): Promise<Page> {
    const { filters, wanted } = this.#asked;
    const hits = await this.#read.search(wanted.query, MOST_DATELESS);
    const rest = hits.filter(({ record }) => record > after).slice(0, MOST_PROBED);
    const listed: ListedSeries[] = [];
    let last = after;
    for (let at = 0; at < rest.length && listed.length < limit; at += limit) {
      const some = rest.slice(at, at + limit).map(({ record }) => record);
      const dated = await this.#first(wanted, some);
      for (const record of some) {
        if (listed.length === limit) break;
        last = record;
        if (!dated.has(record)) listed.push({ record });
      }
    }
    const isMore = hits.some(({ record }) => record > last);
    return { listed, ...(isMore && { next: cursorText(DATELESS, filters, { at: last, id: '' }) }) };
  }
}

/** The first hit of each series, by start, then by row. */
function firstOfEach(hits: readonly Hit[]): Hit[] {
  const first = new Map(hits.toReversed().map((hit) => [hit.found.series, hit]));
  return [...first.values()].sort((a, b) => a.occurrence.start - b.occurrence.start || compareText(a.tie, b.tie));
}

function isRanked({ wanted }: OccurrenceRequest): boolean {
  return (wanted.query.words?.length ?? 0) > 0;
}

/** Hits by rank. Those with the first of the `better` groups come first, and those without any last. */
async function rankedHits(
  read: Reader,
  { resolved, wanted: { query } }: OccurrenceRequest,
  most: number,
): Promise<SearchHit[]> {
  if (resolved.better.length === 0) return read.search(query, most);
  const hits = new Map<number, SearchHit>();
  for (const better of resolved.better) {
    for (const hit of await read.search({ ...query, words: [...(query.words ?? []), ...better] }, most))
      if (!hits.has(hit.record)) hits.set(hit.record, hit);
    if (hits.size >= most) return [...hits.values()].slice(0, most);
  }
  for (const hit of await read.search(query, MOST_RANKED)) if (!hits.has(hit.record)) hits.set(hit.record, hit);
  return [...hits.values()];
}
