import { isGlued, type Token } from './tokens.ts';
import { GENERIC } from './values/context.ts';

/** What people do not want. No filter says so, and nothing of it may be searched for. Pure. */

const NEGATIONS: readonly (readonly string[])[] =
  'not interested in|not|no|without|except|excluding|exclude|apart from|other than|rather than|isnt|arent|dont want|dont like|doesnt like|hate|hates|instead of|nothing too'
    .split('|')
    .map((words) => words.split(' '));
/** `anything but`, `all classes except`, `any sport bar`: everything, and what it is, before what is not. */
const EVERYTHING = new Set('all any anything every everything whatever'.split(' '));
const KINDS: ReadonlySet<string> = new Set([...GENERIC, 'sport', 'sports']);
const BUT = new Set('but except excluding bar'.split(' '));
/** Before what is not wanted they say nothing by themselves. */
export const LEADS: ReadonlySet<string> = new Set(['but', 'and', 'with']);
/** `who can not swim` is about swimming. */
const ABLE = new Set(['can', 'could']);
/** Between a negation and what is not wanted. */
const FILLERS = new Set(
  `a aimed an any at available by for from good in intended just like meant my necessarily near of on only open or really
  suitable the to too very want with -`.split(/\s+/),
);
const BEFORE_PLACES = new Set(['in', 'at', 'near', 'by', 'from']);
/** More of the same: `not yoga or pilates`, and `not yoga and pilates` before what has a name. */
const ALTERNATIVES = new Set(['or', 'nor']);
/** `no booking needed`, `not yoga classes`. */
const BEHIND = new Set('needed required necessary class classes lesson lessons session sessions'.split(' '));
const MOST_PLACE_WORDS = 4;

/** Tokens `first` to `end`, the end excluded, which are not wanted. */
interface Unwanted {
  first: number;
  end: number;
  /** Whether they stand behind a word such as "in". */
  isPlace: boolean;
}

/**
 * What is not wanted from a token on: a name, a filter, or a word. Undefined: nothing is negated there.
 *
 * @param endOf The end of the longest name or filter that begins at a token; where none does, the token itself.
 */
export function negatedAt(tokens: readonly Token[], from: number, endOf: (at: number) => number): Unwanted | undefined {
  const first = negationEnd(tokens, from);
  // `not-for-profit` is a word.
  if (first === undefined || isGlued(tokens, first) || ABLE.has(tokens[from - 1]?.word ?? '')) return undefined;
  const isNumber = /^\d/.test(tokens[first]?.word ?? '') && endOf(first) === first;
  let end = isNumber ? undefined : unwantedEnd(tokens, first, endOf);
  const isMore = (at: number): boolean =>
    ALTERNATIVES.has(tokens[at]?.word ?? '') || (tokens[at]?.word === 'and' && endOf(at + 1) > at + 1);
  while (end !== undefined && isMore(end)) {
    const next = unwantedEnd(tokens, end + 1, endOf);
    if (next === undefined) break;
    end = next;
  }
  if (end === undefined) return undefined;
  const at = pastFillers(tokens, first, endOf);
  // `apart from yoga` is no place.
  return { first: at, end, isPlace: at > first && isBehindPlaceWord(tokens, at) };
}

/** The end of the longest name that begins with what is not wanted, `Bridge Street Hall`. `most`: where something else begins. */
export function nameEnd({ first, end }: Unwanted, most: number, isName: (end: number) => boolean): number {
  for (let to = Math.min(most, first + MOST_NAME_TOKENS); to > end; to -= 1) if (isName(to)) return to;
  return end;
}

const MOST_NAME_TOKENS = 5;

function negationEnd(tokens: readonly Token[], from: number): number | undefined {
  if (isMinus(tokens, from)) return from + 1;
  const found = NEGATIONS.find((words) => words.every((word, at) => tokens[from + at]?.word === word));
  return found === undefined ? everythingEnd(tokens, from) : from + found.length;
}

function everythingEnd(tokens: readonly Token[], from: number): number | undefined {
  const has = (words: ReadonlySet<string>, at: number): boolean => words.has(tokens[at]?.word ?? '');
  if (!has(EVERYTHING, from)) return undefined;
  const at = has(KINDS, from + 1) ? from + 2 : from + 1;
  return has(BUT, at) ? at + 1 : undefined;
}

/** `-chair` behind a blank; in `Mon - Fri` and `5 -10` a hyphen is something else. */
function isMinus(tokens: readonly Token[], at: number): boolean {
  const [before, here, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (here?.word !== '-' || before?.end === here.start || after?.start !== here.end) return false;
  return before?.word !== '-' && /^[\p{L}"“”]/u.test(after.word);
}

function unwantedEnd(tokens: readonly Token[], from: number, endOf: (at: number) => number): number | undefined {
  const at = pastFillers(tokens, from, endOf);
  if (at === tokens.length || isConnector(tokens[at] as Token)) return undefined;
  const isPlace = endOf(at) === at && isBehindPlaceWord(tokens, at);
  let end = isPlace ? placeEnd(tokens, at, endOf) : Math.max(at + 1, endOf(at));
  while (isGlued(tokens, end)) end += 1;
  while (endOf(end) === end && BEHIND.has(tokens[end]?.word ?? '')) end += 1;
  return end;
}

function pastFillers(tokens: readonly Token[], from: number, endOf: (at: number) => number): number {
  let at = from;
  while (at < tokens.length && endOf(at) === at && FILLERS.has((tokens[at] as Token).word)) at += 1;
  return at;
}

const isBehindPlaceWord = (tokens: readonly Token[], at: number): boolean =>
  BEFORE_PLACES.has(tokens[at - 1]?.word ?? '');

/** A place that nothing knows ends where something else begins. */
function placeEnd(tokens: readonly Token[], from: number, endOf: (at: number) => number): number {
  const isOther = (at: number): boolean => endOf(at) > at || isConnector(tokens[at] as Token);
  let end = from + 1;
  while (end < tokens.length && end < from + MOST_PLACE_WORDS && !isOther(end)) end += 1;
  return end;
}

const isConnector = ({ word }: Token): boolean => LEADS.has(word) || ALTERNATIVES.has(word);
