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

/** U+FDD0 is a noncharacter: "not for interchange" (Unicode 23.7), so that no text can honestly hold it. */
const MARK = '\uFDD0';
const MARK_CODE = 0xfdd0;

/** An integer of 16 digits or more where a value may stand. `:`, `[` and `,` are also in strings: see `parseJson`. */
const WIDE = /([:[,]\s*)(-?\d{16,})(?![\d.eE])/g;
/** The same, but told apart from what stands inside strings. Four times slower. */
const WIDE_OR_STRING = /"(?:[^"\\]|\\[^])*"|(?<=[:[,\s])-?\d{16,}(?![\d.eE])/g;

/** A parsed text; `wide` says that integers in it are marked strings. */
export interface Parsed {
  value: Json;
  wide: boolean;
}

/** Parses JSON; throws what `JSON.parse` throws. */
export function parseJson(text: string): Parsed {
  if (text.search(WIDE) < 0) return { value: JSON.parse(text) as Json, wide: false };
  const clean = withoutMarks(text);
  try {
    // A match inside a string would end that string before the mark, which can never be JSON: it throws.
    return { value: JSON.parse(clean.replace(WIDE, `$1"${MARK}$2"`)) as Json, wide: true };
  } catch {
    const quoted = clean.replace(WIDE_OR_STRING, (match) => (match[0] === '"' ? match : `"${MARK}${match}"`));
    return { value: JSON.parse(quoted) as Json, wide: true };
  }
}

/** A publisher's own U+FDD0 becomes U+FFFD, so that every mark is ours. */
function withoutMarks(text: string): string {
  const raw = text.includes(MARK) ? text.replaceAll(MARK, '\uFFFD') : text;
  return /\\ufdd0/i.test(raw) ? raw.replaceAll(/\\ufdd0/gi, '\\ufffd') : raw;
}

/** JSON text of a value from `parseJson`, its wide integers bare again. Any depth. */
export function toJson(value: Json, wide: boolean): string {
  const text = stringify(value);
  return wide && text.includes(MARK) ? text.replaceAll(/"\uFDD0(-?\d+)"/g, '$1') : text;
}

/** The digits of a wide integer; any other string as it is. */
export function plain(text: string): string {
  return text.charCodeAt(0) === MARK_CODE ? text.slice(1) : text;
}

/** Whether a string is a wide integer. */
export function isWide(text: string): boolean {
  return text.charCodeAt(0) === MARK_CODE;
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
