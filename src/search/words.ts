import { dayOfDate } from '../time/days.ts';
import type { LocalDate } from '../time/instant.ts';
import { activityList } from '../vocabulary/shipped.ts';
import { MOST_LABEL_WORDS, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Filters, merged } from './filters.ts';
import { spelled } from './mistyped.ts';
import { type NegationContext, negatedPart, type Unwanted } from './negation.ts';
import { matchesOf, withoutRepeated } from './patterns.ts';
import { isKeptName, KEPT_AT_FIRST, mayBeLoose, PHRASES } from './phrases.ts';
import { saysWho, VALUE_READERS } from './query-values.ts';
import { conceptCalled } from './terms.ts';
import { isGlued, MAX_QUERY, type Token, tokensOf } from './tokens.ts';
import { GENERIC, type Length, type LooseReading, type QueryContext } from './values/context.ts';
import { withOnePlace } from './values/places.ts';
import { greetingEnd } from './values/times.ts';
import { lessDays } from './values/when.ts';

/** Words of a search, read as filters and the words that are left. Pure. Each filter can be removed (`withoutPart`). */

/** How words are read. */
export interface WordOptions {
  /** The local date of the person. */
  today: LocalDate;
  /** Seconds since the person's local midnight, for "right now" and "later today". */
  time?: number;
  /** Whether a text is the name of a place or town in the data. Without it only postcodes are places behind "in". */
  isPlace?: (text: string) => boolean;
  /** Whether such a place is a town or a postcode district; absent: all are. */
  isTown?: (text: string) => boolean;
  /** Whether something in the data has these words in its name: `no strings` is a name, and says nothing of strings. */
  isName?: (text: string) => boolean;
  /** Whether bare hours are in the unusual half of the day: `at 6.15` is 06:15. `before 7`, and hours with a half, stay. */
  otherHalf?: boolean;
  /** The loose reading, in which towns without "in", months and ranges without "ages" are filters too. */
  loosely?: LooseReading;
  /** Whether a label of an activity for people, such as `toddler football`, is a name in the data; absent: it is. */
  isLabel?: (label: string) => boolean;
  /** Names that are never taken apart. */
  activities?: Vocabulary;
}

/** A part of the words that is a filter. */
export interface UnderstoodText {
  /** The text as it was typed. */
  text: string;
  /** The position in `query`, the end excluded. */
  start: number;
  end: number;
  /** The filters of the part; empty for what holds anyway, such as "not cancelled". */
  filters: Filters;
  /** The text that no filter expresses, such as "not free". It is left out unless a query expresses it. */
  leftOut?: string;
  /** The unwanted things: `yoga` of `not yoga`. */
  unwanted?: readonly Unwanted[];
  /** The length of sessions that it asks for. */
  lasts?: Length;
}

/** Words of a search, as they were read. */
export interface Understood {
  /** The text that was read: blanks folded, cut to the length of `q`. */
  query: string;
  /** The filters in the words. `near` may be `me`, whose position only the person's device knows. */
  filters: Filters;
  /** The words that are no filters. */
  words: string;
  /** Parts of `query` that are filters; `withoutPart` removes one. */
  understood: UnderstoodText[];
}

/**
 * Reads the words of a search as filters and other words. `near: 'me'` is the position of the person.
 *
 * @example
 * ```ts
 * const { filters, words } = understand('yoga Saturday morning under £8', { today: '2026-11-24' });
 * // filters: { day: [5], before: 43200, maxPrice: 8 }, words: 'yoga'
 * ```
 */
export function understand(q: string, options: WordOptions): Understood {
  const query = lineOfWords(q);
  const tokens = spelled(tokensOf(query), options.activities ?? activityList());
  const found = withOnePlace(tokens, phrasesIn(query, tokens, options), { text: query, ...options });
  const parts = withoutRepeated(tokens, withConnectors(tokens, lessDays(found)));
  const understood = parts.map(({ from, to, isName: _, leftOut, ...part }): UnderstoodText => {
    const [start, end] = [(tokens[from] as Token).start, (tokens[to - 1] as Token).end];
    const text = query.slice(start, end);
    return { text, start, end, ...part, ...(leftOut && { leftOut: leftOut === true ? text : leftOut }) };
  });
  return { query, filters: merged(parts.map(({ filters }) => filters)), words: rest(query, tokens, parts), understood };
}

