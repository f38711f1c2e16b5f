import { listOf } from '../../calendar/wording/schedule-words.ts';
import { amountText } from '../../calendar/wording/wording.ts';
import { DEFAULT_WITHIN, type FilterName, type Filters, type FilterValues } from '../../search/filters.ts';
import { lastStart } from '../../search/values/times.ts';
import { WEEKDAYS } from '../../time/days.ts';
import { timeText } from '../../time/iso-text.ts';
import { conceptLabel } from '../../vocabulary/shipped.ts';
import type { FoundPage } from '../search/types.ts';

type Words = string | readonly string[] | undefined;

/** The words of each filter, in their order in a name. */
const WORDS: { readonly [N in keyof FilterValues]: (value: FilterValues[N], filters: Filters) => Words } = {
  q: (words) => words,
  activity: (names) => names.map((name) => conceptLabel(name) ?? name),
  level: (names) => names,
  age: ages,
  gender: (gender) => ({ FemaleOnly: 'women only', MaleOnly: 'men only', NoRestriction: 'not for one gender' })[gender],
  day: days,
  after: (_, filters) => times(filters),
  before: (_, filters) => (filters.after === undefined ? times(filters) : undefined),
  from: (_, filters) => dates(filters),
  to: (_, filters) => (filters.from === undefined ? dates(filters) : undefined),
  free: () => 'free',
  maxPrice: (price) => `up to £${amountText(price)}`,
  online: () => 'online',
  accessible: (names) => names.map((name) => (name === 'any' ? 'accessible' : (conceptLabel(name) ?? name))),
  series: (names) => names,
  place: (names) => names.map((name) => `at ${name}`),
  organizer: (names) => names.map((name) => `by ${name}`),
  near,
  within: () => undefined,
  cancelled: () => undefined,
};

/** A search in words, as the name of its calendar: `Search: yoga, Tuesdays, from 18:00, up to £8`. */
export function searchWords(filters: Filters): string {
  const wordsOf = <N extends FilterName>(name: N): Words => {
    const value = filters[name] as FilterValues[N] | undefined;
    return value === undefined ? undefined : WORDS[name](value, filters);
  };
  const words = (Object.keys(WORDS) as FilterName[]).flatMap((name) => wordsOf(name) ?? []).filter((one) => one !== '');
  return words.length === 0 ? 'Search: everything' : `Search: ${words.join(', ')}`;
}

/** The changes that a search made to its words, for the description of its calendar; empty: none. */
export function rereadWords({
  items,
  problems,
  replaced,
  leftOut,
  unmatched,
  forChildren,
}: FoundPage<unknown>): string {
  const quoted = (parts: readonly string[]): string => parts.map((part) => `“${part}”`).join(', ');
  const sentences = [
    ...replaced.map(({ word, by }) => `Showing ${by} instead of “${word}”.`),
    leftOut && `Left out, because no search can ask for it: ${quoted(leftOut)}.`,
    items.length > 0 &&
      unmatched &&
      `${forChildren ? 'Nothing for adults' : 'Nothing'} has all of it. Shown without ${quoted(unmatched)}.`,
    ...problems.map(({ name, value = '' }) => `No ${name} is called “${value}” here now.`),
  ];
  return sentences.filter((sentence) => sentence).join('\n');
}

function ages({ min, max }: FilterValues['age']): string {
  if (max === undefined) return `${min} and over`;
  if (min === max) return `age ${min}`;
  return min === 0 ? `up to ${max} years` : `${min} to ${max} years`;
}

const WORKING_DAYS = '0,1,2,3,4';
const WEEKEND = '5,6';

function days(day: FilterValues['day']): string | undefined {
  if (day.length === 7) return undefined;
  const list = day.join();
  if (list === WORKING_DAYS) return 'weekdays';
  return list === WEEKEND ? 'weekends' : listOf(day.map((one) => `${WEEKDAYS[one]}s`));
}

function times({ after, before }: Filters): string | undefined {
  const last = before === undefined ? undefined : lastStart(before);
  if (after !== undefined && before !== undefined) return `${timeText(after)}–${timeText(last ?? before)}`;
  if (after !== undefined) return `from ${timeText(after)}`;
  if (last !== undefined) return `not after ${timeText(last)}`;
  return before === undefined ? undefined : `before ${timeText(before)}`;
}

function dates({ from, to }: Filters): string | undefined {
  if (from !== undefined && to !== undefined) return `${from} until before ${to}`;
  if (from !== undefined) return `since ${from}`;
  return to === undefined ? undefined : `before ${to}`;
}

function near(where: FilterValues['near'], { within = DEFAULT_WITHIN }: Filters): string {
  const place = typeof where === 'string' ? where : `${where.latitude.toFixed(2)}, ${where.longitude.toFixed(2)}`;
  return `${within} km around ${place}`;
}
