/** The page reader on a thread of its own: one page's text in, one prepared page out (page-reader.ts). */

import { parentPort } from 'node:worker_threads';
import { type Body, decoded, UndecodableError } from '../../fetch/decode.ts';
import type { CleanOptions } from '../../opportunity/clean.ts';
import { Memory } from '../../opportunity/item/memory.ts';
import { latest, PageError, type PageProblem, parsePage, type RpdeItem, rawData } from '../../opportunity/page/page.ts';
import { piecesOf } from '../../opportunity/page/pieces.ts';
import type { PackedPage } from './packed-page.ts';
import { Packer } from './packer.ts';
import { prepareItem, preparePage } from './prepare.ts';

export interface Question {
  text: string | Body;
  options: CleanOptions;
}

/** `problem`: the text is no page; `undecodable`: there is no text. Classes do not survive the way between threads; `fault` is what nobody foresaw. */
export type Answer =
  | { packed: PackedPage }
  | { problem: PageProblem; message: string; cause: unknown }
  | { undecodable: Pick<UndecodableError, 'tooLarge' | 'cause'> }
  | { fault: unknown };

const memory = new Memory();

parentPort?.on('message', ({ text, options }: Question) => {
  const message = answer(text, options);
  parentPort?.postMessage(message, 'packed' in message ? buffersOf(message.packed) : []);
});

/** What goes over without being copied. */
function buffersOf({ bundles, records }: PackedPage): ArrayBuffer[] {
  return [records.texts, ...bundles.map(({ data }) => data)].map(({ buffer }) => buffer as ArrayBuffer);
}

/** A page says the same in pieces and as a whole. Whatever is wrong is reported of the whole. */
function pack(body: string | Body, options: CleanOptions): PackedPage {
  const { utf8, text } = decoded(body);
  const packed = utf8 === undefined ? undefined : packedInPieces(utf8, options);
  if (packed !== undefined) return packed;
  const { items, ...page } = preparePage(parsePage(text()), options);
  const packer = new Packer();
  for (const item of items) packer.add(item);
  return packer.packed(page);
}

/** Undefined: in pieces it cannot be read, or not to its end. Nothing of an item's data is left when the next one is opened. */
function packedInPieces(utf8: Buffer, options: CleanOptions): PackedPage | undefined {
  try {
    const pieces = piecesOf(utf8);
    if (pieces === undefined) return undefined;
    const { items, ...page } = pieces.page;
    const newest = new Set(latest(items));
    // Where one is no JSON there is no page, also where nobody asks what it says.
    for (const item of items) if (!newest.has(item)) pieces.open(item);
    const packer = new Packer();
    for (const item of newest) packer.add(prepareItem(pieces.open(item), options, rawOf));
    return packer.packed({ ...page, count: items.length });
  } catch {
    return undefined;
  }
}

const rawOf = (item: RpdeItem): string | Uint8Array => item.raw ?? rawData(item);

function answer(text: string | Body, options: CleanOptions): Answer {
  try {
    return { packed: pack(text, { ...options, memory }) };
  } catch (error) {
    if (error instanceof PageError) return { problem: error.code, message: error.message, cause: error.cause };
    if (error instanceof UndecodableError) return { undecodable: { tooLarge: error.tooLarge, cause: error.cause } };
    return { fault: error };
  }
}
