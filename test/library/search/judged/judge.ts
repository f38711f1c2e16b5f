import type { StoredLibrary } from '../../../../src/library/index.ts';
import type { OccurrenceItem } from '../../../../src/library/search/types.ts';
import type { Filters } from '../../../../src/search/filters.ts';
import { readFilters } from '../../../../src/search/query.ts';
import { DAY_MS, DAY_SECONDS } from '../../../../src/time/days.ts';

/**
 * Who asks a question reads everything that is on, field by field, and so knows which answers are right. Nothing of the search
 * takes part: no index, no stems, no vocabulary. What is meant by the words stands in `MEANT`, by the filters in the question.
 */

/** Question, words that are left, filters as an address has them. */
export type Question = readonly [question: string, words: string, filters: string, ...rest: unknown[]];

const SWIM = /swim|aqua|early bird lanes|splash tots/i;
const EXERCISE = /exercise|fitness|circuits|strength|aerobics|boxercise|conditioning|stretch|legs/i;

/** What names and activities have that are meant by words. Without a line: each of the words itself. */
const MEANT: Readonly<Record<string, RegExp>> = {
  yoga: /yoga|vinyasa/i,
  yogá: /yoga|vinyasa/i,
  'is there a yoga class': /yoga|vinyasa/i,
  swimming: SWIM,
  swim: SWIM,
  'swimming lessons': /(?=.*swim)(?=.*(lesson|learn|stage))|splash tots/i,
  "swimming lessons who can't swim": /(?=.*swim)(?=.*(lesson|learn|stage))/i,
  walk: /walk(?!ing (football|netball))|rambl|hik/i,
  walks: /walk(?!ing (football|netball))|rambl|hik/i,
  football: /football|kickers|five-a-side|5-a-side/i,
  'football training': /football|kickers/i,
  'football girls': /football|kickers/i,
  gym: /\bgym\b|weights/i,
  'gym sessions': /\bgym\b|weights/i,
  exercise: EXERCISE,
  'low impact exercise': /low impact/i,
  running: /\brun|5k|couch/i,
  run: /\brun|5k|couch/i,
  ballet: /ballet/i,
  dance: /danc|ballet|zumba/i,
  spin: /spin|indoor cycling|group cycling/i,
  'spin class': /spin|indoor cycling|group cycling/i,
  badminton: /badminton/i,
  boxing: /box/i,
  'martial arts': /karate|judo|tai chi|taekwondo|martial/i,
  'yoga at 25:00': /yoga|vinyasa/i,
  'dog walking near the river': /dog walk/i,
  'Early years gymnastics': /gym tots|pre-school gymnast/i,
  'Toddler Football': /mini kickers|toddler football/i,
  'Free running': /parkour/i,
  'disco skate': /disco|skat/i,
  P90X: EXERCISE,
  'two for one yoga': /yoga|vinyasa/i,
  'Popdance Teens': /popdance/i,
  'level 1 coaching': /level 1/i,
};

