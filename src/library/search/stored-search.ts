import { understand } from '../../search/words.ts';
import type { Reader } from '../../store/index.ts';
import { DAY_MS, dateOfDay } from '../../time/days.ts';
import type { LibraryOptions } from '../library.ts';
import type { Search } from './types.ts';

/** The search over a store. */
export class StoredSearch implements Search {
  readonly #options: LibraryOptions;

  constructor(_read: Reader, options: LibraryOptions) {
    this.#options = options;
  }

  readonly occurrences: Search['occurrences'] = async () => ({ items: [], replaced: [], problems: [] });
  readonly series: Search['series'] = async () => ({ items: [], replaced: [], problems: [] });
  readonly venues: Search['venues'] = async () => ({ items: [], replaced: [], problems: [] });

  readonly facets: Search['facets'] = async () => {
    const day = { mon: 0, tue: 0, wed: 0, thu: 0, fri: 0, sat: 0, sun: 0 };
    return { day, activity: [], place: [], counted: 0, whole: true };
  };

  readonly days: Search['days'] = async () => [];
  readonly popular: Search['popular'] = async () => [];

  readonly understood: Search['understood'] = async (q) =>
    understand(q, { today: dateOfDay(Math.floor(this.#options.now() / DAY_MS)) });

  readonly suggestions: Search['suggestions'] = async () => ({ didYouMean: [], without: [] });
}
