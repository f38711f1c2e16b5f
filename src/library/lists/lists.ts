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
export class ListCalendars {
  readonly #read: Reader;
  readonly #served: (revision: Revision) => Revision;
  readonly #merged: MergedCalendars;

  constructor(read: Reader, served: (revision: Revision) => Revision, merged: MergedCalendars) {
    this.#read = read;
    this.#served = served;
    this.#merged = merged;
  }

  /** The merged calendar of a name; undefined: there is no such list. */
  async calendar(name: MergedName): Promise<StoredCalendar | undefined> {
    if ('query' in name) return this.#search(name.query);
    const { token, options } = name;
    const found = await this.list(token);
    if (found === undefined) return undefined;
    const { list, changed, events } = found;
    const shown = { ...list, ...options };
    const header = this.#header(token, options, shown, changed);
    const made = await this.#merged.calendar(shown, { ...header, ...(events && { events }) });
    // An edit is announced under the list's own name.
    return withPart(made, listName(token));
  }

  #header(token: string, options: ListOptions, { name = UNNAMED }: ChosenList, changed?: Revision): MergedHeader {
    const query = listName(token, options).slice(listName(token).length);
    const served = this.#served(changed ?? { sequence: 0, modified: 0 });
    return { name, path: `my/${token}.ics${query}`, changed: served };
  }

  async #search(query: string): Promise<StoredCalendar> {
    const { filters } = readFilters(new URLSearchParams(query));
    const header = { name: searchWords(filters), path: `search.ics?${query}`, isSearch: true } as const;
    const things = [{ kind: 'search', query } as const];
    return this.#merged.calendar({ things }, { ...header, changed: this.#served({ sequence: 0, modified: 0 }) });
  }

  /** A list, with the revisions of a stored one and of its options for events. Undefined: there is no such list. */
  async list(token: string): Promise<{ list: ChosenList; changed?: Revision; events?: Revision } | undefined> {
    if (!isKept(token)) {
      const things = thingsOf(token);
      return things && { list: { things } };
    }
    const row = await this.#read.keptList(token);
    return row && { ...keptContent(row), changed: { sequence: row.revision, modified: row.changed } };
  }
}

function withPart(calendar: StoredCalendar, name: CalendarName): StoredCalendar {
  const { merged } = calendar;
  if (merged === undefined || merged.parts === 'all') return calendar;
  return { ...calendar, merged: { ...merged, parts: [...merged.parts, name] } };
}
