import { foldedKey } from '../../../search/document.ts';
import { canonical, type Filters, yielding } from '../../../search/filters.ts';
import { type FilterProblem, queryOf } from '../../../search/query.ts';
import { tokensOf } from '../../../search/tokens.ts';
import { NUMBERS } from '../../../search/values/context.ts';
import {
  mayReadLoosely,
  type Understood,
  type UnderstoodText,
  understand,
  type WordOptions,
} from '../../../search/words.ts';
import type { Reader } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { isFound } from './matching.ts';
import { type KnownPlace, knownPlace, townsIn } from './places.ts';
import { withOpposites } from './unwanted.ts';

/**
 * Words read as filters, with the places and names of the data. `understand` reads without waiting: it runs again, once the
 * store has answered what it asked.
 */

/** Prepositions with which a place is meant itself, and not what is around it. */
const AT = /^(?:\S+ )?(?:at|in) /i;
/** For the beginning of a place's name `at` alone: behind `in` it may be a street or a part of a town. */
const AT_BEGINNING = /^(?:\S+ )?at /i;

/** The places and names that were looked up for some words. */
interface Known {
  places: Map<string, KnownPlace | undefined>;
  names: Map<string, boolean>;
}

/** Reads words as filters, with the places and names of the data. `places`, `names`: those that are known already. */
export async function understoodIn(
  read: Reader,
  q: string,
  options: Pick<WordOptions, 'today' | 'time' | 'otherHalf' | 'loosely'>,
  { places, names }: Known = { places: new Map(), names: new Map() },
): Promise<Understood> {
  for (;;) {
    const asked = new Set<string>();
    const askedNames = new Set<string>();
    const isPlace = (text: string): boolean => {
      const key = foldedKey(text);
      if (!places.has(key)) asked.add(text);
      return places.get(key) !== undefined;
    };
    const isTown = (text: string): boolean => isPlace(text) && isAround(places.get(foldedKey(text)));
    const isName = (text: string): boolean => {
      if (!names.has(text)) askedNames.add(text);
      return names.get(text) === true;
    };
    const understood = understand(q, { ...options, isPlace, isTown, isName, isLabel: isName });
    if (asked.size + askedNames.size === 0) return withPlaces(withOpposites(understood), places);
    for (const text of asked) places.set(foldedKey(text), await knownPlace(read, text));
    for (const text of askedNames) names.set(text, await isNamed(read, text));
  }
}

/** What words find in one reading; `described`: with some of them in descriptions alone; `some`: with a part of them. */
export type Finds = 'all' | 'described' | 'some' | 'none';

/**
 * The reading of words that finds something with all of them: the usual one, unless only another does. Other readings take bare
 * hours in the other half of the day, and more words as filters: a town without "in", an age without "for", a month. `5-7` may
 * be ages, or hours. Where no reading finds anything, one with more filters is taken, because each of them can be removed.
 *
 * @param isPlaced Whether the address has a position.
 */
export async function understoodByFinding(
  read: Reader,
  q: string,
  options: Pick<WordOptions, 'today' | 'time'>,
  isPlaced: boolean,
  find: (understood: Understood) => Promise<Finds>,
): Promise<Understood> {
  const known: Known = { places: new Map(), names: new Map() };
  const typed = await understoodIn(read, q, options, known);
  const elsewhere = await withoutUnknownPlace(read, typed, known);
  const usual = elsewhere !== undefined && (await find(elsewhere)) !== 'none' ? elsewhere : typed;
  const tried = new Set([meaningOf(usual)]);
  const towns = isPlaced || usual.filters.near !== undefined ? new Set<string>() : await townsIn(read, usual.words);
  let found: Finds | undefined;
  let described: Understood | undefined;
  let moreFilters: Understood | undefined;
  for (const reading of otherReadings(q, towns)) {
    const other = await understoodIn(read, q, { ...options, ...reading }, known);
    const meaning = meaningOf(other);
    if (tried.has(meaning)) continue;
    found ??= await find(usual);
    if (found === 'all') return reading.otherHalf && (await beginsAt(other, usual, find)) ? other : usual;
    tried.add(meaning);
    const finds = await find(other);
    // Words of a description are what the words name, as `baby` of "baby fitness", but lengths: "come half an hour early".
    const isMeant = found !== 'described' || other.understood.some(({ lasts }) => lasts !== undefined);
    if (finds === 'all' && isMeant) return other;
    if (finds === 'described') described ??= other;
    if (other.understood.length > usual.understood.length) moreFilters ??= other;
  }
  if (found === 'described') return usual;
  return described ?? (found === 'none' ? (moreFilters ?? usual) : usual);
}

