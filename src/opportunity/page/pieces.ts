import { hasWidePrefix, isObject, type Json, type Parsed, parseClean, toJson, WIDE_PREFIX } from '../item/json.ts';
import { dataSpans, type Spans } from './item-spans.ts';
import { isPage, type Page, pageOf, type RpdeItem, replacedCharacters } from './page.ts';

/**
 * A page that is parsed in pieces: first its frame, which is all but the data of its items, then the data of one item at
 * a time. All objects of a page at once would be copied by several collections of garbage before they are let go.
 */
export interface Pieces {
  /** What `parsePage` makes of the text, but items are yet to be opened. */
  page: Page;
  /** An item as `parsePage` gives it, with its raw data as the text has it, if that is in one line. @throws SyntaxError */
  open(item: RpdeItem): RpdeItem;
}

/**
 * The pieces of a text in UTF-8; undefined: it has to be read as a whole. The text is a page, and the same one, if all
 * of its items can be opened.
 * @throws SyntaxError
 */
export function piecesOf(bytes: Buffer): Pieces | undefined {
  // The prefix of wide integers could be taken for a stand-in.
  if (hasWidePrefix(bytes)) return undefined;
  const spans = dataSpans(bytes);
  if (spans === undefined) return undefined;
  const { value, wide } = parseClean(frameOf(bytes, spans));
  if (!isPage(value) || !isFrame(value.items as Json[], spans)) return undefined;
  const wideToo = fillUnusual(value.items as Json[], bytes, spans);
  const page = pageOf(value, wide || wideToo, (raw, index) => toJson(filled(raw, index, bytes, spans), true));
  page.findings.push(...replacedCharacters(bytes));
  return { page, open: (item) => opened(item, bytes, spans) };
}

/** The page with all items parsed, as `parsePage` gives it; undefined: the page has to be read as a whole. */
export function pageInPieces(bytes: Buffer): Page | undefined {
  try {
    const pieces = piecesOf(bytes);
    return pieces && { ...pieces.page, items: pieces.page.items.map(pieces.open) };
  } catch {
    return undefined;
  }
}

/** Envelopes that are read with an eye on the data. Gives whether there are wide integers in it. */
function fillUnusual(items: Json[], bytes: Buffer, spans: Spans): boolean {
  let wide = false;
  for (const [index, raw] of items.entries()) {
    if (!isObject(raw) || raw.state === 'updated' || !hasData(spans, index)) continue;
    const data = dataAt(bytes, spans, index);
    raw.data = data.value;
    wide ||= data.wide;
  }
  return wide;
}

function filled(raw: Json, index: number, bytes: Buffer, spans: Spans): Json {
  if (!isObject(raw) || raw.data !== standIn(index)) return raw;
  return { ...raw, data: dataAt(bytes, spans, index).value };
}

/** What stands for the data of an item in the frame: no JSON text has it. */
const SIGN = `${WIDE_PREFIX}d`;
const standIn = (index: number) => SIGN + index;

const hasData = (spans: Spans, index: number) => (spans.ends[index] as number) > 0;

function frameOf(bytes: Buffer, spans: Spans): string {
  let frame = '';
  let copied = 0;
  for (let index = 0; index < spans.ends.length; index += 1) {
    if (!hasData(spans, index)) continue;
    frame += `${bytes.toString('utf8', copied, spans.begins[index])}"${standIn(index)}"`;
    copied = spans.ends[index] as number;
  }
  return frame + bytes.toString('utf8', copied);
}

/** Whether each stand-in is the data of its item: spans were found in a text that might be no JSON. */
function isFrame(items: readonly Json[], spans: Spans): boolean {
  if (items.length !== spans.ends.length) return false;
  for (const [index, raw] of items.entries())
    if (hasData(spans, index) && !(isObject(raw) && raw.data === standIn(index))) return false;
  return true;
}

function dataAt(bytes: Buffer, spans: Spans, index: number): Parsed {
  return parseClean(bytes.toString('utf8', spans.begins[index], spans.ends[index]));
}

/** Texts that are kept together are parted by it (bundles.ts). */
const LINE_FEED = 0x0a;

function opened(item: RpdeItem, bytes: Buffer, spans: Spans): RpdeItem {
  if (typeof item.data !== 'string' || !item.data.startsWith(SIGN)) return item;
  const index = Number(item.data.slice(SIGN.length));
  const { value: data, wide } = dataAt(bytes, spans, index);
  const one: RpdeItem = { ...item, data };
  if (wide) one.wide = true;
  const raw = bytes.subarray(spans.begins[index], spans.ends[index]);
  if (!raw.includes(LINE_FEED)) one.raw = raw;
  return one;
}