/**
 * Whether a text has words that only a loose reading takes for filters: most texts have none. Callers look for numbers and
 * towns themselves.
 */
export function mayReadLoosely(q: string): boolean {
  const tokens = spelled(tokensOf(lineOfWords(q)), activityList());
  return mayBeLoose(tokens.map(({ word }) => word));
}

/**
 * The words without a part that is a filter: the search that remains when a chip is removed. Marks of the part alone are
 * removed too.
 *
 * @example `(adults)` of `swimming (adults), evenings` leaves `swimming evenings`
 */
export function withoutPart({ query }: Pick<Understood, 'query'>, { start, end }: UnderstoodText): string {
  const tokens = tokensOf(query);
  const before = tokens.findLast((token) => token.end <= start)?.end;
  const after = tokens.find((token) => token.start >= end)?.start;
  // What is bound to the word before or after it stays: `yoga, Saturday`, `Saturday (hot) yoga`.
  const [ofBefore = ''] = before === undefined ? [] : (/^\S+(?=\s)/.exec(query.slice(before, start)) ?? []);
  const [ofAfter = ''] = after === undefined ? [] : (/(?<=\s)\S+$/.exec(query.slice(end, after)) ?? []);
  const isLast = after === undefined;
  const first = query.slice(0, before ?? 0) + (isLast ? ofBefore.replace(/[,;:/]+$/, '') : ofBefore);
  return `${first} ${isLast ? '' : ofAfter + query.slice(after)}`.replaceAll(/\s+/g, ' ').trim();
}

/** What was understood, as it was searched for: without a gender, a level or a length that nothing has. */
export function asSearched(all: Understood, unmatched: readonly string[] = []): Understood {
  const isUnmatched = ({ text }: UnderstoodText, name: string): boolean =>
    name === 'gender' ? unmatched.some((word) => text.includes(word)) : unmatched.includes(text);
  const open: string[] = (['gender', 'level'] as const).filter((name) =>
    all.understood.some((part) => part.filters[name] !== undefined && isUnmatched(part, name)),
  );
  const held = (filters: Filters): Filters =>
    Object.fromEntries(Object.entries(filters).filter(([name]) => !open.includes(name))) as Filters;
  const parts = all.understood.filter((part) => part.lasts === undefined || !isUnmatched(part, 'lasts'));
  const understood = parts.map((part) => ({ ...part, filters: held(part.filters) }));
  return { ...all, filters: held(all.filters), understood };
}

/** Parts that a query expresses, and no filter of an address: `not yoga`, `at most 45 minutes`. */
export function textFilters(understood: Understood | undefined, leftOut: readonly string[] = []): UnderstoodText[] {
  const parts = understood?.understood ?? [];
  return parts.filter((part) => part.leftOut === part.text && !leftOut.includes(part.text));
}

/** Tokens `from` to `to`, the end excluded. */
interface ReadPart extends Pick<UnderstoodText, 'filters' | 'unwanted' | 'lasts'> {
  from: number;
  to: number;
  /** The text that no filter expresses; true: all of it. */
  leftOut?: true | string;
  /** Whether it is a name, which is searched for as it is. */
  isName?: true;
  /** Whether its days are all but the unwanted ones. */
  isLess?: true;
}

function lineOfWords(q: string): string {
  const line = q
    .slice(0, 4 * MAX_QUERY)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.slice(0, MAX_QUERY).toWellFormed().trim();
}

/** The phrases of a text: from left to right the longest at each token, but never a part of a name or of a hyphenated word. */
function phrasesIn(query: string, tokens: readonly Token[], options: WordOptions): ReadPart[] {
  const names = {
    activities: namesIn(tokens, (words) => isActivity(words, options)),
    kept: namesIn(tokens, (words, next) => isKeptName(words, next) && !(options.loosely && KEPT_AT_FIRST.has(words))),
  };
  const alone = leftToRight(bestPhrases(query, tokens, options, names, () => false));
  if (alone.length === 0) return alone;
  return leftToRight(bestPhrases(query, tokens, options, names, (at) => isAfterPhrase(tokens, alone, at)));
}

