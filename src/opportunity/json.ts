/**
 * JSON without loss: integers past 2^53 survive, at nearly the speed of `JSON.parse` (RPDE `modified` is often a rowversion
 * of 2^60; openactive.md section 1).
 *
 * Bare integers of 16 digits and more are quoted behind a mark before parsing, so that they arrive as strings, and lose
 * quotes and mark again in `toJson`. A page without such integers pays one linear scan.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A control character that no text has a use for; below U+0100, for a string with one above parses at half the speed. */
const MARK = '\u0090';
const MARK_CODE = 0x90;

/** An integer of 16 digits or more where a value may stand. `:`, `[` and `,` are also in strings: see `parseJson`. */
const WIDE = /([:[,]\s*)(-?\d{16,})(?![\d.eE])/g;

/** A parsed text; `wide` says that integers in it are marked strings. */
export interface Parsed {
  value: Json;
  wide: boolean;
}

/** Parses JSON; throws what `JSON.parse` throws. */
export function parseJson(text: string): Parsed {
  if (text.search(WIDE) < 0) return { value: JSON.parse(text) as Json, wide: false };
  const clean = withoutMarks(text);
  // A match inside a string would end that string before the mark, which can never be JSON: it throws.
  const value = tryParse(clean.replace(WIDE, `$1"${MARK}$2"`)) ?? tryParse(quoteOutsideStrings(clean));
  // Not JSON at all: the error shall speak of the text as it came.
  return value === undefined ? { value: JSON.parse(text) as Json, wide: false } : { value, wide: true };
}

function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Marks wide integers with an eye on every quotation mark before them. */
function quoteOutsideStrings(text: string): string {
  const out: string[] = [];
  let copied = 0;
  let inside = false;
  let quote = text.indexOf('"');
  for (const match of text.matchAll(WIDE)) {
    const [, before, digits] = match as unknown as [string, string, string];
    const at = match.index + before.length;
    for (; quote >= 0 && quote < at; quote = text.indexOf('"', quote + 1)) {
      if (!inside || !escaped(text, quote)) inside = !inside;
    }
    if (inside) continue;
    out.push(text.slice(copied, at), `"${MARK}${digits}"`);
    copied = at + digits.length;
  }
  return out.join('') + text.slice(copied);
}

/** Whether an odd number of backslashes stands before a position. */
function escaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** A publisher's own string of a mark and digits would come back as a number: its mark becomes U+FFFD. Never seen. */
function withoutMarks(text: string): string {
  if (!text.includes(`"${MARK}`) && !text.includes('"\\u0090')) return text;
  return text.replaceAll(/"(?:\u0090|\\u0090)(?=-?\d)/g, '"\uFFFD');
}

/** JSON text of a value from `parseJson`, its wide integers bare again. Any depth. */
export function toJson(value: Json, wide: boolean): string {
  const text = stringify(value);
  return wide && text.includes(MARK) ? text.replaceAll(/"\u0090(-?\d+)"/g, '$1') : text;
}

/** Whether a string of a parsed value is a wide integer. */
export function isWide(text: string): boolean {
  return text.charCodeAt(0) === MARK_CODE && /^\u0090-?\d+$/.test(text);
}

/** The digits of a wide integer; any other string as it is. */
export function plain(text: string): string {
  return isWide(text) ? text.slice(1) : text;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** Open containers on a stack of our own: what is still to be written, last first. Strings on it are written as they are. */
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
