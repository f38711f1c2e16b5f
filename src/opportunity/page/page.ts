import { OpenactiveIcalError } from '../../errors.ts';
import { type RawFinding, shown } from '../findings.ts';
import {
  isObject,
  isWide,
  type Json,
  type JsonObject,
  type Parsed,
  parseJson,
  type Searchable,
  toJson,
  withoutWidePrefix,
} from '../item/json.ts';
import { isEmpty, single } from '../item/reading.ts';
import { webAddress } from '../item/values.ts';
import { MAX_ID, MAX_MODIFIED } from '../limits.ts';
import { addItemsFindings } from './item-findings.ts';
import { compareArrived, compareModified, INTEGER } from './modified.ts';
import { itemName, type Page, type PageFinding, type RpdeItem } from './rpde-item.ts';

export { compareArrived, compareModified, itemName, type Page, type PageFinding, type RpdeItem };

export type PageProblem = 'not-json' | 'html' | 'truncated' | 'not-a-page' | 'too-deep' | 'not-utf-8';

/** The error of a page that cannot be read, in one line with advice; `cause` is the error of the parser. */
export class PageError extends OpenactiveIcalError {
  readonly code: PageProblem;

  constructor(code: PageProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Reads an RPDE page. Throws `PageError`; whatever is wrong with single items is a finding.
 *
 * @example
 * ```ts
 * const { items, next } = parsePage(text);
 * ```
 */
export function parsePage(text: string): Page {
  const { value, wide } = parseText(text);
  if (!isPage(value)) {
    throw new PageError(
      'not-a-page',
      `${article(value)} where an RPDE page was expected: an object with "items" and "next".`,
    );
  }
  const page = pageOf(value, wide);
  page.findings.push(...replacedCharacters(text));
  if (text.charCodeAt(0) === BOM) page.findings.push({ item: '', finding: { code: 'byte-order-mark', path: '$' } });
  return page;
}

const BOM = 0xfeff;

/** The character in place of bytes that are no UTF-8, decoded here or by the publisher. */
const REPLACEMENT = '\uFFFD';

export function replacedCharacters(text: Searchable): PageFinding[] {
  let count = 0;
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, at + 1)) count += 1;
  return count === 0 ? [] : [{ item: '', finding: { code: 'characters-lost', path: '$', facts: { count } } }];
}

/** Parses the text of a page or of any input; throws `PageError` with the reason in words. */
export function parseText(text: string): Parsed {
  const body = text.charCodeAt(0) === BOM ? text.slice(1) : text;
  try {
    return parseJson(body);
  } catch (error) {
    throw pageError(body, error);
  }
}

/** The error of a text; its excerpt is cut, because publishers' texts have any length and characters. */
function pageError(body: string, cause: unknown): PageError {
  const sentence = shown(cause instanceof Error ? cause.message : String(cause), 160);
  const start = body.search(/\S/);
  if (start < 0) return new PageError('truncated', 'The answer is empty: ask again later.', { cause });
  if (WIDE_ENCODING.test(body)) {
    return new PageError('not-utf-8', 'The answer is in UTF-16 or UTF-32: send JSON in UTF-8 (RFC 8259, 8.1).', {
      cause,
    });
  }
  if (body[start] === '<') {
    const excerpt = shown(body.slice(start, start + 200), 60);
    return new PageError(
      'html',
      `An HTML page where JSON was expected (${excerpt}): check the address, or ask again later.`,
      { cause },
    );
  }
  if (cause instanceof RangeError)
    return new PageError('too-deep', `The JSON is nested too deeply to be read: ${sentence}`, { cause });
  if (cutShort(body, sentence)) {
    return new PageError('truncated', `The JSON ends in the middle, after ${body.length} characters: ask again.`, {
      cause,
    });
  }
  return new PageError('not-json', `The answer is not JSON: ${sentence}`, { cause });
}

/** ASCII of two or four octets a character, perhaps after a byte order mark, as it reads in UTF-8: every other one is zero. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: no JSON has them
const WIDE_ENCODING = /^\uFFFD{0,2}(?:\u0000|[^\u0000]\u0000)/;

/** V8 says "Unexpected end" or "Unterminated", or names the place it stopped at: the end. */
function cutShort(body: string, sentence: string): boolean {
  if (/^Unexpected end|^Unterminated/.test(sentence)) return true;
  const position = /at position (\d+)/.exec(sentence)?.[1];
  return position !== undefined && Number(position) >= body.trimEnd().length && sentence.startsWith('Expected');
}

function article(value: Json): string {
  if (Array.isArray(value)) return 'An array';
  return isObject(value) ? 'An object without an "items" array' : `${shown(value, 20)}`;
}

export function isPage(value: Json): value is JsonObject {
  return isObject(value) && Array.isArray(value.items);
}

/** The JSON text of one of a page's `items`. */
type TextOf = (raw: Json, index: number) => string;

/** Reads a page that has been parsed, and is known to have `items`. */
export function pageOf(value: JsonObject, wide: boolean, textOf: TextOf = (raw) => toJson(raw, wide)): Page {
  const page: Page = { items: [], findings: [] };
  const { next } = value;
  if (typeof next === 'string' && next !== '') page.next = next;
  else page.findings.push({ item: '', finding: { code: 'next-missing', path: '$.next' } });
  addLicense(page, single(value.license));
  for (const [index, raw] of (value.items as Json[]).entries()) addItem(page, raw, wide, index, textOf);
  addItemsFindings(page);
  return page;
}

