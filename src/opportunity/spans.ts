import { type Json, WIDE } from './json.ts';

/**
 * Where the `data` of each item stands in the text of a page. Most publishers write JSON as `JSON.stringify` does; there
 * the text of an item need not be made again, for it is a part of the page. Where anything could come out otherwise
 * (blanks, other escapes, `1.0`, a property twice), it is not said where the item stands.
 */
export interface Spans {
  /** How many items the text has; NaN: it cannot be told. */
  count: number;
  begins: number[];
  /** 0: there is no object. */
  ends: number[];
  /**
   * Properties of the object and of all within it: fewer are left of them where one came twice. `ODD`: made again, it
   * might not be the same text.
   */
  properties: number[];
  /** Whether it has integers so long that they may be wide ones (json.ts). */
  wide: boolean[];
}

const ODD = -1;

/** `bytes`: UTF-8. Of a text that JSON.parse does not take it says something or other. */
export function dataSpans(bytes: Buffer): Spans {
  const spans: Spans = { count: 0, begins: [], ends: [], properties: [], wide: [] };
  const found: Found = { at: 0, odd: false, wide: false, properties: 0, lost: false };
  const start = bytes.findIndex((code) => code > BLANK);
  eachProperty(bytes, start, found, (begin) => {
    if (bytes[found.at] !== OPEN_ARRAY || !isName(bytes, begin, ITEMS)) skip(bytes, found);
    else eachItem(bytes, found, spans);
  });
  if (found.lost) spans.count = Number.NaN;
  return spans;
}

/** Whether the text at this position is what `JSON.stringify` would make of the value that it is parsed to. */
export function isSpanOf(spans: Spans, index: number, value: Json): boolean {
  const properties = spans.properties[index] as number;
  return properties !== ODD && countProperties(value) === properties;
}

function countProperties(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const entry of value) count += countProperties(entry);
  else {
    for (const key in value) {
      const child = value[key] as Json;
      count += typeof child === 'object' ? 1 + countProperties(child) : 1;
    }
  }
  return count;
}

/** Where reading stands, and what the last `skip` met. */
interface Found {
  at: number;
  odd: boolean;
  wide: boolean;
  properties: number;
  /** A name is not spelled out. */
  lost: boolean;
}

const QUOTE = codeOf('"');
const BACKSLASH = codeOf('\\');
const COLON = codeOf(':');
const COMMA = codeOf(',');
const MINUS = codeOf('-');
const POINT = codeOf('.');
const ZERO = codeOf('0');
const NINE = codeOf('9');
const OPEN_ARRAY = codeOf('[');
const CLOSE_ARRAY = codeOf(']');
const OPEN = codeOf('{');
const CLOSE = codeOf('}');
/** Escapes that JSON.stringify writes too; of `\u` and digits only some. */
const ESCAPES = new Set([...'"\\bfnrt'].map(codeOf));
const WORDS = new Set([...'tfn'].map(codeOf));
const FALSE = codeOf('f');
const BLANK = 0x20;
const ITEMS = [...'items'].map(codeOf);
const DATA = [...'data'].map(codeOf);
/** Deeper ones are not worth the trouble. */
const DEEPEST = 60;

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

function isName(bytes: Buffer, begin: number, name: readonly number[]): boolean {
  if (bytes[begin + name.length] !== QUOTE) return false;
  for (let index = 0; index < name.length; index += 1) if (bytes[begin + index] !== name[index]) return false;
  return true;
}

/** Calls with the position of the name of each property of an object; the call reads the value that follows. */
function eachProperty(bytes: Buffer, at: number, found: Found, read: (begin: number) => void): void {
  found.at = at + 1;
  if (bytes[at] !== OPEN) found.at = bytes.length;
  while (found.at < bytes.length) {
    const code = bytes[found.at];
    if (code === CLOSE) break;
    if (code !== QUOTE) found.at += 1;
    else {
      const begin = found.at + 1;
      skip(bytes, found);
      if (found.odd) found.lost = true;
      while ((bytes[found.at] as number) <= BLANK || bytes[found.at] === COLON) found.at += 1;
      read(begin);
    }
  }
  found.at += 1;
}

