import type { ValueReader } from '../patterns.ts';
import type { Token } from '../tokens.ts';
import type { QueryContext } from './context.ts';

/** Places in what people type: those that the data has, postcodes, and whatever stands behind "near". */

/** Areas of the postcodes of the United Kingdom whose districts may end in a letter. */
const POSTCODE = /^(?:[a-z]{1,2}\d{1,2}|(?:e|ec|n|nw|se|sw|w|wc)\d[a-z])$/;
const INWARD = /^\d[a-z]{2}$/;
/** Between the words of a place's name and after it. */
const MOST_PLACE_WORDS = 4;
const ARTICLE = /^(?:the|a|my|our)$/;
/** Characters of `near`. */
const MAX_PLACE = 100;

/** A place that the data has, or a postcode; the longest name. */
export const place: ValueReader<QueryContext> = (tokens, at, context) => placeAt(tokens, at, context, context.isPlace);

export const town: ValueReader<QueryContext> = (tokens, at, context) => placeAt(tokens, at, context, context.isTown);

/** What comes next is a name in the data, and no town: nothing of it is read. */
export const nameNext: ValueReader<QueryContext> = (tokens, at, context) => {
  if (ARTICLE.test(tokens[at]?.word ?? '') || town(tokens, at, context) !== undefined) return undefined;
  for (let end = Math.min(at + MOST_PLACE_WORDS, tokens.length); end > at; end -= 1) {
    const name = between(tokens, at, end, context);
    if (name !== undefined && context.isName?.(name) === true) return [name, at];
  }
  return undefined;
};

/** A place, known or not: what follows, up to the next thing that is something else. */
export const anyPlace: ValueReader<QueryContext> = (tokens, at, context) => {
  const known = place(tokens, at, context);
  if (known !== undefined) return known;
  let end = at;
  while (end < tokens.length && end < at + MOST_PLACE_WORDS && !(end > at && context.isOther(end))) end += 1;
  const name = ARTICLE.test(tokens[at]?.word ?? '') ? undefined : between(tokens, at, end, context);
  return name === undefined ? undefined : [name, end];
};

/** A postcode by itself: where places are known, it is one of them. */
export const postcode: ValueReader<QueryContext> = (tokens, at, context) => {
  const found = postcodeAt(tokens, at);
  if (found === undefined) return undefined;
  return found[1] > at + 1 || (context.isPlace?.(found[0]) ?? true) ? found : undefined;
};

/** The district of a postcode: the first half of `EX99 9ZZ`. */
function postcodeAt(tokens: readonly Token[], at: number): readonly [string, number] | undefined {
  const word = tokens[at]?.word ?? '';
  if (POSTCODE.test(word)) return [word.toUpperCase(), INWARD.test(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1];
  const outward = /^([a-z]{1,2}\d[a-z\d]?)\d[a-z]{2}$/.exec(word)?.[1];
  return outward !== undefined && POSTCODE.test(outward) ? [outward.toUpperCase(), at + 1] : undefined;
}

function placeAt(
  tokens: readonly Token[],
  at: number,
  context: QueryContext,
  isKnown: QueryContext['isPlace'],
): readonly [string, number] | undefined {
  const postcode = postcodeAt(tokens, at);
  if (postcode !== undefined) return postcode;
  for (let end = Math.min(at + MOST_PLACE_WORDS, tokens.length); end > at; end -= 1) {
    const name = between(tokens, at, end, context);
    if (name !== undefined && isKnown?.(name) === true) return [name, end];
  }
  return undefined;
}

function between(tokens: readonly Token[], at: number, end: number, { text }: QueryContext): string | undefined {
  const [first, last] = [tokens[at], tokens[end - 1]];
  const isName = first !== undefined && last !== undefined && /\p{L}/u.test(first.word) && last.word !== '-';
  if (!isName) return undefined;
  const name = text
    .slice(first.start, last.end)
    .replaceAll(/["“”\s]+/g, ' ')
    .trim();
  return name.length <= MAX_PLACE ? name : undefined;
}
