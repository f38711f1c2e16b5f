import { Worker } from 'node:worker_threads';
import { BugError } from '../errors.ts';
import type { CleanOptions } from '../opportunity/clean.ts';
import { PageError, parsePage } from '../opportunity/page.ts';
import { type Body, textOf, UndecodableError } from './decode.ts';
import type { Answer, Question } from './door-worker.ts';
import { unpacked } from './parcel.ts';
import { type PreparedPage, preparePage } from './prepared.ts';

/** Where the text of a page, decoded or not, becomes what the store takes. */
export interface Door {
  /** A body given to it belongs to it. @throws PageError, UndecodableError */
  read(text: string | Body, options: CleanOptions): Promise<PreparedPage>;
  close(): Promise<void>;
}

/** In place, as pages are committed. */
export const openDoor: Door = {
  read: async (text, options) => preparePage(parsePage(textOf(text)), options),
  close: async () => {},
};

/** A page this small is read sooner than it is sent: characters, or bytes that are yet to be decompressed. */
const SMALL = 32_000;
const SMALL_CODED = 4_000;
/** A thread that has had nothing to do for so long gives its memory back. */
const IDLE_MS = 30_000;
/** Megabytes for what is young: the objects of one page come and go, and more room would only be more memory. */
const YOUNG_MB = 24;

/**
 * On a thread of its own: while one page is committed, the next is parsed, cleaned, hashed and compressed. The thread
 * starts with the first page that is worth it, has one page at a time, and never keeps the process alive by itself.
 */
export function threadDoor(): Door {
  let thread: Thread | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (text: string | Body, options: CleanOptions): Promise<PreparedPage> => {
    if (thread === undefined || thread.ended) thread = startThread();
    return pageOf(await thread.ask({ text, options }));
  };
  return {
    read(text, options) {
      if (isSmall(text)) return openDoor.read(text, options);
      const answer = turn.then(() => ask(text, options));
      turn = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      await turn;
      await thread?.end();
    },
  };
}

function isSmall(text: string | Body): boolean {
  if (typeof text === 'string') return text.length < SMALL;
  return text.bytes.length < (text.coding === '' ? SMALL : SMALL_CODED);
}

function pageOf(answer: Answer): PreparedPage {
  if ('parcel' in answer) return unpacked(answer.parcel);
  if ('problem' in answer) throw new PageError(answer.problem, answer.message, { cause: answer.cause });
  if ('undecodable' in answer) throw new UndecodableError(answer.undecodable.tooLarge, answer.undecodable);
  throw answer.fault;
}

interface Thread {
  ended: boolean;
  ask(question: Question): Promise<Answer>;
  end(): Promise<unknown>;
}

function startThread(): Thread {
  // The same file as source and as it is built.
  const file = new URL(`./door-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  const worker = new Worker(file, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  const thread: Thread = { ended: false, ask, end: () => worker.terminate() };
  let waiting: PromiseWithResolvers<Answer> | undefined;
  let idle: NodeJS.Timeout | undefined;
  worker.unref();
  worker.on('message', (answer: Answer) => waiting?.resolve(answer));
  worker.on('error', (cause) => waiting?.reject(cause));
  worker.on('exit', (code) => {
    thread.ended = true;
    waiting?.reject(new BugError(`The thread that reads pages ended (${code}) before it answered.`));
  });

  async function ask(question: Question): Promise<Answer> {
    clearTimeout(idle);
    worker.ref();
    waiting = Promise.withResolvers();
    worker.postMessage(question, typeof question.text === 'string' ? [] : [question.text.bytes.buffer]);
    try {
      return await waiting.promise;
    } finally {
      worker.unref();
      idle = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
    }
  }
  return thread;
}
