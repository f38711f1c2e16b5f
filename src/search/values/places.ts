import type { Filters } from '../filters.ts';
import type { ValueReader } from '../patterns.ts';
import type { Token } from '../tokens.ts';
import type { QueryContext } from './context.ts';

/** Places in what people type: places in the data, postcodes, and any words behind "near". */

/** Areas of the postcodes of the United Kingdom whose districts may end in a letter. */
const POSTCODE = /^(?:[a-z]{1,2}\d{1,2}|(?:e|ec|n|nw|se|sw|w|wc)\d[a-z])$/;
/** The second half of a postcode, and no time of day. */
const INWARD = /^\d(?![ap]m)[a-z]{2}$/;
const AREA = /^[a-z]{1,2}$/;
/** The most words of a place. */
const MOST_PLACE_WORDS = 4;
/** No name begins with one of these. */
const NO_NAME = /^(?:the|a|my|our|me|us|here)$/;
/** The most characters of `near`. */
const MAX_PLACE = 100;

/** A place in the data, by its longest name, or a postcode. */
export const place: ValueReader<QueryContext> = (tokens, at, context) => placeAt(tokens, at, context, context.isPlace);

export const town: ValueReader<QueryContext> = (tokens, at, context) => placeAt(tokens, at, context, context.isTown);

/** A town without a preposition, in a loose reading. */
export const looseTown: ValueReader<QueryContext> = (tokens, at, context) =>
  context.loosely && placeAt(tokens, at, context, context.loosely.isTown);

/** A name in the data follows that is no town; nothing of it is read. */
export const nameNext: ValueReader<QueryContext> = (tokens, at, context) => {
  if (NO_NAME.test(tokens[at]?.word ?? '') || town(tokens, at, context) !== undefined) return undefined;
  for (let end = Math.min(at + MOST_PLACE_WORDS, tokens.length); end > at; end -= 1) {
    const name = between(tokens, at, end, context);
    if (name !== undefined && context.isName?.(name) === true) return [name, at];
  }
  return undefined;
};

/** A known place, or else the words up to the next activity or phrase. */
export const anyPlace: ValueReader<QueryContext> = (tokens, at, context) => {
  const known = place(tokens, at, context);
  if (known !== undefined) return known;
  // An activity or a phrase is no unknown place.
  if (context.isOther(at)) return undefined;
  let end = at;
  const isEnd = (next: number): boolean => context.isOther(next) || tokens[next]?.word === 'or';
  while (end < tokens.length && end < at + MOST_PLACE_WORDS && !(end > at && isEnd(end))) end += 1;
  const name = NO_NAME.test(tokens[at]?.word ?? '') ? undefined : between(tokens, at, end, context);
  return name === undefined ? undefined : [name, end];
};

/** A postcode without a preposition: a whole one, or a district; where places can be looked up, a district in the data. */
export const postcode: ValueReader<QueryContext> = (tokens, at, context) => {
  const found = postcodeAt(tokens, at, context, context.isPlace);
  if (found === undefined) return undefined;
  const isKnown = found.isWhole || (context.isPlace?.(found.district) ?? true);
  return isKnown ? [found.district, found.end] : undefined;
};

interface FoundPostcode {
  district: string;
  end: number;
  isWhole: boolean;
}

/** The district of a postcode: the first half of `EX99 9ZZ`, and of `EX99 9`. `EX 99` is one where the data has it. */
function postcodeAt(
  tokens: readonly Token[],
  at: number,
  { isOther }: Partial<Pick<QueryContext, 'isOther'>>,
  isKnown: QueryContext['isPlace'],
): FoundPostcode | undefined {
  const word = tokens[at]?.word ?? '';
  const glued = /^([a-z]{1,2}\d[a-z\d]?)\d[a-z]{2}$/.exec(word)?.[1] ?? '';
  if (POSTCODE.test(glued)) return { district: glued.toUpperCase(), end: at + 1, isWhole: true };
  const isSplit = AREA.test(word);
  const district = isSplit ? `${word}${tokens[at + 1]?.word}` : word;
  if (!POSTCODE.test(district)) return undefined;
  const end = isSplit ? at + 2 : at + 1;
  const found = { district: district.toUpperCase(), end, isWhole: false };
  const next = tokens[end]?.word ?? '';
  if (INWARD.test(next)) return { ...found, end: end + 1, isWhole: true };
  if (isSplit && isKnown?.(found.district) !== true) return undefined;
  const isSector = /^\d$/.test(next) && (end + 1 === tokens.length || isOther?.(end + 1) === true);
  return isSector ? { ...found, end: end + 1 } : found;
}

