import { hasWidePrefix, isObject, type Json, type Parsed, parseClean, toJson, WIDE_PREFIX } from '../item/json.ts';
import { dataSpans, type Spans } from './item-spans.ts';
import { isPage, type Page, pageOf, type RpdeItem, replacedCharacters } from './page.ts';

/**
 * A page that is parsed in pieces: first its frame, which is all but the data of its items, then the data of one item at
 * a time. If all objects of a page existed at once, several garbage collections would copy them.
 */
export interface Pieces {
  /** The page as `parsePage` gives it, with items that are still to be opened. */
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
  // A prefix of wide integers in the text could be mistaken for a stand-in.
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

/** Fills in the data of items whose state is not `updated`, which `readItem` needs. Returns whether it has wide integers. */
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

/** The stand-in for the data of an item in the frame, which no JSON text has. */
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

/** Whether each stand-in is the data of its item, because spans may come from a text that is not JSON. */
function isFrame(items: readonly Json[], spans: Spans): boolean {
  if (items.length !== spans.ends.length) return false;
  for (const [index, raw] of items.entries())
    if (hasData(spans, index) && !(isObject(raw) && raw.data === standIn(index))) return false;
  return true;
}

function dataAt(bytes: Buffer, spans: Spans, index: number): Parsed {
  return parseClean(bytes.toString('utf8', spans.begins[index], spans.ends[index]));
}

/** The separator of texts in a bundle (bundles.ts). */
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
