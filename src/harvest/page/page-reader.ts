import { UnbegunError } from '../../errors.ts';
import { type Body, decoded, UndecodableError } from '../../fetch/decode.ts';
import { LIMITS } from '../../limits.ts';
import type { CleanOptions } from '../../opportunity/clean.ts';
import { type Page, PageError, parsePage } from '../../opportunity/page/page.ts';
import { pageInPieces } from '../../opportunity/page/pieces.ts';
import { startThread, type Thread } from '../../process/thread.ts';
import type { PreparedPage } from '../../revision/records/prepared.ts';
import type { WorkerReply, WorkerRequest } from './page-worker.ts';
import { preparePage } from './prepare.ts';

/** Where the text of a page, decoded or not, becomes what the store takes. */
export interface PageReader {
  /** A body given to it belongs to it. @throws PageError, UndecodableError */
  read(text: string | Body, options: CleanOptions): Promise<PreparedPage>;
  close(): Promise<void>;
}

/** In place, as pages are committed. */
export const readInPlace: PageReader = {
  read: async (text, options) => preparePage(pageOf(text), options),
  close: async () => {},
};

/** @throws PageError, UndecodableError */
function pageOf(body: string | Body): Page {
  const { utf8, text } = decoded(body);
  return (utf8 && pageInPieces(utf8)) ?? parsePage(text());
}

/** A page this small is read sooner than it is sent: characters, or bytes that are yet to be decompressed. */
const SMALL = 32_000;
const SMALL_CODED = 4_000;
/** Megabytes for what is young: with less, objects of a page that is yet to be sent are copied again and again. */
const resourceLimits = { maxYoungGenerationSizeMb: 48 };

/** Pages that the thread has at a time: it need not wait for this one to have a turn before it goes on. */
const AT_ONCE = 3;

/**
 * On a thread of its own: while some pages are committed, the next are parsed, cleaned, hashed and compressed. The thread
 * starts with the first page that is worth it, has a few pages at a time, and never keeps the process alive by itself.
 */
export function readOnThread(): PageReader {
  let thread: Thread<WorkerRequest, WorkerReply> | undefined;
  let running = 0;
  const waiting: (() => void)[] = [];
  const ask = async (text: string | Body, options: CleanOptions): Promise<PreparedPage> => {
    if (running < AT_ONCE) running += 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      for (;;) {
        if (thread === undefined || thread.ended)
          thread = startThread(import.meta.url, './page-worker', { resourceLimits, answerMs: LIMITS.readMs });
        // It is copied: where the thread ends of an earlier page, this one is asked of the next.
        const reply = await thread.ask({ text, options }).catch((error: unknown) => {
          if (!(error instanceof UnbegunError)) throw error;
        });
        if (reply !== undefined) return preparedOf(reply);
      }
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
  return {
    read: (text, options) => (isSmall(text) ? readInPlace.read(text, options) : ask(text, options)),
    async close() {
      await thread?.end();
    },
  };
}

function isSmall(text: string | Body): boolean {
  if (typeof text === 'string') return text.length < SMALL;
  return text.bytes.length < (text.coding === '' ? SMALL : SMALL_CODED);
}

function preparedOf(reply: WorkerReply): PreparedPage {
  if ('page' in reply) return reply.page;
  if ('problem' in reply) throw new PageError(reply.problem, reply.message, { cause: reply.cause });
  if ('undecodable' in reply) throw new UndecodableError(reply.undecodable.tooLarge, reply.undecodable);
  throw reply.fault;
}
