import { StoreError } from '../../errors.ts';
import { type Library, listName, listOptions, searchesIn, searchName } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import { withinRunning } from '../../process/budget.ts';
import { queryOf, readFilters } from '../../search/query.ts';
import { type CalendarAddress, calendarAt } from '../calendars/address.ts';
import { problemLine } from '../calendars/calendars.ts';
import { SEARCH_COST } from '../limiter.ts';

/** `/my/{token}.ics` and `/search.ics`: the calendars whose query says what they hold. */

/** What a search address knows besides the filters. */
const OTHERS = ['download'];

/** `bad`: one line that says what of a search cannot be read. */
export type AskedCalendar = { address: CalendarAddress | undefined } | { bad: string };

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

/** What making the calendar counts for its caller: as much as its searches would by themselves. */
export async function costOfMerged(
  { collection, key }: CalendarAddress,
  library: Pick<Library, 'chosenList'>,
): Promise<number> {
  if (collection === 'search') return SEARCH_COST;
  const list =
    collection === 'my' ? withinRunning(library.chosenList(key), LIMITS.answerMs, () => undefined) : undefined;
  // Where the database is away nothing can be computed, and what is held is answered.
  const things = (await list?.catch(noneOfStore))?.things ?? [];
  return SEARCH_COST * searchesIn(things);
}

function noneOfStore(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}
