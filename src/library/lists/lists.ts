import type { Revision } from '../../calendar/objects.ts';
import { readFilters } from '../../search/query.ts';
import type { Reader } from '../../store/index.ts';
import type { CalendarName, StoredCalendar } from '../library.ts';
import { isKept, keptContent } from './kept.ts';
import type { ChosenList, ListOptions } from './list.ts';
import type { MergedCalendars, MergedHeader } from './merge.ts';
import { listName, type MergedName } from './names.ts';
import { searchWords } from './search-words.ts';
import { thingsOf } from './token.ts';

/** The name of a list without one. */
const UNNAMED = 'My list';

/** Calendars by the names of lists and searches. */
export function listCalendars(read: Reader, served: (revision: Revision) => Revision, merged: MergedCalendars) {
  /** The merged calendar of a name; undefined: there is no such list. */
  async function calendar(name: MergedName): Promise<StoredCalendar | undefined> {
    if ('query' in name) return search(name.query);
    const { token, options } = name;
    const found = await storedList(token);
    if (found === undefined) return undefined;
    const { list, changed, events } = found;
    const shown = { ...list, ...options };
    const header = headerOf(token, options, shown, changed);
    const made = await merged.calendar(shown, { ...header, ...(events && { events }) });
    // An edit is announced under the list's own name.
    return withPart(made, listName(token));
  }

  function headerOf(
    token: string,
    options: ListOptions,
    { name = UNNAMED }: ChosenList,
    changed?: Revision,
  ): MergedHeader {
    const query = listName(token, options).slice(listName(token).length);
    return { name, path: `my/${token}.ics${query}`, changed: served(changed ?? { sequence: 0, modified: 0 }) };
  }

  async function search(query: string): Promise<StoredCalendar> {
    const { filters } = readFilters(new URLSearchParams(query));
    const header = { name: searchWords(filters), path: `search.ics?${query}`, isSearch: true } as const;
    const things = [{ kind: 'search', query } as const];
    return merged.calendar({ things }, { ...header, changed: served({ sequence: 0, modified: 0 }) });
  }

  /** A list, with the revisions of a stored one and of its options for events. Undefined: there is no such list. */
  async function storedList(
    token: string,
  ): Promise<{ list: ChosenList; changed?: Revision; events?: Revision } | undefined> {
    if (!isKept(token)) {
      const things = thingsOf(token);
      return things && { list: { things } };
    }
    const row = await read.keptList(token);
    return row && { ...keptContent(row), changed: { sequence: row.revision, modified: row.changed } };
  }

  return { calendar, list: storedList };
}

function withPart(calendar: StoredCalendar, name: CalendarName): StoredCalendar {
  const { merged } = calendar;
  if (merged === undefined || merged.parts === 'all') return calendar;
  return { ...calendar, merged: { ...merged, parts: [...merged.parts, name] } };
}
