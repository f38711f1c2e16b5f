/** The nearest known word to one that is not known: for mistyped commands, flags, settings and parameters. */

import { closestMatch } from 'leven';

/**
 * The known word that a mistyped one most likely means; undefined: none is near. Case, `-`, `_` and `.` do not count, and
 * about one letter in three may be wrong, so that `snyc` is `sync` and `base_url` is `baseUrl`.
 *
 * @example nearest('snyc', ['serve', 'sync']) // 'sync'
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const folded = known.map(fold);
  const letters = fold(word.slice(0, MORE_CHARS + Math.max(0, ...known.map(({ length }) => length))));
  const maxDistance = Math.max(1, Math.floor(letters.length / 3));
  const inOrder = sorted(letters);
  const isSwapped = (one: string): boolean => one.length === letters.length && sorted(one) === inOrder;
  const found = folded.find(isSwapped) ?? closestMatch(letters, folded, { maxDistance });
  return found === undefined ? undefined : known[folded.indexOf(found)];
}

/** The question that ends an error's sentence: ` (did you mean sync?)`; empty where no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? '' : question(found);
}

const question = (found: string): string => ` (did you mean ${found}?)`;

/** What a check of a value says of one that it refuses, as Zod does. */
interface RefusedValue {
  code?: string | undefined;
  input?: unknown;
  /** The values that are allowed. */
  values?: readonly unknown[];
  expected?: string;
  /** What is wrong by each form that a value may have. */
  errors?: readonly (readonly RefusedValue[])[];
  /** `nearest`: finds the nearest allowed value, where nobody can list them. */
  params?: Readonly<Record<string, unknown>> | undefined;
}

/** The question about a refused value, as `didYouMean`; empty where it is no text, or its allowed values have no end. */
export function didYouMeanValue(refused: RefusedValue): string {
  const { input } = refused;
  if (typeof input !== 'string') return '';
  const find = refused.params?.nearest;
  const found = typeof find === 'function' ? find(input) : nearest(input, allowedWords(refused));
  return typeof found === 'string' ? question(found) : '';
}

function allowedWords({ code, values = [], expected, errors = [] }: RefusedValue): string[] {
  if (code === 'invalid_type' && expected === 'boolean') return ['true', 'false'];
  return [...values.filter((one) => typeof one === 'string'), ...errors.flatMap((form) => form.flatMap(allowedWords))];
}

/** Characters beyond the longest known word: the rest of an endless one need not be compared. */
const MORE_CHARS = 30;

/** Two letters in each other's place are the commonest mistake, and two wrong ones for the distance. */
const sorted = (word: string): string => [...word].sort().join('');

const fold = (word: string): string => word.toLowerCase().replaceAll(/[-_.]/g, '');

/**
 * Whether two words differ by one typing error: a letter that is missing, added, another one, or changed places with the one
 * beside it. Equal words do not. Pure.
 *
 * @example isTypingError('yoag', 'yoga') // true
 */
export function isTypingError(typed: string, meant: string): boolean {
  if (typed === meant || Math.abs(typed.length - meant.length) > 1) return false;
  let from = 0;
  while (from < typed.length && typed[from] === meant[from]) from += 1;
  const [rest, other] = [typed.slice(from), meant.slice(from)];
  if (rest.slice(1) === other.slice(1) || rest.slice(1) === other || rest === other.slice(1)) return true;
  return rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2);
}