/** Everything that is on before a date. Clocks show UTC until March. */
export async function everything(library: StoredLibrary, to: string): Promise<OccurrenceItem[]> {
  const items: OccurrenceItem[] = [];
  let after: string | undefined;
  do {
    const page = await library.search.occurrences({ to }, { limit: 500, ...(after !== undefined && { after }) });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}

/** Those that answer a question. Descriptions count only where nothing has the words in its name or its other fields. */
export function rightAnswers(all: readonly OccurrenceItem[], [question, words, filters]: Question): OccurrenceItem[] {
  const { filters: wanted } = readFilters(new URLSearchParams(filters));
  const where = positionOf(all, wanted.near);
  const fitting = all.filter((item) => fits(item, wanted) && isThere(item, wanted, where));
  const meant = fitting.filter((item) => means(MEANT[words] === undefined ? textOf(item) : kindOf(item), words));
  const named = inTown(forAdults(forChildren(meant, wanted), question, wanted), question, wanted);
  const isDescribed = named.length === 0 && MEANT[words] === undefined;
  const described = (item: OccurrenceItem) => `${textOf(item)} ${item.details.description ?? ''}`;
  return isDescribed ? fitting.filter((item) => means(described(item), words)) : named;
}

/** The same of a question whose words are said as a pattern over names, activities and categories. */
export function rightBy(all: readonly OccurrenceItem[], filters: string, meant: RegExp): OccurrenceItem[] {
  const { filters: wanted } = readFilters(new URLSearchParams(filters));
  const where = positionOf(all, wanted.near);
  const right = all.filter((item) => fits(item, wanted) && isThere(item, wanted, where) && meant.test(kindOf(item)));
  return forChildren(right, wanted);
}

/** Of what is near the town that a question says "in" of, what is there, where there is some. */
function inTown(items: OccurrenceItem[], question: string, { near }: Filters): OccurrenceItem[] {
  if (typeof near !== 'string' || !question.includes(`in ${near}`)) return items;
  const there = items.filter(({ place, details }) => `${place?.address} ${details.location?.address}`.includes(near));
  return there.length > 0 ? there : items;
}

/** Of what children may come to, that to which no adult may, where there is some. */
function forChildren(items: readonly OccurrenceItem[], { age }: Filters): OccurrenceItem[] {
  const own = (age?.max ?? 18) < 18 ? items.filter((item) => (item.age?.max ?? 99) <= 18) : [];
  return own.length > 0 ? own : [...items];
}

/** Of what is for women or men, what adults may come to: girls are no women. */
function forAdults(items: OccurrenceItem[], question: string, { age }: Filters): OccurrenceItem[] {
  if (age !== undefined || !/\b(?:(?:wo)?men|ladies)\b/i.test(question) || /\b(?:girls|boys)\b/i.test(question))
    return items;
  return items.filter((item) => (item.age?.max ?? 99) >= 18);
}

function textOf({ name, series, details: { activity = [], category = [] }, place, organizer }: OccurrenceItem): string {
  return [name, series.name, ...activity, ...category, place?.name, organizer?.name].join(' | ');
}

function kindOf({ name, series, details: { activity = [], category = [] } }: OccurrenceItem): string {
  return [name, series.name, ...activity, ...category].join(' | ');
}

const SAYS_NOTHING =
  /^(what'?s|what|can|i|do|do with|on|in|the|to|a|am|and|is|there|something|things|where|play|near|for|of|at|my|all|cheap|ages?|levels?|club|class(es)?|lessons?|courts?|group|sessions?|coaching|training|course)$/i;

function means(text: string, words: string): boolean {
  const meant = MEANT[words];
  if (meant !== undefined) return meant.test(text);
  const all = words.split(/[^\p{L}\p{N}'’-]+/u).filter((word) => word !== '' && !SAYS_NOTHING.test(word));
  const plain = text.toLowerCase().replaceAll(/[’']/g, '');
  return all.every((word) => plain.includes(begins(word.toLowerCase().replaceAll(/[’']/g, ''))));
}

/** Without the end of a plural or gerund. */
function begins(word: string): string {
  return word.length > 5 ? word.replace(/(ing|es|s)$/, '') : word;
}

function fits(item: OccurrenceItem, wanted: Filters): boolean {
  const { start, price, age, level = [], details } = item;
  const seconds = (start % DAY_MS) / 1000;
  const weekday = (Math.floor(start / DAY_MS) + 3) % 7;
  const date = new Date(start).toISOString().slice(0, 10);
  const support = details.accessibilitySupport ?? [];
  return (
    (wanted.day === undefined || wanted.day.some((day) => day === weekday)) &&
    seconds >= (wanted.after ?? 0) &&
    seconds < (wanted.before ?? DAY_SECONDS) &&
    date >= (wanted.from ?? '') &&
    date < (wanted.to ?? '9') &&
    (wanted.free !== true || price?.min === 0) &&
    (wanted.maxPrice === undefined || (price !== undefined && price.min <= wanted.maxPrice)) &&
    (wanted.age === undefined || overlaps(age, wanted.age)) &&
    (wanted.gender === undefined || details.gender === wanted.gender) &&
    (wanted.level === undefined || wanted.level.some((one) => level.some((own) => own.startsWith(one)))) &&
    (wanted.accessible === undefined ||
      wanted.accessible.some((one) => (one === 'any' ? support.length > 0 : support.includes(one)))) &&
    (wanted.online !== true || details.attendance === 'online' || details.attendance === 'mixed')
  );
}

function overlaps(age: OccurrenceItem['age'], { min, max = 150 }: NonNullable<Filters['age']>): boolean {
  return (age?.max ?? 150) >= min && (age?.min ?? 0) <= max;
}

interface Position {
  latitude: number;
  longitude: number;
}

/** The middle of what has a name in its address or in that of its place. */
function positionOf(all: readonly OccurrenceItem[], near: Filters['near']): Position | undefined {
  if (near === undefined || typeof near !== 'string') return near;
  const own = all.flatMap(({ place }) =>
    place?.latitude !== undefined && `${place.name} ${place.address}`.toLowerCase().includes(near.toLowerCase())
      ? [place as Position]
      : [],
  );
  const middle = (name: keyof Position) => own.reduce((sum, place) => sum + place[name], 0) / own.length;
  return { latitude: middle('latitude'), longitude: middle('longitude') };
}

const KM_OF_DEGREE = 111.2;

function isThere({ place }: OccurrenceItem, { near, within = 5 }: Filters, where: Position | undefined): boolean {
  if (near === undefined || where === undefined) return true;
  if (place?.latitude === undefined || place.longitude === undefined) return false;
  const north = (place.latitude - where.latitude) * KM_OF_DEGREE;
  const east = (place.longitude - where.longitude) * KM_OF_DEGREE * Math.cos((where.latitude * Math.PI) / 180);
  return Math.hypot(north, east) <= within;
}