/** Whether words are the label of an activity. `toddler football`, where no name has it, is football for toddlers. */
function isActivity(words: string, { activities = activityList(), isLabel }: WordOptions): boolean {
  if (conceptCalled(words, activities) === undefined) return false;
  return isLabel === undefined || !words.split(' ').some(saysWho) || isLabel(words);
}

/** For each token the end of the longest name that begins there. */
interface Names {
  activities: readonly number[];
  kept: readonly number[];
}

/** The longest phrase at each token. `isAfter`: whether a phrase ends before a token. */
function bestPhrases(
  query: string,
  tokens: readonly Token[],
  options: WordOptions,
  { activities, kept }: Names,
  isAfter: (at: number) => boolean,
): (ReadPart | undefined)[] {
  const best: (ReadPart | undefined)[] = [];
  const context = contextOf(query, tokens, options, (at) => best[at] !== undefined || (activities[at] as number) > at);
  const isWhole = (from: number, to: number): boolean => !cuts(activities, from, to) && !cuts(kept, from, to);
  const isBeside = (from: number, to: number): boolean => {
    const [first, after] = [isDash(tokens, from - 1) ? from - 1 : from, isDash(tokens, to) ? to + 1 : to];
    if ((activities[after] ?? after) > after || GENERIC.has(tokens[after]?.word ?? '')) return true;
    const isOfGeneric = (at: number): boolean => GENERIC.has(tokens[at - 1]?.word ?? '');
    const isEnd = after >= tokens.length || best[after] !== undefined;
    return (
      isEnd &&
      (first === 0 || isAfter(first) || isOfGeneric(first) || activities.some((end, at) => at < end && end === first))
    );
  };
  const endOf = (at: number): number => Math.max(best[at]?.to ?? at, activities[at] ?? at, kept[at] ?? at);
  const negation: NegationContext<ReadPart> = {
    query,
    best,
    endOf,
    isActivity: (at) => (activities[at] ?? at) > at,
    isName: (text) => options.isName?.(text) === true,
    filtersOf: (text) => filtersAlone(text, options),
  };
  // From the last token on, for places end where something else begins.
  for (let from = tokens.length - 1; from >= 0; from -= 1) {
    if (isGlued(tokens, from)) continue;
    const part = phraseAt(tokens, from, context, isWhole, isBeside);
    const unwanted = isWhole(from, from + 1) ? negatedPart(tokens, from, negation) : undefined;
    best[from] = unwanted !== undefined && unwanted.to > (part?.to ?? 0) ? unwanted : part;
  }
  return best;
}

/** The phrases from left to right that do not overlap, without names. */
function leftToRight(best: readonly (ReadPart | undefined)[]): ReadPart[] {
  const parts: ReadPart[] = [];
  for (let at = 0; at < best.length; at = best[at]?.to ?? at + 1) {
    const part = best[at];
    if (part !== undefined && !part.isName) parts.push(part);
  }
  return parts;
}

/** Whether a phrase, and then only connectors, precede a token: `Saturday morning` of `Saturday morning kids`. */
function isAfterPhrase(tokens: readonly Token[], parts: readonly ReadPart[], at: number): boolean {
  const isBound = (from: number): boolean => tokens.slice(from, at).every(({ word }) => CONNECTORS.has(word));
  return parts.some(({ to }) => to <= at && isBound(to));
}

/** Whether a token is a hyphen that joins no words: `swimming adults - evenings`. */
function isDash(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.word === '-' && !isGlued(tokens, at);
}

function contextOf(
  text: string,
  tokens: readonly Token[],
  { today, time, isPlace, isTown = isPlace, isName, otherHalf, loosely }: WordOptions,
  isOther: (at: number) => boolean,
): QueryContext {
  const half = halfIn(tokens.slice(greetingEnd(tokens))) ?? (otherHalf ? 'other' : undefined);
  return {
    today: dayOfDate(today),
    text,
    isOther,
    ...(time !== undefined && { time }),
    ...(isPlace && { isPlace }),
    ...(isTown && { isTown }),
    ...(isName && { isName }),
    ...(half && { half }),
    ...(loosely && { loosely }),
  };
}

/** The filters of a text that says one of them and nothing else: `kids` of `anything but kids`, `babies` of `no babies`. */
function filtersAlone(text: string, options: WordOptions): Filters | undefined {
  const alone = [text, `for ${text}`].map((one) => understand(one, options));
  const one = alone.find(({ words, understood }) => words === '' && understood.length === 1);
  return one?.understood[0]?.leftOut === undefined ? one?.understood[0]?.filters : undefined;
}

