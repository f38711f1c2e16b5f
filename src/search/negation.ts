import type { Filters } from './filters.ts';
import { isGlued, type Token } from './tokens.ts';
import { GENERIC } from './values/context.ts';

/**
 * Unwanted things in the words of a search, such as `yoga` of `not yoga`. Their words are not searched for; `exclusionOf` in the
 * library makes conditions of them. Pure.
 */

const NEGATIONS: readonly (readonly string[])[] =
  'not interested in|not|no|without|except|excluding|exclude|neither|apart from|other than|rather than|isnt|arent|dont want|dont like|doesnt like|hate|hates|instead of|nothing too'
    .split('|')
    .map((words) => words.split(' '));
/** `anything but`, `all classes except`, `any sport bar`: words for everything, in front of an unwanted thing. */
const EVERYTHING = new Set('all any anything every everything whatever'.split(' '));
const KINDS: ReadonlySet<string> = new Set([...GENERIC, 'sport', 'sports']);
const BUT = new Set('but except excluding bar'.split(' '));
/** Words that mean nothing by themselves in front of a negation. */
const LEADS: ReadonlySet<string> = new Set(['but', 'and', 'with']);
/** In front of `not` these are no negation of a wish: `who can not swim` is about swimming. */
const ABLE = /^(?:can|could)$/;
/** Words between a negation and an unwanted thing. */
const FILLERS = new Set(
  `a aimed an any at available by for from good in intended just like meant my necessarily near of on only open or really
  suitable the to too very want with -`.split(/\s+/),
);
const BEFORE_PLACES = new Set(['in', 'at', 'near', 'by', 'from']);
/** Words in front of the name of a place or of a leader. */
const BEFORE_NAMES = new Set(['in', 'at', 'by', 'from']);
/** Words in front of `by` and the name of a leader. */
const DONE_BY = new Set('coached delivered hosted led organised organized run taught'.split(' '));
/** Negations that may describe a wanted thing: `no partner needed` is in descriptions of classes for pairs. */
const UNSURE = /^(?:no|without)$/;
/** Words between two unwanted things: `not yoga or pilates`. `and` is one of them only in front of a name. */
const ALTERNATIVES = new Set(['or', 'nor']);
/** Words behind an unwanted thing: `no booking needed`, `not yoga classes`. */
const BEHIND = new Set('needed required necessary class classes lesson lessons session sessions'.split(' '));
const MOST_PLACE_WORDS = 4;
const MOST_NAME_TOKENS = 5;

/** An unwanted thing. */
export interface Unwanted {
  /** The words as they were typed: `yoga` of `not yoga`. */
  text: string;
  /** The filters of the words, as of `women only`. Absent: the words are no filter. */
  filters?: Filters;
  /** Whether it may be a name of any kind. */
  isName?: true;
  /** `at`, `by`: a preposition for a place, or for a leader, precedes it. `no`: it may be something that a class needs. */
  lead?: 'at' | 'by' | 'no';
  /** Whether the search has the opposite filter. */
  isAsked?: true;
}

/** A part of the words, up to token `to`. */
interface KnownPart {
  to: number;
  filters: Filters;
  leftOut?: true | string;
}

/** Tokens `from` to `to`, the end excluded: a negation with unwanted things, or a name that begins like one. */
export interface NegatedPart extends KnownPart {
  from: number;
  unwanted?: readonly Unwanted[];
  isName?: true;
}

/** The context of a negation. */
export interface NegationContext<Part extends KnownPart = KnownPart> {
  query: string;
  /** The longest phrase that begins at each token. */
  best: readonly (Part | undefined)[];
  /** The end of the longest name or filter that begins at a token; where none does, the token itself. */
  endOf(at: number): number;
  /** Whether an activity begins at a token. */
  isActivity(at: number): boolean;
  /** Whether a text is a name in the data. */
  isName(text: string): boolean;
  /** The filters of a text that is a filter and nothing else. */
  filtersOf(text: string): Filters | undefined;
}

