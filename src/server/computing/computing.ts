import { availableParallelism } from 'node:os';
import { StoreError, type StoreTrouble } from '../../errors.ts';
import { type CalendarName, type Epoch, isMerged, type Library, type LibraryOptions } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import { startThread } from '../../process/thread.ts';
import type { StoreOptions } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { EntrySource } from '../calendars/entry.ts';
import { type Render, type Rendered, type Renderer, RenderFailure, rendererOf } from '../calendars/renderer.ts';
import type { Log } from '../operations/log.ts';
import type { CalendarCounts } from '../operations/meters.ts';
import { type AnswerOptions, answersOf } from './answers.ts';
import { ThreadPool } from './thread-pool.ts';

/** Computes expensive results: the octets of calendars, and answers to single requests. */
export interface Computing {
  renderer: Renderer;
  /** @throws BusyError, OverBudgetError, StoreError */
  answer(request: Request, base?: string): Response | Promise<Response>;
  close(): Promise<void>;
}

export interface ComputingOptions extends Omit<AnswerOptions, 'library' | 'renderer'> {
  /** Called with troubles of the store that a thread has met. */
  onTrouble?(error: StoreError): void;
}

/** Computes on the thread of the server, for embedding programs and tests. */
export function computeHere(library: Library, render: Render, options: ComputingOptions): Computing {
  const renderer = rendererOf(library, render);
  return { renderer, answer: answersOf({ ...options, library, renderer }), close: async () => {} };
}

/** The options with which a thread opens the library; they are cloneable. */
export interface ThreadLibrary {
  store: StoreOptions;
  options: Omit<LibraryOptions, 'now' | 'facts'>;
  epoch: Epoch;
}

interface CloneableRequest {
  method: string;
  url: string;
  headers: [string, string][];
  /** The body, for the methods of CalDAV. */
  body?: string;
}

/** A question for a thread. `now`: the clock of the server; alone it asks nothing. */
export type WorkerRequest = { now: Instant; calendar?: CalendarName; request?: CloneableRequest; base?: string };

/** The reply of a thread, as data, because classes and functions are not cloneable. */
export interface WorkerReply {
  rendered?: Rendered | undefined;
  failure?: { cause: CloneableError; sound: EntrySource | undefined };
  response?: { status: number; headers: [string, string][]; body: ArrayBuffer };
  /** Any other error. */
  fault?: CloneableError;
  /** The trouble of the store that the thread has met with this question. */
  trouble?: { message: string; trouble: StoreTrouble; cure: string | undefined };
  counted: CalendarCounts;
  logged: Logged[];
}

/** An error with the parts for the log. `store`: why the store could not be opened or read. */
export interface CloneableError {
  message: string;
  store?: Pick<StoreError, 'trouble' | 'cure'>;
  stack: string | undefined;
}

export interface Logged {
  level: keyof Log;
  facts: object;
  message: string;
}

/** Most threads; more would wait for the same disk. */
const MOST_THREADS = 4;

/**
 * Computes on threads, each with a read-only connection. Calendars have one thread to themselves, so that programs that poll
 * them do not wait for people who search.
 */
export function computeOnThreads(library: ThreadLibrary, options: ComputingOptions): Computing {
  const { baseUrl, brand, images, gzip, meters, log, now, onTrouble } = options;
  const threadPool = (threads: number) =>
    new ThreadPool<WorkerRequest, WorkerReply>({
      start: () =>
        startThread(import.meta.url, './computing-worker', {
          data: { library, baseUrl, brand, images, gzip },
          resourceLimits: { maxOldGenerationSizeMb: LIMITS.answerMb },
          stays: true,
        }),
      first: { now: now() },
      threads,
      budgetMs: LIMITS.answerMs,
      waiting: LIMITS.answersWaiting,
    });
  const calendars = threadPool(1);
  const answers = threadPool(Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 2)));
  const ask = async (
    one: typeof answers,
    question: Omit<WorkerRequest, 'now'>,
    turnMs?: number,
  ): Promise<WorkerReply> => {
    const answer = await one.ask({ ...question, now: now() }, turnMs);
    for (const { level, facts, message } of answer.logged) log[level](facts, message);
    meters.add(answer.counted);
    const trouble = answer.trouble && new StoreError(answer.trouble.message, answer.trouble);
    if (trouble !== undefined) onTrouble?.(trouble);
    if (trouble !== undefined && answer.fault !== undefined) throw trouble;
    return answer;
  };
  return {
    renderer: {
      // A merged calendar takes as long as a page, and anybody can request another one. The cache answers callers who wait,
      // with the entry made last.
      calendar: async (name) =>
        renderedOf(name, await ask(isMerged(name) ? answers : calendars, { calendar: name }, LIMITS.calendarMs)),
    },
    answer: async (request, base) =>
      responseOf(await ask(answers, { request: await cloneableRequest(request), ...(base !== undefined && { base }) })),
    close: async () => {
      await Promise.all([calendars.close(), answers.close()]);
    },
  };
}

async function cloneableRequest(request: Request): Promise<CloneableRequest> {
  const { method, url, headers, body } = request;
  const sent = body === null ? '' : await request.text();
  return { method, url, headers: [...headers], ...(sent !== '' && { body: sent }) };
}

function responseOf({ response, fault }: WorkerReply): Response {
  if (fault?.store !== undefined) throw new StoreError(fault.message, fault.store);
  if (response === undefined) throw new Error('A request failed.', { cause: fault });
  const { status, headers, body } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

function renderedOf(name: CalendarName, { rendered, failure, fault }: WorkerReply): Rendered | undefined {
  if (failure !== undefined) throw new RenderFailure(failure.cause, failure.sound && buffers(failure.sound));
  if (fault?.store !== undefined) throw new StoreError(fault.message, fault.store);
  if (fault !== undefined) throw new Error(`${name} could not be read.`, { cause: fault });
  return rendered && { ...rendered, source: buffers(rendered.source) };
}

/** Octets as buffers again, as they lose their class between threads. */
function buffers(source: EntrySource): EntrySource {
  const { identity: text, gzip } = source;
  return {
    ...source,
    identity: Buffer.from(text.buffer, text.byteOffset, text.length),
    gzip: Buffer.from(gzip.buffer, gzip.byteOffset, gzip.length),
  };
}
