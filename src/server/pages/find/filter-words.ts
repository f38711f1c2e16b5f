import { isKey } from '../../../library/index.ts';
import { DAY_NAMES, DEFAULT_WITHIN, type FilterName, type Filters } from '../../../search/filters.ts';
import { type Day, dayOfDate } from '../../../time/days.ts';
import { timeText } from '../../../time/iso-text.ts';
import { agesWords, amountWords, dateWords, daysWords, distanceWords } from '../wording.ts';

/** Filters in words, for chips and titles. Plain texts, hostile ones included. */

/** One value of a filter that can be taken off. */
interface FilterWords {
  name: FilterName;
  /** The value, where the filter is a list of them. */
  value?: unknown;
  words: string;
}

export interface WordsContext {
  today: Day;
  /** Names of places by key, as far as they are known. */
  places: ReadonlyMap<string, string>;
}

/** Filters that the fields of the search show. */
const ELSEWHERE: readonly FilterName[] = ['q', 'near'];

/** Each filter in use with its words, the search fields aside. */
export function filtersInUse(filters: Filters, context: WordsContext): FilterWords[] {
  return (Object.keys(filters) as FilterName[])
    .filter((name) => !ELSEWHERE.includes(name))
    .flatMap((name) => wordsOf(name, filters, context));
}

function wordsOf(name: FilterName, filters: Filters, context: WordsContext): FilterWords[] {
  const given = filters[name];
  if (Array.isArray(given)) {
    return given.map((value: string | number) => ({ name, value, words: valueWords(name, value, context) }));
  }
  const words = ONE[name]?.(filters, context);
  return words === undefined ? [] : [{ name, words }];
}

const DAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

function valueWords(name: FilterName, value: string | number, { places }: WordsContext): string {
  if (name === 'day') return DAYS[Number(value)] ?? DAY_NAMES[0];
  if (name === 'accessible') return value === 'any' ? 'Accessible' : String(value);
  if (name === 'place') return places.get(String(value)) ?? (isOurKey(value) ? 'One place' : String(value));
  if (name === 'series' && isOurKey(value)) return 'One series';
  return String(value);
}

/** A key, and no short name of one word: ours have 16 characters (`keyOf`). */
function isOurKey(value: string | number): boolean {
  const text = String(value);
  return text.length >= 10 && isKey(text);
}

const ONE: Partial<Record<FilterName, (filters: Filters, context: WordsContext) => string | undefined>> = {
  within: ({ within }) => (within === undefined || within === DEFAULT_WITHIN ? undefined : `Within ${kmWords(within)}`),
  after: ({ after = 0 }) => `After ${timeText(after)}`,
  before: ({ before = 0 }) => `Before ${timeText(before)}`,
  to: ({ from, to }, { today }) => {
    const last = dayOfDate(to as string) - 1;
    return from === undefined ? `Until ${dateWords(last, today)}` : daysWords(dayOfDate(from), last, today);
  },
  age: ({ age }) => age && ageWords(age),
  gender: ({ gender }) => (gender === 'FemaleOnly' ? 'Women only' : 'Men only'),
  free: () => 'Free',
  maxPrice: ({ maxPrice = 0 }) => (maxPrice === 0 ? 'Free' : `Up to ${priceWords(maxPrice)}`),
  online: () => 'Online',
  cancelled: () => 'Cancelled ones too',
};

/** Whole pounds without pence. */
function priceWords(price: number): string {
  return amountWords(price).replace(/\.00$/, '');
}

function kmWords(km: number): string {
  return Number.isInteger(km) ? `${km} km` : distanceWords(km);
}

function ageWords({ min, max }: NonNullable<Filters['age']>): string {
  if (min === max) return `Age ${min}`;
  return agesWords({ min, ...(max !== undefined && { max }) }) ?? 'All ages';
}
