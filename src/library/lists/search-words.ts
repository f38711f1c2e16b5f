import { listOf } from '../../calendar/wording/schedule-words.ts';
import { DEFAULT_WITHIN, type Filters } from '../../search/filters.ts';
import { WEEKDAYS } from '../../time/days.ts';
import type { FoundPage } from '../search/types.ts';

/** A search in words, as the name of its calendar: `Search: yoga, Tuesdays, from 18:00, up to £8`. */
export function searchWords(filters: Filters): string {
  const parts = [
    filters.q,
    ...(filters.activity ?? []),
    ...(filters.level ?? []),
    ages(filters.age),
    filters.gender && { FemaleOnly: 'women only', MaleOnly: 'men only' }[filters.gender],
    days(filters.day),
    times(filters),
    dates(filters),
    filters.free && 'free',
    filters.maxPrice !== undefined && `up to £${filters.maxPrice}`,
    filters.online && 'online',
    ...(filters.accessible ?? []).map((one) => (one === 'any' ? 'accessible' : one)),
    ...(filters.series ?? []),
    ...(filters.place ?? []).map((one) => `at ${one}`),
    ...(filters.organizer ?? []).map((one) => `by ${one}`),
    near(filters),
  ];
  const words = parts.filter((part) => typeof part === 'string' && part !== '');
  return words.length === 0 ? 'Search: everything' : `Search: ${words.join(', ')}`;
}

/** How the words of a search were read otherwise than they stand, for its calendar; empty: they were not. */
export function rereadWords({ items, replaced, leftOut, unmatched }: Omit<FoundPage<unknown>, 'problems'>): string {
  const quoted = (parts: readonly string[]): string => parts.map((part) => `“${part}”`).join(', ');
  const sentences = [
    ...replaced.map(({ word, by }) => `Showing ${by} instead of “${word}”.`),
    leftOut && `Left out, because no search can ask for it: ${quoted(leftOut)}.`,
    items.length > 0 && unmatched && `Nothing has all of it. Shown without ${quoted(unmatched)}.`,
  ];
  return sentences.filter((sentence) => sentence).join('\n');
}

function ages(age: Filters['age']): string | undefined {
  if (age === undefined) return undefined;
  const { min, max } = age;
  if (max === undefined) return `${min} and over`;
  if (min === max) return `age ${min}`;
  return min === 0 ? `up to ${max} years` : `${min} to ${max} years`;
}

const WORKING_DAYS = '0,1,2,3,4';
const WEEKEND = '5,6';

function days(day: Filters['day']): string | undefined {
  if (day === undefined || day.length === 7) return undefined;
  const list = day.join();
  if (list === WORKING_DAYS) return 'weekdays';
  return list === WEEKEND ? 'weekends' : listOf(day.map((one) => `${WEEKDAYS[one]}s`));
}

function times({ after, before }: Filters): string | undefined {
  if (after !== undefined && before !== undefined) return `${clock(after)}–${clock(before)}`;
  if (after !== undefined) return `from ${clock(after)}`;
  return before === undefined ? undefined : `before ${clock(before)}`;
}

function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
}

function dates({ from, to }: Filters): string | undefined {
  if (from !== undefined && to !== undefined) return `${from} until before ${to}`;
  if (from !== undefined) return `since ${from}`;
  return to === undefined ? undefined : `before ${to}`;
}

function near({ near: where, within = DEFAULT_WITHIN }: Filters): string | undefined {
  if (where === undefined) return undefined;
  const place = typeof where === 'string' ? where : `${where.latitude.toFixed(2)}, ${where.longitude.toFixed(2)}`;
  return `${within} km around ${place}`;
}
