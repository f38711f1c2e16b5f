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

/** A prepared page, or its error (PageError, UndecodableError, any other) as data: errors lose their class between threads. */
export type WorkerReply =
  | { page: PreparedPage }
  | { problem: PageProblem; message: string; cause: unknown }
  | { undecodable: Pick<UndecodableError, 'tooLarge' | 'cause'> }
  | { fault: unknown };

parentPort?.on('message', ({ text, options }: WorkerRequest) => {
  const message = replyTo(text, options);
  parentPort?.postMessage(message, 'page' in message ? buffersOf(message.page) : []);
});

/** The buffers that are transferred, not copied. */
function buffersOf({ items }: PreparedPage): ArrayBuffer[] {
  const bundles = new Set(items.flatMap(({ raw }) => (typeof raw === 'object' ? [raw.bundle] : [])));
  return [...bundles].map(({ data }) => data.buffer as ArrayBuffer);
}

/** Reads a page in pieces, which takes less memory; else as a whole, with the same result. Errors come from the whole. */
function read(body: string | Body, options: CleanOptions): PreparedPage {
  const { utf8, text } = decoded(body);
  const inPieces = utf8 === undefined ? undefined : readInPieces(utf8, options);
  if (inPieces !== undefined) return inPieces;
  const { items, ...page } = preparePage(parsePage(text()), options);
  const sent = new SentPage();
  for (const item of items) sent.add(item);
  return sent.done(page);
}

/** Reads a page item by item, with the data of one item in memory. Undefined: the page cannot be read in pieces. */
function readInPieces(utf8: Buffer, options: CleanOptions): PreparedPage | undefined {
  try {
    const pieces = piecesOf(utf8);
    if (pieces === undefined) return undefined;
    const { items, ...page } = pieces.page;
    const { newest, prepare } = newestCopies(items, (item) => prepareItem(pieces.open(item), options, rawOf));
    const kept = new Set(newest);
    // An older copy that is no JSON makes the whole page unreadable: each is parsed.
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
