/**
 * JSON without loss: integers past 2^53 survive, at nearly the speed of `JSON.parse` (RPDE `modified` is often a rowversion
 * of 2^60; semantics 1.2).
 *
 * Bare integers of 16 digits and more are quoted behind a prefix before parsing, so that they arrive as strings, and lose
 * quotes and prefix again in `toJson`. A page without such integers pays one linear scan.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A control character that texts do not use. It is below U+0100, because a string beyond parses at half the speed. */
export const WIDE_PREFIX = '\u0090';
const PREFIX_CODE = 0x90;

/** Digits of an integer that may be past 2^53. */
const WIDE = 16;

/** A parsed text; `wide` says that integers in it are prefixed strings. */
export interface Parsed {
  value: Json;
  wide: boolean;
}

/** Parses JSON; throws what `JSON.parse` throws. */
export function parseJson(text: string): Parsed {
  return parseClean(withoutPrefixes(text), text);
}

/** Parses a text that has no prefixes of its own. `text`: the original, for errors. */
export function parseClean(clean: string, text = clean): Parsed {
  const runs = wideIn(clean);
  if (runs.length === 0) return { value: JSON.parse(text) as Json, wide: false };
  // A run inside a string would end that string before the prefix, which can never be JSON: it throws.
  const value = tryParse(quoted(clean, runs)) ?? tryParse(quoted(clean, outsideStrings(clean, runs)));
  // The text is not JSON: the original is parsed for the error.
  return value === undefined ? { value: JSON.parse(text) as Json, wide: false } : { value, wide: true };
}

/** Where an integer begins and ends. */
interface Run {
  begin: number;
  end: number;
}

/** Integers of 16 digits or more where a value may stand; some may be in strings. Only every sixteenth character is tested. */
function wideIn(text: string): Run[] {
  const runs: Run[] = [];
  for (let at = WIDE - 1; at < text.length; at += WIDE) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const run = runAround(text, at);
    // The search goes on at the end of these digits.
    at = Math.max(at, run.end - 1);
    if (run.end - run.begin >= WIDE && standsAlone(text, run)) runs.push(withSign(text, run));
  }
  return runs;
}

const isDigit = (code: number) => code >= 48 && code <= 57;

function runAround(text: string, at: number): Run {
  let begin = at;
  while (isDigit(text.charCodeAt(begin - 1))) begin -= 1;
  let end = at + 1;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return { begin, end };
}

const withSign = (text: string, { begin, end }: Run): Run => ({
  begin: text[begin - 1] === '-' ? begin - 1 : begin,
  end,
});

/** Whether an integer follows `:`, `,` or `[`, without a fraction or exponent behind it. These signs may also be in strings. */
function standsAlone(text: string, run: Run): boolean {
  const { begin, end } = withSign(text, run);
  if (end < text.length && FRACTION.includes(text.charAt(end))) return false;
  let before = begin - 1;
  while (BLANK.test(text.charAt(before))) before -= 1;
  return before >= 0 && ':[,'.includes(text.charAt(before));
}

const FRACTION = '.eE';
const BLANK = /\s/;

/** The text with quotes around the runs, and the prefix in front of each. */
function quoted(text: string, runs: readonly Run[]): string {
  const out: string[] = [];
  let copied = 0;
  for (const { begin, end } of runs) {
    out.push(text.slice(copied, begin), `"${WIDE_PREFIX}`, text.slice(begin, end), '"');
    copied = end;
  }
  out.push(text.slice(copied));
  return out.join('');
}

/** The runs that are in no string, by counting the quotes before them. */
function outsideStrings(text: string, runs: readonly Run[]): Run[] {
  let inside = false;
  let quote = text.indexOf('"');
  return runs.filter(({ begin }) => {
    for (; quote >= 0 && quote < begin; quote = text.indexOf('"', quote + 1)) {
      if (!inside || !escaped(text, quote)) inside = !inside;
    }
    return !inside;
  });
}

function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether an odd number of backslashes stands before a position. */
function escaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** A text, or its octets in UTF-8 where they can be searched for one. */
export type Searchable = Pick<string, 'indexOf' | 'includes'>;

/** Whether a publisher's text holds the prefix of wide integers. */
export function hasWidePrefix(text: Searchable): boolean {
  return text.includes(WIDE_PREFIX) || text.includes('\\u0090');
}

/** Replaces the prefix in a publisher's own strings by U+FFFD, as they would be read as integers. No feed has one. */
function withoutPrefixes(text: string): string {
  if (!hasWidePrefix(text)) return text;
  return text.replaceAll(/"(?:\u0090|\\u0090)(?=-?\d)/g, '"\uFFFD');
}

/** JSON text of a value from `parseJson`, its wide integers bare again. Any depth. */
export function toJson(value: Json, wide: boolean): string {
  const text = stringify(value);
  return wide && text.includes(WIDE_PREFIX) ? text.replaceAll(/"\u0090(-?\d+)"/g, '$1') : text;
}

/** Whether a string of a parsed value is a wide integer. */
export function isWide(text: string): boolean {
  return text.charCodeAt(0) === PREFIX_CODE && /^\u0090-?\d+$/.test(text);
}

/** The digits of a wide integer; any other string as it is. */
export function withoutWidePrefix(text: string): string {
  return isWide(text) ? text.slice(1) : text;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that is a text; else the empty text. */
export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function stringify(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify recurses: some thousand levels overflow its stack, while JSON.parse takes any depth.
    if (error instanceof RangeError) return stringifyDeep(value);
    throw error;
  }
}

/** Writes JSON of any depth with a stack of the values to write, the next one last. Strings on it are JSON already. */
function stringifyDeep(root: Json): string {
  const out: string[] = [];
  const todo: (string | { value: Json })[] = [{ value: root }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === 'string') out.push(next);
    else if (typeof next.value !== 'object' || next.value === null) out.push(JSON.stringify(next.value));
    else openContainer(next.value, out, todo);
  }
  return out.join('');
}

function openContainer(value: Json[] | JsonObject, out: string[], todo: (string | { value: Json })[]): void {
  const array = Array.isArray(value);
  const entries = Object.entries(value);
  out.push(array ? '[' : '{');
  todo.push(array ? ']' : '}');
  for (let i = entries.length - 1; i >= 0; i--) {
    const [key, child] = entries[i] as [string, Json];
    todo.push({ value: child });
    const comma = i > 0 ? ',' : '';
    todo.push(array ? comma : `${comma}${JSON.stringify(key)}:`);
  }
}