function eachItem(bytes: Buffer, found: Found, spans: Spans): void {
  found.at += 1;
  while (found.at < bytes.length && bytes[found.at] !== CLOSE_ARRAY) {
    const code = bytes[found.at] as number;
    if (code <= BLANK || code === COMMA) found.at += 1;
    else {
      const index = spans.count;
      spans.count += 1;
      spans.begins.push(0);
      spans.ends.push(0);
      spans.properties.push(ODD);
      spans.wide.push(false);
      if (code === OPEN)
        eachProperty(bytes, found.at, found, (begin) => readProperty(bytes, begin, found, spans, index));
      else skip(bytes, found);
    }
  }
  found.at += 1;
}

function readProperty(bytes: Buffer, name: number, found: Found, spans: Spans, index: number): void {
  const begin = found.at;
  skip(bytes, found);
  if (!isName(bytes, name, DATA)) return;
  spans.begins[index] = begin;
  spans.ends[index] = bytes[begin] === OPEN ? found.at : 0;
  spans.properties[index] = found.odd ? ODD : found.properties;
  spans.wide[index] = found.wide;
}

/** Reads one value: leaves `found` behind it. */
function skip(bytes: Buffer, found: Found): void {
  const { length } = bytes;
  let { at } = found;
  let depth = 0;
  let properties = 0;
  let odd = false;
  let wide = false;
  let name = 0;
  do {
    const code = bytes[at] as number;
    if (code === QUOTE) {
      at += 1;
      name = at;
      for (let inner = bytes[at]; inner !== QUOTE && at < length; inner = bytes[at]) {
        if (inner === BACKSLASH) {
          at += 1;
          if (!ESCAPES.has(bytes[at] as number)) odd = true;
        }
        at += 1;
      }
      at += 1;
    } else if (code === COLON) {
      properties += 1;
      // Names that are indexes come first in an object, wherever they were.
      if (isDigit(bytes[name] as number)) odd = true;
      at += 1;
    } else if (code === COMMA) {
      at += 1;
    } else if (code === OPEN || code === OPEN_ARRAY) {
      depth += 1;
      if (depth > DEEPEST) odd = true;
      at += 1;
    } else if (code === CLOSE || code === CLOSE_ARRAY) {
      depth -= 1;
      at += 1;
    } else if (isDigit(code) || code === MINUS) {
      const end = numberEnd(bytes, at);
      if (!isPlainNumber(bytes, at, end)) odd = true;
      if (end - at >= WIDE && digitsEnd(bytes, at + 1) === end) wide = true;
      at = end;
    } else if (WORDS.has(code)) {
      at += code === FALSE ? 5 : 4;
    } else {
      odd = true;
      at += 1;
    }
  } while (depth > 0 && at < length);
  found.at = at;
  found.odd = odd;
  found.wide = wide;
  found.properties = properties;
}

const isDigit = (code: number) => code >= ZERO && code <= NINE;

function numberEnd(bytes: Buffer, begin: number): number {
  let end = begin + 1;
  for (
    let code = bytes[end] as number;
    code !== COMMA && code !== CLOSE && code !== CLOSE_ARRAY && code !== COLON;
    code = bytes[end] as number
  ) {
    if (!(code > BLANK)) return end;
    end += 1;
  }
  return end;
}

/** Digits that a double has room for: they are written as they were read. Of more, one has to see. */
const DIGITS = 15;
const MOST_DIGITS = 25;

/** Whether `JSON.stringify` writes a number as it stands there. Integers keep all their digits (json.ts). */
function isPlainNumber(bytes: Buffer, begin: number, end: number): boolean {
  const first = bytes[begin] === MINUS ? begin + 1 : begin;
  const point = digitsEnd(bytes, first);
  if (point === end) return bytes[first] !== ZERO || first === begin;
  if (bytes[point] !== POINT || digitsEnd(bytes, point + 1) !== end || end - begin > MOST_DIGITS) return false;
  // `0.0000001` is written with an exponent.
  const short = end - first - 1 <= DIGITS && bytes[end - 1] !== ZERO && (bytes[first] !== ZERO || end - first < 9);
  if (short) return true;
  const text = bytes.toString('latin1', begin, end);
  return String(Number(text)) === text;
}

function digitsEnd(bytes: Buffer, begin: number): number {
  let at = begin;
  while (isDigit(bytes[at] as number)) at += 1;
  return at;
}