/** The negation that begins at a token, with its unwanted things; undefined where none begins. */
export function negatedPart<Part extends KnownPart>(
  tokens: readonly Token[],
  from: number,
  context: NegationContext<Part>,
): NegatedPart | Part | undefined {
  const { best, query, endOf, isName } = context;
  const after = best[from + 1];
  if (after?.leftOut === true && LEADS.has((tokens[from] as Token).word)) return { ...after, from };
  const runs = runsFrom(tokens, from, context);
  const to = runs.at(-1)?.end;
  if (to === undefined) return undefined;
  // A name may begin with `no`, and none with a minus.
  const isNamed = tokens[from]?.word !== '-' && isName(typedText(query, tokens, from, to));
  if (isNamed) return { from, to, filters: {}, isName: true };
  const isUnsure = UNSURE.test(wordAt(tokens, from));
  const unwanted = runs.map(({ first, end, last, lead }): Unwanted => {
    const own = best[first];
    const isName = own?.to !== last;
    const filters = isName ? context.filtersOf(typedText(query, tokens, first, last)) : own.filters;
    const how = lead ?? (isUnsure && endOf(first) === first ? 'no' : undefined);
    return {
      text: typedText(query, tokens, first, end),
      ...(filters !== undefined && Object.keys(filters).length > 0 && { filters }),
      ...(isName && { isName }),
      ...(how && { lead: how }),
    };
  });
  return { from, to, filters: {}, leftOut: true, unwanted };
}

/**
 * The text of a negation without the unwanted things that are left out of the search.
 *
 * @example askedText('not pilates or free', [{ text: 'pilates' }, { text: 'free' }], ['free']) // 'not pilates'
 */
export function askedText(text: string, unwanted: readonly Unwanted[], leftOut: readonly string[]): string {
  const asked = unwanted.filter((one) => !leftOut.includes(one.text));
  return asked.length === unwanted.length ? text : `not ${asked.map((one) => one.text).join(' or ')}`;
}

const wordAt = (tokens: readonly Token[], at: number): string => tokens[at]?.word ?? '';

const typedText = (query: string, tokens: readonly Token[], from: number, to: number): string =>
  query.slice(tokens[from]?.start, tokens[to - 1]?.end);

/** The tokens of an unwanted thing: `first` to `end`, the end excluded. `last`: the end without words such as "classes". */
interface UnwantedRun {
  first: number;
  end: number;
  last: number;
  lead?: 'at' | 'by';
}

/** The unwanted things behind a negation, one after the other; none where no negation begins. */
function runsFrom(tokens: readonly Token[], from: number, context: NegationContext): UnwantedRun[] {
  const everything = everythingEnd(tokens, from);
  const first = isMinus(tokens, from) ? from + 1 : (negationEnd(tokens, from) ?? everything);
  // `not-for-profit` is a word.
  if (first === undefined || isGlued(tokens, first) || ABLE.test(wordAt(tokens, from - 1))) return [];
  if (/^\d/.test(wordAt(tokens, first)) && context.endOf(first) === first) return [];
  const runs: UnwantedRun[] = [];
  for (let at: number | undefined = first; at !== undefined; ) {
    const run = runAt(tokens, at, context);
    if (run === undefined) break;
    const lead = run.lead ?? runs[0]?.lead;
    runs.push({ ...run, ...(lead && { lead }) });
    at = nextRun(tokens, run.end, runs, everything !== undefined, context);
  }
  return runs;
}

/** The token at which the next unwanted thing begins; undefined where something else follows, or another negation. */
function nextRun(
  tokens: readonly Token[],
  at: number,
  runs: readonly UnwantedRun[],
  isOfEverything: boolean,
  context: NegationContext,
): number | undefined {
  const [first] = runs as [UnwantedRun];
  // One word is a name behind "with" and "at" alone.
  const isNamed = (next: number): boolean =>
    context.isActivity(next) ||
    nameEnd(tokens, next, first.lead === undefined ? next + 1 : next, context) !== undefined;
  const isJoined = (next: number): boolean => {
    const word = wordAt(tokens, next);
    if (negationEnd(tokens, next + 1) !== undefined) return false;
    return ALTERNATIVES.has(word) || (word === 'and' && (context.endOf(next + 1) > next + 1 || isNamed(next + 1)));
  };
  const isBehind = (separator: RegExp, next: number): boolean =>
    next < tokens.length && separator.test(context.query.slice(tokens[next - 1]?.end, tokens[next]?.start));
  // A list ends with "or" or "and": `swimming, not lessons, on Sunday` is none.
  const isListed = (next: number): boolean => {
    if (!isBehind(/,/, next) || !isNamed(next)) return false;
    const end = runAt(tokens, next, context)?.end;
    return end !== undefined && (isJoined(end) || isListed(end));
  };
  if (isJoined(at)) return at + 1;
  if (isOfEverything) return isBehind(/[,/&]/, at) && isNamed(at) ? at : undefined;
  const isEither = isBehind(/[/&]/, at) && context.isActivity(at);
  return (isEither && context.isActivity(first.first)) || (isNamed(first.first) && isListed(at)) ? at : undefined;
}

