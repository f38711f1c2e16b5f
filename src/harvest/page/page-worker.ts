/** The page reader on a thread of its own: one page's text in, one prepared page out (page-reader.ts). */

import { parentPort } from 'node:worker_threads';
import { type Body, decoded, UndecodableError } from '../../fetch/decode.ts';
import type { CleanOptions } from '../../opportunity/clean.ts';
import { PageError, type PageProblem, parsePage, type RpdeItem, rawData } from '../../opportunity/page/page.ts';
import { piecesOf } from '../../opportunity/page/pieces.ts';
import type { PreparedPage } from '../../revision/records/prepared.ts';
import { newestCopies, prepareItem, preparePage } from './prepare.ts';
import { SentPage } from './sent-page.ts';

export interface WorkerRequest {
  text: string | Body;
  options: CleanOptions;
}

/** `problem`: the text is no page; `undecodable`: there is no text. Classes do not survive the way between threads; `fault` is what nobody foresaw. */
export type WorkerReply =
  | { page: PreparedPage }
  | { problem: PageProblem; message: string; cause: unknown }
  | { undecodable: Pick<UndecodableError, 'tooLarge' | 'cause'> }
  | { fault: unknown };

parentPort?.on('message', ({ text, options }: WorkerRequest) => {
  const message = replyTo(text, options);
  parentPort?.postMessage(message, 'page' in message ? buffersOf(message.page) : []);
});

/** What goes over without being copied. */
function buffersOf({ items }: PreparedPage): ArrayBuffer[] {
  const bundles = new Set(items.flatMap(({ raw }) => (typeof raw === 'object' ? [raw.bundle] : [])));
  return [...bundles].map(({ data }) => data.buffer as ArrayBuffer);
}

/** A page says the same in pieces and as a whole. Whatever is wrong is reported of the whole. */
function read(body: string | Body, options: CleanOptions): PreparedPage {
  const { utf8, text } = decoded(body);
  const inPieces = utf8 === undefined ? undefined : readInPieces(utf8, options);
  if (inPieces !== undefined) return inPieces;
  const { items, ...page } = preparePage(parsePage(text()), options);
  const sent = new SentPage();
  for (const item of items) sent.add(item);
  return sent.done(page);
}

/** Undefined: in pieces it cannot be read, or not to its end. Nothing of an item's data is left when the next one is opened. */
function readInPieces(utf8: Buffer, options: CleanOptions): PreparedPage | undefined {
  try {
    const pieces = piecesOf(utf8);
    if (pieces === undefined) return undefined;
    const { items, ...page } = pieces.page;
    const { newest, prepare } = newestCopies(items, (item) => prepareItem(pieces.open(item), options, rawOf));
    const kept = new Set(newest);
    // Where one is no JSON there is no page, also where nobody asks what it says.
    for (const item of items) if (!kept.has(item)) pieces.open(item);
    const sent = new SentPage();
    for (const item of newest) sent.add(prepare(item));
    return sent.done({ ...page, count: items.length });
  } catch {
    return undefined;
  }
}

const rawOf = (item: RpdeItem): string | Uint8Array => item.raw ?? rawData(item);

function replyTo(text: string | Body, options: CleanOptions): WorkerReply {
  try {
    return { page: read(text, options) };
  } catch (error) {
    if (error instanceof PageError) return { problem: error.code, message: error.message, cause: error.cause };
    if (error instanceof UndecodableError) return { undecodable: { tooLarge: error.tooLarge, cause: error.cause } };
    return { fault: error };
  }
}
