import type { CalendarEvent } from '../../calendar/objects.ts';
import { startOf } from '../../calendar/series/compose.ts';
import { MOST_EVENTS } from '../../calendar/size.ts';
import { type Details, defined } from '../../opportunity/records.ts';
import { type Filters, SEASONAL } from '../../search/filters.ts';
import { type FilterProblem, readFilters } from '../../search/query.ts';
import type { Length } from '../../search/values/context.ts';
import { asSearched } from '../../search/words.ts';
import type { Reader, StoredSession } from '../../store/index.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';
import { storedDay } from '../reads.ts';
import { lengthIn } from '../search/query/local-times.ts';
import type { OccurrenceItem, Search } from '../search/types.ts';
import { rereadWords } from './search-words.ts';
import { isTimed, takesAll } from './time-filters.ts';

/** A date of a series, with its rows. */
export type TakenDate = Pick<OccurrenceItem, 'start' | 'rows'> & Partial<Pick<OccurrenceItem, 'end'>>;

/** The dates that a search takes of one series, or that a place takes of a series of another place. */
export interface FoundSeries {
  record: number;
  /** Whether no filter is about time, so that the whole series is taken, except for sessions with details of their own. */
  isTimeless?: boolean;
  /** By start. */
  items: readonly TakenDate[];
  /** The searches that may take the series whole; empty: only some sessions are taken. */
  by: readonly WholeSearch[];
}

/** A search that may take a series whole. */
interface WholeSearch {
  /** Whether its filters of time take all coming events of these. */
  takes(events: readonly CalendarEvent[]): boolean;
  /** Whether it leaves out a coming session because of a detail of its own: its price, its place. */
  leavesOut(session: StoredSession): boolean;
}

interface FoundSet {
  series: FoundSeries[];
  /** Number of dates beyond the limit of a calendar. */
  unread: number;
  /** How the search changed its words, in words; empty: it did not. */
  reread: string;
  /** A value by which nothing can be found, now or later. */
  problem?: FilterProblem;
}

/** Twice the events of a calendar, because many dates of a rule are one event. */
const MOST_FOUND = 2 * MOST_EVENTS;
const PAGE = 500;

/** Searches for calendars: the occurrences of `/api/occurrences` for the same filters, from the stored day on. */
export function standingSearch(read: Reader, search: Search) {
  async function find(query: string): Promise<FoundSet> {
    const { filters } = readFilters(new URLSearchParams(query));
    const today = await storedDay(read);
    const { items, unread, problems, nowhere, reread, unmatched } = await occurrences(filters, today);
    const inWords = await filtersInWords(filters, unmatched);
    const timed = [filters, inWords].filter(isTimed);
    const problem = problems.find(({ name }) => !SEASONAL.includes(name)) ?? nowhere;
    const series = Map.groupBy(items, ({ rows }) => rows.series);
    const details = await search.detailsAsked(filters);
    const known = { from: startOf(today), to: unread > 0 ? (items.at(-1)?.start ?? 0) : Number.POSITIVE_INFINITY };
    return {
      unread: timed.length === 0 ? 0 : unread,
      reread,
      ...(problem && { problem }),
      series: [...series].map(([record, dates]) => {
        const takes: WholeSearch['takes'] = (events) =>
          timed.every((one) => takesAll(one, events, dates[0]?.zone ?? 'UTC', today));
        return {
          record,
          items: dates,
          ...(timed.length === 0 && isOfSeries(dates) && { isTimeless: true }),
          by: isOfSeries(dates) ? [{ takes, leavesOut: leftOutOf(dates, details, known) }] : [],
        };
      }),
    };
  }

  async function occurrences(filters: Filters, today: LocalDate) {
    const items: OccurrenceItem[] = [];
    const query = { limit: PAGE, notBefore: startOf(today) };
    let after: string | undefined;
    for (;;) {
      const page = await search.occurrences(filters, { ...query, ...(after !== undefined && { after }) });
      const { problems, nowhere } = page;
      const known = { problems, nowhere, reread: rereadWords(page), unmatched: page.unmatched };
      items.push(...page.items);
      after = page.next;
      // A search near an unknown place is a problem, and needs no further pages.
      if (after === undefined || nowhere !== undefined) return { ...known, items, unread: 0 };
      if (items.length >= MOST_FOUND) return { ...known, items, unread: Math.max(1, (page.total ?? 0) - items.length) };
    }
  }

  /** The filters in the words of `q`, and the length of sessions that they name. */
  async function filtersInWords(
    filters: Filters,
    unmatched?: readonly string[],
  ): Promise<Filters & { lasts?: Length }> {
    if (filters.q === undefined) return {};
    const understood = asSearched(await search.understood(filters.q, filters), unmatched);
    return { ...understood.filters, ...defined({ lasts: lengthIn(understood)?.length }) };
  }

  return { find };
}

export type StandingSearch = ReturnType<typeof standingSearch>;

/** Whether the series itself matches; otherwise only sessions with matching details of their own were found. */
function isOfSeries(items: readonly OccurrenceItem[]): boolean {
  return items.some(({ rows }) => rows.byItself === undefined);
}

/** Tests whether a search leaves out a session. `known`: the range of starts in which the search has read everything. */
function leftOutOf(
  items: readonly OccurrenceItem[],
  details: readonly (keyof Details)[],
  known: { from: Instant; to: Instant },
): WholeSearch['leavesOut'] {
  const taken = new Set(items.map(({ rows }) => rows.session));
  return ({ row, session }) => {
    const { start, status } = session;
    const isOther = details.some((name) => session.details[name] !== undefined);
    // A cancelled session does not take place, and a HeadlineEvent's own event is replaced by its parts.
    if (!isOther || status === 'EventCancelled' || session.id === session.series || start === undefined) return false;
    return start >= known.from && start < known.to && !taken.has(row.id);
  };
}

/** The dates that either of two searches takes of a series. */
export function bothOf(one: FoundSeries, other: FoundSeries): FoundSeries {
  return {
    record: one.record,
    items: [...one.items, ...other.items].sort((a, b) => a.start - b.start),
    ...((one.isTimeless || other.isTimeless) && { isTimeless: true }),
    by: [...one.by, ...other.by],
  };
}