/** The licence of a page: an address, or an object that has one. */
function addLicense(page: Page, stated: Json | undefined): void {
  if (typeof stated === 'string' && !isEmpty(stated)) {
    page.license = stated;
    return;
  }
  const inner = isObject(stated) ? (stated.url ?? single(stated['@id'] ?? stated.id) ?? stated['@value']) : undefined;
  const address = typeof inner === 'string' ? webAddress(inner) : undefined;
  if (address !== undefined) page.license = address;
  const finding: RawFinding = isEmpty(stated)
    ? { code: 'license-missing', path: '$.license' }
    : { code: 'license-not-url', path: '$.license', facts: { value: shown(stated, 60) } };
  page.findings.push({ item: '', finding });
}

/** A read envelope: an item with its findings, or the reason why it cannot be kept. */
export type ReadItem = { item: RpdeItem; findings: RawFinding[] } | { item?: undefined; refused: RawFinding };

function addItem(page: Page, raw: Json, wide: boolean, index: number, textOf: TextOf): void {
  const read = readItem(raw, wide);
  if (read.item === undefined) {
    page.findings.push({ item: `items[${index}]`, finding: read.refused, raw: textOf(raw, index) });
    return;
  }
  page.items.push(read.item);
  if (read.item.state === 'deleted') {
    for (const finding of read.findings) page.findings.push({ item: itemName(read.item), finding });
  }
}

/** Reads the envelope of one item. */
export function readItem(raw: Json, wide: boolean): ReadItem {
  if (!isObject(raw)) return refused('item-not-an-object', { value: shown(raw, 40) });
  const id = idText(raw.id);
  if (id === '') return refused('item-without-id');
  if (id.length > MAX_ID) return refused('item-id-too-long', { id: shown(id, 40), most: MAX_ID });
  const findings: RawFinding[] = [];
  const state = stateOf(raw, findings);
  if (state === undefined) return refused('item-state-invalid', { value: shown(raw.state ?? 'nothing', 40) });
  const item: RpdeItem = { state, kind: kindOf(raw.kind, findings), id, modified: modifiedOf(raw.modified, findings) };
  addData(item, raw.data ?? null, wide, findings);
  return { item, findings };
}

function refused(code: RawFinding['code'], facts?: RawFinding['facts']): ReadItem {
  return { refused: { code, path: '$', ...(facts && { facts }) } };
}

function addData(item: RpdeItem, data: Json, wide: boolean, findings: RawFinding[]): void {
  if (item.state === 'deleted') {
    if (data !== null) findings.push({ code: 'deleted-with-data', path: '$' });
    return;
  }
  if (data !== null) item.data = data;
  if (wide) item.wide = true;
  if (findings.length > 0) item.findings = findings;
}

function idText(id: Json | undefined): string {
  if (typeof id === 'string') return withoutWidePrefix(id);
  return typeof id === 'number' ? String(id) : '';
}

function stateOf(raw: JsonObject, findings: RawFinding[]): RpdeItem['state'] | undefined {
  if (raw.state === 'updated' || raw.state === 'deleted') return raw.state;
  if ((raw.state ?? '') === '' && isObject(raw.data)) {
    findings.push({ code: 'item-state-missing', path: '$' });
    return 'updated';
  }
  // An unknown word never means deleted, because a deleted item cannot be requested again.
  const word = typeof raw.state === 'string' && raw.state.length < 20 ? raw.state.trim().toLowerCase() : '';
  if (word !== 'updated' && word !== 'deleted') return undefined;
  findings.push({ code: 'item-state-spelling', path: '$', facts: { value: raw.state as string } });
  return word;
}

function kindOf(kind: Json | undefined, findings: RawFinding[]): string {
  if (typeof kind === 'string' && kind !== '' && kind.length <= MAX_ID) return withoutWidePrefix(kind);
  findings.push({ code: 'item-without-kind', path: '$' });
  return '';
}

function modifiedOf(modified: Json | undefined, findings: RawFinding[]): string {
  if (typeof modified === 'number') return String(modified);
  if (typeof modified === 'string' && modified !== '' && modified.length <= MAX_MODIFIED) {
    if (!isWide(modified) && INTEGER.test(modified)) findings.push({ code: 'modified-as-text', path: '$' });
    return withoutWidePrefix(modified);
  }
  findings.push({ code: 'modified-missing', path: '$' });
  return '';
}

/** The JSON text of the item's `data`, without loss; `null` without data. `parseData` reads it back. */
export function rawData(item: Pick<RpdeItem, 'data' | 'wide'>): string {
  return item.data === undefined ? 'null' : toJson(item.data, item.wide === true);
}

/** Codes of envelopes, which are not stored with an item's `data`: their findings are made on arrival and kept. */
const OF_ENVELOPE: ReadonlySet<string> = new Set<RawFinding['code']>([
  'item-state-missing',
  'item-state-spelling',
  'item-without-kind',
  'modified-as-text',
  'modified-missing',
]);

/** The findings of a stored item that are about its envelope. */
export function envelopeFindings(stored: readonly RawFinding[]): RawFinding[] {
  return stored.filter(({ code }) => OF_ENVELOPE.has(code));
}

/** The part of an item that `rawData` wrote. */
export function parseData(raw: string): Pick<RpdeItem, 'data' | 'wide'> {
  const { value, wide } = parseJson(raw);
  return { ...(value !== null && { data: value }), ...(wide && { wide }) };
}
