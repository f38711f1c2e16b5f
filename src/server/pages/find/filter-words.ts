import { isKey } from '../../../library/index.ts';
import { DEFAULT_WITHIN, type FilterName, type Filters, type FilterValues } from '../../../search/filters.ts';
import { lastStart } from '../../../search/values/times.ts';
import { type Day, dayOfDate, WEEKDAYS } from '../../../time/days.ts';
import { timeText } from '../../../time/iso-text.ts';
import { conceptLabel } from '../../../vocabulary/shipped.ts';
import { agesWords, amountWords, dateWords, daysWords, distanceWords } from '../wording.ts';

/** Filters in words, for chips and titles. Values may be hostile: the template escapes them. */

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

/** Each filter in use with its words, the search fields aside. */
export function filtersInUse(filters: Filters, context: WordsContext): FilterWords[] {
  return (Object.keys(filters) as FilterName[]).flatMap((name) => wordsOf(name, filters, context));
}

/** Filters in words that depend on no day and on no place: `After 18:00, Up to £7.50`. */
export function plainWords(filters: Filters): string {
  const found = filtersInUse(filters, { today: 0, places: new Map() });
  return found.map(({ words }) => words).join(', ');
}

/** One value of a list, or the whole value. */
type One<Value> = Value extends readonly (infer Part)[] ? Part : Value;
type WordsOf<Value> = (value: One<Value>, context: WordsContext, filters: Filters) => string | undefined;

function wordsOf<N extends FilterName>(name: N, filters: Filters, context: WordsContext): FilterWords[] {
  const [given, say]: [Filters[N], WordsOf<FilterValues[N]> | 'elsewhere'] = [filters[name], CHIPS[name]];
  if (given === undefined || say === 'elsewhere') return [];
  const isList = Array.isArray(given);
  const values = (isList ? given : [given]) as One<FilterValues[N]>[];
  return values.flatMap((value) => {
    const words = say(value, context, filters);
    return words === undefined ? [] : [{ name, ...(isList && { value }), words }];
  });
}

/** Whether a value is a key of this program, and not a short name of one word: keys have 16 characters (`keyOf`). */
function isOurKey(value: string): boolean {
  return value.length >= 10 && isKey(value);
}

/** The words of each filter. `elsewhere`: the search fields show it, or the days above the results. */
const CHIPS: { readonly [N in keyof FilterValues]: WordsOf<FilterValues[N]> | 'elsewhere' } = {
  q: 'elsewhere',
  activity: (name) => conceptLabel(name) ?? name,
  place: (place, { places }) => places.get(place) ?? (isOurKey(place) ? 'One place' : place),
  series: (series) => (isOurKey(series) ? 'One series' : series),
  organizer: (name) => name,
  near: 'elsewhere',
  within: (km) => (km === DEFAULT_WITHIN ? undefined : `Within ${kmWords(km)}`),
  day: (weekday) => `${WEEKDAYS[weekday]}s`,
  after: (time) => `After ${timeText(time)}`,
  before: (time) => {
    const last = lastStart(time);
    return last === undefined ? `Before ${timeText(time)}` : `Not after ${timeText(last)}`;
  },
  from: 'elsewhere',
  to: (to, { today }, { from }) => {
    const last = dayOfDate(to) - 1;
    return from === undefined ? `Until ${dateWords(last, today)}` : daysWords(dayOfDate(from), last, today);
  },
  age: ageWords,
  level: (name) => name,
  gender: (gender) => ({ FemaleOnly: 'Women only', MaleOnly: 'Men only', NoRestriction: 'Not for one gender' })[gender],
  free: () => 'Free',
  maxPrice: (price) => (price === 0 ? 'Free' : `Up to ${priceWords(price)}`),
  online: () => 'Online',
  accessible: (name) => (name === 'any' ? 'Accessible' : (conceptLabel(name) ?? name)),
  cancelled: () => 'Cancelled ones too',
};

/** Whole pounds without pence. */
function priceWords(price: number): string {
  return amountWords(price).replace(/\.00$/, '');
}

/** `40 m`, `3 km`, `4.8 km` */
export function kmWords(km: number): string {
  if (km < 1) return `${Math.round(km * 1000)} m`;
  return Number.isInteger(km) ? `${km} km` : distanceWords(km);
}

function ageWords({ min, max }: NonNullable<Filters['age']>): string {
  if (min === max) return `Age ${min}`;
  return agesWords({ min, ...(max !== undefined && { max }) }) ?? 'All ages';
}