/** The longest phrase that begins at a token; of equal ones the first. */
function phraseAt(
  tokens: readonly Token[],
  from: number,
  context: QueryContext,
  isWhole: (from: number, to: number) => boolean,
  isBeside: (from: number, to: number) => boolean,
): ReadPart | undefined {
  const { word } = tokens[from] as Token;
  let best: ReadPart | undefined;
  for (const { pattern, filters, beside, leftOut, lasts, isLess } of PHRASES) {
    if (pattern.firstWords?.has(word) === false) continue;
    for (const { values, end } of matchesOf(pattern, tokens, from, VALUE_READERS, context)) {
      if (end <= (best?.to ?? 0)) break;
      if (!isWhole(from, end) || isGlued(tokens, end) || tokens.slice(from, end).some(({ quoted }) => quoted)) continue;
      const isAnywhere = beside === undefined || (beside === 'usually' && context.loosely !== undefined);
      const meaning = isAnywhere || isBeside(from, end) ? filters(values, context) : undefined;
      if (meaning === undefined) continue;
      const unasked = typeof leftOut === 'function' ? leftOut(values) : leftOut;
      const more = { ...(unasked && { leftOut: unasked }), ...(lasts && { lasts: lasts(values) }) };
      best = { from, to: end, filters: meaning, ...more, ...(isLess && { isLess }) };
    }
  }
  return best;
}

/** Whether tokens are part of a name of several tokens. */
function cuts(names: readonly number[], from: number, to: number): boolean {
  return names.some((end, at) => end - at > 1 && at < to && end > from);
}

/** For each token the end of the longest name that begins there; where none does, the token itself. */
function namesIn(tokens: readonly Token[], isName: (words: string, next?: string) => boolean): number[] {
  return tokens.map(({ quoted, word }, at) => {
    if (quoted || word === '-') return at;
    for (let end = Math.min(tokens.length, at + 2 * MOST_LABEL_WORDS); end > at; end -= 1) {
      const words = tokens.slice(at, end);
      if (words.some((token) => token.quoted) || words.at(-1)?.word === '-') continue;
      const plain = words.filter((token) => token.word !== '-').map((token) => token.word);
      if (plain.length <= MOST_LABEL_WORDS && isName(plain.join(' '), tokens[end]?.word)) return end;
    }
    return at;
  });
}

function halfIn(tokens: readonly Token[]): 'am' | 'pm' | undefined {
  const words = new Set(tokens.map(({ word }) => word.replace(/(?<=ing|noon)s$/, '')));
  if (['evening', 'afternoon', 'tonight', 'night'].some((word) => words.has(word))) return 'pm';
  return words.has('morning') ? 'am' : undefined;
}

/** Connectors: words between phrases that mean nothing by themselves. */
const CONNECTORS = new Set('and or on at in the for with from to of a - but'.split(' '));

/** Parts with the connectors between two of them, and those between a part and the beginning or the end. */
function withConnectors(tokens: readonly Token[], parts: readonly ReadPart[]): ReadPart[] {
  const isConnected = (from: number, to: number): boolean =>
    tokens.slice(from, to).every(({ word }) => CONNECTORS.has(word));
  return parts.map((part, index) => {
    const before = parts[index - 1]?.to ?? 0;
    const from = isConnected(before, part.from) ? before : part.from;
    const isLast = index === parts.length - 1 && isConnected(part.to, tokens.length);
    return { ...part, from, to: isLast ? tokens.length : part.to };
  });
}

/** The words outside all parts, as they were typed. */
function rest(query: string, tokens: readonly Token[], parts: readonly ReadPart[]): string {
  const bounds = [0, ...parts.flatMap(({ from, to }) => [from, to]), tokens.length];
  const runs: string[] = [];
  for (let index = 0; index < bounds.length; index += 2) {
    const run = tokens.slice(bounds[index], bounds[index + 1]);
    const isWord = ({ word }: Token): boolean => word !== '-';
    const [first, last] = [run.find(isWord), run.findLast(isWord)];
    if (first !== undefined && last !== undefined) runs.push(query.slice(first.start, last.end));
  }
  return runs.join(' ');
}
