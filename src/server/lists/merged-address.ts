import { StoreError } from '../../errors.ts';
import { type Library, listName, listOptions, searchesIn, searchName } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import { withinRunning } from '../../process/budget.ts';
import { queryOf, readFilters } from '../../search/query.ts';
import { type CalendarAddress, calendarAt } from '../calendars/address.ts';
import { problemLine } from '../calendars/calendars.ts';
import { SEARCH_COST } from '../limiter.ts';

/** `/my/{token}.ics` and `/search.ics`: the calendars whose content depends on a query. */

/** Parameters of a search address besides the filters. */
const OTHERS = ['download'];

/** The calendar of an address. `bad`: a line about a search that cannot be read. */
export type AskedCalendar = { address: CalendarAddress | undefined } | { bad: string };

/** The calendar at a path, by its query where that is part of its name. */
export function askedCalendar(path: string, params: URLSearchParams): AskedCalendar {
  if (path === '/search.ics') return searched(params);
  const address = calendarAt(path);
  if (address?.collection !== 'my') return { address };
  return { address: { ...address, name: listName(address.key, listOptions(params)) } };
}

function searched(params: URLSearchParams): AskedCalendar {
  const { filters, problems } = readFilters(params, { others: OTHERS });
  const [problem] = problems;
  if (problem !== undefined) return { bad: problemLine(problem) };
  const key = queryOf(filters);
  return { address: { collection: 'search', key, name: searchName(key) } };
}

/** The cost of a merged calendar for its caller: that of its searches. */
export async function costOfMerged(
  { collection, key }: CalendarAddress,
  library: Pick<Library, 'chosenList'>,
): Promise<number> {
  if (collection === 'search') return SEARCH_COST;
  const list =
    collection === 'my' ? withinRunning(library.chosenList(key), LIMITS.answerMs, () => undefined) : undefined;
  // While the database is away, nothing is computed, and the calendar in memory is the answer.
  const things = (await list?.catch(noneOfStore))?.things ?? [];
  return SEARCH_COST * searchesIn(things);
}

function noneOfStore(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}