/** A part of the words with its filters. `leftOut`: what no filter can express of it. */
interface PlacedPart {
  from: number;
  to: number;
  filters: Filters;
  leftOut?: true | string;
}

/**
 * Parts with one place at most, as a search has one position. `in Exeter or Wexcombe` is near the first that is known, and the
 * others are left out. A place goes before `near me`.
 */
export function withOnePlace<Part extends PlacedPart>(
  tokens: readonly Token[],
  parts: readonly Part[],
  context: Pick<QueryContext, 'text' | 'isPlace'>,
): Part[] {
  const isNamed = parts.some(
    ({ filters: { near } }) => typeof near === 'string' && near !== 'me' && context.isPlace?.(near) === true,
  );
  let first: string | undefined;
  return parts.map((part, index) => {
    const { near, within: _, ...filters } = part.filters;
    // Who names a town is there, wherever the device is.
    if (near === 'me' && isNamed) return { ...part, filters, leftOut: true };
    if (typeof near !== 'string' || near === 'me') return part;
    if (first !== undefined) return first === near.toLowerCase() ? part : { ...part, filters, leftOut: near };
    const [names, to] = joinedPlaces(tokens, part.to, parts[index + 1]?.from ?? tokens.length, context);
    const all = [near, ...names];
    const meant = all.find((name) => context.isPlace?.(name)) ?? near;
    first = meant.toLowerCase();
    if (names.length === 0) return part;
    const others = all.filter((name) => name !== meant);
    return { ...part, to, filters: { ...part.filters, near: meant }, leftOut: others.join(', ') };
  });
}

const JOINING = new Set(['or', 'and']);
const BEFORE_PLACES = new Set(['in', 'at', 'near', 'around']);

/** Places that "or", "and" or a mark joins to another one: their names, and the token after them. */
function joinedPlaces(
  tokens: readonly Token[],
  from: number,
  last: number,
  context: Pick<QueryContext, 'text' | 'isPlace'>,
): [names: string[], end: number] {
  const names: string[] = [];
  let end = from;
  for (;;) {
    const isJoined = JOINING.has(tokens[end]?.word ?? '');
    const isListed = /^\s*[/,&]/.test(context.text.slice(tokens[end - 1]?.end, tokens[end]?.start));
    const next = isJoined ? end + 1 : end;
    const at = BEFORE_PLACES.has(tokens[next]?.word ?? '') ? next + 1 : next;
    const found = isJoined || isListed ? placeAt(tokens, at, context, context.isPlace) : undefined;
    if (found === undefined || found[1] > last) return [names, end];
    names.push(found[0]);
    end = found[1];
  }
}

function placeAt(
  tokens: readonly Token[],
  at: number,
  context: Pick<QueryContext, 'text'> & Partial<Pick<QueryContext, 'isOther'>>,
  isKnown: QueryContext['isPlace'],
): readonly [string, number] | undefined {
  const postcode = postcodeAt(tokens, at, context, isKnown);
  if (postcode !== undefined) return [postcode.district, postcode.end];
  for (let end = Math.min(at + MOST_PLACE_WORDS, tokens.length); end > at; end -= 1) {
    const name = between(tokens, at, end, context);
    if (name !== undefined && isKnown?.(name) === true) return [name, end];
  }
  return undefined;
}

/** Words that begin something else behind a comma: `Lantern Yard, not at Old Baths` is two places. */
const NO_ADDRESS = new Set(
  'not no neither nor without except excluding but and in at near on by with from for'.split(' '),
);

function between(
  tokens: readonly Token[],
  at: number,
  end: number,
  { text }: Pick<QueryContext, 'text'>,
): string | undefined {
  const [first, last] = [tokens[at], tokens[end - 1]];
  const isEither = tokens.slice(at, end).some(({ word }) => word === 'or');
  const isOther = tokens.slice(at + 1, end).some(({ word, start }, index) => {
    return NO_ADDRESS.has(word) && text.slice(tokens[at + index]?.end, start).includes(',');
  });
  const isOne = !isEither && !isOther;
  const isName = first !== undefined && last !== undefined && isOne && /\p{L}/u.test(first.word) && last.word !== '-';
  if (!isName) return undefined;
  const name = text
    .slice(first.start, last.end)
    .replaceAll(/["“”\s]+/g, ' ')
    .trim();
  return name.length <= MAX_PLACE ? name : undefined;
}