/** The reading with an unknown place as words and not as a filter; undefined where the words have none. */
async function withoutUnknownPlace(
  read: Reader,
  understood: Understood,
  { places }: Known,
): Promise<Understood | undefined> {
  const { near, within: _, ...filters } = understood.filters;
  if (typeof near !== 'string' || near === 'me') return undefined;
  if ((places.get(foldedKey(near)) ?? (await knownPlace(read, near))) !== undefined) return undefined;
  const parts = understood.understood.flatMap((part): UnderstoodText[] => {
    const { near: own, within: _within, ...rest } = part.filters;
    if (own !== near) return [part];
    return Object.keys(rest).length > 0 ? [{ ...part, filters: rest }] : [];
  });
  return { ...understood, filters, words: `${understood.words} around ${near}`.trim(), understood: parts };
}

/** Whether something begins at the very minute of one reading, and nothing at that of the other: `6:15`, when lanes open. */
async function beginsAt(
  one: Understood,
  other: Understood,
  find: (understood: Understood) => Promise<Finds>,
): Promise<boolean> {
  const { after = 0, before } = one.filters;
  if (after % HOUR === 0 || before !== after + HOUR / 2) return false;
  const atMinute = ({ filters, ...rest }: Understood): Understood => ({
    ...rest,
    filters: { ...filters, before: (filters.after ?? 0) + MINUTE },
  });
  return (await find(atMinute(one))) === 'all' && (await find(atMinute(other))) !== 'all';
}

const [HOUR, MINUTE] = [3600, 60];

const meaningOf = ({ filters, words }: Understood): string => `${queryOf(filters)} ${words}`;

function otherReadings(q: string, towns: ReadonlySet<string>): Pick<WordOptions, 'otherHalf' | 'loosely'>[] {
  const hasNumber = tokensOf(q).some(({ word }) => /\d/.test(word) || NUMBERS.has(word));
  const isTown = (text: string): boolean => towns.has(foldedKey(text));
  const ofAges = { loosely: { isTown, ranges: 'ages' as const } };
  const ofHours = { loosely: { isTown, ranges: 'hours' as const } };
  const isLoose = hasNumber || towns.size > 0 || mayReadLoosely(q);
  return [
    ...(hasNumber ? [{ otherHalf: true }] : []),
    ...(isLoose ? [ofAges, { loosely: { ...ofAges.loosely, seasons: true as const } }] : []),
    ...(hasNumber ? [ofHours, { ...ofHours, otherHalf: true }] : []),
  ];
}

/** Whether a place is a town or a postcode district. `by` another place may be a part of a name. */
const isAround = (place: KnownPlace | undefined): boolean => place?.list === 'towns' || place?.list === 'districts';

/** Whether a name in the data has these words one after the other. */
async function isNamed(read: Reader, text: string): Promise<boolean> {
  const words = [{ any: [wordsIn(text).map(stem)], phrase: true, within: 'names' as const }];
  return isFound(read, { kind: 'series', words });
}

/** Words with the filter `place` for places that are meant themselves, instead of `near`. */
function withPlaces(
  { query, filters, words, understood }: Understood,
  places: ReadonlyMap<string, KnownPlace | undefined>,
): Understood {
  let all = filters;
  const parts = understood.map((part): UnderstoodText => {
    const { near, within, ...rest } = part.filters;
    if (typeof near !== 'string' || within !== undefined) return part;
    const known = places.get(foldedKey(near));
    const { list, name = near } = known ?? {};
    if (list !== 'places' || !(known?.name === undefined ? AT : AT_BEGINNING).test(part.text)) return part;
    const { near: _near, within: _within, ...others } = all;
    all = canonical({ ...others, place: [name] });
    return { ...part, filters: { ...rest, place: [name] } };
  });
  return { query, filters: all, words, understood: parts };
}

/** The problem of words with "near me" where the address has no position; undefined for other words. */
export function nowhere(named: Filters, inWords: Filters): FilterProblem | undefined {
  if (named.near !== undefined || inWords.near !== 'me') return undefined;
  return {
    name: 'q',
    value: named.q ?? '',
    allowed: 'words without "near me", with near=TOWN, POSTCODE or LAT,LON beside them',
  };
}

/** The filters of the address, with those of the words that the address does not have. */
export function combined({ q: _, ...named }: Filters, fromWords: Filters): Filters {
  return canonical({ ...yielding(fromWords, named), ...named });
}
