import type { Token } from './tokens.ts';

/**
 * Phrases as patterns: words, `a|b` for either, `(a b|c)` for either of several words, `?` behind what may be absent, and
 * `{name}` for a value. Patterns are finite, and so is what is tried for each token.
 *
 * @example pattern('on|every? {day}') // matches "Monday", "on Monday", "every Monday"
 */
export interface Pattern {
  parts: readonly PhrasePart[];
  /** Words that it can begin with; undefined: it may begin with a value. */
  firstWords: ReadonlySet<string> | undefined;
}

type PhrasePart = { optional: boolean } & ({ words: readonly (readonly string[])[] } | { value: string });

/** A phrase and its meaning; undefined: it has none with these values. The last value is the context of the query. */
export type PhraseRow<Meaning> = readonly [
  text: string,
  meaning: Meaning | ((...values: never[]) => Meaning | undefined),
];

/** Reads a value that begins at a token: the value, and the token after it. */
export type ValueReader<Context> = (
  tokens: readonly Token[],
  at: number,
  context: Context,
) => readonly [unknown, number] | undefined;

/** The values of a pattern that matches. */
export interface Match {
  values: readonly unknown[];
  /** The token after it. */
  end: number;
}

const PARTS = /\(([^)]*)\)(\?)?|\{(\w+)\}(\?)?|([^\s?]+)(\?)?/g;

/** The pattern of a text. */
export function pattern(text: string): Pattern {
  const parts = Array.from(
    text.matchAll(PARTS),
    ([, group, groupOptional, value, valueOptional, word, optional]): PhrasePart => {
      if (value !== undefined) return { value, optional: valueOptional !== undefined };
      const words = (group ?? word ?? '').split('|').map((one) => one.split(' '));
      return { words, optional: (groupOptional ?? optional) !== undefined };
    },
  );
  return { parts, firstWords: firstWordsOf(parts) };
}

function firstWordsOf(parts: readonly PhrasePart[]): ReadonlySet<string> | undefined {
  const end = parts.findIndex(({ optional }) => !optional) + 1;
  const first = parts
    .slice(0, end)
    .map((part) => ('value' in part ? undefined : part.words.map(([word = '']) => word)));
  return first.includes(undefined) ? undefined : new Set(first.flatMap((words) => words ?? []));
}

/** Every way in which a pattern matches from a token on, the longest first. */
export function matchesOf<Context>(
  { parts }: Pattern,
  tokens: readonly Token[],
  at: number,
  readers: Readonly<Record<string, ValueReader<Context>>>,
  context: Context,
): Match[] {
  let reached: Match[] = [{ values: [], end: at }];
  for (const part of parts) {
    reached = reached.flatMap((from) => {
      const further = 'value' in part ? valueAfter(part.value, from) : wordsAfter(part.words, from);
      return part.optional ? [...further, from] : further;
    });
  }
  return reached.filter(({ end }) => end > at).sort((a, b) => b.end - a.end);

  function valueAfter(name: string, { values, end }: Match): Match[] {
    const found = readers[name]?.(tokens, afterHyphen(tokens, end, at), context);
    return found === undefined ? [] : [{ values: [...values, found[0]], end: found[1] }];
  }

  function wordsAfter(options: readonly (readonly string[])[], { values, end }: Match): Match[] {
    return options.flatMap((words) => {
      let next = end;
      for (const word of words) {
        if (word !== '-') next = afterHyphen(tokens, next, at);
        if (tokens[next]?.word !== word) return [];
        next += 1;
      }
      return [{ values, end: next }];
    });
  }
}

/** The next token, behind a hyphen between words of a phrase. */
function afterHyphen(tokens: readonly Token[], next: number, first: number): number {
  return next > first && tokens[next]?.word === '-' ? next + 1 : next;
}

/** Parts, of which one that repeats the words of the part before it is joined with it: `free free`. */
export function withoutRepeated<Part extends { from: number; to: number }>(
  tokens: readonly Token[],
  parts: readonly Part[],
): Part[] {
  const found: Part[] = [];
  for (const part of parts) {
    const before = found.at(-1);
    const known = new Set(tokens.slice(before?.from, before?.to).map(({ word }) => word));
    const isAgain = tokens.slice(part.from, part.to).every(({ word }) => known.has(word));
    if (before?.to === part.from && isAgain) found.splice(-1, 1, { ...before, to: part.to });
    else found.push(part);
  }
  return found;
}
