import type { CalendarEvent } from '../../calendar/objects.ts';
import { startOf } from '../../calendar/series/compose.ts';
import { MOST_EVENTS } from '../../calendar/size.ts';
import type { Details } from '../../opportunity/records.ts';
import { type Filters, SEASONAL } from '../../search/filters.ts';
import { type FilterProblem, readFilters } from '../../search/query.ts';
import type { Length } from '../../search/values/context.ts';
import type { Reader, StoredSession } from '../../store/index.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';
import { storedDay } from '../reads.ts';
import { lengthIn } from '../search/query/local-times.ts';
import type { OccurrenceItem, Search } from '../search/types.ts';
import { rereadWords } from './search-words.ts';
import { isTimed, takesAll } from './time-filters.ts';

/** A date of a series, with its rows. */
export type TakenDate = Pick<OccurrenceItem, 'start' | 'rows'> & Partial<Pick<OccurrenceItem, 'end'>>;

/** What a search takes of one series, or a place of one that is usually elsewhere. */
export interface FoundSeries {
  record: number;
  /** No filter is about time: all of the series is taken, unless a session of its own is otherwise. */
  isTimeless?: boolean;
  /** By start. */
  items: readonly TakenDate[];
  /** The searches that may take the series whole; none: some sessions are taken, and nothing else. */
  by: readonly WholeSearch[];
}

/** A search that may take a series whole. */
interface WholeSearch {
  /** Whether it takes all of these events that are to come, as far as times go. */
  takes(events: readonly CalendarEvent[]): boolean;
  /** Whether it leaves out a session that is to come because of what the session says of itself: its price, its place. */
  leavesOut(session: StoredSession): boolean;
}

interface FoundSet {
  series: FoundSeries[];
  /** Dates that no calendar has room for. */
  unread: number;
  /** How its words were read otherwise than they stand; empty: they were not. */
  reread: string;
  /** A value that nothing can be found by, now or later. */
  problem?: FilterProblem;
}

/** Twice what a calendar holds: of rules many dates are one event. */
const MOST_FOUND = 2 * MOST_EVENTS;
const PAGE = 500;

/** What a standing search finds: the occurrences of `/api/occurrences` for the same filters, from the stored day on. */
export class StandingSearch {
  readonly #read: Reader;
  readonly #search: Search;

  constructor(read: Reader, search: Search) {
    this.#read = read;
    this.#search = search;
  }

  async find(query: string): Promise<FoundSet> {
    const { filters } = readFilters(new URLSearchParams(query));
    const today = await storedDay(this.#read);
    const { items, unread, problems, nowhere, reread, leftOut } = await this.#occurrences(filters, today);
    const inWords = await this.#inWords(filters, leftOut);
    const asked = [filters, inWords].filter(isTimed);
    const problem = problems.find(({ name }) => !SEASONAL.includes(name)) ?? nowhere;
    const series = Map.groupBy(items, ({ rows }) => rows.series);
    const details = await this.#search.detailsAsked(filters);
    const known = { from: startOf(today), to: unread > 0 ? (items.at(-1)?.start ?? 0) : Number.POSITIVE_INFINITY };
    return {
      unread: asked.length === 0 ? 0 : unread,
      reread,
      ...(problem && { problem }),
      series: [...series].map(([record, own]) => {
        const takes: WholeSearch['takes'] = (events) =>
          asked.every((one) => takesAll(one, events, own[0]?.zone ?? 'UTC', today));
        return {
          record,
          items: own,
          ...(asked.length === 0 && isOfSeries(own) && { isTimeless: true }),
          by: isOfSeries(own) ? [{ takes, leavesOut: leftOutOf(own, details, known) }] : [],
        };
      }),
    };
  }

  async #occurrences(filters: Filters, today: LocalDate) {
    const items: OccurrenceItem[] = [];
    const query = { limit: PAGE, notBefore: startOf(today) };
    let after: string | undefined;
    for (;;) {
      const page = await this.#search.occurrences(filters, { ...query, ...(after !== undefined && { after }) });
      const { problems, nowhere } = page;
      const known = { problems, nowhere, reread: rereadWords(page), leftOut: page.leftOut ?? [] };
      items.push(...page.items);
      after = page.next;
      // What is near nobody knows whom is refused: nothing more is read for it.
      if (after === undefined || nowhere !== undefined) return { ...known, items, unread: 0 };
      if (items.length >= MOST_FOUND) return { ...known, items, unread: Math.max(1, (page.total ?? 0) - items.length) };
    }
  }

  /** Filters that the words of `q` say, and how long what they find lasts. */
  async #inWords(filters: Filters, leftOut: readonly string[]): Promise<Filters & { lasts?: Length }> {
    if (filters.q === undefined) return {};
    const understood = await this.#search.understood(filters.q, filters);
    const asked = lengthIn(understood);
    return {
      ...understood.filters,
      ...(asked && !asked.texts.some((text) => leftOut.includes(text)) && { lasts: asked.length }),
    };
  }
}

/** Whether the series has what is asked for: of others there are sessions that have it themselves, and nothing else. */
function isOfSeries(items: readonly OccurrenceItem[]): boolean {
  return items.some(({ rows }) => rows.byItself === undefined);
}

/** `known`: where the starts lie of all that was found. */
function leftOutOf(
  items: readonly OccurrenceItem[],
  details: readonly (keyof Details)[],
  known: { from: Instant; to: Instant },
): WholeSearch['leavesOut'] {
  const taken = new Set(items.map(({ rows }) => rows.session));
  return ({ row, session }) => {
    const { start, status } = session;
    const isOther = details.some((name) => session.details[name] !== undefined);
    // What is cancelled does not take place. The own event of a HeadlineEvent has parts in its place.
    if (!isOther || status === 'EventCancelled' || session.id === session.series || start === undefined) return false;
    return start >= known.from && start < known.to && !taken.has(row.id);
  };
}

/** What either of two searches takes. */
export function bothOf(one: FoundSeries, other: FoundSeries): FoundSeries {
  return {
    record: one.record,
    items: [...one.items, ...other.items].sort((a, b) => a.start - b.start),
    ...((one.isTimeless || other.isTimeless) && { isTimeless: true }),
    by: [...one.by, ...other.by],
  };
}
