/** Runs work that would block the event loop on a thread of its own. */

import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import { BugError, StalledError, UnbegunError } from '../errors.ts';

/** A thread that answers one question after the other. It never keeps the process alive by itself. */
export interface Thread<Question, Answer> {
  ended: boolean;
  /** Milliseconds of processor time that the thread has used. */
  busyMs(): Promise<number>;
  /**
   * Asks a question; `transfer` is moved to the thread, not copied.
   * @throws the error that ended the thread before its answer; UnbegunError where an earlier question ended it
   */
  ask(question: Question, transfer?: readonly Transferable[]): Promise<Answer>;
  end(): Promise<unknown>;
}

interface ThreadOptions {
  /** The `workerData` of the thread. */
  data?: unknown;
  resourceLimits?: ResourceLimits;
  /** The thread stays when it is idle, so that a person does not wait for its start. */
  stays?: boolean;
  /** Milliseconds after which a thread that does not answer a question is ended. */
  answerMs?: number;
}

/** Milliseconds after which an idle thread is ended, and gives its memory back. */
const IDLE_MS = 30_000;

/** Starts a thread. `file`: a module relative to the caller, without its extension, which differs in the built program. */
export function startThread<Question, Answer>(
  caller: string,
  file: string,
  { data, resourceLimits = {}, stays = false, answerMs = Number.POSITIVE_INFINITY }: ThreadOptions = {},
): Thread<Question, Answer> {
  const module = new URL(`${file}${caller.endsWith('.ts') ? '.ts' : '.js'}`, caller);
  const worker = new Worker(module, { execArgv: [], workerData: data, resourceLimits });
  const busyMs = async () => {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  };
  const thread: Thread<Question, Answer> = { ended: false, busyMs, ask, end };
  /** Unanswered questions; answers come in the same order. */
  const waiting: PromiseWithResolvers<Answer>[] = [];
  let idle: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;
  let isEnded = false;
  const fail = (cause: unknown) => {
    const [first, ...later] = waiting.splice(0);
    first?.reject(cause);
    const unbegun = isEnded ? cause : new UnbegunError(`A thread (${file}) ended before it began.`, { cause });
    for (const each of later) each.reject(unbegun);
  };
  worker.on('message', (answer: Answer) => {
    waiting.shift()?.resolve(answer);
    watch();
  });
  worker.on('error', fail);
  worker.on('exit', (code) => {
    thread.ended = true;
    fail(new BugError(`A thread (${file}) ended (${code}) before it answered.`));
  });
  // After the listeners, because one for messages refs the port.
  worker.unref();

  /** Starts the time of the next answer. */
  function watch(): void {
    clearTimeout(late);
    if (waiting.length === 0 || answerMs === Number.POSITIVE_INFINITY) return;
    late = setTimeout(() => {
      fail(new StalledError(`A thread (${file}) gave no answer for ${answerMs / 1000} s, and was ended.`));
      void end();
    }, answerMs).unref();
  }

  /** Ends the thread. Its end takes a moment, so it counts as ended at once and gets no more questions. */
  function end(): Promise<unknown> {
    isEnded = true;
    thread.ended = true;
    return worker.terminate();
  }

  async function ask(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    clearTimeout(idle);
    worker.ref();
    const answer = Promise.withResolvers<Answer>();
    waiting.push(answer);
    if (waiting.length === 1) watch();
    worker.postMessage(question, transfer);
    try {
      return await answer.promise;
    } finally {
      if (waiting.length === 0) {
        worker.unref();
        if (!stays) idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    }
  }
  return thread;
}
