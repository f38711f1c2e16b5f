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

/** Turns the text of a page, or a body that is not decoded yet, into a prepared page. */
export interface PageReader {
  /** Reads a page. The caller may not use the body afterwards. @throws PageError, UndecodableError */
  read(text: string | Body, options: CleanOptions): Promise<PreparedPage>;
  close(): Promise<void>;
}

/** The reader on the thread of the caller. */
export const readInPlace: PageReader = {
  read: async (text, options) => preparePage(pageOf(text), options),
  close: async () => {},
};

/** @throws PageError, UndecodableError */
function pageOf(body: string | Body): Page {
  const { utf8, text } = decoded(body);
  return (utf8 && pageInPieces(utf8)) ?? parsePage(text());
}

/** Pages below these sizes take less time to read than to send to a thread: characters or octets, and compressed octets. */
const SMALL = 32_000;
const SMALL_CODED = 4_000;
/** Megabytes of the young generation: with less, V8 copies the objects of an unfinished page again and again. */
const resourceLimits = { maxYoungGenerationSizeMb: 48 };

/** Pages that the thread has at a time, so that it need not wait for the main thread between two pages. */
const AT_ONCE = 3;

/**
 * The reader on a thread of its own: pages are parsed, cleaned, hashed and compressed while others are committed. The thread
 * starts with the first large page, has a few pages at a time, and never keeps the process alive by itself.
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
        // The request is a copy: where an earlier page ended the thread, the next thread gets it.
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
