import { isObject, type Json } from '../item/json.ts';

/**
 * The spans of each item's `data` in the text of a page. One program writes all items of a page alike: with the same first
 * property, and the same property behind the data. So a search finds the spans without parsing. Where a span is wrong, parsing
 * of the pieces fails (pieces.ts).
 */
export interface Spans {
  begins: number[];
  /** 0: the item has no data object, and its begin means nothing. */
  ends: number[];
}

/** The spans in a page in UTF-8. Undefined: its items are not written alike. In a text that is not JSON they mean nothing. */
export function dataSpans(bytes: Buffer): Spans | undefined {
  const items = itemSpans(bytes);
  if (items === undefined) return undefined;
  const spans: Spans = { begins: [], ends: [] };
  let behind: string | undefined;
  // The next `"data"` in the text, which is searched once, however many items have none.
  let name = 0;
  items.begins.forEach((begin, index) => {
    const end = items.ends[index] as number;
    if (name < begin) name = found(bytes.indexOf(DATA, begin), bytes);
    const value = name < end ? valueAt(bytes, name + DATA.length) : -1;
    const isData = bytes[value] === OPEN && value < end;
    if (isData) behind ??= nameBehind(bytes.toString('utf8', begin, end));
    const dataEnd = isData ? positionOfEnd(bytes.subarray(value, end), behind ?? '') : 0;
    spans.begins.push(value);
    spans.ends.push(dataEnd === 0 ? 0 : value + dataEnd);
  });
  return spans;
}

const QUOTE = codeOf('"');
const COLON = codeOf(':');
const COMMA = codeOf(',');
const OPEN_ARRAY = codeOf('[');
const CLOSE_ARRAY = codeOf(']');
const OPEN = codeOf('{');
const CLOSE = codeOf('}');
const BLANK = 0x20;
const ITEMS = Buffer.from('"items"');
const DATA = Buffer.from('"data"');

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

const found = (at: number, { length }: Buffer): number => (at < 0 ? length : at);

function itemSpans(bytes: Buffer): Spans | undefined {
  const list = valueAt(bytes, found(bytes.indexOf(ITEMS), bytes) + ITEMS.length);
  const first = positionAfter(bytes, list + 1);
  const name = positionAfter(bytes, first + 1);
  const last = lastEnd(bytes);
  if (bytes[list] !== OPEN_ARRAY || bytes[first] !== OPEN || bytes[name] !== QUOTE || last <= name) return undefined;
  // The beginning of each item, such as `{"state"`, with its blanks.
  const lead = bytes.subarray(first, found(bytes.indexOf(QUOTE, name + 1), bytes) + 1);
  const spans: Spans = { begins: [first], ends: [] };
  for (let at = bytes.indexOf(lead, name); at > 0 && at < last; at = bytes.indexOf(lead, at + 1)) {
    const comma = before(bytes, at) - 1;
    const end = before(bytes, comma);
    if (bytes[comma] !== COMMA || bytes[end - 1] !== CLOSE) continue;
    spans.ends.push(end);
    spans.begins.push(at);
  }
  spans.ends.push(last);
  return spans;
}

/** The end of the last object that ends a list. */
function lastEnd(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf(CLOSE_ARRAY); at > 0; at = bytes.lastIndexOf(CLOSE_ARRAY, at - 1)) {
    const end = before(bytes, at);
    if (bytes[end - 1] === CLOSE) return end;
  }
  return 0;
}

/** The property name behind the data of an item, quoted; empty: there is none. @throws SyntaxError */
function nameBehind(item: string): string {
  const value = JSON.parse(item) as Json;
  const names = isObject(value) ? Object.keys(value) : [];
  const name = names[names.indexOf('data') + 1];
  return name === undefined ? '' : JSON.stringify(name);
}

/** The end of the data at the start of `rest`; 0: the data has no object's end there. */
function positionOfEnd(rest: Buffer, behind: string): number {
  let end = rest.length - 1;
  if (behind !== '') {
    end = before(rest, rest.lastIndexOf(behind)) - 1;
    if (rest[end] !== COMMA) return 0;
  }
  end = before(rest, end);
  return rest[end - 1] === CLOSE ? end : 0;
}

/** The begin of the value whose property name ends at a position; -1: it was no name. */
function valueAt(bytes: Buffer, at: number): number {
  const colon = positionAfter(bytes, at);
  return bytes[colon] === COLON ? positionAfter(bytes, colon + 1) : -1;
}

/** The position after blanks. */
function positionAfter(bytes: Buffer, at: number): number {
  let next = at;
  while ((bytes[next] as number) <= BLANK) next += 1;
  return next;
}

/** The position before blanks. */
function before(bytes: Buffer, at: number): number {
  let end = at;
  while ((bytes[end - 1] as number) <= BLANK) end -= 1;
  return end;
}