function runAt(tokens: readonly Token[], from: number, context: NegationContext): UnwantedRun | undefined {
  const { endOf } = context;
  const first = pastPreposition(tokens, pastFillers(tokens, from, endOf), context);
  if (first === tokens.length || isConnector(tokens[first] as Token)) return undefined;
  const isPlace = endOf(first) === first && first > from && BEFORE_PLACES.has(wordAt(tokens, first - 1));
  let last = isPlace ? placeEnd(tokens, first, endOf) : Math.max(first + 1, endOf(first));
  while (isGlued(tokens, last)) last += 1;
  let end = last;
  while (endOf(end) === end && BEHIND.has(wordAt(tokens, end))) end += 1;
  const named = nameEnd(tokens, first, isPlace ? first : end, context);
  if (named !== undefined) [end, last] = [named, named];
  const lead = leadOf(tokens.slice(from, first));
  return { first, end, last, ...(lead && { lead }) };
}

/** Whether the last of some words precedes a place, or a person. */
function leadOf(before: readonly Token[]): UnwantedRun['lead'] {
  const last = before.findLast(({ word }) => BEFORE_PLACES.has(word) || word === 'with');
  return last && (/^(?:by|with)$/.test(last.word) ? 'by' : 'at');
}

/**
 * The end of the longest name that begins at `first` and ends behind `least`, such as `Bridge Street Hall`; undefined: none.
 */
function nameEnd(
  tokens: readonly Token[],
  first: number,
  least: number,
  { query, best, isName }: NegationContext,
): number | undefined {
  const other = best.findIndex((part, at) => at >= Math.max(least, first + 1) && part !== undefined);
  const most = Math.min(other < 0 ? tokens.length : other, first + MOST_NAME_TOKENS);
  for (let end = most; end > least; end -= 1) if (isName(typedText(query, tokens, first, end))) return end;
  return undefined;
}

function negationEnd(tokens: readonly Token[], from: number): number | undefined {
  const found = NEGATIONS.find((words) => words.every((word, at) => tokens[from + at]?.word === word));
  return found === undefined ? undefined : from + found.length;
}

function everythingEnd(tokens: readonly Token[], from: number): number | undefined {
  const has = (words: ReadonlySet<string>, at: number): boolean => words.has(wordAt(tokens, at));
  if (!has(EVERYTHING, from)) return undefined;
  const at = has(KINDS, from + 1) ? from + 2 : from + 1;
  return has(BUT, at) ? at + 1 : undefined;
}

/** Whether a hyphen is a minus, as in `-chair` behind a blank. In `Mon - Fri` and `5 -10` it is none. */
function isMinus(tokens: readonly Token[], at: number): boolean {
  const [before, here, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (here?.word !== '-' || before?.end === here.start || after?.start !== here.end) return false;
  return before?.word !== '-' && /^[\p{L}"“”]/u.test(after.word);
}

/** The first token behind fillers such as `from`, `suitable for` and `led by`. */
function pastFillers(tokens: readonly Token[], from: number, endOf: (at: number) => number): number {
  let at = from;
  for (;;) {
    if (DONE_BY.has(wordAt(tokens, at)) && tokens[at + 1]?.word === 'by') at += 2;
    else if (endOf(at) === at && FILLERS.has(wordAt(tokens, at))) at += 1;
    else return at;
  }
}

/**
 * The token behind a preposition that a longer name follows: `by Wexcombe` is a filter, and no part of `Wexcombe Clubs
 * Together`.
 */
function pastPreposition(tokens: readonly Token[], at: number, context: NegationContext): number {
  const isPart = context.endOf(at) > at && BEFORE_NAMES.has(wordAt(tokens, at));
  return isPart && nameEnd(tokens, at + 1, context.endOf(at), context) !== undefined ? at + 1 : at;
}

/** The end of an unknown place: where something else begins, or after `MOST_PLACE_WORDS`. */
function placeEnd(tokens: readonly Token[], from: number, endOf: (at: number) => number): number {
  const isOther = (at: number): boolean => endOf(at) > at || isConnector(tokens[at] as Token);
  let end = from + 1;
  while (end < tokens.length && end < from + MOST_PLACE_WORDS && !isOther(end)) end += 1;
  return end;
}

const isConnector = ({ word }: Token): boolean => LEADS.has(word) || ALTERNATIVES.has(word);
